"""Uploads to split streams."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Upload:
    """What the service says of an upload that is complete.

    Attributes:
        execution_id: Id of the execution.
        input_frames: Number of messages that the node received: those that were sent.
    """

    execution_id: str
    input_frames: int
