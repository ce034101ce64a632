"""The context of a call, and the exceptions that end a call without an output."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event
from typing import Any, NoReturn

from svc_node.protocol import Log, Memory, Mutation, NodeMessage, Progress

MAX_PROGRESS_BYTES = 65_536
MAX_SECONDS = 4_294_967_295


class NodeFailure(Exception):
    """The node failed. `context.fail` raises it."""

    def __init__(
        self, message: str, *, retryable: bool = True, payload: object = None
    ) -> None:
        """Fail with a message that is visible to callers.

        Raises TypeError or ValueError for a payload that is not a JSON value.
        """
        super().__init__(message)
        self.retryable = bool(retryable)
        self.payload = payload
        self.payload_json = (
            "" if payload is None else to_json(payload, "payload of a failure")
        )


class NodePause(Exception):
    """The node asks a human. `context.pause` raises it."""

    def __init__(
        self,
        ask: object,
        *,
        resume_schema: str = "",
        timeout_seconds: int = 0,
        escalate_after_seconds: int = 0,
    ) -> None:
        """Ask a question, any JSON value.

        Raises TypeError or ValueError for another value, and for times that are not
        whole numbers of seconds.
        """
        super().__init__("the node asks a human")
        self.ask = ask
        self.ask_json = to_json(ask, "question of a pause")
        self.resume_schema = _message_name(resume_schema)
        self.timeout_seconds = _seconds("timeout_seconds", timeout_seconds)
        self.escalate_after_seconds = _seconds(
            "escalate_after_seconds", escalate_after_seconds
        )


@dataclass(frozen=True)
class Resumed:
    """The pause whose decision is the input, and who decided."""

    pause_id: str
    by: str


@dataclass(frozen=True)
class Binding:
    """The instance and its message types for the open ports of a generic node."""

    instance: str
    input_message: str
    output_message: str


@dataclass(frozen=True)
class Context:
    """The context of a call."""

    execution_id: str
    """32 hexadecimal characters, equal to the trace id."""
    node: str
    tenant_id: str
    placement_id: str
    """Id of the node in the flow; empty on a direct call."""
    attempt: int
    """Number of the attempt, starting at 1."""
    idempotency_id: str
    """Identical for all attempts of a step."""
    traceparent: str
    deadline: datetime | None
    """Time at which the caller stops waiting; None for no limit."""
    config: Mapping[str, Any]
    secrets: Mapping[str, str]
    resumed: Resumed | None
    binding: Binding | None
    send: Callable[[NodeMessage], None]
    """Sends a message before the output."""
    cancelled: Event = field(default_factory=Event)
    """Set when the caller stops waiting. Return as soon as possible."""

    def log(self, level: str, message: str) -> None:
        """Write a line to the log of the execution: debug, info, warn or error."""
        self.send(NodeMessage(log=Log(level=level, message=well_formed(message))))

    def progress(self, kind: str, value: object) -> None:
        """Send a progress frame: any JSON value, at most 64 KiB as text."""
        text = to_json(value, "progress")
        if len(text.encode()) > MAX_PROGRESS_BYTES:
            raise ValueError(
                f"a progress frame has at most {MAX_PROGRESS_BYTES} bytes of JSON"
            )
        self.send(NodeMessage(progress=Progress(kind=kind, json=text)))

    def mutate(self, fragment: Mapping[str, object]) -> None:
        """Add nodes and edges to the graph of this run."""
        text = to_json(fragment, "mutation")
        self.send(NodeMessage(mutation=Mutation(fragment_json=text)))

    def memory(self, operation: str, key: str, detail: object = None) -> None:
        """Report a READ or WRITE of the node to followers of the run."""
        what = "detail of a memory operation"
        text = "" if detail is None else to_json(detail, what)
        memory = Memory(operation=operation, key=key, detail_json=text)
        self.send(NodeMessage(memory=memory))

    def fail(
        self, message: str, *, retryable: bool = True, payload: object = None
    ) -> NoReturn:
        """Fail the call. A failure that is not retryable is final.

        The payload, any JSON value, is part of `FLOW_FAILED` if the failure ends a
        flow run. Direct calls return only the message. Raises TypeError or
        ValueError, which fails the call as well, for a payload that is not JSON.
        """
        raise NodeFailure(message, retryable=retryable, payload=payload)

    def pause(
        self,
        ask: object,
        *,
        resume_schema: str = "",
        timeout_seconds: int = 0,
        escalate_after_seconds: int = 0,
    ) -> NoReturn:
        """End the call with a question to a human.

        The decision becomes the input of another call of the node and replaces the
        current input. Its type is `resume_schema`, by default the type of the
        input. Raises TypeError or ValueError, which fails the call, for a question
        that is not JSON, and for times that are not whole seconds.
        """
        raise NodePause(
            ask,
            resume_schema=resume_schema,
            timeout_seconds=timeout_seconds,
            escalate_after_seconds=escalate_after_seconds,
        )


def to_json(value: object, what: str) -> str:
    """Return a value as JSON text.

    Raises TypeError or ValueError, whose message contains `what`, for a value that
    is not JSON, such as a set or NaN.
    """
    try:
        return well_formed(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"the {what} is not a JSON value: {error}") from error


def well_formed(text: str) -> str:
    """Replace lone surrogates, which the protocol cannot carry."""
    return re.sub(r"[\ud800-\udfff]", "\ufffd", text)


def _seconds(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(
            f"{name} of a pause must be a whole number of seconds, got {value!r}"
        )
    if not 0 <= value <= MAX_SECONDS:
        raise ValueError(
            f"{name} of a pause must be from 0 to {MAX_SECONDS} seconds, got {value}"
        )
    return value


def _message_name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(
            f"resume_schema of a pause must be a message's full name, got {value!r}"
        )
    return well_formed(value)


def recording_context(
    *,
    config: Mapping[str, Any] | None = None,
    secrets: Mapping[str, str] | None = None,
    attempt: int = 1,
    resumed: Resumed | None = None,
) -> tuple[Context, list[NodeMessage]]:
    """Return a context for tests, and the list of messages sent through it.

    To test a resumed call, pass ``resumed=Resumed(pause_id, resumed_by)``.
    """
    sent: list[NodeMessage] = []
    context = Context(
        execution_id="0" * 32,
        node="Test",
        tenant_id="test",
        placement_id="",
        attempt=attempt,
        idempotency_id=f"{'0' * 32}:0",
        traceparent="",
        deadline=None,
        config=config or {},
        secrets=secrets or {},
        resumed=resumed,
        binding=None,
        send=sent.append,
    )
    return context, sent
