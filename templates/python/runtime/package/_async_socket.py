"""WebSockets of the asyncio client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ._attempt import client_closed, lost
from ._socket_messages import LONGEST_SILENCE, SocketMessages, silence_until
from .errors import InterruptedResponseError, SvcError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager, AsyncExitStack

    import httpx
    from anyio import CancelScope
    from anyio.abc import TaskGroup

    from ._attempt import Send


_MOST_AT_ONCE: Final = 65_536
"""Maximum number of bytes per read."""


class AsyncSocket:
    """An open WebSocket, over the connection of its handshake.

    One task may read while others send. A separate task writes the messages: cancelling
    a sender in the middle of a write would leave a truncated message on the wire.

    Attributes:
        messages: State of the WebSocket protocol.
    """

    def __init__(
        self,
        response: httpx.Response,
        send: Send,
        stack: AsyncExitStack,
        watch: Callable[[CancelScope], AbstractContextManager[None]],
    ) -> None:
        """Take over the connection of ``response``, which ``stack`` closes.

        ``watch`` cancels a scope when the client is closed.
        """
        import anyio

        self._watch = watch
        self._stream = response.extensions["network_stream"]
        self._send = send
        self._stack = stack
        self._sending = anyio.Lock()
        self._outgoing = anyio.Event()
        self._written = anyio.Event()
        self._written.set()
        self._writing: CancelScope | None = None
        self._is_over = False
        self._is_cut_off = False
        self._failure: SvcError | None = None
        self.messages = SocketMessages()

    async def read(self, deadline: float | None = None) -> list[bytes]:
        """Wait for data and return the messages that it completes, if any.

        Raises:
            InterruptedResponseError: The connection was lost.
            ConfigurationError: The client was closed.
            TimedOutError: No data arrived before the deadline.
        """
        import anyio

        data = b""
        limit = silence_until(deadline)
        with (
            anyio.CancelScope() as scope,
            self._watch(scope),
            lost(self._send, deadline),
        ):
            data = await self._stream.read(_MOST_AT_ONCE, timeout=limit)
        self._send.check_open()
        messages = self.messages.feed(data)
        if self.messages.is_closed:
            self.stop_writing()
        # Pongs.
        if self._writing is None:
            await self._write_outgoing()
        else:
            self._outgoing.set()
        return messages

    def start_writing(self, tasks: TaskGroup) -> None:
        """Start writing outgoing messages in a task of ``tasks``."""
        import anyio

        self._writing = anyio.CancelScope()
        tasks.start_soon(self._write, self._writing)

    def stop_writing(self) -> None:
        """Stop the writing task. Pending messages are dropped."""
        if self._writing is not None:
            self._writing.cancel()

    async def send(self, message: bytes) -> None:
        """Send a message. If cancelled, the message is sent in full or not at all.

        Raises:
            InterruptedResponseError: The connection was lost or closed.
        """
        import anyio

        async with self._sending:
            # A cancelled send may have left a pending message.
            await self._written.wait()
            if self._is_over:
                raise self._ending()
            with lost(self._send):
                self.messages.print(message)
            self._written = anyio.Event()
            self._outgoing.set()
            await self._written.wait()
            if self._is_cut_off:
                raise self._ending()

    def _ending(self) -> SvcError:
        if self._send.is_cut_off:
            return client_closed()
        return self._failure or InterruptedResponseError(self.messages.closing)

    async def _write(self, writing: CancelScope) -> None:
        import anyio

        try:
            with writing, self._watch(writing):
                while True:
                    await self._outgoing.wait()
                    self._outgoing = anyio.Event()
                    await self._write_outgoing()
        except SvcError as error:
            self._failure = error
        finally:
            self._is_over = True
            self._is_cut_off = not self._written.is_set()
            self._written.set()

    async def _write_outgoing(self) -> None:
        while self.messages.has_outgoing:
            written = self._written
            data = self.messages.outgoing()
            with lost(self._send):
                await self._stream.write(data, timeout=LONGEST_SILENCE)
            written.set()

    async def aclose(self) -> None:
        """Close the connection, even if the task was cancelled."""
        import anyio

        with anyio.CancelScope(shield=True):
            await self._stack.aclose()
