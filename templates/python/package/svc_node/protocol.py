"""Messages of svc/node 1.0.0. Written by `svc node types`: do not edit.

Run the command again when package.yaml or a proto file changes.
"""

from svc_node.package import Package

PACKAGE = Package(
    name="svc/node",
    version="1.0.0",
    nodes=[],
    descriptors=(
        "CroZChRub2RlX2NvbnRhaW5lci5wcm90bxILc3ZjLm5vZGUudjEi6wQKC0NhbGxDb250ZXh0"
        "EiEKDGV4ZWN1dGlvbl9pZBgBIAEoCVILZXhlY3V0aW9uSWQSEgoEbm9kZRgCIAEoCVIEbm9k"
        "ZRIhCgxwbGFjZW1lbnRfaWQYAyABKAlSC3BsYWNlbWVudElkEhsKCXRlbmFudF9pZBgEIAEo"
        "CVIIdGVuYW50SWQSGAoHYXR0ZW1wdBgFIAEoDVIHYXR0ZW1wdBIlCg5pZGVtcG90ZW5jeV9p"
        "ZBgGIAEoCVINaWRlbXBvdGVuY3lJZBIfCgtkZWFkbGluZV9tcxgHIAEoA1IKZGVhZGxpbmVN"
        "cxIfCgtjb25maWdfanNvbhgIIAEoCVIKY29uZmlnSnNvbhI/CgdzZWNyZXRzGAkgAygLMiUu"
        "c3ZjLm5vZGUudjEuQ2FsbENvbnRleHQuU2VjcmV0c0VudHJ5UgdzZWNyZXRzEigKEHJlc3Vt"
        "ZWRfcGF1c2VfaWQYCiABKAlSDnJlc3VtZWRQYXVzZUlkEh0KCnJlc3VtZWRfYnkYCyABKAlS"
        "CXJlc3VtZWRCeRIgCgt0cmFjZXBhcmVudBgMIAEoCVILdHJhY2VwYXJlbnQSLgoHYmluZGlu"
        "ZxgNIAEoCzIULnN2Yy5ub2RlLnYxLkJpbmRpbmdSB2JpbmRpbmcSIQoMcGFja2FnZV9uYW1l"
        "GA4gASgJUgtwYWNrYWdlTmFtZRInCg9wYWNrYWdlX3ZlcnNpb24YDyABKAlSDnBhY2thZ2VW"
        "ZXJzaW9uGjoKDFNlY3JldHNFbnRyeRIQCgNrZXkYASABKAlSA2tleRIUCgV2YWx1ZRgCIAEo"
        "CVIFdmFsdWU6AjgBIpgBCgdCaW5kaW5nEhoKCGluc3RhbmNlGAEgASgJUghpbnN0YW5jZRIj"
        "Cg1pbnB1dF9tZXNzYWdlGAIgASgJUgxpbnB1dE1lc3NhZ2USJQoOb3V0cHV0X21lc3NhZ2UY"
        "AyABKAlSDW91dHB1dE1lc3NhZ2USJQoOZGVzY3JpcHRvcl9zZXQYBCABKAxSDWRlc2NyaXB0"
        "b3JTZXQiWQoNSW52b2tlUmVxdWVzdBIyCgdjb250ZXh0GAEgASgLMhguc3ZjLm5vZGUudjEu"
        "Q2FsbENvbnRleHRSB2NvbnRleHQSFAoFaW5wdXQYAiABKAxSBWlucHV0IjkKDlNlc3Npb25S"
        "ZXF1ZXN0EicKBWNhbGxzGAEgAygLMhEuc3ZjLm5vZGUudjEuQ2FsbFIFY2FsbHMibgoEQ2Fs"
        "bBIOCgJpZBgBIAEoBFICaWQSNAoGaW52b2tlGAIgASgLMhouc3ZjLm5vZGUudjEuSW52b2tl"
        "UmVxdWVzdEgAUgZpbnZva2USGAoGY2FuY2VsGAMgASgISABSBmNhbmNlbEIGCgRraW5kIj8K"
        "D1Nlc3Npb25SZXNwb25zZRIsCgdyZXBsaWVzGAEgAygLMhIuc3ZjLm5vZGUudjEuUmVwbHlS"
        "B3JlcGxpZXMihAEKBVJlcGx5Eg4KAmlkGAEgASgEUgJpZBI0CgdtZXNzYWdlGAIgASgLMhgu"
        "c3ZjLm5vZGUudjEuTm9kZU1lc3NhZ2VIAFIHbWVzc2FnZRItCgZmYWlsZWQYAyABKAsyEy5z"
        "dmMubm9kZS52MS5TdGF0dXNIAFIGZmFpbGVkQgYKBGtpbmQiNgoGU3RhdHVzEhIKBGNvZGUY"
        "ASABKA1SBGNvZGUSGAoHbWVzc2FnZRgCIAEoCVIHbWVzc2FnZSJhCg1TdHJlYW1SZXF1ZXN0"
        "EjAKBXN0YXJ0GAEgASgLMhguc3ZjLm5vZGUudjEuQ2FsbENvbnRleHRIAFIFc3RhcnQSFgoF"
        "ZnJhbWUYAiABKAxIAFIFZnJhbWVCBgoEa2luZCKJAwoLTm9kZU1lc3NhZ2USGAoGb3V0cHV0"
        "GAEgASgMSABSBm91dHB1dBIWCgVmcmFtZRgCIAEoDEgAUgVmcmFtZRInCgRkb25lGAMgASgL"
        "MhEuc3ZjLm5vZGUudjEuRG9uZUgAUgRkb25lEiwKBWVycm9yGAQgASgLMhQuc3ZjLm5vZGUu"
        "djEuRmFpbHVyZUgAUgVlcnJvchIqCgVwYXVzZRgFIAEoCzISLnN2Yy5ub2RlLnYxLlBhdXNl"
        "SABSBXBhdXNlEiQKA2xvZxgGIAEoCzIQLnN2Yy5ub2RlLnYxLkxvZ0gAUgNsb2cSMwoIcHJv"
        "Z3Jlc3MYByABKAsyFS5zdmMubm9kZS52MS5Qcm9ncmVzc0gAUghwcm9ncmVzcxIzCghtdXRh"
        "dGlvbhgIIAEoCzIVLnN2Yy5ub2RlLnYxLk11dGF0aW9uSABSCG11dGF0aW9uEi0KBm1lbW9y"
        "eRgJIAEoCzITLnN2Yy5ub2RlLnYxLk1lbW9yeUgAUgZtZW1vcnlCBgoEa2luZCIGCgREb25l"
        "InMKB0ZhaWx1cmUSGAoHbWVzc2FnZRgBIAEoCVIHbWVzc2FnZRIcCglyZXRyeWFibGUYAiAB"
        "KAhSCXJldHJ5YWJsZRIwChRmYWlsdXJlX3BheWxvYWRfanNvbhgDIAEoCVISZmFpbHVyZVBh"
        "eWxvYWRKc29uIugBCgVQYXVzZRI0ChZpbnRlcnJ1cHRfcGF5bG9hZF9qc29uGAEgASgJUhRp"
        "bnRlcnJ1cHRQYXlsb2FkSnNvbhIjCg1yZXN1bWVfc2NoZW1hGAIgASgJUgxyZXN1bWVTY2hl"
        "bWESJwoPdGltZW91dF9zZWNvbmRzGAMgASgNUg50aW1lb3V0U2Vjb25kcxI0ChZlc2NhbGF0"
        "ZV9hZnRlcl9zZWNvbmRzGAQgASgNUhRlc2NhbGF0ZUFmdGVyU2Vjb25kcxIlCg50aW1lb3V0"
        "X3BvbGljeRgFIAEoCVINdGltZW91dFBvbGljeSI1CgNMb2cSFAoFbGV2ZWwYASABKAlSBWxl"
        "dmVsEhgKB21lc3NhZ2UYAiABKAlSB21lc3NhZ2UiMgoIUHJvZ3Jlc3MSEgoEa2luZBgBIAEo"
        "CVIEa2luZBISCgRqc29uGAIgASgJUgRqc29uIi8KCE11dGF0aW9uEiMKDWZyYWdtZW50X2pz"
        "b24YASABKAlSDGZyYWdtZW50SnNvbiJZCgZNZW1vcnkSHAoJb3BlcmF0aW9uGAEgASgJUglv"
        "cGVyYXRpb24SEAoDa2V5GAIgASgJUgNrZXkSHwoLZGV0YWlsX2pzb24YAyABKAlSCmRldGFp"
        "bEpzb24iQAoLV2FybVJlcXVlc3QSGwoJdGVuYW50X2lkGAEgASgJUgh0ZW5hbnRJZBIUCgVu"
        "b2RlcxgCIAMoCVIFbm9kZXMiDgoMV2FybVJlc3BvbnNlIhEKD0Rlc2NyaWJlUmVxdWVzdCJK"
        "ChBEZXNjcmliZVJlc3BvbnNlEjYKCHBhY2thZ2VzGAEgAygLMhouc3ZjLm5vZGUudjEuU2Vy"
        "dmVkUGFja2FnZVIIcGFja2FnZXMikwEKDVNlcnZlZFBhY2thZ2USEgoEbmFtZRgBIAEoCVIE"
        "bmFtZRIYCgd2ZXJzaW9uGAIgASgJUgd2ZXJzaW9uEi0KBW5vZGVzGAMgAygLMhcuc3ZjLm5v"
        "ZGUudjEuU2VydmVkTm9kZVIFbm9kZXMSJQoOZGVzY3JpcHRvcl9zZXQYBCABKAxSDWRlc2Ny"
        "aXB0b3JTZXQigAEKClNlcnZlZE5vZGUSEgoEbmFtZRgBIAEoCVIEbmFtZRIjCg1pbnB1dF9t"
        "ZXNzYWdlGAIgASgJUgxpbnB1dE1lc3NhZ2USJQoOb3V0cHV0X21lc3NhZ2UYAyABKAlSDW91"
        "dHB1dE1lc3NhZ2USEgoEbW9kZRgEIAEoCVIEbW9kZTLlAgoNTm9kZUNvbnRhaW5lchJACgZJ"
        "bnZva2USGi5zdmMubm9kZS52MS5JbnZva2VSZXF1ZXN0Ghguc3ZjLm5vZGUudjEuTm9kZU1l"
        "c3NhZ2UwARJCCgZTdHJlYW0SGi5zdmMubm9kZS52MS5TdHJlYW1SZXF1ZXN0Ghguc3ZjLm5v"
        "ZGUudjEuTm9kZU1lc3NhZ2UoATABEkgKB1Nlc3Npb24SGy5zdmMubm9kZS52MS5TZXNzaW9u"
        "UmVxdWVzdBocLnN2Yy5ub2RlLnYxLlNlc3Npb25SZXNwb25zZSgBMAESOwoEV2FybRIYLnN2"
        "Yy5ub2RlLnYxLldhcm1SZXF1ZXN0Ghkuc3ZjLm5vZGUudjEuV2FybVJlc3BvbnNlEkcKCERl"
        "c2NyaWJlEhwuc3ZjLm5vZGUudjEuRGVzY3JpYmVSZXF1ZXN0Gh0uc3ZjLm5vZGUudjEuRGVz"
        "Y3JpYmVSZXNwb25zZWIGcHJvdG8z"
    ),
)

Binding = PACKAGE.message("svc.node.v1.Binding")
Call = PACKAGE.message("svc.node.v1.Call")
CallContext = PACKAGE.message("svc.node.v1.CallContext")
DescribeRequest = PACKAGE.message("svc.node.v1.DescribeRequest")
DescribeResponse = PACKAGE.message("svc.node.v1.DescribeResponse")
Done = PACKAGE.message("svc.node.v1.Done")
Failure = PACKAGE.message("svc.node.v1.Failure")
InvokeRequest = PACKAGE.message("svc.node.v1.InvokeRequest")
Log = PACKAGE.message("svc.node.v1.Log")
Memory = PACKAGE.message("svc.node.v1.Memory")
Mutation = PACKAGE.message("svc.node.v1.Mutation")
NodeMessage = PACKAGE.message("svc.node.v1.NodeMessage")
Pause = PACKAGE.message("svc.node.v1.Pause")
Progress = PACKAGE.message("svc.node.v1.Progress")
Reply = PACKAGE.message("svc.node.v1.Reply")
ServedNode = PACKAGE.message("svc.node.v1.ServedNode")
ServedPackage = PACKAGE.message("svc.node.v1.ServedPackage")
SessionRequest = PACKAGE.message("svc.node.v1.SessionRequest")
SessionResponse = PACKAGE.message("svc.node.v1.SessionResponse")
Status = PACKAGE.message("svc.node.v1.Status")
StreamRequest = PACKAGE.message("svc.node.v1.StreamRequest")
WarmRequest = PACKAGE.message("svc.node.v1.WarmRequest")
WarmResponse = PACKAGE.message("svc.node.v1.WarmResponse")
