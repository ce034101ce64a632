"""Pauses of runs: questions to humans, and their decisions."""

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
        """Return the status as the service writes it."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Pause:
    """A question of a node to a human. The run waits for the decision.

    Attributes:
        id: Id of the pause, which a decision names.
        execution_id: Id of the run.
        node_name: Placement in the flow that asks.
        status: The status; a plain ``str`` if a newer service sent one that this
            package does not know.
        question: The question as JSON; ``None`` if the service left it out, because
            the list was large.
        decision_type: Full name of the message that the decision must fit, for
            example ``acme.v1.Approval``.
        checkpoint_id: Id of the checkpoint at the pause.
        created_at: Time of the question.
        expires_at: End of the time to decide; the run is cancelled then.
        resume_url: Link to decide without a key, for the person who decides. It is a secret,
            and ``None`` unless the pause waits and the key may resume.
        resumed_at: Time of the decision.
        escalated_at: Time of the escalation.
        resumed_by: Who decided, if the caller said so.
        decision: The decision as JSON, without what looks like a secret.
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
        decision: The decision that won as JSON, without what looks like a secret.
        already_resumed: Whether another decision came first. False for a decision
            that was sent again because its first response was lost.
        resumed_by: Who made the decision that won, if the caller said so.
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
