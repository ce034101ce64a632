"""Events of runs that are followed."""

from __future__ import annotations

from types import TracebackType

from ._async_reader import AsyncReader
from ._execution_event import ExecutionEvent
from ._reading import Reading, Source
from ._sync_reader import SyncReader
from ._typing import Self


class EventStream:
    """The events of a run, as they happen; use it as a context manager.

    The first request is sent when the first event is read. Leaving the context
    closes the connection; the run continues.
    """

    def __init__(self, reader: SyncReader[ExecutionEvent], source: Source) -> None:
        """Create a stream without sending a request."""
        self._reader = reader
        self._reading = Reading(reader, source)

    def __iter__(self) -> Self:
        """Return the stream itself.

        Raises:
            ConfigurationError: The stream was already read, or is closed.
        """
        self._reading.check_unread()
        return self

    def __next__(self) -> ExecutionEvent:
        """Return the next event.

        Raises:
            SvcError: A request failed, or the connection was lost too often.
        """
        with self._reading:
            return self._reader.next()

    def close(self) -> None:
        """Close the connection. Iteration in another thread stops.

        It stops immediately if the thread is waiting for an event of a WebSocket, and
        otherwise when its pending request completes.
        """
        self._reader.close()

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


class AsyncEventStream:
    """The events of a run, as they happen; use it with ``async with``.

    The first request is sent when the first event is read. Leaving the context
    closes the connection; the run continues.
    """

    def __init__(self, reader: AsyncReader[ExecutionEvent], source: Source) -> None:
        """Create a stream without sending a request."""
        self._reader = reader
        self._reading = Reading(reader, source)

    def __aiter__(self) -> Self:
        """Return the stream itself.

        Raises:
            ConfigurationError: The stream was already read, or is closed.
        """
        self._reading.check_unread()
        return self

    async def __anext__(self) -> ExecutionEvent:
        """Return the next event.

        Raises:
            SvcError: A request failed, or the connection was lost too often.
        """
        with self._reading:
            return await self._reader.next()

    async def aclose(self) -> None:
        """Close the connection. Iteration in another task stops."""
        await self._reader.aclose()

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
