"""A bounded queue of messages from a handler's thread to the caller."""

from collections import deque
from collections.abc import Iterator
from threading import Condition, Event

from svc_node.protocol import NodeMessage

MAX_WAITING = 16
"""Number of pending messages at which a handler blocks."""


class CallerLeftError(Exception):
    """The caller has stopped waiting."""


class Outbox:
    """Holds messages until the caller reads them."""

    def __init__(self) -> None:
        """Create an empty outbox."""
        self._messages: deque[NodeMessage] = deque()
        self._changed = Condition()
        self._ended = False
        self.cancelled = Event()

    def put(self, message: NodeMessage) -> None:
        """Add a message, waiting for space. Raises CallerLeftError."""
        with self._changed:
            while len(self._messages) >= MAX_WAITING and not self.cancelled.is_set():
                self._changed.wait()
            if self.cancelled.is_set():
                raise CallerLeftError
            # Messages sent after the handler has returned are dropped.
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
        """Record that the caller has left or has received all messages."""
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
