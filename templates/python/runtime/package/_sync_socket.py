"""WebSockets of the synchronous client."""

from __future__ import annotations

import contextlib
import os
import socket
from threading import Lock
from typing import TYPE_CHECKING, Final

from ._attempt import lost
from ._socket_messages import LONGEST_SILENCE, SocketMessages, silence_until

if TYPE_CHECKING:
    from contextlib import ExitStack

    import httpx

    from ._attempt import Send

_MOST_AT_ONCE: Final = 65_536
"""Maximum number of bytes per read."""

_PATIENCE: Final = 1.0
"""Seconds to wait for a pending read or write before closing the connection."""


class SyncSocket:
    """An open WebSocket, over the connection of its handshake.

    One thread may read while another sends.

    Attributes:
        messages: State of the WebSocket protocol.
    """

    def __init__(self, response: httpx.Response, send: Send, stack: ExitStack) -> None:
        """Take over the connection of ``response``, which ``stack`` closes."""
        self._stream = response.extensions["network_stream"]
        self._send = send
        self._stack = stack
        self._process = os.getpid()
        self._lock = Lock()
        self._reading = Lock()
        self._writing = Lock()
        self.messages = SocketMessages()

    def read(self, deadline: float | None = None) -> list[bytes]:
        """Wait for data and return the messages that it completes, if any.

        Raises:
            InterruptedResponseError: The connection was lost.
            ConfigurationError: The client was closed.
            TimedOutError: No data arrived before the deadline.
        """
        with lost(self._send, deadline), self._reading:
            limit = silence_until(deadline)
            data = self._stream.read(_MOST_AT_ONCE, timeout=limit)
            self._send.check_open()
        with self._lock:
            messages = self.messages.feed(data)
        # If another thread is writing, it also writes the pongs.
        self._flush(waits=False)
        return messages

    def send(self, message: bytes) -> None:
        """Send a message.

        Raises:
            InterruptedResponseError: The connection was lost or closed.
        """
        with lost(self._send), self._lock:
            self.messages.print(message)
        self._flush(waits=True)

    def _flush(self, *, waits: bool) -> None:
        while self.messages.has_outgoing and self._writing.acquire(blocking=waits):
            try:
                with self._lock:
                    data = self.messages.outgoing()
                with lost(self._send):
                    self._stream.write(data, timeout=LONGEST_SILENCE)
            except BaseException:
                # Nothing can follow a truncated message.
                self.shut()
                raise
            finally:
                self._writing.release()

    def shut(self) -> None:
        """Interrupt a read in another thread."""
        # A forked process must not interrupt reads of its parent.
        if self._process == os.getpid():
            shut(self._stream.get_extra_info("socket"))

    def close(self) -> None:
        """Close the connection once interrupted threads no longer use it.

        Otherwise, they might wait on a new connection that reuses its file descriptor.
        """
        locks = (self._reading, self._writing)
        held = [lock for lock in locks if lock.acquire(timeout=_PATIENCE)]
        try:
            self._stack.close()
        finally:
            for lock in held:
                lock.release()


def shut(connection: socket.socket | None) -> None:
    """Shut down a connection that another thread may be reading."""
    if connection is None:
        return
    # SSLSocket.shutdown would discard the TLS state that the reader still uses.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
