"""Streams of the synchronous client."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from ._attempt import is_past, timed_out
from ._reading import Reading
from ._response import RawResponse
from ._stream_calls import Opened, StreamCall
from ._sync_driver import SyncDriver
from ._sync_reader import SyncReader
from ._typing import Self
from .errors import SvcError

if TYPE_CHECKING:
    from collections.abc import Generator


Out = TypeVar("Out")


class FrameStream(Generic[Out]):
    """The messages of a stream, as they arrive; use it as a context manager.

    The request is sent when the first message is asked for. Leaving the context closes
    the connection, which cancels the run. A stream can be iterated once.
    """

    def __init__(self, drive: SyncDriver, call: StreamCall[Out]) -> None:
        """Send no request yet."""
        self._drive = drive
        self._call = call
        self._opened: Opened[Out] | None = None
        self._reader = SyncReader(self._read(), shut=self._shut, release=self._release)
        self._reading = Reading(self._is_over, lambda: self.execution_id)

    @property
    def execution_id(self) -> str | None:
        """Id of the execution, or ``None`` until the service has sent it."""
        return None if self._opened is None else self._opened.frames.execution_id

    @property
    def response(self) -> RawResponse[None]:
        """Status and headers. Sends the request, if that has not been done."""
        return self._open().response

    def __iter__(self) -> Self:
        """Return the stream itself."""
        return self

    def __next__(self) -> Out:
        """Return the next message.

        Raises:
            SvcError: The stream failed, or ended without its last frame.
        """
        with self._reading:
            return self._reader.next()

    def close(self) -> None:
        """Close the connection. The loop of a thread that is reading ends.

        It ends at once over HTTP/1.1. Over HTTP/2, through a transport of your own, or
        before the response has begun, it ends when something arrives or at a timeout.
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

    def _is_over(self) -> bool:
        opened = self._opened
        is_ended = opened is not None and opened.frames.is_ended
        return self._reader.is_closed or is_ended

    def _shut(self) -> None:
        if self._opened is not None:
            self._opened.answer.stream.shut()

    def _release(self) -> None:
        if self._opened is not None:
            self._opened.answer.stream.close()

    def _open(self) -> Opened[Out]:
        if self._opened is None:
            lines = self._call.lines
            try:
                self._opened = self._drive(self._call.open())
            except Exception:
                if lines is not None and lines.failure is not None:
                    raise lines.failure from None
                raise
        return self._opened

    def _read(self) -> Generator[Out, None, None]:
        if self._reader.is_closed:
            return
        opened = self._open()
        chunks = opened.answer.stream.read(opened.deadline)
        try:
            while not self._is_over():
                failure: SvcError | None = None
                try:
                    chunk: bytes | None = next(chunks, None)
                except SvcError as error:
                    failure, chunk = error, None
                if self._reader.is_closed:
                    return
                if chunk is None:
                    opened.answer.stream.close()
                    lost = opened.frames.lost(failure)
                    self._opened = opened = self._drive(self._call.reopen(lost))
                    chunks = opened.answer.stream.read(opened.deadline)
                    continue
                for message in opened.frames.feed(chunk):
                    if is_past(opened.deadline):
                        raise opened.frames.lost(timed_out())
                    yield message
        finally:
            chunks.close()
            opened.answer.stream.close()
