"""The fields of a message as data: attribute, JSON name and codec of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .codec import Codec, ShapeError, describe
from .free_types import UNSET
from .scalars import BOOL

if TYPE_CHECKING:
    from collections.abc import Callable

    from .json_text import JsonValue


class Field:
    """A field without presence: its default value is not sent.

    Attributes:
        attribute: Name in Python.
        codec: Codec of the value, of each item, or of each map value.
        json_name: ProtoJSON name, when it is not the attribute's.
        proto_name: Name in the proto, when it is not the attribute's. Readers take both.
        oneof: Name of the oneof that the field belongs to.
    """

    __slots__ = ("attribute", "codec", "json_name", "oneof", "proto_name")

    takes_null = False
    """Whether JSON's null is a value of the field rather than its absence."""

    def __init__(
        self,
        attribute: str,
        codec: Codec[Any],
        json_name: str | None = None,
        proto_name: str | None = None,
        *,
        oneof: str | None = None,
    ) -> None:
        self.attribute = attribute
        self.codec = codec
        self.json_name = attribute if json_name is None else json_name
        self.proto_name = attribute if proto_name is None else proto_name
        self.oneof = oneof

    def decode(self, value: JsonValue) -> Any:
        """Read the value of the field."""
        return self.codec.decode(value)

    def encode(self, value: Any) -> JsonValue:
        """Write the value of the field."""
        return self.codec.encode(value)

    def is_absent(self, value: Any) -> bool:
        """Tell whether the field is left out, once its value is known to fit."""
        return self.codec.is_default(value)


class OptionalField(Field):
    """A field with presence: ``None`` is absence."""

    __slots__ = ()

    def is_absent(self, value: Any) -> bool:
        """Tell whether the field is left out."""
        return value is None


class NullField(OptionalField):
    """A field with presence whose one value is null."""

    __slots__ = ()

    takes_null = True


class ValueField(Field):
    """A field that may hold any JSON, null included: ``UNSET`` is absence."""

    __slots__ = ()

    takes_null = True

    def is_absent(self, value: Any) -> bool:
        """Tell whether the field is left out."""
        return value is UNSET


class RepeatedField(Field):
    """A list."""

    __slots__ = ()

    def decode(self, value: JsonValue) -> list[Any]:
        """Read a list item by item."""
        if not isinstance(value, list):
            raise ShapeError(f"expected an array, got {describe(value)}")
        return _each(value, self.codec.decode)

    def encode(self, value: Any) -> JsonValue:
        """Write a list item by item."""
        if not isinstance(value, (list, tuple)):
            raise ShapeError(f"expected list, got {describe(value)}")
        return _each(value, self.codec.encode)

    def is_absent(self, value: Any) -> bool:
        """Tell whether the list is empty."""
        return isinstance(value, (list, tuple)) and not value


class MapField(Field):
    """A map; in JSON its keys are texts."""

    __slots__ = ("key_codec",)

    def __init__(
        self,
        attribute: str,
        key_codec: Codec[Any],
        codec: Codec[Any],
        json_name: str | None = None,
        proto_name: str | None = None,
    ) -> None:
        super().__init__(attribute, codec, json_name, proto_name)
        self.key_codec = key_codec

    def decode(self, value: JsonValue) -> dict[Any, Any]:
        """Read a map entry by entry."""
        if not isinstance(value, dict):
            raise ShapeError(f"expected an object, got {describe(value)}")
        entries: dict[Any, Any] = {}
        for text, item in value.items():
            try:
                entries[self._read_key(text)] = self.codec.decode(item)
            except ShapeError as error:
                raise error.within(text) from None
        return entries

    def encode(self, value: Any) -> JsonValue:
        """Write a map entry by entry, in its own order."""
        if not isinstance(value, dict):
            raise ShapeError(f"expected dict, got {describe(value)}")
        entries: dict[str, JsonValue] = {}
        for key, item in value.items():
            try:
                entries[self._print_key(key)] = self.codec.encode(item)
            except ShapeError as error:
                raise error.within(str(key)) from None
        return entries

    def is_absent(self, value: Any) -> bool:
        """Tell whether the map is empty."""
        return isinstance(value, dict) and not value

    def _read_key(self, text: str) -> Any:
        if self.key_codec is BOOL and text in ("true", "false"):
            return text == "true"
        return self.key_codec.decode(text)

    def _print_key(self, key: Any) -> str:
        encoded = self.key_codec.encode(key)
        if isinstance(encoded, bool):
            return "true" if encoded else "false"
        return str(encoded)


def _each(items: Any, convert: Callable[[Any], Any]) -> list[Any]:
    converted: list[Any] = []
    for index, item in enumerate(items):
        try:
            converted.append(convert(item))
        except ShapeError as error:
            raise error.within(str(index)) from None
    return converted
