"""What turns one kind of value into JSON and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ..errors import MessageError

if TYPE_CHECKING:
    from .json_text import JsonValue

T = TypeVar("T")


class Codec(Protocol, Generic[T]):
    """Both directions of one type of value."""

    def decode(self, value: JsonValue) -> T:
        """Read a JSON value; raises :class:`ShapeError` when it does not fit."""
        ...

    def encode(self, value: T) -> JsonValue:
        """Write a value; raises :class:`ShapeError` when JSON cannot carry it."""
        ...

    def is_default(self, value: T) -> bool:
        """Tell whether a field without presence leaves the value out."""
        ...


class ShapeError(Exception):
    """A value that does not fit, and where in the message it stands."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str] = []

    def within(self, step: str) -> ShapeError:
        """Say that the value stands beneath ``step``; returns itself."""
        self.path.insert(0, step)
        return self

    def to_message_error(self, message_name: str) -> MessageError:
        """Make the error that the caller sees."""
        where = ".".join((message_name, *self.path))
        return MessageError(f"{where}: {self.problem}")


def describe(value: object) -> str:
    """Name a value that does not fit, briefly."""
    text = repr(value)
    if len(text) > 60:
        text = f"{text[:57]}..."
    return f"{type(value).__name__} {text}"
