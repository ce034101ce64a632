"""Distinguishes the end of a stream from the end of its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .errors import ConfigurationError, StreamInterruptedError

if TYPE_CHECKING:
    from types import TracebackType


class Reader(Protocol):
    """Reads the messages of a source."""

    @property
    def is_closed(self) -> bool:
        """Whether the reader is closed."""
        ...

    @property
    def has_ended(self) -> bool:
        """Whether the source ended, with its last message or an error."""
        ...


class Source(Protocol):
    """The source of the messages of a stream."""

    @property
    def is_over(self) -> bool:
        """Whether all messages were yielded."""
        ...

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, if it is known."""
        ...


class Reading:
    """A context for taking the next message from a generator.

    A cancellation ends the generator, which then looks exhausted.
    """

    def __init__(self, reader: Reader, source: Source) -> None:
        """Read ``source`` with ``reader``."""
        self._reader = reader
        self._source = source
        self._is_cancelled = False

    def check_unread(self) -> None:
        """Reject iteration that would end immediately.

        Raises:
            ConfigurationError: The stream was already read, or is closed.
        """
        # Reading a cancelled stream raises a more specific error.
        if self._is_cancelled:
            return
        if self._reader.has_ended:
            raise ConfigurationError(
                "a stream can be read once: call the method again for another one"
            )
        if self._reader.is_closed:
            raise ConfigurationError("the stream is closed")

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            return
        if not isinstance(error, Exception):
            self._is_cancelled = True
        is_end = isinstance(error, (StopIteration, StopAsyncIteration))
        is_over = self._reader.is_closed or self._source.is_over
        if is_end and self._is_cancelled and not is_over:
            raise StreamInterruptedError(
                "the stream was cancelled before its last message",
                execution_id=self._source.execution_id,
            ) from None
