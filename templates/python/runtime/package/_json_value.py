"""The type of JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    JsonValue: TypeAlias = (
        "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
    )
    """A JSON value. Integers of any size are exact."""
else:
    # Libraries that evaluate annotations at run time cannot resolve recursive aliases.
    JsonValue: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
