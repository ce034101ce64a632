"""The type of JSON values."""

from __future__ import annotations

from typing import TypeAlias

JsonValue: TypeAlias = (
    "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
)
"""A JSON value. Integers of any size are exact."""
