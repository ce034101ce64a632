"""Descriptors of node calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ._answers import details, execution_id_of
from ._call import OPTIONS
from ._protojson import (
    Codec,
    MessageCodec,
    ShapeError,
    Unset,
    parse_json,
    print_json,
    too_deep,
)
from .errors import InvalidResponseError, MessageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._answers import Answer
    from ._call_options import CallOptions
    from ._json_value import JsonValue

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Method(Generic[In, Out]):
    """A callable node.

    Attributes:
        name: Name of the method in this package.
        path: Path relative to the base URL.
        input: Codec of the input.
        output: Codec of the output.
    """

    name: str
    path: str
    input: Codec[In]
    output: Codec[Out]

    def print(self, message: In) -> bytes:
        """Encode the input as the request body.

        Raises:
            MessageError: The message has a value that JSON cannot represent.
        """
        return print_message(self.input, message)

    def parse(self, answer: Answer) -> Out:
        """Decode the output from the response body.

        Raises:
            InvalidResponseError: The body is not valid JSON for the output type.
        """
        return read_value(self.name, self.output, read_json(self.name, answer), answer)


def read_arguments(
    codec: Codec[In], message: In | Unset, given: Mapping[str, Any]
) -> tuple[In, CallOptions]:
    """Return the input and the options of a call.

    The input is ``message``, or is built from the keyword arguments that are not
    options. Without either, it is an empty message.

    Raises:
        TypeError: A keyword argument is unknown, or is combined with ``message``.
    """
    fields = {name: value for name, value in given.items() if name not in OPTIONS}
    options = cast(
        "CallOptions", {name: given[name] for name in given if name in OPTIONS}
    )
    if not isinstance(message, Unset):
        if fields:
            raise TypeError(
                f"got an unexpected keyword argument {next(iter(fields))!r}: "
                "pass a message or its fields, not both"
            )
        return message, options
    if not isinstance(codec, MessageCodec):
        raise TypeError("the input is missing")
    created: In = codec.create(fields)
    return created, options


def print_message(codec: Codec[In], message: In) -> bytes:
    """Encode a message as JSON.

    Raises:
        MessageError: The message has a value that JSON cannot represent.
    """
    try:
        return print_json(codec.encode(message)).encode()
    except ShapeError as error:
        if not error.path:
            raise MessageError(error.problem) from None
        raise error.to_message_error(type(message).__name__) from None
    except RecursionError:
        raise too_deep(type(message).__name__) from None
    except UnicodeEncodeError as error:
        raise MessageError(f"not valid Unicode: {error.reason}") from error


def read_json(name: str, answer: Answer) -> JsonValue:
    """Parse the JSON body of a response to the call ``name``.

    Raises:
        InvalidResponseError: The body is not JSON.
    """
    try:
        return parse_json(answer.body)
    except MessageError as error:
        is_page = answer.body.lstrip().startswith(b"<")
        hint = "; it is a web page, so check the base URL" if is_page else ""
        raise unreadable(name, error.message + hint, answer) from None


def read_value(name: str, codec: Codec[Out], value: JsonValue, answer: Answer) -> Out:
    """Decode the return value of the call ``name``.

    Raises:
        InvalidResponseError: The value does not match the output type.
    """
    try:
        return codec.decode(value)
    except ShapeError as error:
        problem = error.to_message_error("response").message
        raise unreadable(name, problem, answer) from None
    except RecursionError:
        raise unreadable(name, too_deep("response").message, answer) from None


def unreadable(name: str, problem: str, answer: Answer) -> InvalidResponseError:
    """Return the error for a successful response with an invalid body."""
    return answer.to_error(
        InvalidResponseError,
        f"invalid response to {name}: {problem}{details(answer, execution_id_of(answer))}",
        body=answer.body.decode("utf-8", "replace"),
    )
