"""Base class and codec of generated messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeVar

from .._json_value import JsonValue
from .._typing import Self
from ..errors import MessageError
from .codec import Codec, ShapeError, describe, too_deep
from .fields import Field, MapField, RepeatedField, is_none
from .json_text import parse_json, print_json

if TYPE_CHECKING:
    from collections.abc import Callable

N = TypeVar("N", bound=str)


class Message:
    """Base class of messages: dataclasses that convert to and from ProtoJSON.

    An absent field is ``None`` if it has presence and its default value otherwise.
    Decoding ignores unknown fields.
    """

    __slots__ = ()

    @classmethod
    def from_json(cls, text: str | bytes, *, strict: bool = False) -> Self:
        """Decode a message from ProtoJSON text.

        Args:
            text: The text.
            strict: Whether to reject unknown fields, such as misspelled ones in
                handwritten text.

        Raises:
            MessageError: The text is not JSON, does not match the message type, or,
                with ``strict``, has an unknown field.
        """
        value = parse_json(text)
        decoded = cls.from_value(value)
        if strict:
            _refuse_unknown_fields(MessageCodec(cls), value, cls.__name__)
        return decoded

    @classmethod
    def from_value(cls, value: JsonValue) -> Self:
        """Decode a message from parsed ProtoJSON.

        Raises:
            MessageError: The value does not match the message type.
        """
        try:
            return MessageCodec(cls).decode(value)
        except ShapeError as error:
            raise error.to_message_error(cls.__name__) from None
        except RecursionError:
            raise too_deep(cls.__name__) from None

    def to_json(self) -> str:
        """Encode the message as canonical ProtoJSON text.

        Raises:
            MessageError: A field has a value of the wrong type.
        """
        return print_json(self.to_value())

    def to_value(self) -> JsonValue:
        """Encode the message as a JSON value.

        Raises:
            MessageError: A field has a value of the wrong type.
        """
        try:
            return MessageCodec(type(self)).encode(self)
        except ShapeError as error:
            raise error.to_message_error(type(self).__name__) from None
        except RecursionError:
            raise too_deep(type(self).__name__) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic validate messages and ProtoJSON, and print ProtoJSON."""
        del source, handler
        # Called only by pydantic.
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            cls._validate,
            json_schema_input_schema=core_schema.dict_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                cls.to_value, return_schema=core_schema.dict_schema()
            ),
        )

    @classmethod
    def _validate(cls, value: Any) -> Self:
        return value if isinstance(value, cls) else cls.from_value(value)

    @classmethod
    def _fields(cls) -> list[Field]:
        """Return the field descriptors in declaration order."""
        return []

    def _which(self, *names: N) -> N | None:
        """Return the attribute of a oneof that is set, or ``None``."""
        for field in _schema(type(self)).fields:
            if field.attribute not in names:
                continue
            if not field.is_absent(getattr(self, field.attribute)):
                return names[names.index(field.attribute)]
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
        """Show all fields in constructor syntax."""
        shown = ", ".join(
            f"{field.attribute}={getattr(self, field.attribute)!r}"
            for field in _schema(type(self)).fields
        )
        return f"{type(self).__name__}({shown})"


class Schema:
    """The field descriptors of a message, prepared for encoding and decoding.

    Attributes:
        fields: Fields in declaration order.
        oneofs: Fields of each oneof, by name.
        readers: Attribute, decoder and ``takes_null`` flag, by JSON name.
        writers: Attribute, JSON name, encoder and absence check of each field. The
            check is ``None`` when only ``None`` means absent.
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
    # Built on first use, after every referenced class is defined.
    schema = _SCHEMAS.get(message)
    if schema is None:
        schema = _SCHEMAS[message] = Schema(message._fields())
    return schema


M = TypeVar("M", bound=Message)


class MessageCodec(Generic[M]):
    """Codec of a message."""

    __slots__ = ("_known", "_message")

    def __init__(self, message: type[M]) -> None:
        self._message = message
        self._known: Schema | None = None

    def decode(self, value: JsonValue) -> M:
        """Decode an object. Unknown fields are ignored."""
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
                if attribute in values:
                    _refuse_twice()
                if item is not None or takes_null:
                    values[attribute] = decode(item)
        except ShapeError as error:
            raise error.within(name) from None
        for oneof, fields in schema.oneofs.items():
            _check_oneof(oneof, [f for f in fields if f.attribute in values])
        return self._message(**values)

    def encode(self, value: M) -> JsonValue:
        """Encode an object. Absent fields are omitted."""
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

    def fields_by_name(self) -> dict[str, Field]:
        """Return the fields by each of their JSON names."""
        fields = (self._known or self._learn()).fields
        by_proto_name = {field.proto_name: field for field in fields}
        return by_proto_name | {field.json_name: field for field in fields}

    def create(self, fields: dict[str, Any]) -> M:
        """Create a message from its attributes.

        Raises:
            TypeError: An attribute does not exist.
        """
        schema = self._known or self._learn()
        known = {field.attribute for field in schema.fields}
        for name in fields:
            if name not in known:
                raise TypeError(
                    f"got an unexpected keyword argument {name!r}: it is neither an "
                    f"option nor a field of {self._message.__name__}"
                )
        return self._message(**fields)

    def is_default(self, value: M) -> bool:
        """Return ``False``, because messages have presence."""
        del value
        return False

    def _learn(self) -> Schema:
        self._known = _schema(self._message)
        return self._known


def _refuse_twice() -> NoReturn:
    raise ShapeError("the field is given twice")


def _refuse_unknown_fields(codec: Codec[Any], value: JsonValue, path: str) -> None:
    if not isinstance(codec, MessageCodec) or not isinstance(value, dict):
        return
    fields = codec.fields_by_name()
    for name, item in value.items():
        place = f"{path}.{name}"
        if name not in fields:
            raise MessageError(f"{place}: unknown field")
        field = fields[name]
        values = {"": item}
        if isinstance(field, RepeatedField) and isinstance(item, list):
            values = {f".{index}": each for index, each in enumerate(item)}
        elif isinstance(field, MapField) and isinstance(item, dict):
            values = {f".{key}": each for key, each in item.items()}
        for step, each in values.items():
            _refuse_unknown_fields(field.codec, each, place + step)


def _check_oneof(oneof: str, present: list[Field]) -> None:
    if len(present) > 1:
        names = ", ".join(field.attribute for field in present)
        raise ShapeError(f"more than one field of {oneof} is set: {names}")
