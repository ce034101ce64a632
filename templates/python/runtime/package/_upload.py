"""Uploads to split streams."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Upload:
    """What the service says of an upload that is complete.

    Attributes:
        execution_id: Id of the execution.
        messages: Number of messages that were sent and received.
    """

    execution_id: str
    messages: int
