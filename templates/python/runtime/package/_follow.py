"""The logic of following runs without I/O, like :mod:`._call`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ._event_query import EventQuery
from ._history import about, read_event, read_object
from ._socket_messages import NORMAL, Upgrade
from .errors import StreamInterruptedError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ._answers import Answer
    from ._attempt import Outcome, Step
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._execution_record import ExecutionEvent
    from ._history import EventPage
    from ._socket_messages import SocketMessages
    from .errors import SvcError

_SOCKET: Final = "/invocations/v1/debug-stream?session_id="
_ALL: Final = EventQuery()
_LAST: Final = frozenset({"FLOW_COMPLETED", "FLOW_FAILED"})


class Following:
    """Reads the stored events of a run, then those of a socket, and so on.

    Attributes:
        has_pages: Whether there are pages to be read.
        is_over: Whether the run has ended.
    """

    def __init__(self, calls: Calls, execution_id: str, options: CallOptions) -> None:
        """Follow the run from its beginning."""
        self._calls = calls
        self._execution_id = execution_id
        self._options = options
        self._path = _SOCKET + execution_id
        endless = options.copy()
        endless["timeout"] = None
        self._repeats = calls.open("GET", self._path, endless)
        self._seen: set[str] = set()
        self._seen_before = 0
        self._cursor: str | None = None
        self._has_read = False
        self.has_pages = True
        self.is_over = False

    def page(self) -> Generator[Step, Outcome, EventPage]:
        """Read the next page."""
        return self._calls.page(
            self._execution_id, _ALL, self._cursor, self._options.copy()
        )

    def take_page(self, page: EventPage) -> Iterator[ExecutionEvent]:
        """Yield the events of a page that are new."""
        for event in page.events:
            # One without an id is older than ids, so that the first reading has it.
            if self._is_new(event) or (not event.ulid and not self._has_read):
                yield self._ending_with(event)
            if self.is_over:
                return
        self.has_pages = page.next_cursor is not None
        if page.next_cursor is None:
            self._has_read = True
        else:
            self._cursor = page.next_cursor

    def connect(self) -> Generator[Step, Outcome, Answer]:
        """Open the socket."""
        call = self._calls.open("GET", self._path, self._options.copy())
        with about(self._execution_id):
            return (yield from call.run(upgrade=Upgrade()))

    def take(self, message: bytes, answer: Answer) -> Iterator[ExecutionEvent]:
        """Yield the event of a message if it is new.

        Raises:
            InvalidAnswerError: The message is not an event.
        """
        fields = read_object("follow", replace(answer, body=message))
        event = read_event(fields)
        if self._is_new(event):
            yield self._ending_with(event)

    def repeat(
        self, answer: Answer, lost: SvcError | None
    ) -> Generator[Step, Outcome, None]:
        """Pause after a lost connection, unless the run is over.

        Raises:
            StreamInterruptedError: The connection was lost too often.
        """
        messages: SocketMessages = answer.stream.messages
        if lost is None and messages.close_code == NORMAL:
            self.is_over = True
            return
        closed = f"{messages.close_code} {messages.close_reason}".rstrip()
        reason = f"the service closed with {closed}" if lost is None else lost.message
        error = answer.to_error(
            StreamInterruptedError, f"the events were cut off: {reason}", body=None
        )
        self.has_pages = True
        has_progress = len(self._seen) > self._seen_before
        self._seen_before = len(self._seen)
        with about(self._execution_id):
            yield from self._repeats.repeat(error, is_first=has_progress)

    def _is_new(self, event: ExecutionEvent) -> bool:
        if not event.ulid or event.ulid in self._seen:
            return False
        self._seen.add(event.ulid)
        return True

    def _ending_with(self, event: ExecutionEvent) -> ExecutionEvent:
        self.is_over = event.type in _LAST
        return event
