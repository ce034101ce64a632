"""The well-known types that hold free JSON, field paths or nothing."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from .codec import ShapeError, describe

if TYPE_CHECKING:
    from .json_text import JsonValue

_PATH: Final = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*")
_CAMEL_PATH: Final = re.compile(r"[a-zA-Z0-9]+(?:\.[a-zA-Z0-9]+)*")


class Unset(Enum):
    """Type of :data:`UNSET`."""

    UNSET = "unset"

    def __repr__(self) -> str:
        """Give the name that a program writes."""
        return "UNSET"


UNSET: Final = Unset.UNSET
"""Absence of a ``google.protobuf.Value``, whose ``None`` is JSON's null."""


class NullValue(Enum):
    """JSON's null as a type of its own (``google.protobuf.NullValue``)."""

    NULL_VALUE = 0


@dataclass(slots=True)
class FieldMask:
    """A set of fields (``google.protobuf.FieldMask``).

    Attributes:
        paths: Proto names joined by dots: ``user.display_name``.
    """

    paths: list[str] = field(default_factory=list)


class ValueCodec:
    """Any JSON value (``google.protobuf.Value``)."""

    def decode(self, value: JsonValue) -> JsonValue:
        """Take the value as it is."""
        return value

    def encode(self, value: JsonValue) -> JsonValue:
        """Check that JSON can carry the value."""
        _check_json(value)
        return value

    def is_default(self, value: JsonValue) -> bool:
        """Never: a value has presence."""
        del value
        return False


class StructCodec:
    """A JSON object (``google.protobuf.Struct``, and ``Any`` with its ``@type``)."""

    def decode(self, value: JsonValue) -> dict[str, JsonValue]:
        """Read an object."""
        if isinstance(value, dict):
            return value
        raise ShapeError(f"expected an object, got {describe(value)}")

    def encode(self, value: dict[str, JsonValue]) -> JsonValue:
        """Write an object."""
        if not isinstance(value, dict):
            raise ShapeError(f"expected dict, got {describe(value)}")
        _check_json(value)
        return value

    def is_default(self, value: dict[str, JsonValue]) -> bool:
        """Never: an object has presence."""
        del value
        return False


class ListValueCodec:
    """A JSON array (``google.protobuf.ListValue``)."""

    def decode(self, value: JsonValue) -> list[JsonValue]:
        """Read an array."""
        if isinstance(value, list):
            return value
        raise ShapeError(f"expected an array, got {describe(value)}")

    def encode(self, value: list[JsonValue]) -> JsonValue:
        """Write an array."""
        if not isinstance(value, list):
            raise ShapeError(f"expected list, got {describe(value)}")
        _check_json(value)
        return value

    def is_default(self, value: list[JsonValue]) -> bool:
        """Never: an array has presence."""
        del value
        return False


class NullCodec:
    """JSON's null."""

    def decode(self, value: JsonValue) -> NullValue:
        """Read null, or the enum's name or number for it."""
        if value is None or value in ("NULL_VALUE", 0):
            return NullValue.NULL_VALUE
        raise ShapeError(f"expected null, got {describe(value)}")

    def encode(self, value: NullValue) -> JsonValue:
        """Write null."""
        if not isinstance(value, NullValue):
            raise ShapeError(f"expected NullValue, got {describe(value)}")
        return None

    def is_default(self, value: NullValue) -> bool:
        """Tell whether the value is null, the only one there is."""
        return value is NullValue.NULL_VALUE


class FieldMaskCodec:
    """A field mask: one text, paths in camel case joined by commas."""

    def decode(self, value: JsonValue) -> FieldMask:
        """Read camel case into proto names."""
        if not isinstance(value, str):
            raise ShapeError(f"expected a field mask, got {describe(value)}")
        camel = value.split(",") if value else []
        if not all(_CAMEL_PATH.fullmatch(path) for path in camel):
            raise ShapeError(f"expected a field mask, got {describe(value)}")
        return FieldMask([re.sub("[A-Z]", _to_snake, path) for path in camel])

    def encode(self, value: FieldMask) -> JsonValue:
        """Write proto names in camel case."""
        if not isinstance(value, FieldMask):
            raise ShapeError(f"expected FieldMask, got {describe(value)}")
        return ",".join(_to_camel_path(path) for path in value.paths)

    def is_default(self, value: FieldMask) -> bool:
        """Never: a mask has presence."""
        del value
        return False


def _to_snake(letter: re.Match[str]) -> str:
    return f"_{letter[0].lower()}"


def _to_camel_path(path: str) -> str:
    camel = re.sub("_([a-z])", lambda match: match[1].upper(), path)
    if not _PATH.fullmatch(path) or "_" in camel:
        raise ShapeError(f"the path {path!r} cannot be written in camel case")
    return camel


def _check_json(value: object) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ShapeError(f"expected str as a key, got {describe(key)}")
            _check_json(item)
    elif isinstance(value, list):
        for item in value:
            _check_json(item)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise ShapeError(f"{value} is not a JSON value")
    elif value is not None and not isinstance(value, (bool, int, str)):
        raise ShapeError(f"expected a JSON value, got {describe(value)}")


VALUE: Final = ValueCodec()
STRUCT: Final = StructCodec()
LIST_VALUE: Final = ListValueCodec()
NULL: Final = NullCodec()
FIELD_MASK: Final = FieldMaskCodec()
