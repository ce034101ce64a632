"""Messages to ProtoJSON and back."""

import json
import math
import pickle
import typing
from collections import UserList, deque
from datetime import datetime, timedelta, timezone

import pydantic
import pytest
from order_messages import Order, State, Tree
from runtime.package import _protojson as _json
from runtime.package._method import read_arguments
from runtime.package.errors import MessageError


def round_trip(value):
    return json.loads(Order.from_value(value).to_json())


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"unitPrice": "9007199254740993"},
        {"unitPrice": "-9223372036854775808", "count": "18446744073709551615"},
        {"count": "0"},
        {"small": 4294967295, "ratio": 0.1, "single": 1.5, "ready": True},
        {"ratio": "NaN"},
        {"ratio": "-Infinity", "single": "Infinity"},
        {"ratio": 1e300},
        {"ratio": 1.7976931348623157e308, "single": -0.0},
        {"flags": {"false": "STATE_OF_TOMORROW"}},
        {"title": "\u202e\U0001f600 \"'\\ \u2028", "data": "AP8+"},
        {"state": "STATE_PAID"},
        {"state": 42},
        {"state": "STATE_OF_TOMORROW"},
        {"flags": {"true": "STATE_PAID", "false": 7}},
        {"tree": {}},
        {"tree": {"value": 1, "children": [{"children": [{"value": 2}]}]}},
        {"tags": ["", "a"], "prices": {"a": "1", "__proto__": "2"}},
        {"byId": {"-1": {"value": 3}}},
        {"card": ""},
        {"cash": "0"},
        {"nothing": None},
        {"at": "1970-01-01T00:00:00Z"},
        {"at": "0001-01-01T00:00:00.000000001Z"},
        {"at": "9999-12-31T23:59:59.999999999Z"},
        {"at": "2026-11-21T10:00:00.120Z"},
        {"span": "-0.500s"},
        {"span": "315576000000s"},
        {"span": "315576000000.999999999s"},
        {"span": "-315576000000.999999999s"},
        {"mask": "userName,a.bC"},
        {"mask": ""},
        {"free": None},
        {"free": {"a": [1, 2.5, None, "x", True]}},
        {"struct": {}},
        {"wrapped": "0"},
        {"from": "reserved"},
    ],
)
def test_canonical_json_survives_a_round_trip(value):
    assert round_trip(value) == value


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ({"unit_price": 7}, {"unitPrice": "7"}),
        ({"unitPrice": 9007199254740993}, {"unitPrice": "9007199254740993"}),
        ({"unitPrice": "1e3"}, {"unitPrice": "1000"}),
        ({"small": "12"}, {"small": 12}),
        ({"small": 3.0}, {"small": 3}),
        ({"unitPrice": "0", "small": 0, "title": "", "tags": [], "prices": {}}, {}),
        ({"ratio": "2.5"}, {"ratio": 2.5}),
        ({"data": "_-8"}, {"data": "/+8="}),
        ({"state": 2}, {"state": "STATE_PAID"}),
        ({"state": "STATE_SETTLED"}, {"state": "STATE_PAID"}),
        ({"state": 0}, {}),
        ({"unitPrice": None, "tags": None, "tree": None, "count": None}, {}),
        ({"nothing": "NULL_VALUE"}, {"nothing": None}),
        ({"at": "2026-01-01T01:00:00+01:00"}, {"at": "2026-01-01T00:00:00Z"}),
        ({"span": "1.5s"}, {"span": "1.500s"}),
        ({"unknown": {"deep": [1]}, "title": "kept"}, {"title": "kept"}),
    ],
)
def test_lenient_json_becomes_canonical(given, canonical):
    assert round_trip(given) == canonical


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"unitPrice": "9223372036854775808"}, "Order.unitPrice: "),
        ({"unitPrice": "1_000"}, "Order.unitPrice: expected int64"),
        ({"unitPrice": "007"}, "Order.unitPrice: expected int64"),
        ({"unitPrice": "\u0663"}, "Order.unitPrice: expected int64"),
        ({"unitPrice": "+5"}, "Order.unitPrice: expected int64"),
        ({"count": "-1"}, "Order.count: -1 is out of the range"),
        ({"count": "18446744073709551616"}, "Order.count: "),
        ({"unitPrice": "9" * 5_000}, "Order.unitPrice: expected int64"),
        ({"unitPrice": 1.5}, "Order.unitPrice: expected int64"),
        ({"unitPrice": "9007199254740993.0"}, "Order.unitPrice: a number this large"),
        ({"unitPrice": 9007199254740993.0}, "Order.unitPrice: a number this large"),
        ({"unitPrice": True}, "Order.unitPrice: expected int64"),
        ({"small": -1}, "Order.small: -1 is out of the range"),
        ({"single": 1e39}, "Order.single: "),
        ({"ratio": "inf"}, "Order.ratio: expected double"),
        ({"ready": "true"}, "Order.ready: expected bool"),
        ({"title": 1}, "Order.title: expected str"),
        ({"data": "!"}, "Order.data: expected base64"),
        ({"state": True}, "Order.state: expected State"),
        ({"state": ""}, "Order.state: expected State"),
        ({"tree": []}, "Order.tree: expected an object"),
        ({"tree": {"children": [{}, {"value": "x"}]}}, "Order.tree.children.1.value: "),
        ({"tags": "a"}, "Order.tags: expected an array"),
        ({"tags": [None]}, "Order.tags.0: expected str"),
        ({"byId": {"x": {}}}, "Order.byId.x: expected int64"),
        ({"flags": {"True": 1}}, "Order.flags.True: expected bool"),
        ({"card": "a", "cash": "1"}, "Order: more than one field of payment is set"),
        ({"at": "yesterday"}, "Order.at: expected an RFC 3339 time"),
        ({"at": "2026-02-30T00:00:00Z"}, "Order.at: expected an RFC 3339 time"),
        ({"at": "0001-01-01T00:00:00+01:00"}, "Order.at: "),
        ({"at": "2026-01-01t00:00:00Z"}, "Order.at: expected an RFC 3339 time"),
        ({"at": "2026-01-01T00:00:00z"}, "Order.at: expected an RFC 3339 time"),
        ({"span": "1"}, "Order.span: expected a duration"),
        ({"span": "315576000001s"}, "Order.span: "),
        ({"span": "-315576000001s"}, "Order.span: "),
        ({"unitPrice": "1", "unit_price": "1"}, "Order.unit_price: the field is given"),
        ({"byId": {"1": {}, "1.0": {}}}, "Order.byId.1.0: the key is given twice"),
        ({"mask": "a b"}, "Order.mask: expected a field mask"),
        ({"struct": []}, "Order.struct: expected an object"),
        ([], "Order: expected an object"),
    ],
)
def test_invalid_values_are_rejected_with_their_path(value, where):
    with pytest.raises(MessageError) as caught:
        Order.from_value(value)
    assert str(caught.value).startswith(where)


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "a", "title": "a"}',
        '{"tree": {"value": 1, "value": 1}}',
        '{"unknown": 1, "unknown": 2}',
    ],
)
def test_names_given_twice_are_rejected(text):
    with pytest.raises(MessageError, match="occurs more than once"):
        Order.from_json(text)


@pytest.mark.parametrize(
    "value",
    [
        {"unit_price": 0, "from": "", "small": None, "nothing": None},
        {"by_id": {"1": {"value": 0}}},
        {"tree": {"children": [{"value": 0}]}, "prices": {"free": 1}},
        {"struct": {"free": {"more": 1}}, "free": [{"more": 1}], "unitPrice": 1},
    ],
)
def test_strict_parsing_accepts_known_fields(value):
    text = json.dumps(value)
    assert Order.from_json(text, strict=True) == Order.from_json(text)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"titel": "a"}, "Order.titel: unknown field"),
        ({"titel": None}, "Order.titel: unknown field"),
        ({"tree": {"valu": 0}}, "Order.tree.valu: unknown field"),
        (
            {"tree": {"children": [{}, {"valu": 0}]}},
            "Order.tree.children.1.valu: unknown field",
        ),
        ({"byId": {"7": {"valu": 0}}}, "Order.byId.7.valu: unknown field"),
        ({"title": 1, "titel": 1}, "Order.title: expected str, got int 1"),
    ],
)
def test_strict_parsing_rejects_unknown_fields(value, problem):
    with pytest.raises(MessageError) as caught:
        Order.from_json(json.dumps(value), strict=True)
    assert str(caught.value) == problem


@pytest.mark.parametrize("text", ["", "{", '{"ratio": NaN}', b"\xff", "[" * 100_000])
def test_invalid_json_is_rejected(text):
    with pytest.raises(MessageError, match="not JSON"):
        Order.from_json(text)


def test_what_is_nested_too_deeply_is_rejected():
    tree, value = Tree(), {}
    tree.children.append(tree)
    for _ in range(100_000):
        value = {"children": [value]}
    with pytest.raises(MessageError, match="Tree: nested too deeply"):
        tree.to_json()
    with pytest.raises(MessageError, match="Tree: nested too deeply"):
        Tree.from_value(value)


@pytest.mark.parametrize(
    ("message", "where"),
    [
        (Order(unit_price="1"), "Order.unit_price: expected int64"),
        (Order(unit_price=2**63), "Order.unit_price: "),
        (Order(title=None), "Order.title: expected str"),
        (Order(title="\ud800"), "Order.title: not valid Unicode"),
        (Order(data=None), "Order.data: expected bytes"),
        (Order(data="text"), "Order.data: expected bytes"),
        (Order(state="STATE_PIAD"), "Order.state: expected State"),
        (Order(tree={}), "Order.tree: expected Tree"),
        (Order(tags=None), "Order.tags: expected a sequence"),
        (Order(tags="ab"), "Order.tags: expected a sequence"),
        (Order(tags=["a", 1]), "Order.tags.1: expected str"),
        (Order(prices={1: 2}), "Order.prices.1: expected str"),
        (Order(card="a", cash=1), "Order: more than one field of payment is set"),
        (Order(at=_json.Timestamp(0, -1)), "Order.at: "),
        (Order(span=_json.Duration(1, -1)), "Order.span: "),
        (Order(span=_json.Duration(1 / 3)), "Order.span: seconds and nanos must be"),
        (Order(span=_json.Duration(1, "2")), "Order.span: seconds and nanos must be"),
        (Order(at=_json.Timestamp("1")), "Order.at: seconds and nanos must be"),
        (Order(mask=_json.FieldMask(["A"])), "Order.mask: "),
        (Order(free=math.nan), "Order.free: nan is not a JSON value"),
        (Order(struct={"a": {1, 2}}), "Order.struct: expected a JSON value"),
    ],
)
def test_unencodable_values_are_rejected_with_their_path(message, where):
    with pytest.raises(MessageError) as caught:
        message.to_json()
    assert str(caught.value).startswith(where)


def test_every_sequence_is_a_repeated_field():
    for tags in (("a", "b"), deque(["a", "b"]), UserList(["a", "b"])):
        assert json.loads(Order(tags=tags).to_json())["tags"] == ["a", "b"]
    assert "tags" not in json.loads(Order(tags=deque()).to_json())


def test_presence_distinguishes_absence_and_defaults():
    assert Order.from_value({}).count is None
    assert Order.from_value({"count": "0"}).count == 0
    assert Order.from_value({}).free is _json.UNSET
    assert Order.from_value({"free": None}).free is None
    assert Order().to_json() == "{}"
    assert Order(count=0, ratio=-0.0).to_json() == '{"count":"0","ratio":-0.0}'


def test_whole_floats_have_no_fraction():
    assert Order(ratio=3.0).to_json() == '{"ratio":3}'


@pytest.mark.parametrize("zero", ["-0", "-0.0", '"-0"'])
def test_negative_zero_keeps_its_sign(zero):
    order = Order.from_json(f'{{"ratio":{zero}}}')
    assert math.copysign(1, order.ratio) == -1
    assert order.to_json() == '{"ratio":-0.0}'


def test_negative_zero_is_zero_in_integers_and_enums():
    order = Order.from_json('{"count":-0,"small":-0,"state":-0}')
    assert order.to_json() == '{"count":"0"}'


def test_unknown_enum_values_survive_as_values_of_another_type():
    stranger = Order.from_value({"state": 42}).state
    assert stranger == _json.UnknownValue(42)
    assert (stranger.number, stranger.is_known) == (42, False)
    assert (stranger, repr(stranger)) == ("42", "UnknownValue(42)")
    assert not isinstance(stranger, State)
    named = Order.from_value({"state": "STATE_OF_TOMORROW"}).state
    assert (named, named.number) == ("STATE_OF_TOMORROW", None)
    assert repr(named) == "UnknownValue('STATE_OF_TOMORROW')"
    assert pickle.loads(pickle.dumps([stranger, named])) == [stranger, named]
    assert Order(state=_json.UnknownValue(42)).to_value() == {"state": 42}
    assert Order(state=_json.UnknownValue(2)).to_value() == {"state": "STATE_PAID"}


def test_enum_members_are_found_by_name_and_by_number():
    assert list(State) == [State.UNSPECIFIED, State.PAID]
    assert State(2) is State("STATE_PAID") is State("STATE_SETTLED") is State.PAID
    assert State.SETTLED is State.PAID
    assert State.PAID.is_known
    assert (State.PAID.value, State.PAID.number) == ("STATE_PAID", 2)
    for unknown in (42, "STATE_OF_TOMORROW", True):
        with pytest.raises(ValueError, match="not a valid State"):
            State(unknown)
    names = "known names are STATE_UNSPECIFIED, STATE_PAID$"
    with pytest.raises(ValueError, match=f"^str 'PAID' is not a valid State; {names}"):
        State("PAID")
    codec = _json.EnumCodec(State, State.UNSPECIFIED)
    with pytest.raises(_json.ShapeError, match=f"^expected State, got str 'PAID'; {names}"):
        codec.encode("PAID")
    assert codec.decode(2) is codec.decode("STATE_PAID") is State.PAID
    assert codec.decode("STATE_SETTLED") is State.PAID


@pytest.mark.parametrize(("count", "end"), [(10, ", N9"), (11, ", N9, ...")])
def test_an_enum_error_shows_ten_names(count, end):
    names = [f"N{number}" for number in range(count)]
    many = _json.OpenEnum("Many", {name: (name, n) for n, name in enumerate(names)})
    with pytest.raises(ValueError, match="not a valid Many") as caught:
        many("UNKNOWN")
    assert str(caught.value).endswith(end)



def test_enum_names_and_times_of_the_standard_library_are_encoded():
    at = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    order = Order(state="STATE_SETTLED", at=at, span=timedelta(seconds=-1.5))
    assert order.to_value() == {
        "state": "STATE_PAID",
        "at": "2026-01-01T00:00:00Z",
        "span": "-1.500s",
    }
    assert Order(state="STATE_UNSPECIFIED").to_value() == {}
    with pytest.raises(MessageError, match=r"^Order\.at: .*time zone"):
        Order(at=at.replace(tzinfo=None)).to_json()


def test_messages_compare_by_value_and_show_their_fields():
    assert Tree(value=1) == Tree(value=1)
    assert Tree(value=1) != Tree(value=2)
    assert Tree() != Order()
    assert repr(Tree(value=1)) == "Tree(value=1, children=[])"
    with pytest.raises(TypeError):
        hash(Tree())


def test_messages_and_errors_can_be_pickled():
    message = Tree(value=1, children=[Tree()])
    assert pickle.loads(pickle.dumps(message)) == message
    error = pickle.loads(pickle.dumps(MessageError("no", status=400)))
    assert (type(error), str(error), error.status) == (MessageError, "no", 400)


def test_misspelled_fields_are_errors():
    with pytest.raises(AttributeError):
        Tree().vlaue = 1
    with pytest.raises(TypeError):
        Tree(vlaue=1)


def test_times_convert_to_the_standard_library_and_back():
    at = _json.Timestamp(-1, 999_999_000)
    assert _json.Timestamp.from_datetime(at.to_datetime()) == at
    for span in (_json.Duration(-1, -500_000_000), _json.Duration(3, 1_000)):
        assert _json.Duration.from_timedelta(span.to_timedelta()) == span
    with pytest.raises(ValueError, match="time zone"):
        _json.Timestamp.from_datetime(at.to_datetime().replace(tzinfo=None))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (_json.Timestamp(1769851800), "2026-01-31T09:30:00Z"),
        (_json.Timestamp(0, 1_000_000), "1970-01-01T00:00:00.001Z"),
        (_json.Timestamp(10**20), "Timestamp(seconds=100000000000000000000, nanos=0)"),
        (_json.Duration(-1, -500_000_000), "-1.500s"),
        (_json.Duration(1.5), "Duration(seconds=1.5, nanos=0)"),
    ],
)
def test_times_are_shown_as_in_json(value, shown):
    assert f"{value}" == shown


def test_annotations_can_be_read_at_run_time():
    hints = typing.get_type_hints(Order)
    assert hints["state"] == State | _json.UnknownValue
    assert hints["at"] == _json.Timestamp | None
    methods = [value for value in vars(_json.Message).values() if callable(value)]
    methods += [Order.from_json, Order.from_value]
    for method in methods:
        typing.get_type_hints(method)


def test_pydantic_reads_and_writes_messages():
    adapter = pydantic.TypeAdapter(list[Order])
    order = Order(unit_price=2**53 + 1, state=State.PAID)
    (read,) = adapter.validate_python([{"unitPrice": "9007199254740993", "state": 2}])
    assert read == order
    assert adapter.validate_python([order]) == [order]
    written = b'[{"unitPrice":"9007199254740993","state":"STATE_PAID"}]'
    assert adapter.dump_json([order]) == written
    assert adapter.validate_json(written) == [order]
    assert adapter.json_schema()["items"]["type"] == "object"
    with pytest.raises(pydantic.ValidationError, match=r"Order\.title: expected str"):
        adapter.validate_python([{"title": 1}])


def test_pydantic_reads_and_writes_times_and_open_enums():
    class Model(pydantic.BaseModel):
        at: _json.Timestamp
        span: _json.Duration
        state: State | _json.UnknownValue

    written = '{"at":"2024-01-01T00:00:00Z","span":"1.500s","state":"STATE_PAID"}'
    read = Model.model_validate_json(written)
    moment = datetime(2024, 1, 1, tzinfo=timezone.utc)
    assert read.at == _json.Timestamp.from_datetime(moment)
    assert read.state is State.PAID
    assert read.model_dump_json() == written
    span = timedelta(seconds=1.5)
    assert Model(at=moment, span=span, state=State.PAID) == read
    assert Model(at=read.at, span=read.span, state=2).state is State.PAID
    newer = Model(at=moment, span=span, state="STATE_OF_THE_FUTURE")
    assert newer.state == _json.UnknownValue("STATE_OF_THE_FUTURE")
    assert json.loads(newer.model_dump_json())["state"] == "STATE_OF_THE_FUTURE"
    numbered = Model(at=moment, span=span, state=_json.UnknownValue(99))
    assert json.loads(numbered.model_dump_json())["state"] == 99
    schema = Model.model_json_schema()["properties"]
    assert (schema["at"]["type"], schema["at"]["format"]) == ("string", "date-time")
    with pytest.raises(pydantic.ValidationError, match="RFC 3339"):
        Model(at="yesterday", span=span, state=State.PAID)


def test_a_message_is_given_as_such_or_by_its_fields():
    codec = _json.MessageCodec(Order)
    with pytest.raises(TypeError, match="'title': pass a message or its fields"):
        read_arguments(codec, Order(title="a"), {"title": "b", "timeout": 1})
    assert read_arguments(codec, _json.UNSET, {"title": "b"}) == (Order(title="b"), {})
