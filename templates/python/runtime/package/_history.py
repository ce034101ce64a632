"""What the service keeps of an execution: its record and its events."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from ._method import read_json, unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._answers import Answer
    from ._protojson import JsonValue

_TERMINAL: Final = frozenset({"COMPLETED", "FAILED", "CANCELLED", "FORKED"})


@dataclass(frozen=True, slots=True)
class ExecutionRecord:
    """How far an execution is.

    Attributes:
        id: 32 hexadecimal digits.
        status: ``QUEUED``, ``RUNNING`` (a parked run too), ``COMPLETED``, ``FAILED``,
            ``CANCELLED`` or ``FORKED``.
        graph_id: The flow that ran.
        created_at: ISO 8601, as the other times.
        updated_at: When the record last changed.
        completed_at: Set when the execution has ended.
        fields: The record as it came, with all of its fields.
    """

    id: str
    status: str
    graph_id: str | None
    created_at: str | None
    updated_at: str | None
    completed_at: str | None
    fields: dict[str, JsonValue]

    @property
    def is_terminal(self) -> bool:
        """Whether the execution has ended."""
        return self.status in _TERMINAL


@dataclass(frozen=True, slots=True)
class ExecutionEvent:
    """Something that happened in an execution. New types come without notice.

    Attributes:
        type: ``NODE_STARTED``, ``NODE_COMPLETED``, ``FLOW_COMPLETED`` ...
        ulid: Unique and in the order of time.
        timestamp_ms: Milliseconds since 1970.
        node_name: The placement in the flow that the event is of.
        input: The message that went in, as JSON, where the event carries one.
        output: The message that came out.
        fields: The event as it came, with all of its fields.
    """

    type: str
    ulid: str
    timestamp_ms: int
    node_name: str | None
    input: JsonValue
    output: JsonValue
    fields: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Which events to read."""

    types: Sequence[str] = ()
    node_name: str | None = None
    page_size: int | None = None

    def encode(self, cursor: str | None) -> str:
        """Write the query of one page."""
        pairs = [("decode", "true")]
        pairs += [("event_type", name) for name in self.types]
        if self.node_name is not None:
            pairs.append(("node_name", self.node_name))
        if self.page_size is not None:
            pairs.append(("limit", str(self.page_size)))
        if cursor is not None:
            pairs.append(("cursor", cursor))
        return urlencode(pairs)


@dataclass(frozen=True, slots=True)
class EventPage:
    """A page of the history; the last one has no ``next_cursor``."""

    events: list[ExecutionEvent]
    next_cursor: str | None
    answer: Answer


def read_object(name: str, answer: Answer) -> dict[str, JsonValue]:
    """Read the JSON object of an answer.

    Raises:
        InvalidAnswerError: The answer is none.
    """
    value = read_json(name, answer)
    if isinstance(value, dict):
        return value
    raise unreadable(name, "it is not an object", answer)


def required_text(
    fields: dict[str, JsonValue], key: str, name: str, answer: Answer
) -> str:
    """Take a text that has to be there.

    Raises:
        InvalidAnswerError: It is not there.
    """
    text = text_of(fields, key)
    if text is None:
        raise unreadable(name, f"it has no {key}", answer)
    return text


def is_execution_id(text: str) -> bool:
    """Tell whether a text is made as the ids of executions are."""
    return re.fullmatch(r"[0-9a-fA-F]{32}", text) is not None


def execution_id_in(fields: dict[str, JsonValue], name: str, answer: Answer) -> str:
    """Take the id of the execution that an invocation has made.

    Raises:
        InvalidAnswerError: There is none.
    """
    text = required_text(fields, "execution_id", name, answer)
    if is_execution_id(text):
        return text
    raise unreadable(name, "its execution_id is none", answer)


def text_of(fields: dict[str, JsonValue], key: str) -> str | None:
    """Take a text that is not empty."""
    value = fields.get(key)
    return value if isinstance(value, str) and value else None


def read_record(answer: Answer) -> ExecutionRecord:
    """Read a record.

    Raises:
        InvalidAnswerError: The answer is none.
    """
    fields = read_object("get", answer)
    return ExecutionRecord(
        id=required_text(fields, "execution_id", "get", answer),
        status=required_text(fields, "status", "get", answer),
        graph_id=text_of(fields, "graph_id"),
        created_at=text_of(fields, "created_at"),
        updated_at=text_of(fields, "updated_at"),
        completed_at=text_of(fields, "completed_at"),
        fields=fields,
    )


def read_page(answer: Answer) -> EventPage:
    """Read a page of events.

    Raises:
        InvalidAnswerError: The answer is none.
    """
    fields = read_object("events", answer)
    events = fields.get("events")
    if not isinstance(events, list):
        raise unreadable("events", "it has no events", answer)
    return EventPage(
        events=[_read_event(event) for event in events if isinstance(event, dict)],
        next_cursor=text_of(fields, "next_cursor"),
        answer=answer,
    )


def _read_event(fields: dict[str, JsonValue]) -> ExecutionEvent:
    at = fields.get("timestamp_ms")
    return ExecutionEvent(
        type=text_of(fields, "type") or "",
        ulid=text_of(fields, "event_ulid") or "",
        timestamp_ms=at if isinstance(at, int) else 0,
        node_name=text_of(fields, "node_name"),
        input=fields.get("input"),
        output=fields.get("output"),
        fields=fields,
    )
