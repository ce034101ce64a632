"""Pauses of runs: questions that await a human decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable
from urllib.parse import urlencode

from ._json_value import JsonValue


@runtime_checkable
class DecisionMessage(Protocol):
    """A message of this package."""

    def to_value(self) -> JsonValue:
        """Encode the message as a JSON value."""
        ...


Decision: TypeAlias = DecisionMessage | Mapping[str, JsonValue] | bytes | None
"""A decision: a message of this package, a JSON object, the serialized message, or
``None`` for the default of every field."""


class PauseStatus(str, Enum):
    """The status of a pause, a ``str``. All but ``WAITING`` are final."""

    WAITING = "WAITING"
    RESUMED = "RESUMED"
    EXPIRED = "EXPIRED"
    CANCELLED = "CANCELLED"

    def __str__(self) -> str:
        """Return the status as a plain string."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Pause:
    """A question from a node to a human. The run waits for the decision.

    Attributes:
        id: Id of the pause.
        execution_id: Id of the run.
        node_name: Placement in the flow that asked.
        status: The status. Statuses that this package does not know are plain ``str``
            values.
        question: The question as JSON; ``None`` if the service omitted it from a large
            list.
        decision_type: Full name of the message type of the decision, for example
            ``acme.v1.Approval``.
        checkpoint_id: Id of the checkpoint at the pause.
        created_at: Time of the question.
        expires_at: Deadline for the decision. The run is cancelled when it passes.
        resume_url: Link for deciding without an API key. It is a secret. ``None``
            unless the pause is waiting and the API key is allowed to resume it.
        resumed_at: Time of the decision.
        escalated_at: Time of the escalation.
        resumed_by: Who decided, if known.
        decision: The decision as JSON, with likely secrets removed.
        graph_id: Id of the flow of the run.
    """

    id: str
    execution_id: str
    node_name: str | None
    status: PauseStatus | str
    question: JsonValue = field(default=None, hash=False)
    decision_type: str | None = None
    checkpoint_id: str | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    resume_url: str | None = field(default=None, repr=False)
    resumed_at: datetime | None = None
    escalated_at: datetime | None = None
    resumed_by: str | None = None
    decision: JsonValue = field(default=None, hash=False)
    graph_id: str | None = None


@dataclass(frozen=True, slots=True)
class ResumedPause:
    """The response to a decision.

    Attributes:
        pause_id: Id of the pause.
        status: The status of the pause, ``RESUMED``.
        resumed_at: Time of the decision that won.
        decision: The decision that won, as JSON, with likely secrets removed.
        already_resumed: Whether another decision came first. ``False`` for a retry of
            the decision that won.
        resumed_by: Who made the decision that won, if known.
    """

    pause_id: str
    status: PauseStatus | str
    resumed_at: datetime | None = None
    decision: JsonValue = field(default=None, hash=False)
    already_resumed: bool = False
    resumed_by: str | None = None


class PauseQuery(NamedTuple):
    """Selects the pauses to read."""

    status: str | Sequence[str] = ()
    page_size: int | None = None

    def encode(self, cursor: str | None) -> str:
        """Return the query string for one page, with its question mark."""
        statuses = [self.status] if isinstance(self.status, str) else self.status
        pairs = [("status", str(status)) for status in statuses]
        if self.page_size is not None:
            pairs.append(("limit", str(self.page_size)))
        if cursor is not None:
            pairs.append(("cursor", cursor))
        return f"?{urlencode(pairs)}" if pairs else ""
