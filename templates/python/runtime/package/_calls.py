"""The courses of flows and executions, without input or output, as in :mod:`._call`."""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ._attempt import Outcome, Pause, Step
from ._call import Call
from ._history import (
    EventPage,
    EventQuery,
    ExecutionRecord,
    execution_id_in,
    read_object,
    read_page,
    read_record,
    text_of,
)
from ._method import print_message, read_value, unreadable
from ._request_headers import RequestHeaders
from ._settings import CallOptions, Settings, check_timeout
from .errors import (
    FlowFailedError,
    FlowPausedError,
    InvalidAnswerError,
    TimedOutError,
    WaitTimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._answers import Answer
    from ._flow import Flow
    from ._protojson import JsonValue
    from ._response import RawResponse
    from ._retries import RetryBudget

In = TypeVar("In")
Out = TypeVar("Out")

LONGEST_WAIT: Final = 50
"""Seconds that one request may wait for the end of a run: shorter than proxies let a
connection stay silent. The run is looked at from then on."""

FIRST_LOOK: Final = 0.1
LONGEST_LOOK: Final = 2.0
"""Seconds; bounds of the waits between two looks at a run."""

_INVOKE: Final = "/invocations/v1/flows/invoke"
_WARM: Final = "/invocations/v1/flows/warm"
_EXECUTIONS: Final = "/invocations/v1/executions"
_END: Final = EventQuery(types=("FLOW_COMPLETED", "FLOW_FAILED"))


class Calls:
    """Makes the calls of one client."""

    def __init__(self, settings: Settings, budget: RetryBudget, identity: str) -> None:
        self._settings = settings
        self._budget = budget
        self._headers = RequestHeaders(settings, identity)

    def open(self, http_method: str, path: str, options: CallOptions) -> Call:
        """Begin a call."""
        return Call(
            self._settings,
            self._budget,
            self._headers,
            path,
            options,
            http_method=http_method,
        )

    def run(
        self, flow: Flow[In, Out], message: In, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        """Run a flow and wait for its output.

        Raises:
            FlowFailedError: The run failed.
            FlowPausedError: The run waits for a decision.
            WaitTimedOutError: The run has not ended in time.
        """
        deadline = self._deadline(options)
        opening = _opening(flow, message)

        def body(left: float | None) -> bytes:
            # A second is left for the way back, so that the answer to a wait arrives.
            seconds = LONGEST_WAIT if left is None else min(LONGEST_WAIT, int(left) - 1)
            return b'%s,"wait":true,"timeout_seconds":%d}' % (opening, max(1, seconds))

        call = self.open("POST", _INVOKE, options)
        answer = yield from call.run(body)
        fields = read_object(flow.name, answer)
        execution_id = execution_id_in(fields, flow.name, answer)
        result = fields.get("result")
        if isinstance(result, dict):
            if result.get("success") is not True:
                said = text_of(result, "error_message")
                raise _failure(fields, said, execution_id, answer)
            value = _output(flow, result, answer)
            return call.respond(value, answer, execution_id)
        if fields.get("execution_status") == "PAUSED":
            paused = FlowPausedError(
                f"execution {execution_id} waits for a decision",
                status=answer.status,
                body=fields,
                execution_id=execution_id,
            )
            paused.pause_id = text_of(fields, "pause_id")
            raise paused
        rest = _rest(options, deadline)
        return (yield from self.wait(flow, execution_id, rest))

    def start(
        self, flow: Flow[In, Any], message: In, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[str]]:
        """Start a flow and give the id of its execution."""
        call = self.open("POST", _INVOKE, options)
        answer = yield from call.run(_opening(flow, message) + b"}")
        fields = read_object(flow.name, answer)
        execution_id = execution_id_in(fields, flow.name, answer)
        return call.respond(execution_id, answer, execution_id)

    def warm(
        self, flow: Flow[Any, Any], options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[None]]:
        """Make what a flow runs ready; nothing of the flow runs."""
        call = self.open("POST", _WARM, options)
        answer = yield from call.run(json.dumps({"graph_id": flow.graph_id}).encode())
        return call.respond(None, answer)

    def get(
        self, execution_id: str, options: CallOptions
    ) -> Generator[Step, Outcome, ExecutionRecord]:
        """Read the record of an execution."""
        call = self.open("GET", f"{_EXECUTIONS}/{execution_id}", options)
        return read_record((yield from call.run()))

    def page(
        self,
        execution_id: str,
        query: EventQuery,
        cursor: str | None,
        options: CallOptions,
    ) -> Generator[Step, Outcome, EventPage]:
        """Read a page of the events of an execution."""
        path = f"{_EXECUTIONS}/{execution_id}/events?{query.encode(cursor)}"
        return read_page((yield from self.open("GET", path, options).run()))

    def wait(
        self, flow: Flow[Any, Out], execution_id: str, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        """Wait for the end of an execution and read its output.

        Raises:
            FlowFailedError: The run failed.
            WaitTimedOutError: The run has not ended in time.
        """
        deadline = self._deadline(options)
        longest = FIRST_LOOK
        try:
            while True:
                record = yield from self.get(execution_id, _rest(options, deadline))
                if record.is_terminal:
                    rest = _rest(options, deadline)
                    return (yield from self._result(flow, record, rest))
                pause = min(longest, LONGEST_LOOK) * (0.5 + random.random() / 2)
                yield _pause(pause, deadline)
                longest *= 1.5
        except TimedOutError as error:
            raise WaitTimedOutError(
                f"execution {execution_id} has not ended in time; it runs on",
                execution_id=execution_id,
            ) from error

    def _result(
        self, flow: Flow[Any, Out], record: ExecutionRecord, options: CallOptions
    ) -> Generator[Step, Outcome, RawResponse[Out]]:
        if record.status == "FORKED":
            raise FlowFailedError(
                f"execution {record.id} was forked", execution_id=record.id
            )
        cursor: str | None = None
        while True:
            path = f"{_EXECUTIONS}/{record.id}/events?{_END.encode(cursor)}"
            call = self.open("GET", path, options)
            page = read_page((yield from call.run()))
            for event in page.events:
                if event.type == "FLOW_COMPLETED":
                    value = _output(flow, event.fields, page.answer)
                    return call.respond(value, page.answer, record.id)
                if event.type == "FLOW_FAILED":
                    said = text_of(event.fields, "error")
                    raise _failure(event.fields, said, record.id, page.answer)
            cursor = page.next_cursor
            if cursor is None:
                raise InvalidAnswerError(
                    f"the history of execution {record.id} does not tell its end",
                    execution_id=record.id,
                )

    def _deadline(self, options: CallOptions) -> float | None:
        timeout = check_timeout(options.get("timeout", self._settings.timeout))
        return None if timeout is None else time.monotonic() + timeout


def _pause(seconds: float, deadline: float | None) -> Pause:
    if deadline is not None and time.monotonic() + seconds >= deadline:
        raise TimedOutError("the run has not ended in time")
    return Pause(seconds)


def _opening(flow: Flow[In, Any], message: In) -> bytes:
    """Write the request up to the fields that say how to wait."""
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
        raise unreadable(flow.name, "the output did not come as JSON", answer)
    return read_value(flow.name, flow.output, fields["output"], answer)


def _failure(
    fields: dict[str, JsonValue], said: str | None, execution_id: str, answer: Answer
) -> FlowFailedError:
    return FlowFailedError(
        f"{said or 'the flow gave no reason'} (execution {execution_id})",
        status=answer.status,
        body=fields,
        execution_id=execution_id,
    )
