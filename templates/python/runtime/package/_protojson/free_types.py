"""Well-known types for arbitrary JSON, null and field masks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from .codec import ShapeError, describe

if TYPE_CHECKING:
    from .._json_value import JsonValue

_PATH: Final = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*")
_CAMEL_PATH: Final = re.compile(r"[a-zA-Z0-9]+(?:\.[a-zA-Z0-9]+)*")


class Unset(Enum):
    """Type of :data:`UNSET`."""

    UNSET = "unset"

    def __repr__(self) -> str:
        """Return the name of the constant."""
        return "UNSET"


UNSET: Final = Unset.UNSET
"""An absent ``google.protobuf.Value``, as opposed to ``None``, which is JSON null."""


class NullValue(Enum):
    """The type of JSON null (``google.protobuf.NullValue``)."""

    NULL_VALUE = 0


@dataclass(slots=True)
class FieldMask:
    """A set of field paths (``google.protobuf.FieldMask``).

    Attributes:
        paths: Paths of proto field names, for example ``user.display_name``.
    """

    paths: list[str] = field(default_factory=list)


class ValueCodec:
    """Codec of any JSON value (``google.protobuf.Value``)."""

    def decode(self, value: JsonValue) -> JsonValue:
        """Return the value unchanged."""
        return value

    def encode(self, value: JsonValue) -> JsonValue:
        """Validate that JSON can represent the value."""
        _check_json(value)
        return value

    def is_default(self, value: JsonValue) -> bool:
        """Return ``False``, because values have presence."""
        del value
        return False


class StructCodec:
    """Codec of JSON objects (``google.protobuf.Struct`` and ``Any`` with ``@type``)."""

    def decode(self, value: JsonValue) -> dict[str, JsonValue]:
        """Decode an object."""
        if isinstance(value, dict):
            return value
        raise ShapeError(f"expected an object, got {describe(value)}")

    def encode(self, value: dict[str, JsonValue]) -> JsonValue:
        """Encode an object."""
        if not isinstance(value, dict):
            raise ShapeError(f"expected dict, got {describe(value)}")
        _check_json(value)
        return value

    def is_default(self, value: dict[str, JsonValue]) -> bool:
        """Return ``False``, because objects have presence."""
        del value
        return False


class ListValueCodec:
    """Codec of JSON arrays (``google.protobuf.ListValue``)."""

    def decode(self, value: JsonValue) -> list[JsonValue]:
        """Decode an array."""
        if isinstance(value, list):
            return value
        raise ShapeError(f"expected an array, got {describe(value)}")

    def encode(self, value: list[JsonValue]) -> JsonValue:
        """Encode an array."""
        if not isinstance(value, list):
            raise ShapeError(f"expected list, got {describe(value)}")
        _check_json(value)
        return value

    def is_default(self, value: list[JsonValue]) -> bool:
        """Return ``False``, because arrays have presence."""
        del value
        return False


class NullCodec:
    """Codec of JSON null."""

    def decode(self, value: JsonValue) -> NullValue:
        """Decode null, or its enum name or number."""
        if value is None or value in ("NULL_VALUE", 0):
            return NullValue.NULL_VALUE
        raise ShapeError(f"expected null, got {describe(value)}")

    def encode(self, value: NullValue) -> JsonValue:
        """Encode null."""
        if not isinstance(value, NullValue):
            raise ShapeError(f"expected NullValue, got {describe(value)}")
        return None

    def is_default(self, value: NullValue) -> bool:
        """Report whether the value is the only valid one."""
        return value is NullValue.NULL_VALUE


class FieldMaskCodec:
    """Codec of field masks: a comma-separated string of camel-case paths."""

    def decode(self, value: JsonValue) -> FieldMask:
        """Decode camel-case paths into proto field names."""
        if not isinstance(value, str):
            raise ShapeError(f"expected a field mask, got {describe(value)}")
        camel = value.split(",") if value else []
        if not all(_CAMEL_PATH.fullmatch(path) for path in camel):
            raise ShapeError(f"expected a field mask, got {describe(value)}")
        return FieldMask([re.sub("[A-Z]", _to_snake, path) for path in camel])

    def encode(self, value: FieldMask) -> JsonValue:
        """Encode proto field names as camel-case paths."""
        if not isinstance(value, FieldMask):
            raise ShapeError(f"expected FieldMask, got {describe(value)}")
        return ",".join(_to_camel_path(path) for path in value.paths)

    def is_default(self, value: FieldMask) -> bool:
        """Return ``False``, because field masks have presence."""
        del value
        return False


def _to_snake(letter: re.Match[str]) -> str:
    return f"_{letter[0].lower()}"


def _to_camel_path(path: str) -> str:
    camel = re.sub("_([a-z])", lambda match: match[1].upper(), path)
    if not _PATH.fullmatch(path) or "_" in camel:
        raise ShapeError(f"the path {path!r} cannot be converted to camel case")
    return camel


def _check_json(value: object) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ShapeError(f"expected str as key, got {describe(key)}")
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
