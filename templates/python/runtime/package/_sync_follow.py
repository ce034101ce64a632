"""Follows runs."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from .errors import InterruptedResponseError, SvcError

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._answers import Answer
    from ._execution_event import ExecutionEvent
    from ._follow import Following
    from ._sync_driver import SyncDriver
    from ._sync_socket import SyncSocket


class SyncFollower:
    """Sends the requests that follow a run."""

    def __init__(self, drive: SyncDriver, following: Following) -> None:
        self._drive = drive
        self._following = following
        self._answer: Answer | None = None
        self._shut = Event()

    def events(self) -> Generator[ExecutionEvent, None, None]:
        """Yield the events until the run ends."""
        try:
            while not self._is_over():
                yield from self._following.new()
                if not self._is_over():
                    self._proceed()
        except SvcError:
            # Closing from another thread ends iteration without an error.
            if not self._shut.is_set():
                raise
        finally:
            self.close()

    def shut(self) -> None:
        """End the events and interrupt a read in another thread."""
        self._shut.set()
        self._drive.wake()
        answer = self._answer
        if answer is not None:
            answer.stream.shut()

    def close(self) -> None:
        """Close the connection when no read is in progress."""
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.stream.close()

    def _is_over(self) -> bool:
        return self._shut.is_set() or self._following.is_over

    def _proceed(self) -> None:
        following = self._following
        try:
            if following.has_pages:
                following.take_page(self._drive(following.page(), self._shut))
            elif following.polls:
                self._drive(following.poll(), self._shut)
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
            self._answer = self._drive(self._following.connect(), self._shut)
            return
        socket: SyncSocket = self._answer.stream
        if socket.messages.is_closed:
            raise InterruptedResponseError(socket.messages.closing)
        messages = socket.read(self._following.deadline)
        self._following.receive(messages, self._answer)

    def _lose(self, lost: SvcError) -> None:
        if self._shut.is_set():
            return
        failure = self._following.end(self._answer, lost)
        self.close()
        self._drive(self._following.repeat(failure), self._shut)
