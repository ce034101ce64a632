"""The logic of opening streams without I/O, like :mod:`._call`."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from ._calls import flow_opening
from ._frames import FrameReader
from ._input_lines import InputLines
from ._method import unreadable
from .errors import FlowFailedError, NodeFailedError

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._answers import Answer
    from ._attempt import Outcome, Step
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._flow import Flow
    from ._input_lines import AnyIterable
    from ._method import Method
    from ._response import RawResponse
    from .errors import SvcError

In = TypeVar("In")
Out = TypeVar("Out")

_STREAM: Final = "/invocations/v1/flows/invoke/stream"

_LONGEST_RUN: Final = 86_400
"""Maximum timeout of a flow, in seconds."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Opened(Generic[Out]):
    """A response whose body is read as it arrives.

    Attributes:
        response: The head of the response, with an empty body.
        answer: The same response, with its connection.
        frames: Decoder of the body.
        deadline: Deadline of the stream on the monotonic clock.
    """

    response: RawResponse[None]
    answer: Answer
    frames: FrameReader[Out]
    deadline: float | None


class StreamCall(Generic[Out]):
    """A request for a stream.

    Attributes:
        lines: The streamed input, if there is one.
    """

    def __init__(
        self,
        calls: Calls,
        member: Flow[Any, Out] | Method[Any, Out],
        path: str,
        options: CallOptions,
        *,
        opening: bytes = b"",
        message: bytes = b"",
        lines: InputLines[Any] | None = None,
    ) -> None:
        """Call ``member`` with a message, the opening of a flow request, or lines."""
        calls.check(options)
        self._calls = calls
        self._member = member
        self._path = path
        self._options = options
        self._opening = opening
        self._message = message
        self.lines = lines

    def open(self) -> Generator[Step, Outcome, Opened[Out]]:
        """Send the request and return once the response head has arrived."""
        options = self._calls.stream_options(self._options)
        if self.lines is not None:
            # Not retried: the source can be read only once.
            options["max_retries"] = 0
            options["attempt_timeout"] = None
        timeout = options.get("timeout")
        deadline = None if timeout is None else time.monotonic() + timeout
        call = self._calls.open("POST", self._path, options)
        answer = yield from call.run(self._body, streams=True, lines=self.lines)
        name = self._member.name
        if answer.stream is None:
            raise unreadable(name, "not an event stream", answer)
        kind = FlowFailedError if self._opening else NodeFailedError
        reader = FrameReader(name, self._member.output, kind, answer, self.lines)
        response = call.respond(None, answer)
        return Opened(response, answer, reader, deadline)

    def reopen(self, failure: SvcError) -> Generator[Step, Outcome, Opened[Out]]:
        """Resume after a lost connection, if the stream supports it.

        Raises:
            SvcError: ``failure``, because the stream cannot be resumed.
        """
        yield from ()
        self._calls.log_lost("POST", self._path, failure)
        raise failure

    def _body(self, left: float | None, _: bool) -> bytes:
        if not self._opening:
            return self._message
        seconds = _LONGEST_RUN if left is None else math.ceil(left)
        bounded = max(1, min(_LONGEST_RUN, seconds))
        return b'%s,"timeout_seconds":%d}' % (self._opening, bounded)


def stream_flow(
    calls: Calls, flow: Flow[In, Out], message: In, options: CallOptions
) -> StreamCall[Out]:
    """Return the request that runs a pipeline flow."""
    opening = flow_opening(flow, message)
    return StreamCall(calls, flow, _STREAM, options, opening=opening)


def stream_node(
    calls: Calls, method: Method[In, Out], message: In, options: CallOptions
) -> StreamCall[Out]:
    """Return the request that calls a pipeline node with one message."""
    sent = method.print(message)
    return StreamCall(calls, method, method.path, options, message=sent)


def upload_to_node(
    calls: Calls,
    method: Method[In, Out],
    messages: AnyIterable[In],
    options: CallOptions,
) -> StreamCall[Out]:
    """Return the request that calls a pipeline node with many messages."""
    lines = InputLines(method.input, messages)
    return StreamCall(calls, method, method.path, options, lines=lines)
