"""Streams of the asyncio client."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from ._async_driver import AsyncDriver
from ._async_reader import AsyncReader
from ._attempt import is_past, timed_out
from ._reading import Reading
from ._response import RawResponse
from ._stream_calls import Opened, StreamCall
from ._typing import Self
from .errors import SvcError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


Out = TypeVar("Out")


class AsyncFrameStream(Generic[Out]):
    """The messages of a stream, as they arrive; use it with ``async with``.

    The request is sent when the first message is asked for. Leaving the context closes
    the connection, which cancels the run. A stream can be iterated once.
    """

    def __init__(self, drive: AsyncDriver, call: StreamCall[Out]) -> None:
        """Send no request yet."""
        self._drive = drive
        self._call = call
        self._opened: Opened[Out] | None = None
        self._reader = AsyncReader(self._read(), release=self._release)
        self._reading = Reading(self._is_over, lambda: self.execution_id)

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, or ``None`` until the service has sent it."""
        return None if self._opened is None else self._opened.frames.execution_id

    async def response(self) -> RawResponse[None]:
        """Return status and headers. Sends the request, if that has not been done."""
        return (await self._open()).response

    def __aiter__(self) -> Self:
        """Return the stream itself."""
        return self

    async def __anext__(self) -> Out:
        """Return the next message.

        Raises:
            SvcError: The stream failed, or ended without its last frame.
        """
        with self._reading:
            return await self._reader.next()

    async def aclose(self) -> None:
        """Close the connection. The loop of a task that is reading ends."""
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

    def _is_over(self) -> bool:
        opened = self._opened
        is_ended = opened is not None and opened.frames.is_ended
        return self._reader.is_closed or is_ended

    async def _release(self) -> None:
        if self._opened is not None:
            await self._opened.answer.stream.aclose()

    async def _open(self) -> Opened[Out]:
        if self._opened is None:
            lines = self._call.lines
            try:
                self._opened = await self._drive(self._call.open())
            except Exception:
                if lines is not None and lines.failure is not None:
                    raise lines.failure from None
                raise
        return self._opened

    async def _read(self) -> AsyncGenerator[Out, None]:
        if self._reader.is_closed:
            return
        opened = await self._open()
        chunks = opened.answer.stream.read(opened.deadline)
        try:
            while not self._is_over():
                failure: SvcError | None = None
                try:
                    chunk: bytes | None = await anext(chunks, None)
                except SvcError as error:
                    failure, chunk = error, None
                if chunk is None:
                    await chunks.aclose()
                    await opened.answer.stream.aclose()
                    lost = opened.frames.lost(failure)
                    self._opened = opened = await self._drive(self._call.reopen(lost))
                    chunks = opened.answer.stream.read(opened.deadline)
                    continue
                for message in opened.frames.feed(chunk):
                    if is_past(opened.deadline):
                        raise opened.frames.lost(timed_out())
                    yield message
        finally:
            await chunks.aclose()
            await opened.answer.stream.aclose()
