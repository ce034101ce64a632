from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence

from svc_node.package import Package
from svc_node.values import Message, RepeatedMessage

PACKAGE: Package

class Binding(Message):
    """The messages that an Instance binds to a generic node's open ports."""

    # <handle>/<name>@<version>
    instance: str
    # full names, whichever ports are open
    input_message: str
    output_message: str
    # serialized google.protobuf.FileDescriptorSet with those messages
    descriptor_set: bytes
    def __init__(
        self,
        *,
        instance: str | None = None,
        input_message: str | None = None,
        output_message: str | None = None,
        descriptor_set: bytes | None = None,
    ) -> None: ...

class Call(Message):
    # unique on its stream
    id: int
    invoke: InvokeRequest
    # the caller no longer waits: stop if possible, and send nothing more
    cancel: bool
    def __init__(
        self,
        *,
        id: int | None = None,
        invoke: InvokeRequest | None = None,
        cancel: bool | None = None,
    ) -> None: ...

class CallContext(Message):
    # 32 hex characters, also the trace id
    execution_id: str
    # the node's name in its package
    node: str
    # canvas id in the flow; empty on a direct call
    placement_id: str
    tenant_id: str
    # from 1
    attempt: int
    # <execution_id>:<step>; the same on every attempt of a step
    idempotency_id: str
    # epoch milliseconds, 0 for none
    deadline_ms: int
    # resolved config profile, a JSON object
    config_json: str
    # only names the node declared and the tenant configured
    secrets: MutableMapping[str, str]
    # set when the input is a human's decision on that pause
    resumed_pause_id: str
    resumed_by: str
    # W3C trace context
    traceparent: str
    # set when the call is to an Instance of a generic node
    binding: Binding
    # <handle>/<name> of the package that defines the node
    package_name: str
    # a container that does not serve this package version ends the call with FAILED_PRECONDITION
    package_version: str
    def __init__(
        self,
        *,
        execution_id: str | None = None,
        node: str | None = None,
        placement_id: str | None = None,
        tenant_id: str | None = None,
        attempt: int | None = None,
        idempotency_id: str | None = None,
        deadline_ms: int | None = None,
        config_json: str | None = None,
        secrets: Mapping[str, str] | None = None,
        resumed_pause_id: str | None = None,
        resumed_by: str | None = None,
        traceparent: str | None = None,
        binding: Binding | None = None,
        package_name: str | None = None,
        package_version: str | None = None,
    ) -> None: ...

class DescribeRequest(Message):
    def __init__(self) -> None: ...

class DescribeResponse(Message):
    packages: RepeatedMessage[ServedPackage]
    def __init__(self, *, packages: Iterable[ServedPackage] | None = None) -> None: ...

class Done(Message):
    def __init__(self) -> None: ...

class Failure(Message):
    # surfaces verbatim on NODE_FAILED
    message: str
    retryable: bool
    # optional, surfaces on FLOW_FAILED
    failure_payload_json: str
    def __init__(
        self,
        *,
        message: str | None = None,
        retryable: bool | None = None,
        failure_payload_json: str | None = None,
    ) -> None: ...

class InvokeRequest(Message):
    context: CallContext
    # serialized input message
    input: bytes
    def __init__(
        self,
        *,
        context: CallContext | None = None,
        input: bytes | None = None,
    ) -> None: ...

class Log(Message):
    # debug, info, warn, error
    level: str
    message: str
    def __init__(
        self,
        *,
        level: str | None = None,
        message: str | None = None,
    ) -> None: ...

class Memory(Message):
    # READ or WRITE
    operation: str
    key: str
    detail_json: str
    def __init__(
        self,
        *,
        operation: str | None = None,
        key: str | None = None,
        detail_json: str | None = None,
    ) -> None: ...

class Mutation(Message):
    # {nodes, edges} in the form of the compile request
    fragment_json: str
    def __init__(self, *, fragment_json: str | None = None) -> None: ...

class NodeMessage(Message):
    # unary result, serialized output message
    output: bytes
    # pipeline result frame, serialized output message
    frame: bytes
    done: Done
    error: Failure
    pause: Pause
    log: Log
    progress: Progress
    mutation: Mutation
    memory: Memory
    def __init__(
        self,
        *,
        output: bytes | None = None,
        frame: bytes | None = None,
        done: Done | None = None,
        error: Failure | None = None,
        pause: Pause | None = None,
        log: Log | None = None,
        progress: Progress | None = None,
        mutation: Mutation | None = None,
        memory: Memory | None = None,
    ) -> None: ...

class Pause(Message):
    # the question to the human
    interrupt_payload_json: str
    # full message name that the decision must fit; empty for the node's input message
    resume_schema: str
    # 0 for the default
    timeout_seconds: int
    # 0 for never
    escalate_after_seconds: int
    # "CANCEL" or empty
    timeout_policy: str
    def __init__(
        self,
        *,
        interrupt_payload_json: str | None = None,
        resume_schema: str | None = None,
        timeout_seconds: int | None = None,
        escalate_after_seconds: int | None = None,
        timeout_policy: str | None = None,
    ) -> None: ...

class Progress(Message):
    kind: str
    # opaque author JSON, at most 64 KiB
    json: str
    def __init__(self, *, kind: str | None = None, json: str | None = None) -> None: ...

class Reply(Message):
    id: int
    # as Invoke would send; output, pause and error end the call
    message: NodeMessage
    # what Invoke would have ended with as a gRPC status
    failed: Status
    def __init__(
        self,
        *,
        id: int | None = None,
        message: NodeMessage | None = None,
        failed: Status | None = None,
    ) -> None: ...

class ServedNode(Message):
    name: str
    # full names; empty for an open port of a generic node
    input_message: str
    output_message: str
    # "unary" or "pipeline"
    mode: str
    def __init__(
        self,
        *,
        name: str | None = None,
        input_message: str | None = None,
        output_message: str | None = None,
        mode: str | None = None,
    ) -> None: ...

class ServedPackage(Message):
    # <handle>/<name>
    name: str
    # empty for any version with these nodes and messages
    version: str
    nodes: RepeatedMessage[ServedNode]
    # Optional: a serialized google.protobuf.FileDescriptorSet. svc compares the fields that the nodes' messages reach with the
    # published ones: names, numbers, types and cardinalities.
    descriptor_set: bytes
    def __init__(
        self,
        *,
        name: str | None = None,
        version: str | None = None,
        nodes: Iterable[ServedNode] | None = None,
        descriptor_set: bytes | None = None,
    ) -> None: ...

class SessionRequest(Message):
    calls: RepeatedMessage[Call]
    def __init__(self, *, calls: Iterable[Call] | None = None) -> None: ...

class SessionResponse(Message):
    replies: RepeatedMessage[Reply]
    def __init__(self, *, replies: Iterable[Reply] | None = None) -> None: ...

class Status(Message):
    # gRPC status code
    code: int
    message: str
    def __init__(
        self,
        *,
        code: int | None = None,
        message: str | None = None,
    ) -> None: ...

class StreamRequest(Message):
    start: CallContext
    # serialized input message
    frame: bytes
    def __init__(
        self,
        *,
        start: CallContext | None = None,
        frame: bytes | None = None,
    ) -> None: ...

class WarmRequest(Message):
    tenant_id: str
    nodes: MutableSequence[str]
    def __init__(
        self,
        *,
        tenant_id: str | None = None,
        nodes: Iterable[str] | None = None,
    ) -> None: ...

class WarmResponse(Message):
    def __init__(self) -> None: ...
