"""Events of runs that are followed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from types import TracebackType

from ._execution_record import ExecutionEvent
from ._follow import Following
from ._reading import Reading
from ._typing import Self


class EventStream:
    """The events of a run, as they happen; use it as a context manager.

    The first request is sent when the first event is asked for. Leaving the context
    closes the connection; the run continues.
    """

    def __init__(
        self, events: Generator[ExecutionEvent, None, None], following: Following
    ) -> None:
        """Send no request yet."""
        self._events = events
        self._following = following
        self._is_closed = False
        self._reading = Reading(self._is_over, lambda: following.execution_id)

    def __iter__(self) -> Self:
        """Return the stream itself."""
        return self

    def __next__(self) -> ExecutionEvent:
        """Return the next event.

        Raises:
            SvcError: A request failed, or the connection was lost too often.
        """
        with self._reading:
            return next(self._events)

    def close(self) -> None:
        """Close the connection."""
        self._is_closed = True
        self._events.close()

    def __enter__(self) -> Self:
        """Enter the context; leaving it closes the stream."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the stream."""
        self.close()

    def _is_over(self) -> bool:
        return self._is_closed or self._following.is_over


class AsyncEventStream:
    """The events of a run, as they happen; use it with ``async with``.

    The first request is sent when the first event is asked for. Leaving the context
    closes the connection; the run continues.
    """

    def __init__(
        self, events: AsyncGenerator[ExecutionEvent, None], following: Following
    ) -> None:
        """Send no request yet."""
        self._events = events
        self._following = following
        self._is_closed = False
        self._reading = Reading(self._is_over, lambda: following.execution_id)

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> ExecutionEvent:
        """Return the next event.

        Raises:
            SvcError: A request failed, or the connection was lost too often.
        """
        with self._reading:
            return await anext(self._events)

    async def aclose(self) -> None:
        """Close the connection."""
        self._is_closed = True
        await self._events.aclose()

    async def __aenter__(self) -> Self:
        """Enter the context; leaving it closes the stream."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the stream."""
        await self.aclose()

    def _is_over(self) -> bool:
        return self._is_closed or self._following.is_over
