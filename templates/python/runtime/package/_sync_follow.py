"""Follows runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import InterruptedAnswerError, SvcError

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._answers import Answer
    from ._execution_record import ExecutionEvent
    from ._follow import Following
    from ._sync_driver import SyncDriver
    from ._sync_socket import SyncSocket


class SyncFollower:
    """Sends the requests of following a run."""

    def __init__(self, drive: SyncDriver, following: Following) -> None:
        self._drive = drive
        self._following = following
        self._answer: Answer | None = None
        self._is_shut = False

    def events(self) -> Generator[ExecutionEvent, None, None]:
        """Yield the events until the run is over."""
        try:
            while not self._is_over():
                yield from self._following.new()
                if not self._is_over():
                    self._proceed()
        finally:
            self.close()

    def shut(self) -> None:
        """End the events, also if another thread waits for one."""
        self._is_shut = True
        answer = self._answer
        if answer is not None:
            answer.stream.wake()

    def close(self) -> None:
        """Close the connection, which nothing reads."""
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.stream.close()

    def _is_over(self) -> bool:
        return self._is_shut or self._following.is_over

    def _proceed(self) -> None:
        following = self._following
        try:
            if following.has_pages:
                following.take_page(self._drive(following.page()))
            else:
                self._receive()
        except SvcError as error:
            if not following.has_begun:
                raise
            lost = error
        else:
            return
        self._lose(lost)

    def _receive(self) -> None:
        if self._answer is None:
            self._answer = self._drive(self._following.connect())
            return
        socket: SyncSocket = self._answer.stream
        if socket.messages.is_closed:
            raise InterruptedAnswerError(socket.messages.closing)
        messages = socket.read(self._following.deadline)
        self._following.receive(messages, self._answer)

    def _lose(self, lost: SvcError) -> None:
        if self._is_shut:
            return
        failure = self._following.end(self._answer, lost)
        self.close()
        self._drive(self._following.repeat(failure))
