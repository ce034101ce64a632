using System.Text.Json.Nodes;
using Xunit;

namespace Svc.Runtime.Tests;

/// <summary>Sends streamed input to each pipeline node.</summary>
public class UploadTests
{
    /// <summary>Streamed input arrives as one line per message.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task UploadSendsOneLinePerMessage(int place)
    {
        var member = Members.All[place];
        var upload = member.UploadAsync!;
        using var server = new ScriptedServer(member.ResponseOf(member.Output, 2), member.ResponseOf(member.Output, 1));
        using var client = server.Connect();

        AssertJson(member.Output, await upload(client, [member.Input, member.Input]));
        await Assert.ThrowsAsync<StreamInterruptedException>(() => upload(client, [member.Input, member.Input]));

        var arrival = server.Arrivals[0];
        Assert.Equal("application/x-ndjson", arrival.Headers["Content-Type"]);
        var lines = arrival.Body.Split('\n');
        Assert.Equal(("", 3), (lines[2], lines.Length));
        Assert.All(lines[..2], line => AssertJson(member.Input, line));
    }

    /// <summary>An error status maps to its exception, even if the service closes the connection without reading the input.</summary>
    /// <param name="place">The index of the member.</param>
    /// <returns>A task.</returns>
    [Theory]
    [MemberData(nameof(Members.PipelineNodes), MemberType = typeof(Members))]
    public async Task RejectedUploadMapsToException(int place)
    {
        var member = Members.All[place];
        var refusal = new Response("{}", 401) { IsEarly = true };
        using var server = new ScriptedServer(refusal, refusal with { Status = 413 });
        using var client = server.Connect();
        var inputs = Enumerable.Repeat(member.Input, 10_000);

        await Assert.ThrowsAsync<UnauthorizedException>(() => member.UploadAsync!(client, inputs));
        await Assert.ThrowsAsync<PayloadTooLargeException>(() => member.Split!.UploadAsync(client, "stream", inputs));
    }

    private static void AssertJson(string expected, string actual) => Assert.True(
        JsonNode.DeepEquals(JsonNode.Parse(expected), JsonNode.Parse(actual)),
        $"expected {expected}, got {actual}");
}
