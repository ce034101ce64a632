"""Parsing and printing of JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final, NoReturn

from ..errors import MessageError

if TYPE_CHECKING:
    from .._json_value import JsonValue


def parse_json(text: str | bytes) -> JsonValue:
    """Parse JSON.

    Raises:
        MessageError: The text is not JSON.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        decoder = _SIGNED_DECODER if "-0" in text else _DECODER
        value: JsonValue = decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from error
    return value


def print_json(value: JsonValue) -> str:
    """Print a JSON value compactly, with minimal escaping.

    Raises:
        MessageError: The value contains NaN, an infinity, a reference cycle or a
            value that is not JSON, such as a ``datetime``.
    """
    try:
        return _ENCODER.encode(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise MessageError(f"cannot be encoded as JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _integer(digits: str) -> int | float:
    # An ``int`` has no negative zero, and services print -0.0 as -0.
    return -0.0 if digits == "-0" else int(digits)


def _refuse_value(value: object) -> NoReturn:
    kind = type(value).__name__
    if isinstance(value, datetime):
        advice = 'a string with its offset, such as "2026-01-31T09:30:00Z"'
    elif isinstance(value, bytes):
        advice = "a string of base64"
    else:
        advice = "None, a bool, a number, a string, a list or a dict"
    raise TypeError(f"{kind} is not a JSON value: pass {advice}")


def _collect(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} occurs more than once in an object")
    return entries


# Reused because ``json.loads`` and ``json.dumps`` would create one per call.
_DECODER: Final = json.JSONDecoder(
    parse_constant=_refuse_constant, object_pairs_hook=_collect
)
# Slower, because it calls a function for each integer.
_SIGNED_DECODER: Final = json.JSONDecoder(
    parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=_collect
)
_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_refuse_value
)
