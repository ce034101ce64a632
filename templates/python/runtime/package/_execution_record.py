"""Records of executions."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Final

from ._json_value import JsonValue


class ExecutionStatus(str, Enum):
    """The status of an execution, a ``str``."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    """The execution is running or paused."""
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    FORKED = "FORKED"

    def __str__(self) -> str:
        """Return the status as a plain string."""
        return str(self.value)


_TERMINAL: Final = frozenset(
    {
        ExecutionStatus.COMPLETED,
        ExecutionStatus.FAILED,
        ExecutionStatus.CANCELLED,
        ExecutionStatus.FORKED,
    }
)


@dataclass(frozen=True, slots=True)
class ExecutionRecord:
    """The state of an execution.

    Attributes:
        id: Execution id, 32 hexadecimal digits.
        status: The status. Statuses that this package does not know are plain ``str``
            values.
        graph_id: Id of the flow.
        created_at: Creation time.
        updated_at: Time of the last change.
        completed_at: End time; ``None`` until the execution ends.
        fields: The complete record as received.
        pause_id: Id of the pause that is waiting for a decision.
        latest_checkpoint_id: Id of the latest checkpoint.
        error_message: Why the execution failed.
        failed_node_name: The node at which it failed.
    """

    id: str
    status: ExecutionStatus | str
    graph_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    completed_at: datetime | None = None
    fields: dict[str, JsonValue] = field(default_factory=dict, hash=False)
    pause_id: str | None = None
    latest_checkpoint_id: str | None = None
    error_message: str | None = None
    failed_node_name: str | None = None

    @property
    def is_terminal(self) -> bool:
        """Whether the execution has ended."""
        return self.status in _TERMINAL
