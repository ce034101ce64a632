"""Streams of the asyncio client."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ._async_driver import AsyncDriver
from ._async_reader import AsyncReader
from ._attempt import is_past, timed_out
from ._reading import Reading, Source
from ._response import RawResponse
from ._stream_calls import Opened, StreamCall
from ._typing import Self
from .errors import ConfigurationError, SvcError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from anyio import Lock


Out = TypeVar("Out")
Out_co = TypeVar("Out_co", covariant=True)


class AsyncFrames(Generic[Out]):
    """Sends the request of a stream and reads the response.

    It holds no reference to the stream, so that an unreferenced stream is freed
    immediately, together with its connection.
    """

    def __init__(self, drive: AsyncDriver, call: StreamCall[Out]) -> None:
        self._drive = drive
        self._call = call
        self._opened: Opened[Out] | None = None
        self._failure: Exception | None = None
        self._opening: Lock | None = None
        self._is_closed = False

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, if it is known."""
        return None if self._opened is None else self._opened.frames.execution_id

    @property
    def last_event_id(self) -> str | None:
        """Id of the last message, if it has one."""
        return None if self._opened is None else self._opened.frames.last_id or None

    @property
    def is_over(self) -> bool:
        """Whether the last frame was read."""
        return self._opened is not None and self._opened.frames.is_ended

    async def head(self) -> RawResponse[None]:
        """Return the response head. Sends the request if it was not sent yet.

        Raises:
            SvcError: The request failed, now or earlier.
            ConfigurationError: The stream was closed before its request was sent.
        """
        if self._is_closed and not self._is_begun:
            raise ConfigurationError("the stream is closed")
        opened = await self._open()
        if self._is_closed:
            await opened.answer.stream.aclose()
        return opened.response

    async def messages(self) -> AsyncGenerator[Out, None]:
        """Yield the messages until the last one."""
        opened = await self._open()
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
            try:
                if self.is_over:
                    await opened.answer.stream.afinish(chunks)
            finally:
                await chunks.aclose()
                await opened.answer.stream.aclose()

    async def aclose(self) -> None:
        """Close the connection when no read is in progress."""
        self._is_closed = True
        if self._opened is not None:
            await self._opened.answer.stream.aclose()

    @property
    def _is_begun(self) -> bool:
        return self._opened is not None or self._failure is not None

    async def _open(self) -> Opened[Out]:
        # Imported lazily: the import is slow, and the HTTP library defers it as well.
        import anyio

        # Another task may request the head concurrently.
        self._opening = self._opening or anyio.Lock()
        async with self._opening:
            if self._failure is not None:
                raise self._failure
            if self._opened is None:
                self._opened = await self._send()
            return self._opened

    async def _send(self) -> Opened[Out]:
        lines = self._call.lines
        try:
            return await self._drive(self._call.open())
        except Exception as error:
            if lines is not None and lines.failure is not None:
                self._failure = lines.failure
                raise lines.failure from None
            self._failure = error
            raise


class AsyncSource(Source, Protocol[Out_co]):
    """The source of an :class:`AsyncFrameStream`."""

    @property
    def last_event_id(self) -> str | None:
        """Id of the last message, if it has one."""
        ...

    async def head(self) -> RawResponse[None]:
        """Return the response head."""
        ...

    def messages(self) -> AsyncGenerator[Out_co, None]:
        """Yield the messages until the last one."""
        ...

    async def aclose(self) -> None:
        """Free what closing the messages does not."""
        ...


class AsyncFrameStream(Generic[Out]):
    """The messages of a stream, as they arrive; use it with ``async with``.

    The request is sent when the first message is read. Leaving the context closes
    the connection, which cancels the run. A stream can be iterated once.
    """

    def __init__(self, source: AsyncSource[Out]) -> None:
        """Create a stream without sending a request."""
        self._source = source
        self._reader = AsyncReader(self._source.messages(), release=self._source.aclose)
        self._reading = Reading(self._reader, self._source)

    def __repr__(self) -> str:
        """Show the execution id."""
        return f"{type(self).__name__}(execution_id={self.execution_id!r})"

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, or ``None`` until the service has sent it."""
        return self._source.execution_id

    @property
    def last_event_id(self) -> str | None:
        """Id of the last message, for resuming the output of a split stream."""
        return self._source.last_event_id

    async def response(self) -> RawResponse[None]:
        """Return status and headers. Sends the request if it was not sent yet."""
        return await self._source.head()

    def __aiter__(self) -> Self:
        """Return the stream itself.

        Raises:
            ConfigurationError: The stream was already read, or is closed.
        """
        self._reading.check_unread()
        return self

    async def __anext__(self) -> Out:
        """Return the next message.

        Raises:
            SvcError: The stream failed, or ended before its last frame.
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
