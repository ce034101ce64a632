"""Descriptors of message fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from .codec import Codec, ShapeError, describe
from .free_types import UNSET
from .scalars import BOOL, STRING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._json_value import JsonValue


class Field:
    """A field without presence. Its default value is omitted from JSON.

    Attributes:
        attribute: Python attribute name.
        codec: Codec of the value, or of each list item or map value.
        json_name: ProtoJSON name. Defaults to the attribute name.
        proto_name: Name in the proto file, also accepted when decoding. Defaults to the
            attribute name.
        oneof: Name of the oneof that contains the field.
        decode: Decodes the value of the field.
        encode: Encodes the value of the field.
        is_absent: Reports whether the field is omitted from JSON.
    """

    __slots__ = (
        "attribute",
        "codec",
        "decode",
        "encode",
        "is_absent",
        "json_name",
        "oneof",
        "proto_name",
    )

    takes_null = False
    """Whether JSON null is a value of the field rather than its absence."""

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
        # Bound once: encoding and decoding call them for every field.
        self.decode: Callable[[JsonValue], Any] = codec.decode
        self.encode: Callable[[Any], JsonValue] = codec.encode
        self.is_absent: Callable[[Any], bool] = codec.is_default
        self._adapt()

    def _adapt(self) -> None:
        """Override the codec methods for this kind of field."""


class OptionalField(Field):
    """A field with presence. ``None`` means absent."""

    __slots__ = ()

    def _adapt(self) -> None:
        self.is_absent = is_none


class NullField(OptionalField):
    """A field with presence whose only value is null."""

    __slots__ = ()

    takes_null = True


class ValueField(Field):
    """A field for any JSON value, including null. ``UNSET`` means absent."""

    __slots__ = ()

    takes_null = True

    def _adapt(self) -> None:
        self.is_absent = _is_unset


class RepeatedField(Field):
    """A repeated field."""

    __slots__ = ()

    def _adapt(self) -> None:
        self.decode = self._decode_items
        self.encode = self._encode_items
        self.is_absent = _is_empty_list

    def _decode_items(self, value: JsonValue) -> list[Any]:
        if not isinstance(value, list):
            raise ShapeError(f"expected an array, got {describe(value)}")
        return _each(value, self.codec.decode)

    def _encode_items(self, value: Any) -> JsonValue:
        if not _is_sequence(value):
            raise ShapeError(f"expected a sequence, got {describe(value)}")
        return _each(value, self.codec.encode)


class MapField(Field):
    """A map field. Its keys are strings in JSON."""

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

    def _adapt(self) -> None:
        self.decode = self._decode_entries
        self.encode = self._encode_entries
        self.is_absent = _is_empty_dict

    def _decode_entries(self, value: JsonValue) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise ShapeError(f"expected an object, got {describe(value)}")
        entries: dict[Any, Any] = {}
        decode = self.codec.decode
        text = ""
        try:
            for text, item in value.items():
                key = self._read_key(text)
                if key in entries:
                    _refuse_twice()
                entries[key] = decode(item)
        except ShapeError as error:
            raise error.within(text) from None
        return entries

    def _encode_entries(self, value: Any) -> JsonValue:
        if not isinstance(value, dict):
            raise ShapeError(f"expected dict, got {describe(value)}")
        entries: dict[str, JsonValue] = {}
        encode = self.codec.encode
        key: Any = ""
        try:
            for key, item in value.items():
                entries[self._print_key(key)] = encode(item)
        except ShapeError as error:
            raise error.within(str(key)) from None
        return entries

    def _read_key(self, text: str) -> Any:
        if self.key_codec is STRING:
            return STRING.decode(text)
        if self.key_codec is BOOL and text in ("true", "false"):
            return text == "true"
        return self.key_codec.decode(text)

    def _print_key(self, key: Any) -> str:
        encoded = self.key_codec.encode(key)
        if isinstance(encoded, bool):
            return "true" if encoded else "false"
        return str(encoded)


def _refuse_twice() -> NoReturn:
    raise ShapeError("the key is given twice")


def is_none(value: Any) -> bool:
    """Report whether a field with presence is absent."""
    return value is None


def _is_unset(value: Any) -> bool:
    return value is UNSET


def _is_empty_list(value: Any) -> bool:
    return _is_sequence(value) and len(value) == 0


def _is_sequence(value: Any) -> bool:
    """Report whether a value is a sequence other than text or bytes."""
    # Fast path: the general check is slow.
    return isinstance(value, (list, tuple)) or (
        isinstance(value, Sequence)
        and not isinstance(value, (str, bytes, bytearray, memoryview))
    )


def _is_empty_dict(value: Any) -> bool:
    return isinstance(value, dict) and not value


def _each(items: Any, convert: Callable[[Any], Any]) -> list[Any]:
    converted: list[Any] = []
    keep = converted.append
    try:
        for item in items:
            keep(convert(item))
    except ShapeError as error:
        raise error.within(str(len(converted))) from None
    return converted
