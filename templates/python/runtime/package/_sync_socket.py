"""WebSockets of the synchronous client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ._attempt import lost
from ._socket_messages import LONGEST_SILENCE, SocketMessages, silence_until

if TYPE_CHECKING:
    from contextlib import ExitStack

    import httpx

    from ._attempt import Send


_MOST_AT_ONCE: Final = 65_536
"""Bytes that are read at once."""


class SyncSocket:
    """An open WebSocket, over the connection of its handshake.

    Attributes:
        messages: What has arrived.
    """

    def __init__(self, response: httpx.Response, send: Send, stack: ExitStack) -> None:
        """Take over the connection of ``response``, which ``stack`` closes."""
        self._stream = response.extensions["network_stream"]
        self._send = send
        self._stack = stack
        self.messages = SocketMessages()

    def read(self, deadline: float | None = None) -> list[bytes]:
        """Wait for data and return the messages that it completes, if any.

        Raises:
            InterruptedAnswerError: The connection was lost.
            TimedOutError: There was no data until the deadline.
        """
        with lost(self._send, deadline):
            limit = silence_until(deadline)
            data = self._stream.read(_MOST_AT_ONCE, timeout=limit)
        messages = self.messages.feed(data)
        self.flush()
        return messages

    def flush(self) -> None:
        """Send what is to be sent.

        Raises:
            InterruptedAnswerError: The connection was lost.
        """
        data = self.messages.outgoing()
        if data and not self.messages.is_closed:
            with lost(self._send):
                self._stream.write(data, timeout=LONGEST_SILENCE)

    def close(self) -> None:
        """Close the connection."""
        self._stack.close()
