"""Messages on their way from a handler's thread to the caller."""

from collections import deque
from collections.abc import Iterator
from threading import Condition, Event

from svc_node.protocol import NodeMessage

MAX_WAITING = 16
"""A handler that is faster than its caller waits at so many messages."""


class CallerLeftError(Exception):
    """The caller no longer waits."""


class Outbox:
    """Holds messages until the caller takes them."""

    def __init__(self) -> None:
        """Begin empty."""
        self._messages: deque[NodeMessage] = deque()
        self._changed = Condition()
        self._ended = False
        self.cancelled = Event()

    def put(self, message: NodeMessage) -> None:
        """Add a message, once there is room. Raises CallerLeftError."""
        with self._changed:
            while len(self._messages) >= MAX_WAITING and not self.cancelled.is_set():
                self._changed.wait()
            if self.cancelled.is_set():
                raise CallerLeftError
            # Messages of work that outlives the handler are dropped.
            if not self._ended:
                self._messages.append(message)
            self._changed.notify_all()

    def end(self, message: NodeMessage | None) -> None:
        """Add the last message, if there is one."""
        with self._changed:
            if message is not None:
                self._messages.append(message)
            self._ended = True
            self._changed.notify_all()

    def cancel(self) -> None:
        """Note that the caller has left, or has got everything."""
        with self._changed:
            self.cancelled.set()
            self._changed.notify_all()

    def __iter__(self) -> Iterator[NodeMessage]:
        """Yield the messages until the last one, or until the caller has left."""
        while True:
            with self._changed:
                while not (self._messages or self._ended or self.cancelled.is_set()):
                    self._changed.wait()
                if self.cancelled.is_set() or not self._messages:
                    return
                message = self._messages.popleft()
                self._changed.notify_all()
            yield message
