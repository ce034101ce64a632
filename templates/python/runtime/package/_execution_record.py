"""Records and events of executions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ._json_value import JsonValue

_TERMINAL: Final = frozenset({"COMPLETED", "FAILED", "CANCELLED", "FORKED"})


@dataclass(frozen=True, slots=True)
class ExecutionRecord:
    """The state of an execution.

    Attributes:
        id: Execution id, 32 hexadecimal digits.
        status: ``QUEUED``, ``RUNNING`` (also while paused), ``COMPLETED``, ``FAILED``,
            ``CANCELLED`` or ``FORKED``.
        graph_id: Id of the flow.
        created_at: Creation time in ISO 8601, like the other times.
        updated_at: Time of the last change.
        completed_at: End time; ``None`` until the execution ends.
        fields: The complete record as received.
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
    """An event of an execution. Newer services may send types not listed here.

    Attributes:
        type: Event type, for example ``NODE_STARTED`` or ``FLOW_COMPLETED``.
        ulid: Unique event id. Ids sort by time.
        timestamp_ms: Milliseconds since 1970-01-01T00:00:00Z.
        node_name: Placement in the flow, for events of a node.
        input: Input message as JSON, if the event has one.
        output: Output message as JSON, if the event has one.
        fields: The complete event as received.
    """

    type: str
    ulid: str
    timestamp_ms: int
    node_name: str | None
    input: JsonValue
    output: JsonValue
    fields: dict[str, JsonValue]
