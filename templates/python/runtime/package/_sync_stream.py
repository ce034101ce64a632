"""Streams of the synchronous client."""

from __future__ import annotations

from threading import Event, Lock
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ._attempt import is_past, timed_out
from ._reading import Reading, Source
from ._response import RawResponse
from ._stream_calls import Opened, StreamCall
from ._sync_driver import SyncDriver
from ._sync_reader import SyncReader
from ._typing import Self
from .errors import ConfigurationError, SvcError

if TYPE_CHECKING:
    from collections.abc import Generator


Out = TypeVar("Out")
Out_co = TypeVar("Out_co", covariant=True)


class SyncFrames(Generic[Out]):
    """Sends the request of a stream and reads the response.

    It holds no reference to the stream, so that an unreferenced stream is freed
    immediately, together with its connection.
    """

    def __init__(self, drive: SyncDriver, call: StreamCall[Out]) -> None:
        self._drive = drive
        self._call = call
        self._opened: Opened[Out] | None = None
        self._failure: Exception | None = None
        self._opening = Lock()
        self._shut = Event()
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

    def head(self) -> RawResponse[None]:
        """Return the response head. Sends the request if it was not sent yet.

        Raises:
            SvcError: The request failed, now or earlier.
            ConfigurationError: The stream was closed before its request was sent.
        """
        if self._is_closed and not self._is_begun:
            raise ConfigurationError("the stream is closed")
        opened = self._open()
        if self._is_closed:
            opened.answer.stream.close()
        return opened.response

    def messages(self) -> Generator[Out, None, None]:
        """Yield the messages until the last one."""
        if self._shut.is_set():
            return
        try:
            yield from self._received()
        except SvcError:
            # Closing from another thread ends iteration without an error.
            if not self._shut.is_set():
                raise

    def _received(self) -> Generator[Out, None, None]:
        opened = self._open()
        chunks = opened.answer.stream.read(opened.deadline)
        try:
            # The stream may have been closed before the response began.
            while not self.is_over and not self._shut.is_set():
                failure: SvcError | None = None
                try:
                    chunk: bytes | None = next(chunks, None)
                except SvcError as error:
                    failure, chunk = error, None
                if self._shut.is_set():
                    return
                if chunk is None:
                    opened.answer.stream.close()
                    lost = opened.frames.lost(failure)
                    steps = self._call.reopen(lost)
                    self._opened = opened = self._drive(steps, self._shut)
                    chunks = opened.answer.stream.read(opened.deadline)
                    continue
                for message in opened.frames.feed(chunk):
                    if is_past(opened.deadline):
                        raise opened.frames.lost(timed_out())
                    yield message
        finally:
            try:
                if self.is_over:
                    opened.answer.stream.finish(chunks)
            finally:
                chunks.close()
                opened.answer.stream.close()

    def shut(self) -> None:
        """End the messages and interrupt a read in another thread."""
        self._shut.set()
        self._drive.wake()
        if self._opened is not None:
            self._opened.answer.stream.shut()

    def close(self) -> None:
        """Close the connection when no read is in progress."""
        self._is_closed = True
        self._shut.set()
        self._drive.wake()
        if self._opened is not None:
            self._opened.answer.stream.close()

    @property
    def _is_begun(self) -> bool:
        return self._opened is not None or self._failure is not None

    def _open(self) -> Opened[Out]:
        # Another thread may request the head concurrently.
        with self._opening:
            if self._failure is not None:
                raise self._failure
            if self._opened is None:
                self._opened = self._send()
            return self._opened

    def _send(self) -> Opened[Out]:
        lines = self._call.lines
        try:
            return self._drive(self._call.open(), self._shut)
        except Exception as error:
            if lines is not None and lines.failure is not None:
                self._failure = lines.failure
                raise lines.failure from None
            self._failure = error
            raise


class SyncSource(Source, Protocol[Out_co]):
    """The source of a :class:`FrameStream`."""

    @property
    def last_event_id(self) -> str | None:
        """Id of the last message, if it has one."""
        ...

    def head(self) -> RawResponse[None]:
        """Return the response head."""
        ...

    def messages(self) -> Generator[Out_co, None, None]:
        """Yield the messages until the last one."""
        ...

    def shut(self) -> None:
        """End the messages and interrupt a read in another thread."""
        ...

    def close(self) -> None:
        """Free what closing the messages does not."""
        ...


class FrameStream(Generic[Out]):
    """The messages of a stream, as they arrive; use it as a context manager.

    The request is sent when the first message is read. Leaving the context closes
    the connection, which cancels the run. A stream can be iterated once.
    """

    def __init__(self, source: SyncSource[Out]) -> None:
        """Create a stream without sending a request."""
        self._source = source
        self._reader = SyncReader(
            self._source.messages(), shut=self._source.shut, release=self._source.close
        )
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

    @property
    def response(self) -> RawResponse[None]:
        """Status and headers. Sends the request if it was not sent yet."""
        return self._source.head()

    def __iter__(self) -> Self:
        """Return the stream itself.

        Raises:
            ConfigurationError: The stream was already read, or is closed.
        """
        self._reading.check_unread()
        return self

    def __next__(self) -> Out:
        """Return the next message.

        Raises:
            SvcError: The stream failed, or ended before its last frame.
        """
        with self._reading:
            return self._reader.next()

    def close(self) -> None:
        """Close the connection. Iteration in another thread stops.

        It stops immediately over HTTP/1.1. Over HTTP/2, with a custom transport, or
        before the response has begun, it stops when data arrives or a timeout expires.
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
