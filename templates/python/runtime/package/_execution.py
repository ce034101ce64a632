"""Runs of flows, by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ._history import EventQuery, ExecutionEvent, ExecutionRecord, is_execution_id
from .errors import MessageError, WaitTimedOutError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator, Sequence

    from typing_extensions import Unpack

    from ._attempt import Outcome, Step
    from ._calls import Calls
    from ._flow import Flow
    from ._settings import CallOptions

Out = TypeVar("Out")
T = TypeVar("T")


class Drive(Protocol):
    """Takes a course to its end."""

    def __call__(self, steps: Generator[Step, Outcome, T]) -> T:
        """Give what the course returns."""
        ...


class AsyncDrive(Protocol):
    """Takes a course to its end in asyncio."""

    async def __call__(self, steps: Generator[Step, Outcome, T]) -> T:
        """Give what the course returns."""
        ...


def _check_id(execution_id: str) -> str:
    if is_execution_id(execution_id):
        return execution_id
    raise MessageError("the id of an execution is made of 32 hexadecimal digits")


class Execution(Generic[Out]):
    """A run of a flow: from its start, or from its id in any later process.

    Attributes:
        id: 32 hexadecimal digits.
    """

    def __init__(
        self, drive: Drive, calls: Calls, flow: Flow[Any, Out], execution_id: str
    ) -> None:
        """Name a run; sends nothing. Clients make it."""
        self.id = _check_id(execution_id)
        self._drive = drive
        self._calls = calls
        self._flow = flow

    def __repr__(self) -> str:
        """Show which run it is."""
        return f"{type(self).__name__}(id={self.id!r})"

    def get(self, **options: Unpack[CallOptions]) -> ExecutionRecord:
        """Read the record: how far the run is."""
        return self._drive(self._calls.get(self.id, options))

    def wait(self, **options: Unpack[CallOptions]) -> Out:
        """Wait for the end of the run and give its output.

        Raises:
            FlowFailedError: The run failed or was cancelled.
            WaitTimedOutError: The run has not ended within ``timeout``; it runs on.
        """
        try:
            ended = self._drive(self._calls.wait(self._flow, self.id, options))
        except WaitTimedOutError as error:
            error.execution = self
            raise
        return ended.value

    def events(
        self,
        *,
        types: Sequence[str] = (),
        node_name: str | None = None,
        page_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> Iterator[ExecutionEvent]:
        """Read the events of the run so far, oldest first, page by page.

        Args:
            types: Only events of these types.
            node_name: Only events of this placement in the flow.
            page_size: Events read by one request, at most 1,000; 100 when absent.
            options: As of every call; the timeout is that of one page.
        """
        query = EventQuery(types, node_name, page_size)
        cursor: str | None = None
        while True:
            page = self._drive(self._calls.page(self.id, query, cursor, options))
            yield from page.events
            cursor = page.next_cursor
            if cursor is None:
                return


class AsyncExecution(Generic[Out]):
    """A run of a flow: from its start, or from its id in any later process.

    Attributes:
        id: 32 hexadecimal digits.
    """

    def __init__(
        self, drive: AsyncDrive, calls: Calls, flow: Flow[Any, Out], execution_id: str
    ) -> None:
        """Name a run; sends nothing. Clients make it."""
        self.id = _check_id(execution_id)
        self._drive = drive
        self._calls = calls
        self._flow = flow

    def __repr__(self) -> str:
        """Show which run it is."""
        return f"{type(self).__name__}(id={self.id!r})"

    async def get(self, **options: Unpack[CallOptions]) -> ExecutionRecord:
        """Read the record: how far the run is."""
        return await self._drive(self._calls.get(self.id, options))

    async def wait(self, **options: Unpack[CallOptions]) -> Out:
        """Wait for the end of the run and give its output.

        Raises:
            FlowFailedError: The run failed or was cancelled.
            WaitTimedOutError: The run has not ended within ``timeout``; it runs on.
        """
        try:
            ended = await self._drive(self._calls.wait(self._flow, self.id, options))
        except WaitTimedOutError as error:
            error.execution = self
            raise
        return ended.value

    async def events(
        self,
        *,
        types: Sequence[str] = (),
        node_name: str | None = None,
        page_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[ExecutionEvent]:
        """Read the events of the run so far, oldest first, page by page.

        Args:
            types: Only events of these types.
            node_name: Only events of this placement in the flow.
            page_size: Events read by one request, at most 1,000; 100 when absent.
            options: As of every call; the timeout is that of one page.
        """
        query = EventQuery(types, node_name, page_size)
        cursor: str | None = None
        while True:
            page = await self._drive(self._calls.page(self.id, query, cursor, options))
            for event in page.events:
                yield event
            cursor = page.next_cursor
            if cursor is None:
                return
