"""The logic of live sessions without I/O, like :mod:`._call`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from ._answers import details, name_run
from ._frames import FrameReader
from ._history import about, read_object
from ._input_lines import print_input
from ._method import unreadable
from ._socket_messages import Upgrade
from .errors import (
    InterruptedResponseError,
    MessageError,
    NodeFailedError,
    StreamInterruptedError,
    SvcError,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from ._answers import Answer
    from ._attempt import Outcome, Step
    from ._call import Call
    from ._call_options import CallOptions
    from ._calls import Calls
    from ._json_value import JsonValue
    from ._method import Method
    from ._socket_messages import SocketMessages

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Limits of a live session; ``None`` where the service did not report one.

    Attributes:
        input_message_bytes: Size of one message.
        input_bytes: Total size of all messages.
        input_messages: Number of messages.
        output_bytes: Size of the output.
        session_seconds: Maximum duration of the session.
        stall_seconds: Time allowed to receive each message of the service.
    """

    input_message_bytes: int | None = None
    input_bytes: int | None = None
    input_messages: int | None = None
    output_bytes: int | None = None
    session_seconds: int | None = None
    stall_seconds: int | None = None


class LiveCall(Generic[In, Out]):
    """A live session.

    Attributes:
        limits: Limits reported by the service; ``None`` until it is ready.
        failure: The failure that was read, if any.
    """

    def __init__(
        self, calls: Calls, method: Method[In, Out], options: CallOptions
    ) -> None:
        """Create a session without opening it."""
        calls.check(options)
        self._calls = calls
        self._method = method
        self._options = options
        self._path = f"{method.path}/live"
        self._is_lost = False
        self._call: Call | None = None
        self._deadline: float | None = None
        self._reader: FrameReader[Out] | None = None
        self._sent = 0
        self.limits: SessionLimits | None = None
        self.failure: SvcError | None = None

    @property
    def deadline(self) -> float | None:
        """Deadline for the session to become ready; ``None`` once it is."""
        return self._deadline if self.limits is None else None

    @property
    def execution_id(self) -> str | None:
        """Id of the session in logs."""
        return None if self._reader is None else self._reader.execution_id

    @property
    def is_ended(self) -> bool:
        """Whether the last frame was read."""
        return self._reader is not None and self._reader.is_ended

    @property
    def known_limits(self) -> SessionLimits:
        """The limits, all unknown until the service is ready."""
        return self.limits or _read_limits(None)

    def open(self) -> Generator[Step, Outcome, Answer]:
        """Open the socket."""
        if self._call is None:
            self._deadline = self._calls.deadline(self._options)
            self._call = self._calls.open("GET", self._path, self._options)
        return (yield from self._call.run(upgrade=Upgrade()))

    def reopen(self, failure: SvcError) -> Generator[Step, Outcome, Answer]:
        """Reopen a socket that was lost before the service was ready.

        Raises:
            SvcError: ``failure``, because it is final or retries are exhausted.
        """
        if self._call is None:
            raise failure
        yield from self._call.repeat(failure, is_first=False)
        return (yield from self.open())

    def print(self, message: In) -> bytes:
        """Encode a message.

        Raises:
            MessageError: The message has a value that JSON cannot represent, or exceeds
                the size limit of the service.
        """
        text = print_input(self._method.input, message, self._sent)
        limit = self.known_limits.input_message_bytes
        if limit is not None and len(text) > limit:
            raise MessageError(
                f"input message {self._sent} has {len(text)} bytes of JSON; "
                f"the service takes {limit}"
            )
        self._sent += 1
        return text

    def take(self, data: bytes, answer: Answer) -> Iterator[Out]:
        """Yield the message of a frame, if it has one.

        Raises:
            SvcError: The node failed, or the frame is invalid.
        """
        if self._reader is not None:
            try:
                with about(self._reader.execution_id or ""):
                    yield from self._reader.take(data)
            except SvcError as error:
                self.failure = error
                raise
            return
        name, output = self._method.name, self._method.output
        first = replace(answer, body=data)
        fields = read_object(name, first)
        if fields.get("type") != "SESSION_READY":
            raise unreadable(
                name, "the session does not begin with SESSION_READY", first
            )
        self._reader = FrameReader(name, output, NodeFailedError, answer, None)
        run = fields.get("execution_id")
        self._reader.execution_id = run if isinstance(run, str) else None
        self.limits = _read_limits(fields.get("limits"))
        if self._call is not None:
            self._call.succeed()

    def check_goes_on(self, answer: Answer) -> None:
        """Check that the session has not ended.

        Raises:
            SvcError: The node failed, or its last message was read.
        """
        if self.failure is not None:
            raise self.failure
        if self.is_ended:
            raise answer.to_error(
                StreamInterruptedError,
                f"the session has ended{details(answer, self.execution_id)}",
                body=None,
                execution_id=self.execution_id,
            )

    def why_not_sent(
        self, answer: Answer, error: SvcError, unread: Iterable[bytes]
    ) -> SvcError:
        """Return the error of a failed send.

        Args:
            answer: The socket.
            error: The failure of the connection.
            unread: Frames that were received but not read.
        """
        if self.failure is not None:
            return self.failure
        if self._reader is not None:
            for failure in filter(None, map(self._reader.failure_in, unread)):
                return failure
        messages: SocketMessages = answer.stream.messages
        return self.lost(answer, None if messages.is_closed else error)

    def lost(self, answer: Answer, error: SvcError | None) -> SvcError:
        """Return the error of a session that ended early, and log it once.

        Args:
            answer: The socket.
            error: The failure, or ``None`` if the service closed the socket.
        """
        failure = self._why_lost(answer, error)
        # A session that was not ready may be reopened.
        if not self._is_lost:
            self._is_lost = self.limits is not None
            self._calls.log_lost("GET", self._path, failure)
        return failure

    def _why_lost(self, answer: Answer, error: SvcError | None) -> SvcError:
        if error is not None and not isinstance(error, InterruptedResponseError):
            error.attempts = answer.attempts
            error.idempotency_key = answer.idempotency_key
            name_run(error, self.execution_id)
            error.request_id = answer.request_id
            return error
        messages: SocketMessages = answer.stream.messages
        reason = messages.closing if error is None else error.message
        return answer.to_error(
            StreamInterruptedError,
            f"the session was cut off: {reason}{details(answer, self.execution_id)}",
            body=None,
            execution_id=self.execution_id,
        )


def _read_limits(value: JsonValue) -> SessionLimits:
    fields = value if isinstance(value, dict) else {}

    def number(name: str) -> int | None:
        limit = fields.get(name)
        return limit if isinstance(limit, int) else None

    return SessionLimits(
        input_message_bytes=number("input_frame_bytes"),
        input_bytes=number("input_bytes"),
        input_messages=number("input_frames"),
        output_bytes=number("output_bytes"),
        session_seconds=number("session_seconds"),
        stall_seconds=number("stall_seconds"),
    )
