"""Streamed input: messages that are encoded while they are sent."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ._method import print_message
from .errors import MessageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ._protojson import Codec

T = TypeVar("T")

AnyIterable: TypeAlias = AsyncIterable[T] | Iterable[T]
"""Input of ``AsyncClient``: an async iterable or a plain iterable."""


class InputLines(Generic[T]):
    """Messages as lines of JSON. It can be iterated once.

    Attributes:
        sent: Number of messages that were sent.
        failure: The exception that the source raised, if any.
    """

    def __init__(self, codec: Codec[T], messages: AnyIterable[T]) -> None:
        """Read ``messages`` lazily.

        Raises:
            TypeError: ``messages`` is not iterable.
        """
        if not isinstance(messages, (AsyncIterable, Iterable)):
            kind = type(messages).__name__
            raise TypeError(f"the input must be an iterable of messages, got {kind}")
        self._codec = codec
        self._messages: Any = messages
        self.sent: int = 0
        self.failure: Exception | None = None

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of a synchronous source."""
        try:
            for message in self._messages:
                yield self._line(message)
        except Exception as error:
            self.failure = error
            raise

    async def async_lines(self) -> AsyncIterator[bytes]:
        """Yield the lines of a synchronous or asynchronous source."""
        if not isinstance(self._messages, AsyncIterable):
            for line in self.lines():
                yield line
            return
        try:
            async for message in self._messages:
                yield self._line(message)
        except Exception as error:
            self.failure = error
            raise

    def _line(self, message: T) -> bytes:
        line = print_input(self._codec, message, self.sent)
        self.sent += 1
        return line + b"\n"


def print_input(codec: Codec[T], message: T, index: int) -> bytes:
    """Encode a message of a streamed input as JSON.

    Raises:
        MessageError: The message has a value that JSON cannot represent.
    """
    try:
        return print_message(codec, message)
    except MessageError as error:
        raise MessageError(f"input message {index}: {error.message}") from error
