"""Live sessions of the synchronous client."""

from __future__ import annotations

from collections import deque
from threading import Condition, Event, Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ._answers import Answer
from ._live_calls import LiveCall, SessionLimits
from ._sync_driver import SyncDriver
from ._typing import Self
from .errors import ConfigurationError, InterruptedResponseError, SvcError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._sync_socket import SyncSocket

In = TypeVar("In")
Out = TypeVar("Out")

_PATIENCE: Final = 1.0
"""Seconds to wait for the reason after a send fails."""


class Session(Generic[In, Out]):
    """A live session with a pipeline node; use it as a context manager.

    Sending and receiving are independent: call ``send`` and iterate over the messages
    of the node, from one thread or from two. Only one thread may read at a time.
    Leaving the loop keeps the session open. Leaving the context ends it, which cancels
    the node. A session has no execution record and cannot be resumed.
    """

    def __init__(self, drive: SyncDriver, call: LiveCall[In, Out]) -> None:
        """Create a session without sending a request."""
        self._drive = drive
        self._call = call
        self._answer: Answer | None = None
        self._inbox = _Inbox()
        self._lost: SvcError | None = None
        self._receiver: Thread | None = None
        self._closed = Event()
        self._sending = Lock()
        self._reading = Lock()
        self._taken: Iterator[Out] = iter(())

    def __repr__(self) -> str:
        """Show the id of the session."""
        return f"{type(self).__name__}(execution_id={self.execution_id!r})"

    @property
    def execution_id(self) -> str | None:
        """Id of the session in logs. It has no execution record."""
        return self._call.execution_id

    @property
    def limits(self) -> SessionLimits:
        """The limits that the service enforces."""
        self._opened()
        return self._call.known_limits

    def send(self, message: In) -> None:
        """Send a message. Blocks while the node is not reading.

        Raises:
            MessageError: The message cannot be sent.
            NodeFailedError: The node failed.
            StreamInterruptedError: The session has ended.
        """
        answer = self._opened()
        socket: SyncSocket = answer.stream
        with self._sending:
            self._call.check_goes_on(answer)
            text = self._call.print(message)
            try:
                if self._lost is not None:
                    raise self._lost
                socket.send(text)
            except SvcError as error:
                if self._closed.is_set():
                    raise ConfigurationError("the session is closed") from None
                # The reason may already be here, queued after unread messages.
                self._inbox.widen()
                if self._receiver is not None:
                    self._receiver.join(_PATIENCE)
                reason = self._call.why_not_sent(
                    answer, self._lost or error, self._inbox.unread
                )
                raise reason from (None if reason is error else error)

    def __iter__(self) -> Self:
        """Return the session itself."""
        return self

    def __next__(self) -> Out:
        """Return the next message of the node.

        Raises:
            NodeFailedError: The node failed.
            StreamInterruptedError: The session ended before its last message.
            ConfigurationError: Another thread is reading.
        """
        if not self._reading.acquire(blocking=False):
            if self._closed.is_set():
                raise StopIteration
            raise ConfigurationError("the session is already being read")
        try:
            while True:
                for message in self._taken:
                    return message
                if self._closed.is_set() or self._call.is_ended:
                    raise StopIteration
                self._receive_next(self._opened())
        finally:
            self._reading.release()

    def close(self) -> None:
        """End the session. Iteration in another thread stops."""
        answer, self._answer = self._answer, None
        self._closed.set()
        self._drive.wake()
        if answer is None:
            return
        self._inbox.close()
        answer.stream.shut()
        answer.stream.close()

    def __enter__(self) -> Self:
        """Open the session.

        Raises:
            SvcError: The session was rejected, or did not become ready.
        """
        if self._closed.is_set() or self._answer is not None:
            raise ConfigurationError("a session can be entered once")
        answer = self._drive(self._call.open(), self._closed)
        while True:
            try:
                early = self._get_ready(answer)
                break
            except SvcError as error:
                answer.stream.close()
                failure = self._call.lost(answer, error)
            answer = self._drive(self._call.reopen(failure), self._closed)
        self._answer = answer
        # Receives in the background, so that pings are answered without a reader.
        self._receiver = Thread(target=self._receive, args=(answer, early), daemon=True)
        self._receiver.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the session."""
        self.close()

    def _opened(self) -> Answer:
        if self._closed.is_set():
            raise ConfigurationError("the session is closed")
        if self._answer is None:
            raise ConfigurationError("the session is not open: use it in a with block")
        self._drive.closing.check_open()
        return self._answer

    def _get_ready(self, answer: Answer) -> list[bytes]:
        socket: SyncSocket = answer.stream
        while not socket.messages.is_closed:
            messages = socket.read(self._call.deadline)
            if messages:
                deque(self._call.take(messages[0], answer), maxlen=0)
                return messages[1:]
        raise InterruptedResponseError(socket.messages.closing)

    def _receive(self, answer: Answer, early: list[bytes]) -> None:
        socket: SyncSocket = answer.stream
        messages = early
        try:
            while all(map(self._inbox.put, messages)):
                if socket.messages.is_closed:
                    return
                messages = socket.read(self._call.deadline)
        except SvcError as error:
            self._lost = error
        finally:
            self._inbox.close()

    def _receive_next(self, answer: Answer) -> None:
        data = self._inbox.get()
        if data is not None:
            self._taken = self._call.take(data, answer)
        elif not self._closed.is_set():
            raise self._call.lost(answer, self._lost)


class _Inbox:
    """Passes messages from the receiving thread to the reader.

    It holds at most one message until it is widened.
    """

    def __init__(self) -> None:
        self._condition = Condition()
        self._messages: deque[bytes] = deque()
        self._is_wide = False
        self._is_closed = False

    @property
    def unread(self) -> list[bytes]:
        """The messages that were not read."""
        with self._condition:
            return list(self._messages)

    def widen(self) -> None:
        """Accept any number of messages from now on."""
        with self._condition:
            self._is_wide = True
            self._condition.notify_all()

    def put(self, message: bytes) -> bool:
        """Wait for space. Return ``False`` if the inbox was closed instead."""
        with self._condition:
            self._condition.wait_for(
                lambda: self._is_closed or self._is_wide or not self._messages
            )
            if not self._is_closed:
                self._messages.append(message)
                self._condition.notify_all()
            return not self._is_closed

    def get(self) -> bytes | None:
        """Wait for a message. Return ``None`` if there are no more."""
        with self._condition:
            self._condition.wait_for(lambda: self._is_closed or self._messages)
            message = self._messages.popleft() if self._messages else None
            self._condition.notify_all()
            return message

    def close(self) -> None:
        """Accept no more messages."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
