"""Parsing that rejects unknown fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import MessageError
from .fields import MapField, RepeatedField
from .json_text import parse_json
from .message import Message, MessageCodec

if TYPE_CHECKING:
    from .._json_value import JsonValue
    from .codec import Codec

M = TypeVar("M", bound=Message)


def parse_strictly(message: type[M], text: str) -> M:
    """Decode a message from JSON typed by hand, as the programs in ``examples/`` do.

    Raises:
        MessageError: The text is not JSON, does not match the message type, or has a
            field that the type lacks. A misspelled field would be sent as if absent.
    """
    value = parse_json(text)
    decoded = message.from_value(value)
    _refuse_unknown_fields(MessageCodec(message), value, message.__name__)
    return decoded


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
