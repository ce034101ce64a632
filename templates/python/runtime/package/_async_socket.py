"""WebSockets of the asyncio client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ._attempt import lost
from ._socket_messages import LONGEST_SILENCE, SocketMessages, silence_until

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    import httpx

    from ._attempt import Send


_MOST_AT_ONCE: Final = 65_536
"""Bytes that are read at once."""


class AsyncSocket:
    """An open WebSocket, over the connection of its handshake.

    One task may read while others send.

    Attributes:
        messages: What has arrived.
    """

    def __init__(
        self, response: httpx.Response, send: Send, stack: AsyncExitStack
    ) -> None:
        """Take over the connection of ``response``, which ``stack`` closes."""
        import anyio

        self._stream = response.extensions["network_stream"]
        self._send = send
        self._stack = stack
        self._writing = anyio.Lock()
        self.messages = SocketMessages()

    async def read(self, deadline: float | None = None) -> list[bytes]:
        """Wait for data and return the messages that it completes, if any.

        Raises:
            InterruptedAnswerError: The connection was lost.
            TimedOutError: There was no data until the deadline.
        """
        with lost(self._send, deadline):
            limit = silence_until(deadline)
            data = await self._stream.read(_MOST_AT_ONCE, timeout=limit)
        messages = self.messages.feed(data)
        # The sender also sends the answers to pings.
        await self._flush(waits=False)
        return messages

    async def send(self, message: bytes) -> None:
        """Send a message.

        Raises:
            InterruptedAnswerError: The connection was lost or closed.
        """
        with lost(self._send):
            self.messages.print(message)
        await self._flush(waits=True)

    async def _flush(self, *, waits: bool) -> None:
        while self.messages.has_outgoing and (waits or not self._writing.locked()):
            async with self._writing:
                data = self.messages.outgoing()
                with lost(self._send):
                    await self._stream.write(data, timeout=LONGEST_SILENCE)

    async def aclose(self) -> None:
        """Close the connection, also in a task that was cancelled."""
        import anyio

        with anyio.CancelScope(shield=True):
            await self._stack.aclose()
