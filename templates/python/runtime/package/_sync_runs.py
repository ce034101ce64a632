"""Sends the requests of executions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._event_stream import EventStream
from ._follow import Following
from ._pause_calls import decision_body, fork, fork_body, pauses_of, resume
from ._sync_follow import SyncFollower
from ._sync_reader import SyncReader
from .errors import FlowFailedError, FlowPausedError, WaitTimedOutError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._call_options import CallOptions
    from ._calls import Calls
    from ._event_query import EventQuery
    from ._execution import Execution
    from ._execution_event import ExecutionEvent
    from ._execution_record import ExecutionRecord
    from ._flow import Flow
    from ._pause import Decision, Pause, ResumedPause
    from ._sync_driver import SyncDriver

Out = TypeVar("Out")


class SyncRuns(Generic[Out]):
    """The requests of the executions of one flow."""

    __slots__ = ("_calls", "_drive", "_flow")

    def __init__(self, drive: SyncDriver, calls: Calls, flow: Flow[Any, Out]) -> None:
        self._drive = drive
        self._calls = calls
        self._flow = flow

    def get(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Read the record."""
        return self._drive(self._calls.get(execution_id, options))

    def cancel(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Cancel the run."""
        return self._drive(self._calls.cancel(execution_id, options))

    def pauses(self, execution_id: str, options: CallOptions) -> list[Pause]:
        """List the pauses."""
        return self._drive(pauses_of(self._calls, execution_id, options))

    def resume(
        self,
        execution_id: str,
        pause_id: str,
        decision: Decision,
        resumed_by: str | None,
        options: CallOptions,
    ) -> ResumedPause:
        """Decide on a pause."""
        body = decision_body(pause_id, decision, resumed_by)
        return self._drive(resume(self._calls, execution_id, body, options))

    def fork(
        self,
        execution_id: str,
        checkpoint_id: str | None,
        message: Decision,
        options: CallOptions,
    ) -> str:
        """Fork the run and return the id of the fork."""
        body = fork_body(checkpoint_id, message)
        return self._drive(fork(self._calls, execution_id, body, options))

    def wait(self, execution: Execution[Any], options: CallOptions) -> Out:
        """Wait for the run to end and return its output."""
        try:
            ended = self._drive(self._calls.wait(self._flow, execution.id, options))
        except (FlowFailedError, FlowPausedError, WaitTimedOutError) as error:
            error.execution = execution
            raise
        return ended.value

    def follow(self, execution_id: str, options: CallOptions) -> EventStream:
        """Read the events until the run ends."""
        following = Following(self._calls, execution_id, options)
        follower = SyncFollower(self._drive, following)
        reader = SyncReader(
            follower.events(), shut=follower.shut, release=follower.close
        )
        return EventStream(reader, following)

    def events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> Iterator[ExecutionEvent]:
        """Read the events page by page."""
        self._calls.check(options)
        return self._events(execution_id, query, options)

    def _events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> Iterator[ExecutionEvent]:
        cursor: str | None = None
        while True:
            page = self._drive(self._calls.page(execution_id, query, cursor, options))
            yield from page.events
            cursor = page.next_cursor
            if cursor is None:
                return
