"""JSON texts and their values."""

from __future__ import annotations

import json
from typing import NoReturn, TypeAlias

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
        value: JsonValue = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from error
    return value


def print_json(value: JsonValue) -> str:
    """Write a JSON value in its shortest form, without escaping what need not be.

    Raises:
        MessageError: The value holds NaN or an infinity, or refers to itself.
    """
    try:
        return json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise MessageError(f"cannot be written as JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
