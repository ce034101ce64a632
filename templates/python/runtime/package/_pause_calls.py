"""The logic of pauses and forks without I/O, like :mod:`._calls`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from ._history import (
    about,
    execution_id_in,
    next_cursor,
    read_object,
    required_text,
    text_of,
    time_of,
)
from ._method import unreadable
from ._pause import DecisionMessage, Pause, PauseStatus, ResumedPause
from ._protojson import print_json
from .errors import MessageError

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._answers import Answer
    from ._attempt import Outcome, Step
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._json_value import JsonValue
    from ._pause import Decision, PauseQuery

_INBOX: Final = "/invocations/v1/pauses"


class PausePage(NamedTuple):
    """A page of pauses. The last page has no ``next_cursor``."""

    pauses: list[Pause]
    next_cursor: str | None


def pauses_of(
    calls: Calls, execution_id: str, options: CallOptions
) -> Generator[Step, Outcome, list[Pause]]:
    """List the pauses of an execution."""
    path = f"/invocations/v1/executions/{execution_id}/pauses"
    call = calls.open("GET", path, options, about=execution_id)
    with about(execution_id):
        return _read_page((yield from call.run()), None).pauses


def pause_page(
    calls: Calls, query: PauseQuery, cursor: str | None, options: CallOptions
) -> Generator[Step, Outcome, PausePage]:
    """Read a page of the pauses of all executions."""
    call = calls.open("GET", _INBOX + query.encode(cursor), options)
    return _read_page((yield from call.run()), cursor)


def resume(
    calls: Calls,
    execution_id: str,
    body: bytes,
    options: CallOptions,
) -> Generator[Step, Outcome, ResumedPause]:
    """Decide on a pause of an execution with an encoded request body."""
    path = f"/invocations/v1/flows/{execution_id}/resume"
    call = calls.open("POST", path, options, about=execution_id)
    with about(execution_id):
        return _read_resumed((yield from call.run(body)))


def fork(
    calls: Calls, execution_id: str, body: bytes, options: CallOptions
) -> Generator[Step, Outcome, str]:
    """Fork an execution with an encoded request body, and return the id of the fork."""
    path = f"/invocations/v1/executions/{execution_id}/fork"
    call = calls.open("POST", path, options, starts_run=True, about=execution_id)
    with about(execution_id):
        answer = yield from call.run(body)
        return execution_id_in(read_object("fork", answer), "fork", answer)


def fork_body(checkpoint_id: str | None, message: Decision) -> bytes:
    """Encode the request that forks a run.

    Raises:
        MessageError: The message cannot be encoded.
    """
    fields: dict[str, JsonValue] = {}
    if checkpoint_id is not None:
        fields["checkpoint_id"] = checkpoint_id
    if message is not None:
        name = "payload" if isinstance(message, bytes) else "input"
        fields[name] = decision_value(message, "the message")
    return _encode(fields)


def decision_body(pause_id: str, decision: Decision, resumed_by: str | None) -> bytes:
    """Encode the request that decides on a pause.

    Raises:
        MessageError: The decision cannot be encoded, or the id is empty.
    """
    if not pause_id:
        raise MessageError("the id of the pause is empty")
    fields: dict[str, JsonValue] = {"pause_id": pause_id}
    if decision is not None:
        fields["value"] = decision_value(decision, "the decision")
    if resumed_by is not None:
        fields["resumed_by"] = resumed_by
    return _encode(fields)


def _encode(fields: dict[str, JsonValue]) -> bytes:
    try:
        return print_json(fields).encode()
    except UnicodeEncodeError as error:
        raise MessageError(f"not valid Unicode: {error.reason}") from error


def decision_value(
    decision: DecisionMessage | Mapping[str, JsonValue] | bytes, what: str
) -> JsonValue:
    """Encode a decision, or the input of a fork, as JSON.

    Raises:
        MessageError: The value cannot be encoded. The message refers to it as ``what``.
    """
    if isinstance(decision, DecisionMessage):
        return decision.to_value()
    if isinstance(decision, Mapping):
        return dict(decision)
    if isinstance(decision, bytes):
        return b64encode(decision).decode()
    # Guards untyped callers: the service would decode a string as base64.
    kind = type(decision).__name__
    raise MessageError(
        f"{what} must be a message, a mapping, bytes or None, got {kind}"
    )


def _read_page(answer: Answer, cursor: str | None) -> PausePage:
    fields = read_object("pauses", answer)
    items = fields.get("pauses")
    if not isinstance(items, list):
        raise unreadable("pauses", "pauses is missing", answer)
    return PausePage(
        pauses=[_read_pause(item, answer) for item in items if isinstance(item, dict)],
        next_cursor=next_cursor(fields, "pauses", cursor, answer),
    )


def _read_pause(fields: dict[str, JsonValue], answer: Answer) -> Pause:
    return Pause(
        id=required_text(fields, "pause_id", "pauses", answer),
        execution_id=required_text(fields, "execution_id", "pauses", answer),
        node_name=text_of(fields, "node_name"),
        status=_status_of(required_text(fields, "status", "pauses", answer)),
        question=fields.get("interrupt_payload"),
        decision_type=text_of(fields, "resume_schema"),
        checkpoint_id=text_of(fields, "checkpoint_id"),
        created_at=time_of(fields, "created_at", answer),
        expires_at=time_of(fields, "expires_at", answer),
        resume_url=text_of(fields, "resume_url"),
        resumed_at=time_of(fields, "resumed_at", answer),
        escalated_at=time_of(fields, "escalated_at", answer),
        resumed_by=text_of(fields, "resumed_by"),
        decision=fields.get("resume_value"),
        graph_id=text_of(fields, "graph_id"),
    )


def _read_resumed(answer: Answer) -> ResumedPause:
    fields = read_object("resume", answer)
    return ResumedPause(
        pause_id=required_text(fields, "pause_id", "resume", answer),
        status=_status_of(required_text(fields, "status", "resume", answer)),
        resumed_at=time_of(fields, "resumed_at", answer),
        decision=fields.get("resume_value"),
        already_resumed=fields.get("already_resumed") is True,
        resumed_by=text_of(fields, "resumed_by"),
    )


def _status_of(text: str) -> PauseStatus | str:
    try:
        return PauseStatus(text)
    except ValueError:
        return text
