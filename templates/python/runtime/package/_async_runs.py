"""Sends the requests of executions from asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._async_follow import AsyncFollower
from ._async_reader import AsyncReader
from ._event_stream import AsyncEventStream
from ._follow import Following
from ._pause_calls import decision_body, fork, fork_body, pauses_of, resume
from .errors import FlowFailedError, FlowPausedError, WaitTimedOutError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ._async_driver import AsyncDriver
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._event_query import EventQuery
    from ._execution import AsyncExecution
    from ._execution_event import ExecutionEvent
    from ._execution_record import ExecutionRecord
    from ._flow import Flow
    from ._pause import Decision, Pause, ResumedPause

Out = TypeVar("Out")


class AsyncRuns(Generic[Out]):
    """The requests of the executions of one flow."""

    __slots__ = ("_calls", "_drive", "_flow")

    def __init__(self, drive: AsyncDriver, calls: Calls, flow: Flow[Any, Out]) -> None:
        self._drive = drive
        self._calls = calls
        self._flow = flow

    async def get(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Read the record."""
        return await self._drive(self._calls.get(execution_id, options))

    async def cancel(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Cancel the run."""
        return await self._drive(self._calls.cancel(execution_id, options))

    async def pauses(self, execution_id: str, options: CallOptions) -> list[Pause]:
        """List the pauses."""
        return await self._drive(pauses_of(self._calls, execution_id, options))

    async def resume(
        self,
        execution_id: str,
        pause_id: str,
        decision: Decision,
        resumed_by: str | None,
        options: CallOptions,
    ) -> ResumedPause:
        """Decide on a pause."""
        body = decision_body(pause_id, decision, resumed_by)
        return await self._drive(resume(self._calls, execution_id, body, options))

    async def fork(
        self,
        execution_id: str,
        checkpoint_id: str | None,
        message: Decision,
        options: CallOptions,
    ) -> str:
        """Fork the run and return the id of the fork."""
        body = fork_body(checkpoint_id, message)
        return await self._drive(fork(self._calls, execution_id, body, options))

    async def wait(self, execution: AsyncExecution[Any], options: CallOptions) -> Out:
        """Wait for the run to end and return its output."""
        calls = self._calls.wait(self._flow, execution.id, options)
        try:
            ended = await self._drive(calls)
        except (FlowFailedError, FlowPausedError, WaitTimedOutError) as error:
            error.execution = execution
            raise
        return ended.value

    def follow(self, execution_id: str, options: CallOptions) -> AsyncEventStream:
        """Read the events until the run ends."""
        following = Following(self._calls, execution_id, options)
        follower = AsyncFollower(self._drive, following)
        reader = AsyncReader(follower.events(), release=follower.aclose)
        return AsyncEventStream(reader, following)

    def events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> AsyncIterator[ExecutionEvent]:
        """Read the events page by page."""
        self._calls.check(options)
        return self._events(execution_id, query, options)

    async def _events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> AsyncIterator[ExecutionEvent]:
        cursor: str | None = None
        while True:
            steps = self._calls.page(execution_id, query, cursor, options)
            page = await self._drive(steps)
            for event in page.events:
                yield event
            cursor = page.next_cursor
            if cursor is None:
                return
