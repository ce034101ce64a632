"""Codecs between Python values and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ..errors import MessageError

if TYPE_CHECKING:
    from .._json_value import JsonValue

T = TypeVar("T")


class Codec(Protocol, Generic[T]):
    """Encodes and decodes one type of value."""

    def decode(self, value: JsonValue) -> T:
        """Decode a JSON value. Raises :class:`ShapeError` if it has the wrong type."""
        ...

    def encode(self, value: T) -> JsonValue:
        """Encode a value. Raises :class:`ShapeError` if it has the wrong type."""
        ...

    def is_default(self, value: T) -> bool:
        """Report whether a field without presence omits the value."""
        ...


class ShapeError(Exception):
    """A value of the wrong type, and its path in the message."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str] = []

    def within(self, step: str) -> ShapeError:
        """Prepend ``step`` to the path and return the error."""
        self.path.insert(0, step)
        return self

    def to_message_error(self, message_name: str) -> MessageError:
        """Return the error to raise to the caller."""
        where = ".".join((message_name, *self.path))
        return MessageError(f"{where}: {self.problem}")


def too_deep(message_name: str) -> MessageError:
    """Return the error for a value that is cyclic or nested too deeply."""
    return MessageError(f"{message_name}: nested too deeply")


def describe(value: object) -> str:
    """Describe a value briefly for an error message."""
    text = repr(value)
    if len(text) > 60:
        text = f"{text[:57]}..."
    return f"{type(value).__name__} {text}"
