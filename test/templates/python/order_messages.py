"""Messages as the generator writes them, one field of every kind."""

from __future__ import annotations

from dataclasses import dataclass, field

from runtime.package import _protojson as _json


class State(_json.OpenEnum):
    UNSPECIFIED = ("STATE_UNSPECIFIED", 0)
    PAID = ("STATE_PAID", 2)
    SETTLED = PAID

    @classmethod
    def _aliases(cls) -> dict[str, str]:
        return {"STATE_SETTLED": "STATE_PAID"}


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Tree(_json.Message):
    value: int = 0
    children: list[Tree] = field(default_factory=list)

    @classmethod
    def _fields(cls) -> list[_json.Field]:
        return [
            _json.Field("value", _json.INT32),
            _json.RepeatedField("children", _json.MessageCodec(Tree)),
        ]


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Order(_json.Message):
    unit_price: int = 0
    count: int | None = None
    small: int = 0
    ratio: float = 0.0
    single: float = 0.0
    ready: bool = False
    title: str = ""
    data: bytes = b""
    state: State | _json.UnknownValue = State.UNSPECIFIED
    tree: Tree | None = None
    tags: list[str] = field(default_factory=list)
    prices: dict[str, int] = field(default_factory=dict)
    flags: dict[bool, State | _json.UnknownValue] = field(default_factory=dict)
    by_id: dict[int, Tree] = field(default_factory=dict)
    card: str | None = None
    cash: int | None = None
    nothing: _json.NullValue | None = None
    at: _json.Timestamp | None = None
    span: _json.Duration | None = None
    mask: _json.FieldMask | None = None
    free: _json.JsonValue | _json.Unset = _json.UNSET
    struct: dict[str, _json.JsonValue] | None = None
    wrapped: int | None = None
    from_: str = ""

    @classmethod
    def _fields(cls) -> list[_json.Field]:
        return [
            _json.Field("unit_price", _json.INT64, "unitPrice"),
            _json.OptionalField("count", _json.UINT64),
            _json.Field("small", _json.UINT32),
            _json.Field("ratio", _json.DOUBLE),
            _json.Field("single", _json.FLOAT),
            _json.Field("ready", _json.BOOL),
            _json.Field("title", _json.STRING),
            _json.Field("data", _json.BYTES),
            _json.Field("state", _json.EnumCodec(State, State.UNSPECIFIED)),
            _json.OptionalField("tree", _json.MessageCodec(Tree)),
            _json.RepeatedField("tags", _json.STRING),
            _json.MapField("prices", _json.STRING, _json.INT64),
            _json.MapField(
                "flags", _json.BOOL, _json.EnumCodec(State, State.UNSPECIFIED)
            ),
            _json.MapField("by_id", _json.INT64, _json.MessageCodec(Tree), "byId"),
            _json.OptionalField("card", _json.STRING, oneof="payment"),
            _json.OptionalField("cash", _json.INT64, oneof="payment"),
            _json.NullField("nothing", _json.NULL, oneof="payment"),
            _json.OptionalField("at", _json.TIMESTAMP),
            _json.OptionalField("span", _json.DURATION),
            _json.OptionalField("mask", _json.FIELD_MASK),
            _json.ValueField("free", _json.VALUE),
            _json.OptionalField("struct", _json.STRUCT),
            _json.OptionalField("wrapped", _json.INT64),
            _json.Field("from_", _json.STRING, "from", "from"),
        ]
