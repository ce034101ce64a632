"""Base of the generated messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .codec import ShapeError, describe
from .json_text import JsonValue, parse_json, print_json

if TYPE_CHECKING:
    from typing_extensions import Self

    from .fields import Field


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
    """The fields of a message, arranged for reading and writing."""

    __slots__ = ("by_name", "fields", "oneofs")

    def __init__(self, fields: list[Field]) -> None:
        self.fields = fields
        self.by_name: dict[str, Field] = {}
        self.oneofs: dict[str, list[Field]] = {}
        for field in fields:
            self.by_name.setdefault(field.proto_name, field)
            if field.oneof is not None:
                self.oneofs.setdefault(field.oneof, []).append(field)
        for field in fields:
            self.by_name[field.json_name] = field


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

    __slots__ = ("_message",)

    def __init__(self, message: type[M]) -> None:
        self._message = message

    def decode(self, value: JsonValue) -> M:
        """Read an object; unknown fields are ignored."""
        if not isinstance(value, dict):
            raise ShapeError(f"expected an object, got {describe(value)}")
        schema = _schema(self._message)
        values: dict[str, Any] = {}
        for name, item in value.items():
            field = schema.by_name.get(name)
            if field is None or (item is None and not field.takes_null):
                continue
            try:
                values[field.attribute] = field.decode(item)
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
        schema = _schema(self._message)
        entries: dict[str, JsonValue] = {}
        present: dict[str, list[Field]] = {}
        for field in schema.fields:
            item = getattr(value, field.attribute)
            try:
                if field.is_absent(item):
                    continue
                entries[field.json_name] = field.encode(item)
            except ShapeError as error:
                raise error.within(field.attribute) from None
            if field.oneof is not None:
                present.setdefault(field.oneof, []).append(field)
        for oneof, fields in present.items():
            _check_oneof(oneof, fields)
        return entries

    def is_default(self, value: M) -> bool:
        """Never: a message has presence."""
        del value
        return False


def _check_oneof(oneof: str, present: list[Field]) -> None:
    if len(present) > 1:
        names = ", ".join(field.attribute for field in present)
        raise ShapeError(f"at most one of {oneof} may be set, got {names}")
