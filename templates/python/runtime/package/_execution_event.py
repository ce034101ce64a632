"""Events of executions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import Final

from ._json_value import JsonValue
from .errors import InvalidResponseError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)


class EventType(str, Enum):
    """The types of events, each a ``str``."""

    NODE_STARTED = "NODE_STARTED"
    NODE_COMPLETED = "NODE_COMPLETED"
    NODE_FAILED = "NODE_FAILED"
    NODE_LOG = "NODE_LOG"
    NODE_PROGRESS = "NODE_PROGRESS"
    NODE_INPUT_FRAME = "NODE_INPUT_FRAME"
    """A message that a pipeline node received."""
    NODE_FRAME = "NODE_FRAME"
    """A message that a pipeline node returned."""
    NODE_STREAM_COMPLETE = "NODE_STREAM_COMPLETE"
    """A pipeline node completed. It emits no ``NODE_COMPLETED``."""
    EDGE_EVALUATED = "EDGE_EVALUATED"
    NODE_RETRY_SCHEDULED = "NODE_RETRY_SCHEDULED"
    NODE_RETRY_STARTED = "NODE_RETRY_STARTED"
    NODE_RETRY_EXHAUSTED = "NODE_RETRY_EXHAUSTED"
    GRAPH_MUTATED = "GRAPH_MUTATED"
    HITL_PAUSED = "HITL_PAUSED"
    """The run waits for a decision on its pause ``pause_id``."""
    HITL_RESUMED = "HITL_RESUMED"
    HITL_RESUME_FAILED = "HITL_RESUME_FAILED"
    HITL_TIMEOUT = "HITL_TIMEOUT"
    ESCALATION_TRIGGERED = "ESCALATION_TRIGGERED"
    FORKED = "FORKED"
    """The run was forked; ``FLOW_FAILED`` follows."""
    FLOW_COMPLETED = "FLOW_COMPLETED"
    FLOW_FAILED = "FLOW_FAILED"

    def __str__(self) -> str:
        """Return the type as a plain string."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class ExecutionEvent:
    """An event of an execution.

    Attributes:
        type: The type. Types that this package does not know are plain ``str`` values.
        ulid: Unique event id. Ids sort by time.
        timestamp_ms: Milliseconds since 1970-01-01T00:00:00Z.
        node_name: Placement in the flow, for events of a node.
        input: Input message as JSON, if the event has one.
        output: Output message as JSON, if the event has one.
        fields: The complete event as received.
        error_message: Why a node, an attempt or the run failed, if known.
        pause_id: Id of the pause, for events of a pause.
    """

    type: EventType | str
    ulid: str = ""
    timestamp_ms: int = 0
    node_name: str | None = None
    input: JsonValue = field(default=None, hash=False)
    output: JsonValue = field(default=None, hash=False)
    fields: dict[str, JsonValue] = field(default_factory=dict, hash=False)
    error_message: str | None = None
    pause_id: str | None = None

    @property
    def time(self) -> datetime:
        """The time of the event, in UTC.

        Raises:
            InvalidResponseError: ``timestamp_ms`` is outside the years 1 to 9999.
        """
        try:
            return _EPOCH + timedelta(milliseconds=self.timestamp_ms)
        except OverflowError as error:
            raise InvalidResponseError(
                f"timestamp_ms of event {self.ulid} is out of range"
            ) from error
