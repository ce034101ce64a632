"""Types of protobuf messages, which the protobuf library does not declare."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from typing import Any, TypeVar

M = TypeVar("M", bound="Message")
K = TypeVar("K")


class Message:
    """A protobuf message."""

    def HasField(self, field_name: str) -> bool:
        """Report whether a field with presence, or a oneof, is set."""
        raise NotImplementedError

    def ClearField(self, field_name: str) -> None:
        """Unset a field."""

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Return the name of the field that is set in a oneof."""
        raise NotImplementedError

    def CopyFrom(self: M, other_msg: M) -> None:
        """Copy all fields of another message."""

    def SerializeToString(self) -> bytes:
        """Return the serialized message."""
        raise NotImplementedError

    @classmethod
    def FromString(cls: type[M], serialized: bytes) -> M:
        """Parse a serialized message."""
        raise NotImplementedError


class RepeatedMessage(MutableSequence[M]):
    """A list of messages."""

    def add(self, **fields: Any) -> M:
        """Append a message with these fields and return it."""
        raise NotImplementedError


class MessageMap(Mapping[K, M]):
    """A map of messages. Reading a missing key adds an empty message."""

    def get_or_create(self, key: K) -> M:
        """Return the message of a key, adding an empty one if it is missing."""
        raise NotImplementedError


class EnumType:
    """The names and numbers of an enum. Names are also attributes."""

    def Name(self, number: int) -> str:
        """Return the name of a number."""
        raise NotImplementedError

    def Value(self, name: str) -> int:
        """Return the number of a name."""
        raise NotImplementedError
