"""Reads the frames of streams, without I/O."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._answers import details, execution_id_in_header, name_run
from ._event_parser import EventParser
from ._history import read_object, text_of
from ._method import read_value, unreadable
from ._socket_messages import LONGEST_MESSAGE
from .errors import InterruptedResponseError, StreamInterruptedError, SvcError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._answers import Answer
    from ._input_lines import InputLines
    from ._json_value import JsonValue
    from ._protojson import Codec

Out = TypeVar("Out")


class FrameReader(Generic[Out]):
    """Decodes the bytes of a stream into messages.

    Attributes:
        is_ended: Whether the last frame was read.
        execution_id: Id of the execution, if known.
        is_resumable: Whether the last message has an id, so that another stream can
            start after it.
    """

    def __init__(
        self,
        name: str,
        output: Codec[Out],
        failure: type[SvcError],
        answer: Answer,
        lines: InputLines[Any] | None,
        *,
        after: str = "",
    ) -> None:
        """Create a reader for a stream that fails with an error of class ``failure``.

        The stream starts after the message with the id ``after``.
        """
        self._name = name
        self._output = output
        self._failure = failure
        self._answer = answer
        self._lines = lines
        self._events = EventParser(after)
        self.is_ended = False
        self.is_resumable = True
        self.execution_id: str | None = execution_id_in_header(answer)

    def feed(self, chunk: bytes) -> Iterator[Out]:
        """Yield the messages completed by a chunk.

        Raises:
            SvcError: The stream failed, or a frame is invalid.
        """
        for data in self._events.feed(chunk):
            for message in self.take(data.encode("utf-8", "replace")):
                self.is_resumable = self._events.has_id
                yield message
            if self.is_ended:
                return
        if self._events.pending > LONGEST_MESSAGE:
            problem = "a message is larger than 32 MiB"
            raise unreadable(self._name, problem, self._answer)

    def take(self, data: bytes) -> Iterator[Out]:
        """Yield the message of a frame, if it has one.

        Raises:
            SvcError: The stream failed, or the frame is invalid.
        """
        answer = replace(self._answer, body=data)
        fields = read_object(self._name, answer)
        self.execution_id = self.execution_id or text_of(fields, "execution_id")
        self.is_ended = fields.get("is_final") is True
        if "payload" in fields:
            yield read_value(self._name, self._output, fields["payload"], answer)
        elif not self.is_ended:
            index = fields.get("frame_index")
            raise unreadable(self._name, f"frame {index} has no payload", answer)
        if self.is_ended:
            self._check_end(fields, answer)

    def failure_in(self, data: bytes) -> SvcError | None:
        """Return the failure that a frame reports, without consuming the frame."""
        answer = replace(self._answer, body=data)
        try:
            fields = read_object(self._name, answer)
            if fields.get("is_final") is True:
                self._check_end(fields, answer)
        except SvcError as error:
            return error
        return None

    @property
    def last_id(self) -> str:
        """Id of the last message of the event stream, or an empty string."""
        return self._events.last_id

    def lost(self, error: SvcError | None) -> SvcError:
        """Return the error of an interrupted stream, with its details.

        Args:
            error: The failure; ``None`` if the response ended.
        """
        if error is None:
            return self._interrupted("there was no last frame")
        if isinstance(error, InterruptedResponseError):
            cut_off = self._interrupted(error.message)
            cut_off.__cause__ = error.__cause__
            return cut_off
        error.attempts = self._answer.attempts
        error.idempotency_key = self._answer.idempotency_key
        name_run(error, self.execution_id)
        error.request_id = self._answer.request_id
        return error

    def _interrupted(self, reason: str) -> StreamInterruptedError:
        """Return the error of a stream that ended before its last frame."""
        run = details(self._answer, self.execution_id)
        return self._answer.to_error(
            StreamInterruptedError,
            f"the stream was cut off: {reason}{run}",
            body=None,
            execution_id=self.execution_id,
        )

    def _check_end(self, fields: dict[str, JsonValue], answer: Answer) -> None:
        run = details(answer, self.execution_id)
        if fields.get("success") is not True:
            said = text_of(fields, "error") or "no error message"
            raise answer.to_error(
                self._failure,
                f"{said}{run}",
                body=fields,
                execution_id=self.execution_id,
            )
        received = fields.get("input_frames")
        if self._lines is not None and received != self._lines.sent:
            raise answer.to_error(
                StreamInterruptedError,
                f"the service received {received} of {self._lines.sent} input messages"
                f"{run}",
                body=fields,
                execution_id=self.execution_id,
            )
