"""Base of the generated messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .codec import ShapeError, describe
from .fields import Field, is_none
from .json_text import JsonValue, parse_json, print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self


class Message:
    """A message: a dataclass that reads and writes itself as ProtoJSON.

    Fields whose type has no presence hold their default value when absent, all others
    ``None``. Fields that this package does not know are ignored when reading.
    """

    __slots__ = ()

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read ProtoJSON.

        Raises:
            MessageError: The text is not JSON, or does not fit; says where.
        """
        return cls.from_value(parse_json(text))

    @classmethod
    def from_value(cls, value: JsonValue) -> Self:
        """Read ProtoJSON that is parsed already.

        Raises:
            MessageError: The value does not fit; says where.
        """
        try:
            return MessageCodec(cls).decode(value)
        except ShapeError as error:
            raise error.to_message_error(cls.__name__) from None

    def to_json(self) -> str:
        """Write canonical ProtoJSON.

        Raises:
            MessageError: A field holds what its type cannot; says which.
        """
        return print_json(self.to_value())

    def to_value(self) -> JsonValue:
        """Give what the JSON text of the message stands for.

        Raises:
            MessageError: A field holds what its type cannot; says which.
        """
        try:
            return MessageCodec(type(self)).encode(self)
        except ShapeError as error:
            raise error.to_message_error(type(self).__name__) from None

    @classmethod
    def _fields(cls) -> list[Field]:
        """Describe the fields, in the order of declaration."""
        return []

    def _which(self, oneof: str) -> str | None:
        """Name the field of a oneof that is set, if one is."""
        for field in _schema(type(self)).oneofs[oneof]:
            if not field.is_absent(getattr(self, field.attribute)):
                return field.attribute
        return None

    def __eq__(self, other: object) -> bool:
        """Compare field by field."""
        if type(other) is not type(self):
            return NotImplemented
        return all(
            getattr(self, field.attribute) == getattr(other, field.attribute)
            for field in _schema(type(self)).fields
        )

    def __repr__(self) -> str:
        """Show every field, as a program would write it."""
        shown = ", ".join(
            f"{field.attribute}={getattr(self, field.attribute)!r}"
            for field in _schema(type(self)).fields
        )
        return f"{type(self).__name__}({shown})"


class Schema:
    """The fields of a message, arranged for reading and writing.

    Attributes:
        fields: The fields, in the order of declaration.
        oneofs: The fields of each oneof.
        readers: Attribute, decoder and whether null is a value, by the names in JSON.
        writers: Attribute, name in JSON, encoder and what tells absence, unless that is
            ``None`` alone, of each field.
    """

    __slots__ = ("fields", "oneofs", "readers", "writers")

    def __init__(self, fields: list[Field]) -> None:
        self.fields = fields
        self.oneofs: dict[str, list[Field]] = {}
        self.readers: dict[str, tuple[str, Callable[[JsonValue], Any], bool]] = {}
        self.writers: list[
            tuple[str, str, Callable[[Any], JsonValue], Callable[[Any], bool] | None]
        ] = []
        for field in fields:
            reader = (field.attribute, field.decode, field.takes_null)
            self.readers.setdefault(field.proto_name, reader)
            if field.oneof is not None:
                self.oneofs.setdefault(field.oneof, []).append(field)
        for field in fields:
            reader = (field.attribute, field.decode, field.takes_null)
            self.readers[field.json_name] = reader
            is_absent = None if field.is_absent is is_none else field.is_absent
            self.writers.append(
                (field.attribute, field.json_name, field.encode, is_absent)
            )


_SCHEMAS: Final[dict[type[Message], Schema]] = {}


def _schema(message: type[Message]) -> Schema:
    # Made at first use: then every class that the fields refer to exists.
    schema = _SCHEMAS.get(message)
    if schema is None:
        schema = _SCHEMAS[message] = Schema(message._fields())
    return schema


M = TypeVar("M", bound=Message)


class MessageCodec(Generic[M]):
    """A message as a JSON object."""

    __slots__ = ("_known", "_message")

    def __init__(self, message: type[M]) -> None:
        self._message = message
        self._known: Schema | None = None

    def decode(self, value: JsonValue) -> M:
        """Read an object; unknown fields are ignored."""
        if not isinstance(value, dict):
            raise ShapeError(f"expected an object, got {describe(value)}")
        schema = self._known or self._learn()
        readers = schema.readers
        values: dict[str, Any] = {}
        name = ""
        try:
            for name, item in value.items():
                reader = readers.get(name)
                if reader is None:
                    continue
                attribute, decode, takes_null = reader
                if item is not None or takes_null:
                    values[attribute] = decode(item)
        except ShapeError as error:
            raise error.within(name) from None
        for oneof, fields in schema.oneofs.items():
            _check_oneof(oneof, [f for f in fields if f.attribute in values])
        return self._message(**values)

    def encode(self, value: M) -> JsonValue:
        """Write an object; fields that are absent are left out."""
        if not isinstance(value, self._message):
            raise ShapeError(
                f"expected {self._message.__name__}, got {describe(value)}"
            )
        schema = self._known or self._learn()
        entries: dict[str, JsonValue] = {}
        attribute = ""
        try:
            for attribute, name, encode, is_absent in schema.writers:
                item = getattr(value, attribute)
                if item is None if is_absent is None else is_absent(item):
                    continue
                entries[name] = encode(item)
        except ShapeError as error:
            raise error.within(attribute) from None
        for oneof, fields in schema.oneofs.items():
            _check_oneof(oneof, [f for f in fields if f.json_name in entries])
        return entries

    def is_default(self, value: M) -> bool:
        """Never: a message has presence."""
        del value
        return False

    def _learn(self) -> Schema:
        self._known = _schema(self._message)
        return self._known


def _check_oneof(oneof: str, present: list[Field]) -> None:
    if len(present) > 1:
        names = ", ".join(field.attribute for field in present)
        raise ShapeError(f"at most one of {oneof} may be set, got {names}")
