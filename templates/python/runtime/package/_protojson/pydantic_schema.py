"""Pydantic schemas for values that ProtoJSON encodes as strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def text_schema(
    read: Callable[[Any], Any],
    print_text: Callable[[Any], Any],
    *,
    format_name: str | None = None,
    names: list[str] | None = None,
    is_open: bool = False,
) -> Any:
    """Return the schema of a type, for ``__get_pydantic_core_schema__``.

    Args:
        read: Converts input to the type; raises ``ValueError`` for invalid input.
        print_text: Converts a value to its string.
        format_name: Format of the string in the JSON schema.
        names: All valid strings, if they are known.
        is_open: Whether numbers are valid as well.
    """
    # Called only by pydantic.
    from pydantic_core import core_schema

    updates = {} if format_name is None else {"format": format_name}
    text = (
        core_schema.str_schema(metadata={"pydantic_js_updates": updates})
        if names is None
        else core_schema.literal_schema(names)
    )
    printed = (
        core_schema.union_schema([text, core_schema.int_schema()]) if is_open else text
    )
    return core_schema.no_info_plain_validator_function(
        read,
        json_schema_input_schema=printed,
        serialization=core_schema.plain_serializer_function_ser_schema(
            print_text, return_schema=printed
        ),
    )
