"""The empty message."""

from __future__ import annotations

from dataclasses import dataclass

from .message import Message


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Empty(Message):
    """A message without fields (``google.protobuf.Empty``)."""
