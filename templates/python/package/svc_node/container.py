"""The RPC methods of a node container, backed by the handlers of a package."""

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from functools import lru_cache
from threading import Thread
from typing import Any, NoReturn

import grpc
from google.protobuf.message import DecodeError

from svc_node import protocol
from svc_node.context import (
    Binding,
    Context,
    NodeFailure,
    NodePause,
    Resumed,
    well_formed,
)
from svc_node.outbox import CallerLeftError, Outbox
from svc_node.package import Node, Package, add_types, message_class

Handler = Callable[..., Any]

MAX_DESCRIPTION_BYTES = 262_144
"""Maximum size of a description that the service accepts."""


class Container:
    """Serves `Invoke`, `Stream`, `Warm` and `Describe`."""

    def __init__(self, package: Package, handlers: Mapping[str, Handler]) -> None:
        """Check that nodes and handlers match one to one."""
        missing = [name for name in package.nodes if name not in handlers]
        extra = [name for name in handlers if name not in package.nodes]
        problems = [f"the node {name} has no handler" for name in missing]
        problems += [f"package.yaml declares no node {name}" for name in extra]
        if problems:
            raise ValueError("; ".join(problems))
        self._package = package
        self._handlers = handlers
        self._description = _describe(package)

    def methods(self) -> grpc.GenericRpcHandler:
        """Return the service for a gRPC server."""

        def kind(make: Any, method: Any, request: Any, response: Any) -> Any:
            return make(method, request.FromString, response.SerializeToString)

        p = protocol
        unary, stream = (
            grpc.unary_stream_rpc_method_handler,
            grpc.stream_stream_rpc_method_handler,
        )
        plain = grpc.unary_unary_rpc_method_handler
        return grpc.method_handlers_generic_handler(
            "svc.node.v1.NodeContainer",
            {
                "Invoke": kind(unary, self._invoke, p.InvokeRequest, p.NodeMessage),
                "Stream": kind(stream, self._stream, p.StreamRequest, p.NodeMessage),
                "Warm": kind(plain, self._warm, p.WarmRequest, p.WarmResponse),
                "Describe": kind(
                    plain, self._describe, p.DescribeRequest, p.DescribeResponse
                ),
            },
        )

    def _invoke(
        self, request: protocol.InvokeRequest, call: Any
    ) -> Iterator[protocol.NodeMessage]:
        node = self._node(request.context, "unary", call)
        types = _port_types(node, request.context, call)
        message = _read(types[0], request.input, call)
        outbox = _outbox(call)

        def work(context: Context) -> protocol.NodeMessage:
            output = self._handlers[node.name](message, context)
            return protocol.NodeMessage(output=_bytes(node, types[1], output))

        _start(node, request.context, outbox, work)
        yield from outbox

    def _stream(
        self, requests: Iterator[protocol.StreamRequest], call: Any
    ) -> Iterator[protocol.NodeMessage]:
        first = next(requests)
        if not first.HasField("start"):
            _refuse(call, "INVALID_ARGUMENT", "the first message is the start")
        node = self._node(first.start, "pipeline", call)
        types = _port_types(node, first.start, call)
        outbox = _outbox(call)

        def frames() -> Iterator[Any]:
            for request in requests:
                yield types[0].FromString(request.frame)

        def work(context: Context) -> protocol.NodeMessage:
            outputs = self._handlers[node.name](frames(), context)
            if not isinstance(outputs, Iterable):
                raise NodeFailure(f"{node.name} must yield its outputs, not return one")
            for output in outputs:
                frame = _bytes(node, types[1], output)
                outbox.put(protocol.NodeMessage(frame=frame))
            return protocol.NodeMessage(done=protocol.Done())

        _start(node, first.start, outbox, work)
        yield from outbox

    def _warm(self, request: protocol.WarmRequest, call: Any) -> protocol.WarmResponse:
        return protocol.WarmResponse()

    def _describe(
        self, request: protocol.DescribeRequest, call: Any
    ) -> protocol.DescribeResponse:
        return self._description

    def _node(self, context: protocol.CallContext, mode: str, call: Any) -> Node:
        package = self._package
        wanted = (context.package_name, context.package_version)
        # Older releases of the service do not send the package.
        if wanted not in ((package.name, package.version), ("", "")):
            _refuse(
                call,
                "FAILED_PRECONDITION",
                f"this container serves {package.name} {package.version}, "
                f"not {wanted[0]} {wanted[1]}: call that version, "
                "or deploy each at a container of its own",
            )
        node = package.nodes.get(context.node)
        if node is None:
            names = ", ".join(package.nodes)
            _refuse(call, "NOT_FOUND", f'no node "{context.node}"; there are {names}')
        if node.mode != mode:
            _refuse(call, "UNIMPLEMENTED", f"{node.name} is a {node.mode} node")
        return node


def _describe(package: Package) -> protocol.DescribeResponse:
    served = protocol.ServedPackage(
        name=package.name,
        version=package.version,
        descriptor_set=package.descriptor_set,
    )
    for node in package.nodes.values():
        served.nodes.add(
            name=node.name,
            input_message=node.input,
            output_message=node.output,
            mode=node.mode,
        )
    description = protocol.DescribeResponse(packages=[served])
    if len(description.SerializeToString()) > MAX_DESCRIPTION_BYTES:
        # Without descriptors, the service compares only the names.
        description.packages[0].descriptor_set = b""
    return description


def _outbox(call: Any) -> Outbox:
    outbox = Outbox()
    # Called when the call ends for any reason.
    if not call.add_callback(outbox.cancel):
        outbox.cancel()
    return outbox


def _start(
    node: Node,
    call: protocol.CallContext,
    outbox: Outbox,
    work: Callable[[Context], protocol.NodeMessage],
) -> None:
    """Run a handler in its own thread, so that its messages are sent immediately."""

    def run() -> None:
        # Without a last message, the caller would wait until its deadline.
        ending: protocol.NodeMessage | None = _error("the node failed")
        try:
            ending = _ending(node, outbox, lambda: work(_context(call, outbox)))
        finally:
            outbox.end(ending)

    Thread(target=run, daemon=True).start()


def _ending(
    node: Node, outbox: Outbox, work: Callable[[], protocol.NodeMessage]
) -> protocol.NodeMessage | None:
    """Return the message that ends a call, or None if the caller has left."""
    try:
        return work()
    except CallerLeftError:
        return None
    except NodePause as pause:
        return _pause(pause)
    # BaseException covers sys.exit, after which the caller would wait in vain.
    except BaseException as error:
        if not isinstance(error, NodeFailure) and not outbox.cancelled.is_set():
            _report(node, error)
        return _failure(error)


def _report(node: Node, error: BaseException) -> None:
    """Print an unexpected error, unless stderr is closed."""
    with suppress(Exception):
        print(f"{node.name} failed:", file=sys.stderr)
        traceback.print_exception(error)


def _context(call: protocol.CallContext, outbox: Outbox) -> Context:
    binding = call.binding
    return Context(
        execution_id=call.execution_id,
        node=call.node,
        tenant_id=call.tenant_id,
        placement_id=call.placement_id,
        attempt=call.attempt,
        idempotency_id=call.idempotency_id,
        traceparent=call.traceparent,
        deadline=datetime.fromtimestamp(call.deadline_ms / 1000, timezone.utc)
        if call.deadline_ms
        else None,
        config=json.loads(call.config_json or "{}"),
        secrets=dict(call.secrets),
        resumed=Resumed(call.resumed_pause_id, call.resumed_by)
        if call.resumed_pause_id
        else None,
        binding=Binding(binding.instance, binding.input_message, binding.output_message)
        if call.HasField("binding")
        else None,
        send=outbox.put,
        cancelled=outbox.cancelled,
    )


def _pause(pause: NodePause) -> protocol.NodeMessage:
    return protocol.NodeMessage(
        pause=protocol.Pause(
            interrupt_payload_json=pause.ask_json,
            resume_schema=pause.resume_schema,
            timeout_seconds=pause.timeout_seconds,
            escalate_after_seconds=pause.escalate_after_seconds,
        )
    )


def _failure(error: BaseException) -> protocol.NodeMessage:
    """Return the last message of a failed call, which is retried by default."""
    text = _text(error) or f"the node failed: {type(error).__name__}"
    if isinstance(error, NodeFailure):
        return _error(text, error.retryable, error.payload_json)
    return _error(text)


def _error(
    message: str, retryable: bool = True, payload_json: str = ""
) -> protocol.NodeMessage:
    return protocol.NodeMessage(
        error=protocol.Failure(
            message=well_formed(message),
            retryable=retryable,
            failure_payload_json=payload_json,
        )
    )


def _text(error: BaseException) -> str:
    """Return the message of an error, with its type where the message needs it."""
    try:
        text = str(error)
    # The method belongs to a class of the handler.
    except Exception:
        return ""
    if isinstance(error, Exception) and not isinstance(error, KeyError):
        return text
    return f"{type(error).__name__}: {text}"


def _port_types(
    node: Node, context: protocol.CallContext, call: Any
) -> tuple[Any, Any]:
    """Return the input and output classes. An open port uses the bound class."""
    binding = context.binding
    if context.HasField("binding"):
        _add_bound(binding.descriptor_set)
    names = (
        node.input or binding.input_message,
        node.output or binding.output_message,
    )
    if "" in names:
        _refuse(
            call,
            "FAILED_PRECONDITION",
            f"{node.name} is generic, and the call binds no message: call an Instance",
        )
    return message_class(names[0]), message_class(names[1])


@lru_cache(maxsize=100)
def _add_bound(descriptor_set: bytes) -> None:
    add_types(descriptor_set)


def _read(message_type: Any, data: bytes, call: Any) -> Any:
    try:
        return message_type.FromString(data)
    except DecodeError as error:
        _refuse(
            call,
            "INVALID_ARGUMENT",
            f"the input is not a {message_type.DESCRIPTOR.full_name}: {error}",
        )


def _bytes(node: Node, message_type: Any, output: Any) -> bytes:
    if not isinstance(output, message_type):
        full_name = message_type.DESCRIPTOR.full_name
        raise TypeError(
            f"{node.name} returned a {type(output).__name__}, not a {full_name}"
        )
    data: bytes = output.SerializeToString()
    return data


def _refuse(call: Any, code: str, message: str) -> NoReturn:
    """Reject a call before it reaches a handler."""
    call.abort(getattr(grpc.StatusCode, code), message)
    raise AssertionError("abort raises")
