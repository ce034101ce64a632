"""Follows runs from asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import InterruptedResponseError, SvcError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from ._answers import Answer
    from ._async_driver import AsyncDriver
    from ._async_socket import AsyncSocket
    from ._execution_event import ExecutionEvent
    from ._follow import Following


class AsyncFollower:
    """Sends the requests that follow a run."""

    def __init__(self, drive: AsyncDriver, following: Following) -> None:
        self._drive = drive
        self._following = following
        self._answer: Answer | None = None

    async def events(self) -> AsyncGenerator[ExecutionEvent, None]:
        """Yield the events until the run ends."""
        try:
            while not self._following.is_over:
                for event in self._following.new():
                    yield event
                if not self._following.is_over:
                    await self._proceed()
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Close the connection when no read is in progress."""
        answer, self._answer = self._answer, None
        if answer is not None:
            await answer.stream.aclose()

    async def _proceed(self) -> None:
        following = self._following
        try:
            if following.has_pages:
                following.take_page(await self._drive(following.page()))
            elif following.polls:
                await self._drive(following.poll())
            else:
                await self._receive()
        except SvcError as error:
            if not following.has_begun:
                raise
            lost = error
        else:
            return
        await self._lose(lost)

    async def _receive(self) -> None:
        if self._answer is None:
            self._answer = await self._drive(self._following.connect())
            return
        socket: AsyncSocket = self._answer.stream
        if socket.messages.is_closed:
            raise InterruptedResponseError(socket.messages.closing)
        messages = await socket.read(self._following.deadline)
        self._following.receive(messages, self._answer)

    async def _lose(self, lost: SvcError) -> None:
        failure = self._following.end(self._answer, lost)
        await self.aclose()
        await self._drive(self._following.repeat(failure))
