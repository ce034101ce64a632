"""Tells the end of a stream from the end of its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import StreamInterruptedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class Reading:
    """A context for taking the next message from a generator.

    A cancellation ends the generator, which then looks as if it had given everything.
    """

    def __init__(
        self, is_over: Callable[[], bool], execution_id: Callable[[], str | None]
    ) -> None:
        """Ask ``is_over`` whether the stream is closed or has given everything."""
        self._is_over = is_over
        self._execution_id = execution_id
        self._is_cancelled = False

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
        if is_end and self._is_cancelled and not self._is_over():
            raise StreamInterruptedError(
                "the stream was cancelled before its last message",
                execution_id=self._execution_id(),
            ) from None
