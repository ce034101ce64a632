"""The state of the fakes in :mod:`.testing`."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import httpx

from ._async_reader import AsyncReader
from ._event_query import EventQuery
from ._event_stream import AsyncEventStream, EventStream
from ._execution_record import ExecutionRecord, ExecutionStatus
from ._pause import PauseStatus, ResumedPause
from ._pause_calls import decision_value
from ._response import RawResponse
from ._sync_reader import SyncReader
from .errors import (
    ConfigurationError,
    FlowFailedError,
    FlowPausedError,
    NotFoundError,
    WaitTimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Callable,
        Generator,
        Iterable,
        Iterator,
        Mapping,
    )

    from ._call_options import CallOptions
    from ._execution import AsyncExecution, Execution
    from ._execution_event import ExecutionEvent
    from ._input_lines import AnyIterable
    from ._pause import Decision, Pause

T = TypeVar("T")
In = TypeVar("In")
Out = TypeVar("Out")

RUN: Final = "0" * 32
FORK: Final = "f" * 32


def fake_response(
    value: T,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    execution_id: str | None = None,
) -> RawResponse[T]:
    """Return a response, as methods of ``with_raw_response`` do."""
    return RawResponse(
        status=status,
        headers=httpx.Headers(headers),
        body=body,
        value=value,
        execution_id=execution_id,
        attempts=1,
        idempotency_key="",
    )


def played_events(
    events: Iterable[ExecutionEvent], error: Exception | None
) -> EventStream:
    """Return a stream of events."""
    played = Played(events, error, RUN)
    reader = SyncReader(played.messages(), shut=played.shut, release=played.close)
    return EventStream(reader, played)


def async_played_events(
    events: AnyIterable[ExecutionEvent], error: Exception | None
) -> AsyncEventStream:
    """Return a stream of events."""
    played = AsyncPlayed(events, error, RUN)
    reader = AsyncReader(played.messages(), release=played.aclose)
    return AsyncEventStream(reader, played)


async def read_any(messages: AnyIterable[T]) -> AsyncIterator[T]:
    if isinstance(messages, AsyncIterable):
        async for message in messages:
            yield message
    else:
        for message in messages:
            yield message


class Played(Generic[T]):
    """The source of a stream."""

    def __init__(
        self,
        messages: Iterable[T],
        error: Exception | None,
        execution_id: str | None,
        first: int = 0,
    ) -> None:
        self._messages = messages
        self._error = error
        self._first = first
        self.execution_id = execution_id
        self.last_event_id = str(first - 1) if first else None
        self.is_over = False

    def head(self) -> RawResponse[None]:
        return fake_response(None, execution_id=self.execution_id)

    def messages(self) -> Generator[T, None, None]:
        for index, message in enumerate(self._messages, self._first):
            self.last_event_id = str(index)
            yield message
        self.is_over = True
        if self._error is not None:
            raise self._error

    def shut(self) -> None:
        """Do nothing: the messages end on their own."""

    def close(self) -> None:
        """Do nothing: there is nothing to free."""


class AsyncPlayed(Generic[T]):
    """The source of a stream."""

    def __init__(
        self,
        messages: AnyIterable[T],
        error: Exception | None,
        execution_id: str | None,
        first: int = 0,
    ) -> None:
        self._messages = messages
        self._error = error
        self._next = first
        self.execution_id = execution_id
        self.last_event_id = str(first - 1) if first else None
        self.is_over = False

    async def head(self) -> RawResponse[None]:
        return fake_response(None, execution_id=self.execution_id)

    async def messages(self) -> AsyncGenerator[T, None]:
        async for message in read_any(self._messages):
            self.last_event_id = str(self._next)
            self._next += 1
            yield message
        self.is_over = True
        if self._error is not None:
            raise self._error

    async def aclose(self) -> None:
        """Do nothing: there is nothing to free."""


class Conversation(Generic[In, Out]):
    """The messages of a live session."""

    def __init__(
        self,
        messages: Iterable[Out],
        reply: Callable[[In], Iterable[Out]] | None,
        error: Exception | None,
    ) -> None:
        self._messages = deque(messages)
        self._reply = reply
        self._error = error
        self.is_open = False

    def send(self, message: In) -> None:
        if not self.is_open:
            raise ConfigurationError("the session is not open")
        if self._reply is not None:
            self._messages.extend(self._reply(message))

    def next(self) -> Iterator[Out]:
        """Yield the next message, if there is one."""
        if self.is_open and self._messages:
            yield self._messages.popleft()
        elif self.is_open and self._error is not None:
            raise self._error


class Run(Generic[Out]):
    """The state of a run, and the requests of its :class:`Execution`."""

    def __init__(
        self,
        output: Out,
        error: Exception | None,
        events: Iterable[ExecutionEvent],
        pauses: Iterable[Pause],
        record: ExecutionRecord | None,
    ) -> None:
        self._output = output
        self._error = error
        self._events = list(events)
        self._pauses = {pause.id: pause for pause in pauses}
        self._record = record
        self._is_cancelled = False

    def get(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        del options
        if self._record is not None and not self._is_cancelled:
            return self._record
        waiting = self._waiting
        status = (
            ExecutionStatus.CANCELLED
            if self._is_cancelled
            else ExecutionStatus.RUNNING
            if waiting is not None or isinstance(self._error, WaitTimedOutError)
            else ExecutionStatus.COMPLETED
            if self._error is None
            else ExecutionStatus.FAILED
        )
        is_failed = status is ExecutionStatus.FAILED
        return ExecutionRecord(
            id=execution_id,
            status=status,
            pause_id=None if waiting is None else waiting.id,
            error_message=str(self._error) if is_failed else None,
        )

    def cancel(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        self._is_cancelled = True
        return self.get(execution_id, options)

    def pauses(self, execution_id: str, options: CallOptions) -> list[Pause]:
        del execution_id, options
        return list(self._pauses.values())

    def resume(
        self,
        execution_id: str,
        pause_id: str,
        decision: Decision,
        resumed_by: str | None,
        options: CallOptions,
    ) -> ResumedPause:
        del options
        pause = self._pauses.get(pause_id)
        if pause is None:
            raise NotFoundError(
                f"there is no pause {pause_id}",
                status=404,
                code="pause_not_found",
                execution_id=execution_id,
            )
        is_waiting = pause.status == PauseStatus.WAITING
        if is_waiting:
            value = {} if decision is None else decision_value(decision, "the decision")
            pause = self._pauses[pause_id] = replace(
                pause,
                status=PauseStatus.RESUMED,
                resumed_by=resumed_by,
                decision=value,
            )
        return ResumedPause(
            pause_id=pause_id,
            status=pause.status,
            decision=pause.decision,
            already_resumed=not is_waiting,
            resumed_by=pause.resumed_by,
        )

    def fork(
        self,
        execution_id: str,
        checkpoint_id: str | None,
        message: Decision,
        options: CallOptions,
    ) -> str:
        del execution_id, checkpoint_id, message, options
        return FORK

    def wait(self, execution: Execution[Any], options: CallOptions) -> Out:
        del options
        return self.end(execution)

    def end(self, execution: Execution[Any] | AsyncExecution[Any]) -> Out:
        """Return the output, or raise the error of the run."""
        waiting = self._waiting
        error = self._error
        if self._is_cancelled:
            error = FlowFailedError("the run was cancelled", execution_id=execution.id)
        elif waiting is not None:
            error = FlowPausedError(
                "the run is paused and waits for a decision", execution_id=execution.id
            )
            error.pause_id = waiting.id
        if isinstance(error, (FlowFailedError, FlowPausedError, WaitTimedOutError)):
            error.execution = execution
        if error is not None:
            raise error
        return self._output

    def events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> Iterator[ExecutionEvent]:
        del execution_id, options
        types = {query.types} if isinstance(query.types, str) else set(query.types)
        for event in self._events:
            is_of_type = not types or event.type in types
            if is_of_type and query.node_name in {None, event.node_name}:
                yield event

    def follow(self, execution_id: str, options: CallOptions) -> EventStream:
        del execution_id, options
        return played_events(self._events, None)

    @property
    def _waiting(self) -> Pause | None:
        is_waiting = (
            pause
            for pause in self._pauses.values()
            if pause.status == PauseStatus.WAITING
        )
        return next(is_waiting, None)


class AsyncRun(Generic[Out]):
    """The requests of an :class:`AsyncExecution`."""

    def __init__(self, run: Run[Out]) -> None:
        self._run = run

    async def get(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        return self._run.get(execution_id, options)

    async def cancel(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        return self._run.cancel(execution_id, options)

    async def pauses(self, execution_id: str, options: CallOptions) -> list[Pause]:
        return self._run.pauses(execution_id, options)

    async def resume(
        self,
        execution_id: str,
        pause_id: str,
        decision: Decision,
        resumed_by: str | None,
        options: CallOptions,
    ) -> ResumedPause:
        return self._run.resume(execution_id, pause_id, decision, resumed_by, options)

    async def fork(
        self,
        execution_id: str,
        checkpoint_id: str | None,
        message: Decision,
        options: CallOptions,
    ) -> str:
        return self._run.fork(execution_id, checkpoint_id, message, options)

    async def wait(self, execution: AsyncExecution[Any], options: CallOptions) -> Out:
        del options
        return self._run.end(execution)

    async def events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> AsyncIterator[ExecutionEvent]:
        for event in self._run.events(execution_id, query, options):
            yield event

    def follow(self, execution_id: str, options: CallOptions) -> AsyncEventStream:
        return async_played_events(
            self._run.events(execution_id, EventQuery(), options), None
        )
