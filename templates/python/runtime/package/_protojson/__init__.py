"""ProtoJSON encoding and decoding without a protobuf library."""

from __future__ import annotations

from .._json_value import JsonValue
from .codec import Codec, ShapeError, too_deep
from .empty import Empty
from .fields import (
    Field,
    MapField,
    NullField,
    OptionalField,
    RepeatedField,
    ValueField,
)
from .free_types import (
    FIELD_MASK,
    LIST_VALUE,
    NULL,
    STRUCT,
    UNSET,
    VALUE,
    FieldMask,
    NullValue,
    Unset,
)
from .json_text import parse_json, print_json
from .message import Message, MessageCodec
from .open_enum import EnumCodec, OpenEnum, UnknownValue
from .scalars import (
    BOOL,
    BYTES,
    DOUBLE,
    FLOAT,
    INT32,
    INT64,
    STRING,
    UINT32,
    UINT64,
)
from .time_types import DURATION, TIMESTAMP, Duration, Timestamp

__all__ = [
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "FIELD_MASK",
    "FLOAT",
    "INT32",
    "INT64",
    "LIST_VALUE",
    "NULL",
    "STRING",
    "STRUCT",
    "TIMESTAMP",
    "UINT32",
    "UINT64",
    "UNSET",
    "VALUE",
    "Codec",
    "Duration",
    "Empty",
    "EnumCodec",
    "Field",
    "FieldMask",
    "JsonValue",
    "MapField",
    "Message",
    "MessageCodec",
    "NullField",
    "NullValue",
    "OpenEnum",
    "OptionalField",
    "RepeatedField",
    "ShapeError",
    "Timestamp",
    "UnknownValue",
    "Unset",
    "ValueField",
    "parse_json",
    "print_json",
    "too_deep",
]
