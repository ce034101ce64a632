"""The message without fields."""

from __future__ import annotations

from dataclasses import dataclass

from .message import Message


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Empty(Message):
    """Nothing (``google.protobuf.Empty``)."""
