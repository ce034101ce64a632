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


class AsyncFrames(Generic[Out]):
    """Sends the request of a stream and reads the response.

    It does not refer to the stream, so that a stream that is dropped is freed at once,
    and its connection with it.
    """

    def __init__(self, drive: AsyncDriver, call: StreamCall[Out]) -> None:
        self._drive = drive
        self._call = call
        self._opened: Opened[Out] | None = None

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, if it is known."""
        return None if self._opened is None else self._opened.frames.execution_id

    @property
    def is_over(self) -> bool:
        """Whether the last message was read."""
        return self._opened is not None and self._opened.frames.is_ended

    async def open(self) -> Opened[Out]:
        """Send the request, if that has not been done."""
        if self._opened is None:
            lines = self._call.lines
            try:
                self._opened = await self._drive(self._call.open())
            except Exception:
                if lines is not None and lines.failure is not None:
                    raise lines.failure from None
                raise
        return self._opened

    async def messages(self) -> AsyncGenerator[Out, None]:
        """Yield the messages until the last one."""
        opened = await self.open()
        chunks = opened.answer.stream.read(opened.deadline)
        try:
            while not self.is_over:
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

    async def aclose(self) -> None:
        """Close the connection, which nothing reads."""
        if self._opened is not None:
            await self._opened.answer.stream.aclose()


class AsyncFrameStream(Generic[Out]):
    """The messages of a stream, as they arrive; use it with ``async with``.

    The request is sent when the first message is asked for. Leaving the context closes
    the connection, which cancels the run. A stream can be iterated once.
    """

    def __init__(self, drive: AsyncDriver, call: StreamCall[Out]) -> None:
        """Send no request yet."""
        self._source = AsyncFrames(drive, call)
        self._reader = AsyncReader(self._source.messages(), release=self._source.aclose)
        self._reading = Reading(self._reader, self._source)

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, or ``None`` until the service has sent it."""
        return self._source.execution_id

    async def response(self) -> RawResponse[None]:
        """Return status and headers. Sends the request, if that has not been done."""
        return (await self._source.open()).response

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
