"""Uploads to split streams."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Upload:
    """The result of a complete upload.

    Attributes:
        execution_id: Id of the execution.
        input_frames: Number of messages that the node received; all that were sent.
    """

    execution_id: str
    input_frames: int
