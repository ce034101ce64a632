"""A remote call as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from ._protojson import Codec, JsonValue, ShapeError, parse_json, print_json
from .errors import InvalidAnswerError, MessageError

if TYPE_CHECKING:
    from ._answers import Answer

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True)
class Method(Generic[In, Out]):
    """One call: where it goes, and what goes in and comes out.

    Attributes:
        name: Name of the call in this package.
        path: Path beneath the base URL.
        input: Codec of the input.
        output: Codec of the output.
    """

    name: str
    path: str
    input: Codec[In]
    output: Codec[Out]

    def print(self, message: In) -> bytes:
        """Write the input as the request's body.

        Raises:
            MessageError: The message holds what JSON cannot carry.
        """
        return print_message(self.input, message)

    def parse(self, answer: Answer) -> Out:
        """Read the output from the answer's body.

        Raises:
            InvalidAnswerError: It is not JSON, or does not fit the output.
        """
        return read_value(self.name, self.output, read_json(self.name, answer), answer)


def print_message(codec: Codec[In], message: In) -> bytes:
    """Write a message as JSON.

    Raises:
        MessageError: The message holds what JSON cannot carry.
    """
    try:
        return print_json(codec.encode(message)).encode()
    except ShapeError as error:
        raise error.to_message_error(type(message).__name__) from None
    except UnicodeEncodeError as error:
        raise MessageError(f"not valid Unicode: {error.reason}") from error


def read_json(name: str, answer: Answer) -> JsonValue:
    """Read the JSON of an answer to the call ``name``.

    Raises:
        InvalidAnswerError: It is not JSON.
    """
    try:
        return parse_json(answer.body)
    except MessageError as error:
        raise unreadable(name, error.message, answer) from None


def read_value(name: str, codec: Codec[Out], value: JsonValue, answer: Answer) -> Out:
    """Read what the call ``name`` returns from JSON.

    Raises:
        InvalidAnswerError: It does not fit.
    """
    try:
        return codec.decode(value)
    except ShapeError as error:
        problem = error.to_message_error("answer").message
        raise unreadable(name, problem, answer) from None


def unreadable(name: str, problem: str, answer: Answer) -> InvalidAnswerError:
    """Make the error of a successful answer that is not what it should be."""
    return InvalidAnswerError(
        f"the answer of {name} cannot be read: {problem}",
        status=answer.status,
        body=answer.body.decode("utf-8", "replace"),
        execution_id=answer.headers.get("x-execution-id"),
    )
