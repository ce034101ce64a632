"""Handles to flow runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from ._call_options import CallOptions
from ._event_query import EventQuery
from ._event_stream import AsyncEventStream, EventStream
from ._execution_event import ExecutionEvent
from ._execution_record import ExecutionRecord
from ._pause import Decision, Pause, ResumedPause
from ._typing import Unpack

Out = TypeVar("Out")
Out_co = TypeVar("Out_co", covariant=True)


class RunCalls(Protocol[Out_co]):
    """The requests of an :class:`Execution`; the client implements them."""

    def get(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Read the record."""
        ...

    def cancel(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Cancel the run."""
        ...

    def pauses(self, execution_id: str, options: CallOptions) -> list[Pause]:
        """List the pauses."""
        ...

    def resume(
        self,
        execution_id: str,
        pause_id: str,
        decision: Decision,
        resumed_by: str | None,
        options: CallOptions,
    ) -> ResumedPause:
        """Decide on a pause."""
        ...

    def fork(
        self,
        execution_id: str,
        checkpoint_id: str | None,
        message: Decision,
        options: CallOptions,
    ) -> str:
        """Fork the run and return the id of the fork."""
        ...

    def wait(self, execution: Execution[Any], options: CallOptions) -> Out_co:
        """Wait for the run to end; errors of the wait refer to ``execution``."""
        ...

    def events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> Iterator[ExecutionEvent]:
        """Read the events page by page."""
        ...

    def follow(self, execution_id: str, options: CallOptions) -> EventStream:
        """Read the events until the run ends."""
        ...


class AsyncRunCalls(Protocol[Out_co]):
    """The requests of an :class:`AsyncExecution`; the client implements them."""

    async def get(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Read the record."""
        ...

    async def cancel(self, execution_id: str, options: CallOptions) -> ExecutionRecord:
        """Cancel the run."""
        ...

    async def pauses(self, execution_id: str, options: CallOptions) -> list[Pause]:
        """List the pauses."""
        ...

    async def resume(
        self,
        execution_id: str,
        pause_id: str,
        decision: Decision,
        resumed_by: str | None,
        options: CallOptions,
    ) -> ResumedPause:
        """Decide on a pause."""
        ...

    async def fork(
        self,
        execution_id: str,
        checkpoint_id: str | None,
        message: Decision,
        options: CallOptions,
    ) -> str:
        """Fork the run and return the id of the fork."""
        ...

    async def wait(
        self, execution: AsyncExecution[Any], options: CallOptions
    ) -> Out_co:
        """Wait for the run to end; errors of the wait refer to ``execution``."""
        ...

    def events(
        self, execution_id: str, query: EventQuery, options: CallOptions
    ) -> AsyncIterator[ExecutionEvent]:
        """Read the events page by page."""
        ...

    def follow(self, execution_id: str, options: CallOptions) -> AsyncEventStream:
        """Read the events until the run ends."""
        ...


class Execution(Generic[Out]):
    """A handle to a run of a flow.

    Clients create handles when they start a flow, or from the id of an earlier run.
    """

    def __init__(self, calls: RunCalls[Out], execution_id: str) -> None:
        """Create a handle without sending a request."""
        self._id = execution_id
        self._calls = calls

    @property
    def id(self) -> str:
        """Execution id, 32 hexadecimal digits."""
        return self._id

    def __repr__(self) -> str:
        """Show the execution id."""
        return f"{type(self).__name__}(id={self.id!r})"

    def get(self, **options: Unpack[CallOptions]) -> ExecutionRecord:
        """Retrieve the current state of the run."""
        return self._calls.get(self.id, options)

    def cancel(self, **options: Unpack[CallOptions]) -> ExecutionRecord:
        """Cancel the run and return its record. Running nodes are asked to stop.

        Raises:
            StatusError: 409, because the run has ended or is a branch of another one.
        """
        return self._calls.cancel(self.id, options)

    def pauses(self, **options: Unpack[CallOptions]) -> list[Pause]:
        """List the pauses of the run, oldest first. At most one is waiting."""
        return self._calls.pauses(self.id, options)

    def resume(
        self,
        pause_id: str,
        decision: Decision,
        *,
        resumed_by: str | None = None,
        **options: Unpack[CallOptions],
    ) -> ResumedPause:
        """Decide on a pause of the run, which then continues.

        The first decision wins. For a later one, ``already_resumed`` is true.

        Args:
            pause_id: Id of the pause.
            decision: A message of this package, a JSON object, the serialized message,
                or ``None`` for the default of every field.
            resumed_by: Who decides; recorded in the pause and passed to the node.
            options: Call options.

        Raises:
            MessageError: The decision has another type. No request was sent.
            BadRequestError: ``code`` is ``invalid_resume_value`` if the decision does
                not have the required type. The pause is still waiting.
            NotFoundError: The run or the pause does not exist.
            StatusError: 409, with the ``code`` ``pause_not_waiting`` or
                ``execution_not_resumable``.
        """
        return self._calls.resume(self.id, pause_id, decision, resumed_by, options)

    def fork(
        self,
        checkpoint_id: str | None = None,
        *,
        message: Decision = None,
        **options: Unpack[CallOptions],
    ) -> Execution[Out]:
        """Start a run that continues from a checkpoint of this one.

        If this run has not ended, it ends with the status ``FORKED``. App keys cannot
        fork.

        Args:
            checkpoint_id: Checkpoint to continue from; the latest one by default.
            message: Input of the pending node: a message of this package, a JSON
                object, the serialized message, or ``None`` to keep its original input.
            options: Call options.

        Raises:
            MessageError: The message has another type. No request was sent.
            NotFoundError: The run or the checkpoint does not exist.
            StatusError: 409, with the ``code`` ``execution_not_forkable``.
        """
        forked = self._calls.fork(self.id, checkpoint_id, message, options)
        return Execution(self._calls, forked)

    def wait(self, **options: Unpack[CallOptions]) -> Out:
        """Wait for the run to end and return its output.

        Raises:
            FlowFailedError: The run failed or was cancelled.
            FlowPausedError: The run is waiting for a decision.
            WaitTimedOutError: The run did not end within ``timeout``. It continues.
            TimedOutError: The run ended, but its output was not read in time.
        """
        return self._calls.wait(self, options)

    def events(
        self,
        *,
        types: str | Sequence[str] = (),
        node_name: str | None = None,
        page_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[ExecutionEvent]:
        """Iterate over the events of the run so far, oldest first.

        The iteration ends with the latest event; it does not wait for new ones.

        Args:
            types: Event type or types to include; all types by default.
            node_name: Placement in the flow to include events of; all by default.
            page_size: Events per request, at most 1,000; 100 by default.
            options: Call options. ``timeout`` applies to each page.
        """
        query = EventQuery(types, node_name, page_size)
        return self._calls.events(self.id, query, options)

    def follow(self, **options: Unpack[CallOptions]) -> EventStream:
        """Iterate over all events of the run, as they happen, until it ends.

        Stored events come first, followed by live events from a WebSocket. Each event
        is delivered exactly once, even if the run pauses or the connection is lost. Use
        a ``with`` statement to close the connection when the loop is left early.

        Where WebSockets are blocked, the client polls the stored events about once a
        second, and tries a WebSocket again every minute.

        Args:
            options: Call options. ``timeout`` applies to each page, and to each
                connection until it is ready, for at most ten seconds. Up to eight
                consecutive reconnects, or ``max_retries`` if that is more, may bring no
                new event; 0 disables reconnects.

        Raises:
            StreamInterruptedError: The connection was lost too often.
        """
        return self._calls.follow(self.id, options)


class AsyncExecution(Generic[Out]):
    """A handle to a run of a flow.

    Clients create handles when they start a flow, or from the id of an earlier run.
    """

    def __init__(self, calls: AsyncRunCalls[Out], execution_id: str) -> None:
        """Create a handle without sending a request."""
        self._id = execution_id
        self._calls = calls

    @property
    def id(self) -> str:
        """Execution id, 32 hexadecimal digits."""
        return self._id

    def __repr__(self) -> str:
        """Show the execution id."""
        return f"{type(self).__name__}(id={self.id!r})"

    async def get(self, **options: Unpack[CallOptions]) -> ExecutionRecord:
        """Retrieve the current state of the run."""
        return await self._calls.get(self.id, options)

    async def cancel(self, **options: Unpack[CallOptions]) -> ExecutionRecord:
        """Cancel the run and return its record. Running nodes are asked to stop.

        Raises:
            StatusError: 409, because the run has ended or is a branch of another one.
        """
        return await self._calls.cancel(self.id, options)

    async def pauses(self, **options: Unpack[CallOptions]) -> list[Pause]:
        """List the pauses of the run, oldest first. At most one is waiting."""
        return await self._calls.pauses(self.id, options)

    async def resume(
        self,
        pause_id: str,
        decision: Decision,
        *,
        resumed_by: str | None = None,
        **options: Unpack[CallOptions],
    ) -> ResumedPause:
        """Decide on a pause of the run, which then continues.

        The first decision wins. For a later one, ``already_resumed`` is true.

        Args:
            pause_id: Id of the pause.
            decision: A message of this package, a JSON object, the serialized message,
                or ``None`` for the default of every field.
            resumed_by: Who decides; recorded in the pause and passed to the node.
            options: Call options.

        Raises:
            MessageError: The decision has another type. No request was sent.
            BadRequestError: ``code`` is ``invalid_resume_value`` if the decision does
                not have the required type. The pause is still waiting.
            NotFoundError: The run or the pause does not exist.
            StatusError: 409, with the ``code`` ``pause_not_waiting`` or
                ``execution_not_resumable``.
        """
        return await self._calls.resume(
            self.id, pause_id, decision, resumed_by, options
        )

    async def fork(
        self,
        checkpoint_id: str | None = None,
        *,
        message: Decision = None,
        **options: Unpack[CallOptions],
    ) -> AsyncExecution[Out]:
        """Start a run that continues from a checkpoint of this one.

        If this run has not ended, it ends with the status ``FORKED``. App keys cannot
        fork.

        Args:
            checkpoint_id: Checkpoint to continue from; the latest one by default.
            message: Input of the pending node: a message of this package, a JSON
                object, the serialized message, or ``None`` to keep its original input.
            options: Call options.

        Raises:
            MessageError: The message has another type. No request was sent.
            NotFoundError: The run or the checkpoint does not exist.
            StatusError: 409, with the ``code`` ``execution_not_forkable``.
        """
        forked = await self._calls.fork(self.id, checkpoint_id, message, options)
        return AsyncExecution(self._calls, forked)

    async def wait(self, **options: Unpack[CallOptions]) -> Out:
        """Wait for the run to end and return its output.

        Raises:
            FlowFailedError: The run failed or was cancelled.
            FlowPausedError: The run is waiting for a decision.
            WaitTimedOutError: The run did not end within ``timeout``. It continues.
            TimedOutError: The run ended, but its output was not read in time.
        """
        return await self._calls.wait(self, options)

    def events(
        self,
        *,
        types: str | Sequence[str] = (),
        node_name: str | None = None,
        page_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[ExecutionEvent]:
        """Iterate over the events of the run so far, oldest first.

        The iteration ends with the latest event; it does not wait for new ones.

        Args:
            types: Event type or types to include; all types by default.
            node_name: Placement in the flow to include events of; all by default.
            page_size: Events per request, at most 1,000; 100 by default.
            options: Call options. ``timeout`` applies to each page.
        """
        query = EventQuery(types, node_name, page_size)
        return self._calls.events(self.id, query, options)

    def follow(self, **options: Unpack[CallOptions]) -> AsyncEventStream:
        """Iterate over all events of the run, as they happen, until it ends.

        Stored events come first, followed by live events from a WebSocket. Each event
        is delivered exactly once, even if the run pauses or the connection is lost. Use
        an ``async with`` statement to close the connection when the loop is left early.

        Where WebSockets are blocked, the client polls the stored events about once a
        second, and tries a WebSocket again every minute.

        Args:
            options: Call options. ``timeout`` applies to each page, and to each
                connection until it is ready, for at most ten seconds. Up to eight
                consecutive reconnects, or ``max_retries`` if that is more, may bring no
                new event; 0 disables reconnects.

        Raises:
            StreamInterruptedError: The connection was lost too often.
        """
        return self._calls.follow(self.id, options)
