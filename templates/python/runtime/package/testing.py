"""Fakes for the tests of programs that use this package.

They send no requests. Return them from a mock client:

>>> client = create_autospec(Client, instance=True)
>>> client.__enter__.return_value = client
>>> client.method.return_value = fake_stream([message])  # a method of the client
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Final, TypeVar

from ._async_session import AsyncSession
from ._async_split import AsyncSplitStream
from ._async_stream import AsyncFrameStream
from ._call_options import CallOptions
from ._event_stream import AsyncEventStream, EventStream
from ._execution import AsyncExecution, Execution
from ._execution_event import ExecutionEvent
from ._execution_record import ExecutionRecord
from ._fakes import (
    RUN,
    AsyncPlayed,
    AsyncRun,
    Conversation,
    Played,
    Run,
    async_played_events,
    fake_response,
    played_events,
    read_any,
)
from ._input_lines import AnyIterable
from ._live_calls import SessionLimits
from ._pause import Pause
from ._split_calls import check_stream_id
from ._sync_session import Session
from ._sync_split import SplitStream
from ._sync_stream import FrameStream
from ._typing import Self, Unpack
from ._upload import Upload

__all__ = [
    "FakeAsyncSession",
    "FakeAsyncSplitStream",
    "FakeSession",
    "FakeSplitStream",
    "fake_async_events",
    "fake_async_execution",
    "fake_async_stream",
    "fake_events",
    "fake_execution",
    "fake_response",
    "fake_stream",
]

T = TypeVar("T")
In = TypeVar("In")
Out = TypeVar("Out")

_STREAM: Final = "0" * 26


def fake_stream(
    messages: Iterable[T],
    *,
    error: Exception | None = None,
    execution_id: str = RUN,
) -> FrameStream[T]:
    """Return a stream that yields messages, and then raises ``error``, if any."""
    return FrameStream(Played(messages, error, execution_id))


def fake_async_stream(
    messages: AnyIterable[T],
    *,
    error: Exception | None = None,
    execution_id: str = RUN,
) -> AsyncFrameStream[T]:
    """Return a stream that yields messages, and then raises ``error``, if any."""
    return AsyncFrameStream(AsyncPlayed(messages, error, execution_id))


def fake_events(
    events: Iterable[ExecutionEvent], *, error: Exception | None = None
) -> EventStream:
    """Return an event stream, as ``Execution.follow`` does."""
    return played_events(events, error)


def fake_async_events(
    events: AnyIterable[ExecutionEvent], *, error: Exception | None = None
) -> AsyncEventStream:
    """Return an event stream, as ``AsyncExecution.follow`` does."""
    return async_played_events(events, error)


def fake_execution(
    output: Out,
    *,
    execution_id: str = RUN,
    error: Exception | None = None,
    events: Iterable[ExecutionEvent] = (),
    pauses: Iterable[Pause] = (),
    record: ExecutionRecord | None = None,
) -> Execution[Out]:
    """Return a handle to a fake run.

    Args:
        output: Return value of ``wait``.
        execution_id: Id of the run.
        error: Exception that ``wait`` raises instead.
        events: Events of ``events`` and ``follow``.
        pauses: Return value of ``pauses``. While a pause is ``WAITING``, ``wait``
            raises ``FlowPausedError``; ``resume`` decides on it.
        record: Return value of ``get``; by default, a record that matches the other
            arguments.
    """
    return Execution(Run(output, error, events, pauses, record), execution_id)


def fake_async_execution(
    output: Out,
    *,
    execution_id: str = RUN,
    error: Exception | None = None,
    events: Iterable[ExecutionEvent] = (),
    pauses: Iterable[Pause] = (),
    record: ExecutionRecord | None = None,
) -> AsyncExecution[Out]:
    """Return a fake run. It takes the arguments of :func:`fake_execution`."""
    return AsyncExecution(
        AsyncRun(Run(output, error, events, pauses, record)), execution_id
    )


class FakeSession(Session[In, Out]):
    """A fake live session. It ends when it has no more messages.

    Attributes:
        sent: The messages that were sent.
    """

    def __init__(
        self,
        messages: Iterable[Out] = (),
        *,
        reply: Callable[[In], Iterable[Out]] | None = None,
        error: Exception | None = None,
        limits: SessionLimits | None = None,
    ) -> None:
        """Create a session.

        Args:
            messages: Messages to yield first.
            reply: Returns the messages to yield in reply to a sent message.
            error: Exception to raise when there are no more messages.
            limits: The limits of the session; all unknown by default.
        """
        self.sent: list[In] = []
        self._state = Conversation(messages, reply, error)
        self._limits = limits or SessionLimits()

    @property
    def execution_id(self) -> str | None:
        """Id of the session."""
        return RUN

    @property
    def limits(self) -> SessionLimits:
        """The limits."""
        return self._limits

    def send(self, message: In) -> None:
        """Send a message."""
        self._state.send(message)
        self.sent.append(message)

    def __next__(self) -> Out:
        """Return the next message."""
        for message in self._state.next():
            return message
        raise StopIteration

    def close(self) -> None:
        """End the session."""
        self._state.is_open = False

    def __enter__(self) -> Self:
        """Open the session."""
        self._state.is_open = True
        return self


class FakeAsyncSession(AsyncSession[In, Out]):
    """A fake live session. It ends when it has no more messages.

    Attributes:
        sent: The messages that were sent.
    """

    def __init__(
        self,
        messages: Iterable[Out] = (),
        *,
        reply: Callable[[In], Iterable[Out]] | None = None,
        error: Exception | None = None,
        limits: SessionLimits | None = None,
    ) -> None:
        """Create a session. It takes the arguments of :class:`FakeSession`."""
        self.sent: list[In] = []
        self._state = Conversation(messages, reply, error)
        self._limits = limits or SessionLimits()

    @property
    def execution_id(self) -> str | None:
        """Id of the session."""
        return RUN

    @property
    def limits(self) -> SessionLimits:
        """The limits."""
        return self._limits

    async def send(self, message: In) -> None:
        """Send a message."""
        self._state.send(message)
        self.sent.append(message)

    async def __anext__(self) -> Out:
        """Return the next message."""
        for message in self._state.next():
            return message
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the session."""
        self._state.is_open = False

    async def __aenter__(self) -> Self:
        """Open the session."""
        self._state.is_open = True
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the session."""
        await self.aclose()


class FakeSplitStream(SplitStream[In, Out]):
    """A fake split stream.

    Attributes:
        sent: The messages that were uploaded.
    """

    def __init__(
        self, messages: Iterable[Out] = (), *, stream_id: str = _STREAM
    ) -> None:
        """Create a stream whose output is ``messages``."""
        self._id = check_stream_id(stream_id)
        self._messages = list(messages)
        self.sent: list[In] = []

    def upload(self, messages: Iterable[In], **options: Unpack[CallOptions]) -> Upload:
        """Read the messages."""
        del options
        self.sent.extend(messages)
        return Upload(execution_id=RUN, input_frames=len(self.sent))

    def output(
        self, *, after: str = "", **options: Unpack[CallOptions]
    ) -> FrameStream[Out]:
        """Return the output after the event ``after``."""
        del options
        first = _count(after)
        return FrameStream(Played(self._messages[first:], None, RUN, first))


class FakeAsyncSplitStream(AsyncSplitStream[In, Out]):
    """A fake split stream.

    Attributes:
        sent: The messages that were uploaded.
    """

    def __init__(
        self, messages: Iterable[Out] = (), *, stream_id: str = _STREAM
    ) -> None:
        """Create a stream whose output is ``messages``."""
        self._id = check_stream_id(stream_id)
        self._messages = list(messages)
        self.sent: list[In] = []

    async def upload(
        self, messages: AnyIterable[In], **options: Unpack[CallOptions]
    ) -> Upload:
        """Read the messages."""
        del options
        async for message in read_any(messages):
            self.sent.append(message)
        return Upload(execution_id=RUN, input_frames=len(self.sent))

    def output(
        self, *, after: str = "", **options: Unpack[CallOptions]
    ) -> AsyncFrameStream[Out]:
        """Return the output after the event ``after``."""
        del options
        first = _count(after)
        return AsyncFrameStream(AsyncPlayed(self._messages[first:], None, RUN, first))


def _count(after: str) -> int:
    """Return the number of messages up to and including the event ``after``."""
    return int(after) + 1 if after else 0
