"""The logic of following runs without I/O, like :mod:`._call`."""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ._answers import details
from ._attempt import Pause
from ._calls import FIRST_POLL_DELAY, jittered
from ._event_query import EventQuery
from ._history import about, read_event, read_object
from ._retries import may_pass
from ._socket_messages import NORMAL, Upgrade
from .errors import (
    InterruptedResponseError,
    StreamInterruptedError,
    SvcError,
    TimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ._answers import Answer
    from ._attempt import Outcome, Step
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._execution_event import ExecutionEvent
    from ._history import EventPage
    from ._socket_messages import SocketMessages

_SOCKET: Final = "/invocations/v1/debug-stream?session_id={}&decode=true"
_PAGES: Final = EventQuery(page_size=1_000)
_MOST_BLOCKED: Final = 3
"""Number of consecutive sockets that fail to open before pages are polled instead."""
_READY_WITHIN: Final = 10.0
"""Seconds for a socket to become ready, unless its timeouts are shorter."""
_PAGES_FOR: Final = 60.0
"""Seconds of polling pages before a socket is tried again."""
_NO_UPGRADE: Final = 426
"""The status of a handshake whose ``Upgrade`` header a proxy removed."""
_NO_REFUSALS_OF_PROXIES: Final = frozenset({None, 101, 401})
"""Statuses of handshakes that no proxy rejected."""
_PAGES_DELAY: Final = 1.0
"""Maximum delay between polls of the pages, in seconds."""
_LEAST_LASTING: Final = 0.1
"""Seconds for which a socket must be ready to reset the retries, even without delays."""
_LAST: Final = frozenset({"FLOW_COMPLETED", "FLOW_FAILED"})


class Following:
    """Alternates between the stored events of a run and the live events of a socket.

    Where sockets are blocked, it polls the stored events.

    Attributes:
        execution_id: Id of the run.
        has_begun: Whether a page has been read. Until then, a failure is handled like
            that of any call.
        has_pages: Whether there are pages to read.
        polls: Whether pages are polled instead of a socket.
        is_over: Whether the run has ended.
        deadline: When the socket must be ready; ``None`` once it is.
    """

    def __init__(self, calls: Calls, execution_id: str, options: CallOptions) -> None:
        """Follow the run from its beginning."""
        calls.check(options)
        self._calls = calls
        self.execution_id = execution_id
        self._options = options
        # Not retried: the next connection acts as the retry.
        self._once = calls.look(options)
        self._path = _SOCKET.format(execution_id)
        endless = options.copy()
        endless["timeout"] = None
        self._repeats = calls.open("GET", self._path, endless)
        self._repeats.outlast()
        self._seen: set[str] = set()
        self._seen_before = 0
        self._cursor: str | None = None
        self._has_read = False
        self._stored: deque[ExecutionEvent] = deque()
        self._received: deque[ExecutionEvent] = deque()
        self._is_ready = False
        self._is_first = True
        self._opened_at = time.monotonic()
        self._is_closed_normally = False
        self._has_ended = False
        self._blocked = 0
        self._has_polled = False
        self._polls_until = 0.0
        self.deadline: float | None = None
        self.has_begun: bool = False
        self.has_pages: bool = True
        self.polls: bool = False
        self.is_over: bool = False

    def page(self) -> Generator[Step, Outcome, EventPage]:
        """Read the next page. Only the first page is retried."""
        options = self._once if self.has_begun else self._options
        return self._calls.page(self.execution_id, _PAGES, self._cursor, options)

    def take_page(self, page: EventPage) -> None:
        """Queue the events of a page."""
        # Events without an id predate ids, so the first pass reads all of them.
        has_all = not self._has_read
        self.has_begun = True
        self._stored.extend(each for each in page.events if each.ulid or has_all)
        self.has_pages = page.next_cursor is not None
        if page.next_cursor is None:
            self._has_read = True
        else:
            self._cursor = page.next_cursor

    def new(self) -> Iterator[ExecutionEvent]:
        """Yield new events, stopping at a live event that pages must precede."""
        while self._stored and not self.is_over:
            event = self._stored.popleft()
            if event.ulid not in self._seen:
                yield self._given(event)
        while self._received and not self.has_pages and not self.is_over:
            is_new = self._received[0].ulid not in self._seen
            if is_new and self._is_first:
                # Events may be missing between the last page and this one.
                self.has_pages, self._is_first = True, False
                return
            self._is_first = False
            event = self._received.popleft()
            if is_new:
                yield self._given(event)
        if self._has_ended and not self.has_pages:
            self.is_over = True

    def connect(self) -> Generator[Step, Outcome, Answer]:
        """Open a socket in a single attempt."""
        options = self._once.copy()
        timeout = self._calls.timeout(options)
        options["timeout"] = (
            _READY_WITHIN if timeout is None else min(timeout, _READY_WITHIN)
        )
        self._is_ready, self._is_first = False, True
        self._seen_before = len(self._seen)
        call = self._calls.open("GET", self._path, options, about=self.execution_id)
        self._opened_at = time.monotonic()
        self.deadline = call.attempt_deadline(self._opened_at)
        with about(self.execution_id):
            return (yield from call.run(upgrade=Upgrade()))

    def receive(self, messages: list[bytes], answer: Answer) -> None:
        """Queue the messages of the socket.

        Raises:
            InvalidResponseError: A message is not an event.
        """
        for message in messages:
            with about(self.execution_id):
                fields = read_object("follow", replace(answer, body=message))
            event = read_event(fields)
            # The first message reports that the service is ready. Events without an id
            # predate ids, so the pages already contained them.
            if self._is_ready:
                self._is_first = self._is_first and bool(event.ulid)
            if self._is_ready and event.ulid:
                self._received.append(event)
            self._is_ready, self.deadline = True, None
            self._blocked = 0

    def poll(self) -> Generator[Step, Outcome, None]:
        """Pause before the next poll of the pages, or switch back to a socket.

        If the run has ended, only read its remaining pages.
        """
        if len(self._seen) == self._seen_before:
            yield from self._look()
        self._seen_before = len(self._seen)
        self._has_polled = True
        if not self._has_ended:
            if time.monotonic() >= self._polls_until:
                self.polls = False
                return
            yield Pause(jittered(_PAGES_DELAY))
        self.has_pages = True

    def end(self, answer: Answer | None, lost: SvcError) -> SvcError:
        """Return the error of a socket that ended.

        Args:
            answer: The socket, if it was open.
            lost: The failure.
        """
        if isinstance(lost, TimedOutError) and self.deadline is not None:
            lost = TimedOutError("the WebSocket was not ready in time")
        if answer is None or not isinstance(lost, InterruptedResponseError):
            return lost
        messages: SocketMessages = answer.stream.messages
        self._is_closed_normally = messages.close_code == NORMAL
        said = f"the events were cut off: {lost.message}"
        said += details(answer, self.execution_id)
        failure = answer.to_error(StreamInterruptedError, said, body=None)
        self._calls.log_lost("GET", self._path, failure)
        return failure

    def repeat(self, failure: SvcError) -> Generator[Step, Outcome, None]:
        """Pause before the next socket, unless the run has ended.

        Raises:
            SvcError: ``failure``, because it is final or has happened too often.
        """
        lasted = time.monotonic() - self._opened_at
        is_opening = not (self.has_pages or self.polls or self._is_ready)
        self.has_pages = True
        if self._is_closed_normally:
            # Either the run has ended, or a proxy closed the socket normally.
            self._is_closed_normally = False
            try:
                yield from self._look()
            except SvcError as error:
                failure = error
            if self._has_ended:
                return
        has_progress = self._has_polled or (
            self._is_ready
            and (
                len(self._seen) > self._seen_before
                or lasted > max(self._calls.longest_delay, _LEAST_LASTING)
            )
        )
        passes = isinstance(failure, TimedOutError) or (
            is_opening and _is_refused_by_proxy(failure)
        )
        is_again = self._blocked >= _MOST_BLOCKED
        if is_opening and (passes or is_again or may_pass(failure)):
            self._blocked += 1
            self.polls = self._blocked >= _MOST_BLOCKED
        # A later failure of pages must not count the progress of this socket.
        self._is_ready, self._has_polled, self.deadline = False, False, None
        if is_opening and self.polls:
            yield from self._begin_polling(failure)
            return
        with about(self.execution_id):
            yield from self._repeats.repeat(
                failure, is_first=has_progress, is_counted=False, passes=passes
            )

    def _begin_polling(self, failure: SvcError) -> Generator[Step, Outcome, None]:
        is_first = self._blocked == _MOST_BLOCKED
        self._calls.logger.log(
            logging.INFO if is_first else logging.DEBUG,
            "GET %s: reading pages instead: %s",
            self._path,
            failure,
        )
        self._polls_until = time.monotonic() + _PAGES_FOR
        # Failures of sockets do not count as failures of pages.
        self._has_polled = True
        yield Pause(jittered(FIRST_POLL_DELAY))

    def _look(self) -> Generator[Step, Outcome, None]:
        record = yield from self._calls.get(self.execution_id, self._once)
        self._has_ended = record.is_terminal

    def _given(self, event: ExecutionEvent) -> ExecutionEvent:
        if event.ulid:
            self._seen.add(event.ulid)
        self.is_over = event.type in _LAST
        return event


def _is_refused_by_proxy(failure: SvcError) -> bool:
    """Report whether a proxy rejected the handshake or removed its upgrade."""
    if failure.status in _NO_REFUSALS_OF_PROXIES:
        return False
    has_code = isinstance(failure.body, dict) and failure.code is not None
    return failure.status == _NO_UPGRADE or not has_code
