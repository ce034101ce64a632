"""Live sessions of the asyncio client."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ._answers import Answer
from ._async_driver import AsyncDriver
from ._live_calls import LiveCall, SessionLimits
from ._typing import Self
from .errors import ConfigurationError, InterruptedResponseError, SvcError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anyio import CancelScope, Event
    from anyio.abc import TaskGroup

    from ._async_socket import AsyncSocket

In = TypeVar("In")
Out = TypeVar("Out")

_PATIENCE: Final = 1.0
"""Seconds to wait for the reason after a send fails."""


class AsyncSession(Generic[In, Out]):
    """A live session with a pipeline node; use it with ``async with``.

    Sending and receiving are independent: call ``send`` and iterate over the messages
    of the node, from one task or from two. Only one task may read at a time. Leaving
    the loop keeps the session open. Leaving the context ends it, which cancels the
    node. A session has no execution record and cannot be resumed.

    The context must be entered and left by the same task. Any task may call ``aclose``.
    """

    def __init__(self, drive: AsyncDriver, call: LiveCall[In, Out]) -> None:
        """Create a session without sending a request."""
        self._drive = drive
        self._call = call
        self._answer: Answer | None = None
        self._tasks: TaskGroup | None = None
        self._receiving: CancelScope | None = None
        self._inbox = _Inbox()
        self._lost: SvcError | None = None
        self._is_closed = False
        self._is_reading = False
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

    async def send(self, message: In) -> None:
        """Send a message. Blocks while the node is not reading.

        If the send is cancelled, the message is sent in full or not at all.

        Raises:
            MessageError: The message cannot be sent.
            NodeFailedError: The node failed.
            StreamInterruptedError: The session has ended.
        """
        import anyio

        answer = self._opened()
        socket: AsyncSocket = answer.stream
        self._call.check_goes_on(answer)
        text = self._call.print(message)
        try:
            if self._lost is not None:
                raise self._lost
            await socket.send(text)
        except SvcError as error:
            if self._is_closed:
                raise ConfigurationError("the session is closed") from None
            # The reason may already be here, queued after unread messages.
            self._inbox.widen()
            with anyio.move_on_after(_PATIENCE):
                await self._inbox.wait_closed()
            reason = self._call.why_not_sent(
                answer, self._lost or error, self._inbox.unread
            )
            raise reason from (None if reason is error else error)

    def __aiter__(self) -> Self:
        """Return the session itself."""
        return self

    async def __anext__(self) -> Out:
        """Return the next message of the node. A cancelled read loses no message.

        Raises:
            NodeFailedError: The node failed.
            StreamInterruptedError: The session ended before its last message.
            ConfigurationError: Another task is reading.
        """
        if self._is_reading:
            if self._is_closed:
                raise StopAsyncIteration
            raise ConfigurationError("the session is already being read")
        self._is_reading = True
        try:
            while True:
                for message in self._taken:
                    return message
                if self._is_closed or self._call.is_ended:
                    raise StopAsyncIteration
                await self._receive_next(self._opened())
        finally:
            self._is_reading = False

    async def aclose(self) -> None:
        """End the session. Iteration in another task stops."""
        answer = self._end()
        if answer is not None:
            await answer.stream.aclose()

    async def __aenter__(self) -> Self:
        """Open the session.

        Raises:
            SvcError: The session was rejected, or did not become ready.
        """
        import anyio

        if self._is_closed or self._answer is not None:
            raise ConfigurationError("a session can be entered once")
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
        # Receives in the background, so that pings are answered without a reader.
        self._receiving = anyio.CancelScope()
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        answer.stream.start_writing(self._tasks)
        self._tasks.start_soon(self._receive, answer, early, self._receiving)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the session."""
        answer = self._end()
        tasks, self._tasks = self._tasks, None
        try:
            if tasks is not None:
                # The task group would wrap the error in an exception group.
                await tasks.__aexit__(None, None, None)
        finally:
            if answer is not None:
                await answer.stream.aclose()

    def _end(self) -> Answer | None:
        """Stop receiving. Return the response whose connection must be closed."""
        answer, self._answer = self._answer, None
        self._is_closed = True
        self._inbox.close()
        if self._receiving is not None:
            self._receiving.cancel()
        return answer

    def _opened(self) -> Answer:
        if self._is_closed:
            raise ConfigurationError("the session is closed")
        if self._answer is None:
            raise ConfigurationError(
                "the session is not open: use it in an async with block"
            )
        self._drive.closing.check_open()
        return self._answer

    async def _get_ready(self, answer: Answer) -> list[bytes]:
        socket: AsyncSocket = answer.stream
        while not socket.messages.is_closed:
            messages = await socket.read(self._call.deadline)
            if messages:
                deque(self._call.take(messages[0], answer), maxlen=0)
                return messages[1:]
        raise InterruptedResponseError(socket.messages.closing)

    async def _receive(
        self, answer: Answer, early: list[bytes], receiving: CancelScope
    ) -> None:
        socket: AsyncSocket = answer.stream
        messages = early
        try:
            with receiving:
                while True:
                    for message in messages:
                        await self._inbox.put(message)
                    if socket.messages.is_closed:
                        return
                    messages = await socket.read(self._call.deadline)
        except SvcError as error:
            self._lost = error
        finally:
            self._inbox.close()
            socket.stop_writing()

    async def _receive_next(self, answer: Answer) -> None:
        data = await self._inbox.get()
        if data is not None:
            self._taken = self._call.take(data, answer)
        elif not self._is_closed:
            raise self._call.lost(answer, self._lost)


class _Inbox:
    """Passes messages from the receiving task to the reader.

    It holds at most one message until it is widened. A message stays in it until it is
    taken, so that cancelling a read loses none.
    """

    def __init__(self) -> None:
        self._messages: deque[bytes] = deque()
        self._waiting: list[Event] = []
        self._is_wide = False
        self._is_closed = False

    @property
    def unread(self) -> list[bytes]:
        """The messages that were not read."""
        return list(self._messages)

    def widen(self) -> None:
        """Accept any number of messages from now on."""
        self._is_wide = True
        self._wake()

    async def put(self, message: bytes) -> None:
        """Wait for space."""
        while self._messages and not self._is_wide:
            await self._change()
        self._messages.append(message)
        self._wake()

    async def get(self) -> bytes | None:
        """Wait for a message. Return ``None`` if there are no more."""
        while not self._messages:
            if self._is_closed:
                return None
            await self._change()
        message = self._messages.popleft()
        self._wake()
        return message

    def close(self) -> None:
        """Wake waiting readers: there are no more messages."""
        self._is_closed = True
        self._wake()

    async def wait_closed(self) -> None:
        """Wait until the inbox is closed."""
        while not self._is_closed:
            await self._change()

    async def _change(self) -> None:
        import anyio

        event = anyio.Event()
        self._waiting.append(event)
        await event.wait()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for event in waiting:
            event.set()
