"""JSON texts and their values."""

from __future__ import annotations

import json
from typing import Final, NoReturn, TypeAlias

from ..errors import MessageError

JsonValue: TypeAlias = (
    "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
)
"""A JSON value. Integers are exact, whatever their size."""


def parse_json(text: str | bytes) -> JsonValue:
    """Read a JSON text.

    Raises:
        MessageError: The text is not JSON.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        value: JsonValue = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from error
    return value


def print_json(value: JsonValue) -> str:
    """Write a JSON value in its shortest form, without escaping what need not be.

    Raises:
        MessageError: The value holds NaN or an infinity, or refers to itself.
    """
    try:
        return _ENCODER.encode(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise MessageError(f"cannot be written as JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


# Kept, since ``json.loads`` and ``json.dumps`` make one for every text.
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)
_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
)
