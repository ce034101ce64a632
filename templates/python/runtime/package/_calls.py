"""The logic of flows and executions without I/O, like :mod:`._call`."""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ._answers import details
from ._attempt import Outcome, Pause, Step
from ._call import Call
from ._event_query import EventQuery
from ._execution_record import ExecutionStatus
from ._history import (
    EventPage,
    about,
    execution_id_in,
    read_object,
    read_page,
    read_record,
    text_of,
)
from ._method import print_message, read_value, unreadable
from ._request_headers import RequestHeaders
from ._retries import may_pass
from ._settings import Settings, check_headers, check_max_retries, check_timeout
from .errors import (
    FlowFailedError,
    FlowPausedError,
    InvalidResponseError,
    StatusError,
    SvcError,
    TimedOutError,
    WaitTimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import Generator
    from logging import Logger

    from ._answers import Answer
    from ._call_options import CallOptions
    from ._execution_record import ExecutionRecord
    from ._flow import Flow
    from ._json_value import JsonValue
    from ._response import RawResponse
    from ._retries import RetryBudget

In = TypeVar("In")
Out = TypeVar("Out")

LONGEST_WAIT: Final = 50
"""Maximum seconds that a request waits for a run to end, below the idle timeout of
common proxies. The client polls after that."""

LONGEST_POLL: Final = 30.0
"""Timeout of a poll in seconds, unless there is an ``attempt_timeout``. A stalled
request must not use up the whole wait."""

FIRST_POLL_DELAY: Final = 0.1
LONGEST_POLL_DELAY: Final = 2.0
"""Minimum and maximum delay between polls of a run, in seconds."""

_INVOKE: Final = "/invocations/v1/flows/invoke"
_WARM: Final = "/invocations/v1/flows/warm"
_EXECUTIONS: Final = "/invocations/v1/executions"
_NOT_CANCELLABLE: Final = "execution_not_cancellable"
_END: Final = EventQuery(types=("FLOW_COMPLETED", "FLOW_FAILED"))


class Calls:
    """Creates the calls of one client."""

    def __init__(self, settings: Settings, budget: RetryBudget, identity: str) -> None:
        self._settings = settings
        self._budget = budget
        self._headers = RequestHeaders(settings, identity)

    @property
    def logger(self) -> Logger:
        """The logger of the client."""
        return self._settings.logger

    def log_lost(self, http_method: str, path: str, error: SvcError) -> None:
        """Log that a stream was interrupted after its response had begun."""
        self._settings.logger.debug("%s %s: %s", http_method, path, error)

    @property
    def longest_delay(self) -> float:
        """Maximum delay before a retry, in seconds."""
        return self._settings.max_retry_delay

    def stream_options(self, options: CallOptions) -> CallOptions:
        """Return the options of a stream, with the default timeout of streams."""
        own = options.copy()
        own.setdefault("timeout", self._settings.stream_timeout)
        return own

    def check(self, options: CallOptions) -> None:
        """Validate the options of a later call.

        Raises:
            TypeError: An option does not exist.
            ConfigurationError: An option is malformed.
        """
        self.open("GET", "", options)
        check_headers(options.get("headers") or {})

    def open(
        self,
        http_method: str,
        path: str,
        options: CallOptions,
        *,
        starts_run: bool = False,
        about: str | None = None,
    ) -> Call:
        """Create a call. A call that starts a run is not retried with an expired key.

        ``about`` is the id of the execution that errors of the call refer to.
        """
        return Call(
            self._settings,
            self._budget,
            self._headers,
            path,
            options,
            http_method=http_method,
            starts_run=starts_run,
            about=about,
        )

    def run(
        self, flow: Flow[In, Out], message: In, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        """Run a flow and return its output.

        Raises:
            FlowFailedError: The run failed.
            FlowPausedError: The run is paused.
            WaitTimedOutError: The run did not end within the timeout.
        """
        deadline = self.deadline(options)
        opening = flow_opening(flow, message)

        def body(left: float | None, has_failed: bool) -> bytes:
            # One second is reserved for the response to arrive. With less than two
            # seconds left, or after a failure, the service is not asked to wait and
            # returns the execution id immediately. A failure may mean that a proxy cuts
            # off slow responses.
            seconds = LONGEST_WAIT if left is None else min(LONGEST_WAIT, int(left) - 1)
            if has_failed or seconds < 1:
                return opening + b"}"
            return b'%s,"wait":true,"timeout_seconds":%d}' % (opening, seconds)

        call = self.open("POST", _INVOKE, options, starts_run=True)
        answer = yield from call.run(body)
        fields = read_object(flow.name, answer)
        execution_id = execution_id_in(fields, flow.name, answer)
        self._log(flow, execution_id)
        result = fields.get("result")
        if isinstance(result, dict):
            if result.get("success") is not True:
                said = text_of(result, "error_message")
                raise _failure(fields, said, execution_id, answer)
            value = _output(flow, result, answer)
            return call.respond(value, answer, execution_id)
        if fields.get("execution_status") == "PAUSED":
            paused = answer.to_error(
                FlowPausedError,
                f"execution {execution_id} is paused and waits for a decision"
                f"{details(answer)}",
                body=fields,
                execution_id=execution_id,
            )
            paused.pause_id = text_of(fields, "pause_id")
            raise paused
        rest = _rest(options, deadline)
        # Sending the same key again finds the run; a new key would start a second one.
        rest["idempotency_key"] = call.idempotency_key
        try:
            return (yield from self.wait(flow, execution_id, rest))
        except SvcError as error:
            error.idempotency_key = call.idempotency_key
            raise

    def start(
        self, flow: Flow[In, Any], message: In, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[str]]:
        """Start a flow and return the execution id."""
        call = self.open("POST", _INVOKE, options, starts_run=True)
        answer = yield from call.run(flow_opening(flow, message) + b"}")
        fields = read_object(flow.name, answer)
        execution_id = execution_id_in(fields, flow.name, answer)
        self._log(flow, execution_id)
        return call.respond(execution_id, answer, execution_id)

    def warm(
        self, flow: Flow[Any, Any], options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[None]]:
        """Warm up the nodes of a flow without running it."""
        call = self.open("POST", _WARM, options)
        answer = yield from call.run(json.dumps({"graph_id": flow.graph_id}).encode())
        return call.respond(None, answer)

    def get(
        self, execution_id: str, options: CallOptions
    ) -> Generator[Step, Outcome, ExecutionRecord]:
        """Read an execution record."""
        path = f"{_EXECUTIONS}/{execution_id}"
        call = self.open("GET", path, options, about=execution_id)
        with about(execution_id):
            return read_record((yield from call.run()))

    def cancel(
        self, execution_id: str, options: CallOptions
    ) -> Generator[Step, Outcome, ExecutionRecord]:
        """Cancel an execution and return its record."""
        path = f"{_EXECUTIONS}/{execution_id}/cancel"
        deadline = self.deadline(options)
        call = self.open("POST", path, options, about=execution_id)
        with about(execution_id):
            try:
                return read_record((yield from call.run()))
            except StatusError as error:
                code = (error.code or "").lower()
                if code != _NOT_CANCELLABLE or error.attempts < 2:
                    raise
                # An earlier attempt whose response was lost may have cancelled the run.
                record = yield from self.get(execution_id, _rest(options, deadline))
                if record.status is not ExecutionStatus.CANCELLED:
                    raise
                return record

    def page(
        self,
        execution_id: str,
        query: EventQuery,
        cursor: str | None,
        options: CallOptions,
    ) -> Generator[Step, Outcome, EventPage]:
        """Read a page of events."""
        path = f"{_EXECUTIONS}/{execution_id}/events?{query.encode(cursor)}"
        call = self.open("GET", path, options, about=execution_id)
        with about(execution_id):
            return read_page((yield from call.run()), cursor)

    def look(self, options: CallOptions) -> CallOptions:
        """Return the options of a poll.

        A poll is sent once, because the next poll acts as its retry. It times out after
        ``LONGEST_POLL`` unless there is an ``attempt_timeout``, so that a stalled
        request does not use up all of the time.
        """
        look = options.copy()
        look["max_retries"] = 0
        limit = options.get("attempt_timeout", self._settings.attempt_timeout)
        look["attempt_timeout"] = LONGEST_POLL if limit is None else limit
        return look

    def wait(
        self, flow: Flow[Any, Out], execution_id: str, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        """Wait for an execution to end and return its output.

        Raises:
            FlowFailedError: The run failed.
            FlowPausedError: The run is paused.
            WaitTimedOutError: The run did not end within the timeout.
            TimedOutError: The run ended, but its output was not read in time.
        """
        deadline = self.deadline(options)
        longest = FIRST_POLL_DELAY
        path = f"{_EXECUTIONS}/{execution_id}"
        # Not retried: the next poll acts as the retry.
        once = self.look(options)
        attempts = 0
        lost: SvcError | None = None
        while True:
            record: ExecutionRecord | None = None
            pause = jittered(min(longest, LONGEST_POLL_DELAY))
            try:
                rest = _rest(once, deadline)
                call = self.open("GET", path, rest, about=execution_id)
                with about(execution_id):
                    answer = yield from call.run()
                    record = read_record(answer)
                attempts = answer.attempts
                lost = None
                if record.is_terminal:
                    return (yield from self._ended(flow, record, once, deadline))
                if record.pause_id is not None:
                    raise _paused(record, answer)
            except SvcError as error:
                if not self._is_of_outage(error, options, deadline):
                    if record is None and isinstance(error, TimedOutError):
                        failure = lost or error
                        raise _unread(execution_id, failure) from failure
                    raise
                lost = error
                pause += error.retry_after or 0.0
                if deadline is None or time.monotonic() + pause < deadline:
                    self.logger.info(
                        "GET %s: polling again in %.2f s: %s", path, pause, error
                    )
            try:
                yield from _pause(pause, deadline)
            except TimedOutError as error:
                if lost is not None:
                    raise _unread(execution_id, lost) from lost
                raise WaitTimedOutError(
                    f"execution {execution_id} did not end in time; it continues to run",
                    execution_id=execution_id,
                    attempts=attempts,
                ) from error
            longest *= 1.5

    def _is_of_outage(
        self, error: SvcError, options: CallOptions, deadline: float | None
    ) -> bool:
        """Report whether to poll again: a run continues during an outage."""
        has_time = deadline is None or time.monotonic() < deadline
        is_passing = may_pass(error) or (isinstance(error, TimedOutError) and has_time)
        return is_passing and self.max_retries(options) > 0

    def max_retries(self, options: CallOptions) -> int:
        """Return the maximum number of retries."""
        return check_max_retries(options.get("max_retries", self._settings.max_retries))

    def _ended(
        self,
        flow: Flow[Any, Out],
        record: ExecutionRecord,
        once: CallOptions,
        deadline: float | None,
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        try:
            return (yield from self._result(flow, record, once, deadline))
        except FlowFailedError as error:
            error.record = record
            raise

    def _result(
        self,
        flow: Flow[Any, Out],
        record: ExecutionRecord,
        once: CallOptions,
        deadline: float | None,
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        cursor: str | None = None
        while True:
            path = f"{_EXECUTIONS}/{record.id}/events?{_END.encode(cursor)}"
            rest = _rest(once, deadline)
            call = self.open("GET", path, rest, about=record.id)
            with about(record.id):
                page = read_page((yield from call.run()), cursor)
            for event in page.events:
                if event.type == "FLOW_COMPLETED":
                    value = _output(flow, event.fields, page.answer)
                    return call.respond(value, page.answer, record.id)
                if event.type == "FLOW_FAILED":
                    said = event.error_message
                    raise _failure(event.fields, said, record.id, page.answer)
            cursor = page.next_cursor
            if cursor is None:
                raise page.answer.to_error(
                    InvalidResponseError,
                    f"the events of execution {record.id} have no final event"
                    f"{details(page.answer)}",
                    body=None,
                    execution_id=record.id,
                )

    def _log(self, flow: Flow[Any, Any], execution_id: str) -> None:
        self._settings.logger.debug("%s: execution %s", flow.name, execution_id)

    def timeout(self, options: CallOptions) -> float | None:
        """Return the timeout of a call in seconds."""
        return check_timeout(options.get("timeout", self._settings.timeout))

    def deadline(self, options: CallOptions) -> float | None:
        """Return the deadline of a call that starts now, on the monotonic clock."""
        timeout = self.timeout(options)
        return None if timeout is None else time.monotonic() + timeout


def _paused(record: ExecutionRecord, answer: Answer) -> FlowPausedError:
    paused = answer.to_error(
        FlowPausedError,
        f"execution {record.id} is paused and waits for a decision{details(answer)}",
        body=record.fields,
        execution_id=record.id,
    )
    paused.pause_id = record.pause_id
    return paused


def _unread(execution_id: str, lost: SvcError) -> WaitTimedOutError:
    """Return the error for a wait whose last poll failed with ``lost``."""
    return WaitTimedOutError(
        f"execution {execution_id} did not end in time; it may still be running: {lost}",
        status=lost.status,
        headers=lost.headers,
        body=lost.body,
        execution_id=execution_id,
        attempts=lost.attempts,
        idempotency_key=lost.idempotency_key,
    )


def jittered(seconds: float) -> float:
    """Return a random delay between half of ``seconds`` and ``seconds``."""
    return seconds * (0.5 + random.random() / 2)


def _pause(seconds: float, deadline: float | None) -> Generator[Step, Outcome, None]:
    """Pause, but not past the deadline."""
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    if left is None or seconds < left:
        yield Pause(seconds)
        return
    yield Pause(left)
    raise TimedOutError("the run did not end in time")


def flow_opening(flow: Flow[In, Any], message: In) -> bytes:
    """Encode the request without the fields that control waiting."""
    graph_id = json.dumps(flow.graph_id).encode()
    return b'{"graph_id":%s,"input":%s' % (
        graph_id,
        print_message(flow.input, message),
    )


def _rest(options: CallOptions, deadline: float | None) -> CallOptions:
    rest = options.copy()
    if deadline is not None:
        rest["timeout"] = max(0.001, deadline - time.monotonic())
    return rest


def _output(flow: Flow[Any, Out], fields: dict[str, JsonValue], answer: Answer) -> Out:
    if "output" not in fields:
        raise unreadable(flow.name, "output is missing", answer)
    return read_value(flow.name, flow.output, fields["output"], answer)


def _failure(
    fields: dict[str, JsonValue], said: str | None, execution_id: str, answer: Answer
) -> FlowFailedError:
    return answer.to_error(
        FlowFailedError,
        (said or "no error message") + details(answer, execution_id),
        body=fields,
        execution_id=execution_id,
    )
