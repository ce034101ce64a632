"""The logic of split streams without I/O, like :mod:`._call`."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import unquote

from ._answers import details
from ._frames import FrameReader
from ._history import execution_id_in, read_object, text_of
from ._input_lines import InputLines
from ._method import unreadable
from ._protojson import print_json
from ._stream_calls import Opened, StreamCall
from ._upload import Upload
from .errors import MessageError, NodeFailedError, StreamInterruptedError

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._answers import Answer
    from ._attempt import Outcome, Step
    from ._call import Call
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._method import Method
    from ._typing import Self
    from .errors import SvcError

In = TypeVar("In")
Out = TypeVar("Out")

_NOTHING_LEFT: Final = 204

_NODES: Final = "/invocations/v1/nodes/"
_STREAMS: Final = "/invocations/v1/nodes/streams"


def create_stream(
    calls: Calls, method: Method[Any, Any], options: CallOptions
) -> Generator[Step, Outcome, str]:
    """Create a stream of a node and return its id."""
    call = calls.open("POST", _STREAMS, options)
    node = unquote(method.path.removeprefix(_NODES))
    answer = yield from call.run(print_json({"node_ref": node}).encode())
    stream_id = text_of(read_object(method.name, answer), "stream_id")
    if stream_id is None or not _is_stream_id(stream_id):
        raise unreadable(method.name, "stream_id is missing or malformed", answer)
    return stream_id


def check_stream_id(text: str) -> str:
    """Validate the id of a stream.

    Raises:
        MessageError: The id is malformed.
    """
    if _is_stream_id(text):
        return text
    raise MessageError("the id of a stream must be of letters, digits, - and _")


def _is_stream_id(text: object) -> bool:
    return isinstance(text, str) and bool(re.fullmatch(r"[0-9A-Za-z_-]+", text))


def upload_to_stream(
    calls: Calls,
    method: Method[In, Any],
    stream_id: str,
    lines: InputLines[In],
    options: CallOptions,
) -> Generator[Step, Outcome, Upload]:
    """Send the input of a stream, without retries.

    Raises:
        StreamInterruptedError: The service did not receive the whole input.
    """
    once = calls.stream_options(options)
    # Not retried: the source can be read only once.
    once["max_retries"] = 0
    once["attempt_timeout"] = None
    call = calls.open("POST", f"{_STREAMS}/{stream_id}/input", once)
    answer = yield from call.run(b"", lines=lines)
    fields = read_object(method.name, answer)
    run = execution_id_in(fields, method.name, answer)
    received = fields.get("input_frames")
    if received != lines.sent:
        raise answer.to_error(
            StreamInterruptedError,
            f"the service received {received} of {lines.sent} input messages"
            f"{details(answer, run)}",
            body=fields,
            execution_id=run,
        )
    return Upload(execution_id=run, input_frames=lines.sent)


class OutputCall(StreamCall[Out]):
    """Reads the output of a stream, and reconnects when the connection is lost."""

    def __init__(
        self,
        calls: Calls,
        method: Method[Any, Out],
        stream_id: str,
        after: str,
        options: CallOptions,
    ) -> None:
        """Read the output after the event ``after``, or all output if it is empty.

        Raises:
            MessageError: The id is malformed.
        """
        if not isinstance(after, str) or not re.fullmatch(r"[!-~]*", after):
            raise MessageError("the id of an event must be of visible ASCII characters")
        own = calls.stream_options(options)
        super().__init__(calls, method, f"{_STREAMS}/{stream_id}/output", own)
        self._call: Call | None = None
        self._deadline: float | None = None
        self._reader: FrameReader[Out] | None = None
        self._last_id = after

    def open(self) -> Generator[Step, Outcome, Opened[Out]]:
        """Send the request and return once the response head has arrived."""
        if self._call is None:
            timeout = self._options.get("timeout")
            self._deadline = None if timeout is None else time.monotonic() + timeout
            self._call = self._calls.open("GET", self._path, self._options)
        answer = yield from self._call.run(streams=True, after=self._last_id)
        return self._opened(self._call, answer)

    def reopen(self, failure: SvcError) -> Generator[Step, Outcome, Opened[Out]]:
        """Resume after the last message.

        Raises:
            SvcError: The stream failed, or the connection was lost too often.
        """
        self._calls.log_lost("GET", self._path, failure)
        call, reader = self._call, self._reader
        if call is None or reader is None or not reader.is_resumable:
            # If the last message has no id, resuming would repeat it.
            raise failure
        has_progress = reader.last_id not in {"", self._last_id}
        self._last_id = reader.last_id or self._last_id
        call.outlast()
        yield from call.repeat(failure, is_first=has_progress)
        return (yield from self.open())

    def _opened(self, call: Call, answer: Answer) -> Opened[Out]:
        name, output = self._member.name, self._member.output
        is_over = answer.status == _NOTHING_LEFT
        if is_over:
            answer.stream = _NoBody()
        if answer.stream is None:
            raise unreadable(name, "not an event stream", answer)
        reader = FrameReader(
            name, output, NodeFailedError, answer, None, after=self._last_id
        )
        if self._reader is not None:
            reader.execution_id = reader.execution_id or self._reader.execution_id
        reader.is_ended = is_over
        self._reader = reader
        response = call.respond(None, answer)
        return Opened(response, answer, reader, self._deadline)


class _NoBody:
    """An empty response body, for both clients."""

    def read(self, _: float | None) -> Self:
        """Return this empty body."""
        return self

    def shut(self) -> None:
        """Do nothing."""

    def finish(self, _: Self) -> None:
        """Do nothing."""

    async def afinish(self, _: Self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    async def aclose(self) -> None:
        """Do nothing."""
