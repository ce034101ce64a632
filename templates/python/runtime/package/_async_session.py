"""Live sessions of the asyncio client."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._answers import Answer
from ._async_driver import AsyncDriver
from ._live_calls import LiveCall, SessionLimits
from ._reading import Reading
from ._typing import Self
from .errors import ConfigurationError, InterruptedAnswerError, SvcError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from ._async_socket import AsyncSocket

In = TypeVar("In")
Out = TypeVar("Out")


class AsyncSession(Generic[In, Out]):
    """A live session with a pipeline node; use it with ``async with``.

    Messages travel both ways at the same time: ``send`` them, and iterate over those of
    the node, from one task or from two. Leaving the loop keeps the session open;
    leaving the context ends it, which cancels the node. A session has no record, and
    cannot be continued.
    """

    def __init__(self, drive: AsyncDriver, call: LiveCall[In, Out]) -> None:
        """Send no request yet."""
        self._drive = drive
        self._call = call
        self._answer: Answer | None = None
        self._tasks: Any = None
        self._inbox: Any = None
        self._lost: SvcError | None = None
        self._messages = self._read()
        self._reading = Reading(self._is_over, lambda: self.execution_id)

    @property
    def execution_id(self) -> str | None:
        """Id of the session in logs. There is no record of it."""
        return self._call.execution_id

    @property
    def limits(self) -> SessionLimits:
        """The limits that the service enforces."""
        self._opened()
        return self._call.known_limits

    async def send(self, message: In) -> None:
        """Send a message. Waits while the node takes none.

        Raises:
            MessageError: The message cannot be sent.
            StreamInterruptedError: The session has ended.
        """
        answer = self._opened()
        socket: AsyncSocket = answer.stream
        text = self._call.print(message)
        try:
            await socket.send(text)
        except InterruptedAnswerError as error:
            failure = None if socket.messages.is_closed else self._lost or error
            raise self._call.lost(answer, failure) from error

    def __aiter__(self) -> Self:
        """Return the session itself."""
        return self

    async def __anext__(self) -> Out:
        """Return the next message of the node.

        Raises:
            NodeFailedError: The node failed.
            StreamInterruptedError: The session ended before its last message.
        """
        with self._reading:
            return await anext(self._messages)

    async def __aenter__(self) -> Self:
        """Open the session.

        Raises:
            SvcError: The session was refused, or did not get ready.
        """
        import anyio

        answer = await self._drive(self._call.open())
        while True:
            is_ready = False
            try:
                early = await self._get_ready(answer)
                is_ready = True
                break
            except SvcError as error:
                failure = self._call.lost(answer, error)
            finally:
                if not is_ready:
                    await answer.stream.aclose()
            answer = await self._drive(self._call.reopen(failure))
        self._answer = answer
        streams: tuple[Any, Any] = anyio.create_memory_object_stream(0)
        outbox, self._inbox = streams
        # Receives also while no message is read, so that pings are answered.
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._receive, answer, early, outbox)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the session."""
        answer, self._answer = self._answer, None
        if answer is None:
            return
        self._tasks.cancel_scope.cancel()
        try:
            await self._messages.aclose()
            # Without the error, which the group would put into a group of errors.
            await self._tasks.__aexit__(None, None, None)
        finally:
            self._inbox.close()
            await answer.stream.aclose()

    def _is_over(self) -> bool:
        return self._answer is None or self._call.is_ended

    def _opened(self) -> Answer:
        if self._answer is None:
            raise ConfigurationError(
                "the session is not open: use it in an async with block"
            )
        return self._answer

    async def _get_ready(self, answer: Answer) -> list[bytes]:
        socket: AsyncSocket = answer.stream
        while not socket.messages.is_closed:
            messages = await socket.read(self._call.deadline)
            if messages:
                deque(self._call.take(messages[0], answer), maxlen=0)
                return messages[1:]
        raise InterruptedAnswerError(socket.messages.closing)

    async def _receive(self, answer: Answer, early: list[bytes], outbox: Any) -> None:
        socket: AsyncSocket = answer.stream
        messages = early
        with outbox:
            try:
                while True:
                    for message in messages:
                        await outbox.send(message)
                    if socket.messages.is_closed:
                        return
                    messages = await socket.read(self._call.deadline)
            except SvcError as error:
                self._lost = error

    async def _read(self) -> AsyncGenerator[Out, None]:
        import anyio

        answer = self._opened()
        while not self._call.is_ended:
            try:
                data = await self._inbox.receive()
            except anyio.EndOfStream:
                raise self._call.lost(answer, self._lost) from None
            for message in self._call.take(data, answer):
                yield message
