"""Reads execution records and events from responses."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ._answers import name_run
from ._execution_event import EventType, ExecutionEvent
from ._execution_record import ExecutionRecord, ExecutionStatus
from ._method import read_json, read_value, unreadable
from ._protojson import TIMESTAMP
from .errors import MessageError, SvcError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ._answers import Answer
    from ._json_value import JsonValue


class EventPage(NamedTuple):
    """A page of events. The last page has no ``next_cursor``."""

    events: list[ExecutionEvent]
    next_cursor: str | None
    answer: Answer


def read_object(name: str, answer: Answer) -> dict[str, JsonValue]:
    """Parse the JSON object in a response.

    Raises:
        InvalidResponseError: The body is not a JSON object.
    """
    value = read_json(name, answer)
    if isinstance(value, dict):
        return value
    raise unreadable(name, "not a JSON object", answer)


def required_text(
    fields: dict[str, JsonValue], key: str, name: str, answer: Answer
) -> str:
    """Return a required string.

    Raises:
        InvalidResponseError: The string is missing or empty.
    """
    text = text_of(fields, key)
    if text is None:
        raise unreadable(name, f"{key} is missing", answer)
    return text


def check_execution_id(text: str) -> str:
    """Validate the id of an execution.

    Raises:
        MessageError: The id is malformed.
    """
    if _is_execution_id(text):
        return text
    raise MessageError("the execution id must be 32 hexadecimal digits")


def execution_id_in(fields: dict[str, JsonValue], name: str, answer: Answer) -> str:
    """Return the id of the execution created by an invocation.

    Raises:
        InvalidResponseError: The id is missing or malformed.
    """
    text = required_text(fields, "execution_id", name, answer)
    if _is_execution_id(text):
        return text
    raise unreadable(name, "execution_id is malformed", answer)


def _is_execution_id(text: object) -> bool:
    return isinstance(text, str) and bool(re.fullmatch(r"[0-9a-fA-F]{32}", text))


def text_of(fields: dict[str, JsonValue], key: str) -> str | None:
    """Return a non-empty string, or ``None``."""
    value = fields.get(key)
    return value if isinstance(value, str) and value else None


def read_record(answer: Answer) -> ExecutionRecord:
    """Read an execution record.

    Raises:
        InvalidResponseError: The response is not a record.
    """
    fields = read_object("get", answer)
    return ExecutionRecord(
        id=required_text(fields, "execution_id", "get", answer),
        status=_status_of(required_text(fields, "status", "get", answer)),
        graph_id=text_of(fields, "graph_id"),
        created_at=time_of(fields, "created_at", answer),
        updated_at=time_of(fields, "updated_at", answer),
        completed_at=time_of(fields, "completed_at", answer),
        pause_id=text_of(fields, "pause_id"),
        latest_checkpoint_id=text_of(fields, "latest_checkpoint_id"),
        error_message=text_of(fields, "error_message"),
        failed_node_name=text_of(fields, "failed_node_name"),
        fields=fields,
    )


def _status_of(text: str) -> ExecutionStatus | str:
    try:
        return ExecutionStatus(text)
    except ValueError:
        return text


def time_of(fields: dict[str, JsonValue], key: str, answer: Answer) -> datetime | None:
    """Return a time, or ``None``.

    Raises:
        InvalidResponseError: The string is not a timestamp.
    """
    text = text_of(fields, key)
    if text is None:
        return None
    return read_value("get", TIMESTAMP, text, answer).to_datetime()


def read_page(answer: Answer, cursor: str | None) -> EventPage:
    """Read the page of events at ``cursor``.

    Raises:
        InvalidResponseError: The response is not a page of events.
    """
    fields = read_object("events", answer)
    events = fields.get("events")
    if not isinstance(events, list):
        raise unreadable("events", "events is missing", answer)
    return EventPage(
        events=[read_event(event) for event in events if isinstance(event, dict)],
        next_cursor=next_cursor(fields, "events", cursor, answer),
        answer=answer,
    )


def next_cursor(
    fields: dict[str, JsonValue], name: str, cursor: str | None, answer: Answer
) -> str | None:
    """Return the cursor of the page after ``cursor``, or ``None`` for the last page.

    Raises:
        InvalidResponseError: The cursor repeats, which would cause an endless loop.
    """
    following = text_of(fields, "next_cursor")
    if following is not None and following == cursor:
        raise unreadable(name, "next_cursor is that of the page itself", answer)
    return following


def read_event(fields: dict[str, JsonValue]) -> ExecutionEvent:
    """Read an event."""
    at = fields.get("timestamp_ms")
    return ExecutionEvent(
        type=_type_of(text_of(fields, "type") or ""),
        ulid=text_of(fields, "event_ulid") or "",
        timestamp_ms=at if isinstance(at, int) else 0,
        node_name=text_of(fields, "node_name"),
        input=fields.get("input"),
        output=fields.get("output"),
        fields=fields,
        error_message=text_of(fields, "error"),
        pause_id=text_of(fields, "pause_id"),
    )


def _type_of(text: str) -> EventType | str:
    try:
        return EventType(text)
    except ValueError:
        return text


@contextmanager
def about(execution_id: str) -> Iterator[None]:
    """Add the execution id to errors of a request."""
    try:
        yield
    except SvcError as error:
        name_run(error, execution_id)
        raise
