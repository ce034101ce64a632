//! ProtoJSON in and out of every kind of field.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::messages::{Order, OrderType, State, Word};
use crate::{Error, ErrorKind, json, types};

/// What a text becomes when it is read and written again.
fn again(text: &str) -> String {
    let order: Order = json::from_str(text).expect(text);
    json::to_string(&order).expect(text)
}

fn refused(text: &str) -> String {
    let error = json::from_str::<Order>(text).expect_err(text);
    assert_eq!(error.kind(), ErrorKind::Message);
    error.to_string()
}

#[test]
fn canonical_texts_stay_as_they_are() {
    for text in [
        "{}",
        r#"{"small":-2147483648,"large":"-9223372036854775808","count":4294967295,"total":"18446744073709551615"}"#,
        r#"{"ratio":0.1,"price":0.30000000000000004,"isOpen":true,"data":"AP8="}"#,
        r#"{"ratio":"NaN","price":"-Infinity"}"#,
        r#"{"price":-0.0}"#,
        r#"{"state":"STATE_LOST","note":"","before":"STATE_UNSPECIFIED"}"#,
        r#"{"at":"0001-01-01T00:00:00Z","span":"-0.500s"}"#,
        r#"{"at":"9999-12-31T23:59:59.999999999Z","span":"315576000000.999999999s"}"#,
        r#"{"span":"-315576000000.999999999s"}"#,
        r#"{"value":null,"object":{"b":[1,2.5,null]},"list":[],"mask":"a,bC.d","empty":{},"wrapped":"7"}"#,
        r#"{"words":[{"text":"ship"},{}],"byName":{"":"1","a":"2"},"byNumber":{"1":{},"20":{"offset":"3"}}}"#,
        r#"{"byTruth":{"false":"no","true":"yes"}}"#,
        r#"{"parent":{"parent":{"small":1}}}"#,
        r#"{"card":""}"#,
        r#"{"goods":{}}"#,
        r#"{"nothing":null}"#,
    ] {
        assert_eq!(again(text), text);
        let order: Order = json::from_str_strict(text).expect(text);
        assert_eq!(json::to_string(&order).expect(text), text);
    }
}

#[test]
fn strict_decoding_refuses_unknown_fields() {
    for text in [
        r#"{"isOpen":false,"words":[{"text":""}],"by_number":{"1":{"offset":"0"}},"parent":{"by_name":{"a":1}}}"#,
        r#"{"object":{"free":{"more":1}},"value":[{"free":1}],"goods":{"text":"a"},"note":null,"large":1e2}"#,
    ] {
        let order: Order = json::from_str_strict(text).expect(text);
        assert_eq!(order, json::from_str(text).expect(text));
    }
    for (text, problem) in [
        (r#"{"smal":1}"#, "Order.smal: unknown field"),
        (r#"{"smal":null}"#, "Order.smal: unknown field"),
        (r#"{"empty":{"a":1}}"#, "Order.empty.a: unknown field"),
        (r#"{"goods":{"txt":""}}"#, "Order.goods.txt: unknown field"),
        (
            r#"{"words":[{},{"txt":""}]}"#,
            "Order.words.1.txt: unknown field",
        ),
        (
            r#"{"byNumber":{"1":{"txt":""}}}"#,
            "Order.byNumber.1.txt: unknown field",
        ),
        (
            r#"{"parent":{"smal":1}}"#,
            "Order.parent.smal: unknown field",
        ),
        (
            r#"{"small":1,"small":1}"#,
            "Order.small: the field is given twice",
        ),
    ] {
        let error = json::from_str_strict::<Order>(text).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Message);
        assert_eq!(error.to_string(), problem);
    }
}

#[test]
fn strict_decoding_refuses_unknown_names_of_enums() {
    for text in [
        r#"{"state":"STATE_OPENED","before":7}"#,
        r#"{"state":"STATE_LOST","before":"STATE_UNSPECIFIED"}"#,
        r#"{"state":-1,"before":null}"#,
    ] {
        let order: Order = json::from_str_strict(text).expect(text);
        assert_eq!(order, json::from_str(text).expect(text));
    }
    for (text, problem) in [
        (
            r#"{"state":"OPEN"}"#,
            r#"Order.state: expected State, got string "OPEN""#,
        ),
        (
            r#"{"parent":{"before":"STATE_SOLD"}}"#,
            r#"Order.parent.before: expected State, got string "STATE_SOLD""#,
        ),
        (
            r#"{"state":1.5}"#,
            "Order.state: expected State, got number 1.5",
        ),
    ] {
        let error = json::from_str_strict::<Order>(text).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Message);
        assert_eq!(error.to_string(), problem);
    }
    let state: State = json::from_str_strict("\"STATE_OPEN\"").expect("it is a name");
    assert_eq!(state, State::Open);
    json::from_str_strict::<State>("\"OPEN\"").expect_err("it is no name");
}

#[test]
fn enums_are_read_by_any_deserializer() {
    use serde::Deserialize as _;
    use serde::de::IntoDeserializer as _;
    use serde::de::value::{Error, StrDeserializer};

    let name: StrDeserializer<'_, Error> = "STATE_SOLD".into_deserializer();
    assert_eq!(State::deserialize(name), Ok(State::from("STATE_SOLD")));
    let number = State::deserialize(serde_json::Value::from(1));
    assert_eq!(number.expect("it is a number"), State::Open);
}

#[test]
fn other_forms_are_read_too() {
    for (text, canonical) in [
        (
            r#"{"small":"7","large":7,"count":1e2,"total":7.0}"#,
            r#"{"small":7,"large":"7","count":100,"total":"7"}"#,
        ),
        (
            r#"{"large":9223372036854775807,"total":18446744073709551615}"#,
            r#"{"large":"9223372036854775807","total":"18446744073709551615"}"#,
        ),
        (
            r#"{"ratio":"0.5","price":"1e3"}"#,
            r#"{"ratio":0.5,"price":1000.0}"#,
        ),
        (r#"{"data":"_-8"}"#, r#"{"data":"/+8="}"#),
        (
            r#"{"state":-1,"before":"STATE_OPENED"}"#,
            r#"{"state":"STATE_LOST","before":"STATE_OPEN"}"#,
        ),
        (
            r#"{"at":"2026-01-31T10:30:00.5+01:00"}"#,
            r#"{"at":"2026-01-31T09:30:00.500Z"}"#,
        ),
        (
            r#"{"at":"2024-02-29T23:59:59-23:59"}"#,
            r#"{"at":"2024-03-01T23:58:59Z"}"#,
        ),
        (
            r#"{"is_open":true,"by_name":{"a":1}}"#,
            r#"{"isOpen":true,"byName":{"a":"1"}}"#,
        ),
        (
            r#"{"small":null,"note":null,"words":null,"byName":null,"card":null,"at":null}"#,
            "{}",
        ),
        (
            r#"{"small":0,"large":"0","price":0.0,"isOpen":false,"data":"","state":0,"words":[]}"#,
            "{}",
        ),
        (r#"{"null":"NULL_VALUE","future":{"deep":[1]}}"#, "{}"),
    ] {
        assert_eq!(again(text), canonical);
    }
}

#[test]
fn messages_can_be_read_from_values() {
    let text = r#"{"large":"7","ratio":0.1,"price":1e300,"value":[4.4,{"a":-2.5}],"words":[{"text":"a"}]}"#;
    let value: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    let order: Order = serde_json::from_value(value.clone()).expect("it is an order");
    let expected: Order = json::from_str(text).expect("it is an order");
    assert_eq!(order, expected);
    assert_eq!(order.value, Some(value["value"].clone()));
    let large = json!({ "price": 1e25 });
    let order: Order = serde_json::from_value(large).expect("it is an order");
    assert_eq!(order.price, 1e25);
}

#[test]
fn unknown_values_of_enums_survive() {
    for text in [
        r#"{"state":"STATE_SOLD","before":7}"#,
        r#"{"state":-2147483648}"#,
    ] {
        assert_eq!(again(text), text);
    }
    assert_eq!("STATE_OPENED".parse::<State>(), Ok(State::Open));
    let sold = State::from("STATE_SOLD");
    assert_eq!(format!("{sold:?}"), r#"Unknown("STATE_SOLD")"#);
    assert_eq!(format!("{:?}", State::from(7)), "Unknown(7)");
    assert_eq!(
        (sold.name(), sold.number(), sold.to_string().as_str()),
        (Some("STATE_SOLD"), None, "STATE_SOLD")
    );
    assert_eq!(
        (State::from(1), State::from("STATE_OPENED"), State::OPENED),
        (State::Open, State::Open, State::Open)
    );
    assert_eq!(
        (State::from(7).number(), State::Lost.number()),
        (Some(7), Some(-1))
    );
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    for (text, problem) in [
        (
            r#"{"small":2147483648}"#,
            "Order.small: 2147483648 is out of the range of int32",
        ),
        (
            r#"{"count":-1}"#,
            "Order.count: -1 is out of the range of uint32",
        ),
        (
            r#"{"large":9223372036854775808}"#,
            "Order.large: 9223372036854775808 is out of the range of int64",
        ),
        (
            r#"{"small":1.5}"#,
            "Order.small: expected int32, got number 1.5",
        ),
        (
            r#"{"large":" 1"}"#,
            r#"Order.large: expected int64, got string " 1""#,
        ),
        (
            r#"{"large":"9007199254740993.0"}"#,
            r#"Order.large: expected int64, got string "9007199254740993.0""#,
        ),
        (
            r#"{"large":9007199254740993.0}"#,
            "Order.large: expected int64, got number 9007199254740992.0",
        ),
        (
            r#"{"large":"01"}"#,
            r#"Order.large: expected int64, got string "01""#,
        ),
        (
            r#"{"ratio":3.5e38}"#,
            "Order.ratio: 3.5e38 is out of the range of float",
        ),
        (
            r#"{"price":"inf"}"#,
            r#"Order.price: expected double, got string "inf""#,
        ),
        (
            r#"{"isOpen":"true"}"#,
            r#"Order.isOpen: expected bool, got string "true""#,
        ),
        (
            r#"{"data":"a*"}"#,
            r#"Order.data: expected base64, got string "a*""#,
        ),
        (
            r#"{"state":""}"#,
            r#"Order.state: expected State, got string """#,
        ),
        (
            r#"{"state":1.5}"#,
            "Order.state: expected State, got number 1.5",
        ),
        (
            r#"{"at":"2026-02-30T00:00:00Z"}"#,
            r#"Order.at: expected an RFC 3339 time, got string "2026-02-30T00:00:00Z""#,
        ),
        (
            r#"{"at":"0001-01-01T00:00:00+00:01"}"#,
            "Order.at: the timestamp is outside the years 1 to 9999",
        ),
        (
            r#"{"at":"2026-01-31t00:00:00Z"}"#,
            r#"Order.at: expected an RFC 3339 time, got string "2026-01-31t00:00:00Z""#,
        ),
        (
            r#"{"at":"2026-01-31T00:00:00z"}"#,
            r#"Order.at: expected an RFC 3339 time, got string "2026-01-31T00:00:00z""#,
        ),
        (
            r#"{"small":1,"small":1}"#,
            "Order.small: the field is given twice",
        ),
        (
            r#"{"isOpen":null,"is_open":true}"#,
            "Order.is_open: the field is given twice",
        ),
        (
            r#"{"card":"a","card":"a"}"#,
            "Order.card: the field is given twice",
        ),
        (
            r#"{"words":[{"text":"a","text":"b"}]}"#,
            "Order.words.0.text: the field is given twice",
        ),
        (
            r#"{"byNumber":{"1":{},"1.0":{}}}"#,
            "Order.byNumber.1.0: the key is given twice",
        ),
        (
            r#"{"span":"315576000001s"}"#,
            "Order.span: the duration exceeds 10,000 years or its parts have different signs",
        ),
        (
            r#"{"span":"1"}"#,
            r#"Order.span: expected a duration such as "1.5s", got string "1""#,
        ),
        (
            r#"{"mask":"a_b"}"#,
            r#"Order.mask: expected a field mask, got string "a_b""#,
        ),
        (
            r#"{"words":[{},{"offset":true}]}"#,
            "Order.words.1.offset: expected int64, got bool true",
        ),
        (
            r#"{"words":[null]}"#,
            "Order.words.0: expected an object, got null",
        ),
        (
            r#"{"byNumber":{"x":{}}}"#,
            r#"Order.byNumber.x: expected uint64, got string "x""#,
        ),
        (
            r#"{"byTruth":{"yes":""}}"#,
            r#"Order.byTruth.yes: expected bool, got string "yes""#,
        ),
        (
            r#"{"card":"a","goods":{}}"#,
            "Order.goods: more than one field of type is set",
        ),
        ("[]", "Order: expected an object, got an array"),
    ] {
        assert_eq!(refused(text), problem);
    }
    assert!(refused("{").starts_with("not JSON: "), "{}", refused("{"));
}

#[test]
fn what_json_cannot_carry_is_refused_with_its_place() {
    let late = types::Timestamp::new(i64::MAX, 0);
    let inner = Order {
        at: Some(late),
        ..Order::default()
    };
    let order = Order {
        parent: Some(Box::new(inner)),
        ..Order::default()
    };
    let error = json::to_string(&order).expect_err("the year is far");
    assert_eq!(error.kind(), ErrorKind::Message);
    assert_eq!(
        error.to_string(),
        "Order.parent.at: the timestamp is outside the years 1 to 9999"
    );
    let order = Order {
        mask: Some(types::FieldMask::new(["a__b"])),
        ..Order::default()
    };
    let error = json::to_string(&order).expect_err("the path has no camel case");
    assert_eq!(
        error.to_string(),
        r#"Order.mask: the path "a__b" cannot be converted to camel case"#
    );
}

#[test]
fn serde_takes_messages_in_the_same_form() {
    let word = Word {
        text: "ship".to_owned(),
        offset: 3,
    };
    let order = Order {
        r#type: Some(OrderType::Goods(Box::new(word))),
        ..Order::default()
    };
    let value = serde_json::to_value(&order).expect("it is JSON");
    assert_eq!(value, json!({ "goods": { "text": "ship", "offset": "3" } }));
    assert_eq!(
        serde_json::from_value::<Order>(value).expect("it fits"),
        order
    );
    let error = serde_json::from_value::<Vec<State>>(json!([true])).expect_err("it is no name");
    assert_eq!(error.to_string(), "State: expected State, got bool true");
}

#[test]
fn aliases_are_equal_and_written_by_the_first_name() {
    assert_eq!(State::from("STATE_OPENED"), State::Open);
    assert_eq!(State::OPENED, State::from(1));
    assert_eq!(
        again(r#"{"state":"STATE_OPENED"}"#),
        r#"{"state":"STATE_OPEN"}"#
    );
}

#[test]
fn times_are_printed_and_parsed() {
    let moment = types::Timestamp::new(1_769_851_800, 120_000_000);
    assert_eq!(moment.to_string(), "2026-01-31T09:30:00.120Z");
    assert_eq!("2026-01-31T10:30:00.12+01:00".parse().ok(), Some(moment));
    let span = types::Duration::new(-1, -500_000_000);
    assert_eq!(span.to_string(), "-1.500s");
    assert_eq!("-1.5s".parse().ok(), Some(span));
    let error = "now"
        .parse::<types::Timestamp>()
        .expect_err("it is no time");
    assert_eq!(error.kind(), ErrorKind::Message);
    assert_eq!(
        error.to_string(),
        r#"expected an RFC 3339 time, got string "now""#
    );
    let error = "5"
        .parse::<types::Duration>()
        .expect_err("the unit is missing");
    assert_eq!(error.kind(), ErrorKind::Message);
    let error = "10000-01-01T00:00:00Z".parse::<types::Timestamp>();
    assert!(error.is_err());
}

#[test]
fn new_times_are_normalized() {
    let moment = types::Timestamp::new(5, 2_000_000_001);
    assert_eq!((moment.seconds, moment.nanos), (7, 1));
    let moment = types::Timestamp::new(i64::MAX, u32::MAX);
    assert_eq!((moment.seconds, moment.nanos), (i64::MAX, 294_967_295));
    for ((seconds, nanos), expected) in [
        ((5, 2_000_000_001), (7, 1)),
        ((0, -1_500_000_000), (-1, -500_000_000)),
        ((1, -1), (0, 999_999_999)),
        ((-1, 1), (0, -999_999_999)),
        ((1, -1_500_000_000), (0, -500_000_000)),
        ((-2, 1_500_000_000), (0, -500_000_000)),
        ((i64::MIN, -1_000_000_000), (i64::MIN, 0)),
        ((i64::MAX, 1_000_000_001), (i64::MAX, 1)),
    ] {
        let span = types::Duration::new(seconds, nanos);
        assert_eq!((span.seconds, span.nanos), expected);
    }
}

#[cfg(feature = "chrono")]
#[test]
fn times_convert_to_those_of_chrono() {
    use chrono::{DateTime, FixedOffset, TimeDelta, Utc};

    let moment = types::Timestamp::new(-2, 500_000_000);
    let theirs = DateTime::<Utc>::try_from(moment).expect("it is in range");
    assert_eq!(theirs.timestamp_millis(), -1_500);
    assert_eq!(types::Timestamp::from(theirs), moment);
    let zone = FixedOffset::east_opt(3_600).expect("it is an offset");
    assert_eq!(types::Timestamp::from(theirs.with_timezone(&zone)), moment);
    let leap = DateTime::from_timestamp(59, 1_500_000_000).expect("it is a leap second");
    assert_eq!(
        types::Timestamp::from(leap),
        types::Timestamp::new(60, 500_000_000)
    );
    let late = types::Timestamp::new(i64::MAX, 0);
    DateTime::<Utc>::try_from(late).expect_err("it is out of range");
    for span in longest_spans() {
        let theirs = TimeDelta::try_from(span).expect("it is in range");
        assert_eq!(types::Duration::from(theirs), span);
    }
    let long = types::Duration::new(i64::MAX, 0);
    TimeDelta::try_from(long).expect_err("it is out of range");
}

#[cfg(feature = "jiff")]
#[test]
fn times_convert_to_those_of_jiff() {
    use jiff::{SignedDuration, Timestamp};

    let moment = types::Timestamp::new(-2, 500_000_000);
    let theirs = Timestamp::try_from(moment).expect("it is in range");
    assert_eq!(theirs.as_millisecond(), -1_500);
    assert_eq!(types::Timestamp::from(theirs), moment);
    assert!(Timestamp::try_from(types::Timestamp::new(i64::MAX, 0)).is_err());
    let malformed = types::Timestamp {
        seconds: 0,
        nanos: u32::MAX,
    };
    assert!(Timestamp::try_from(malformed).is_err());
    for span in longest_spans() {
        assert_eq!(types::Duration::from(SignedDuration::from(span)), span);
    }
}

#[cfg(any(feature = "chrono", feature = "jiff"))]
fn longest_spans() -> [types::Duration; 4] {
    [
        types::Duration::new(315_576_000_000, 999_999_999),
        types::Duration::new(-315_576_000_000, -999_999_999),
        types::Duration::new(0, -1),
        types::Duration::new(1, 500_000_000),
    ]
}

#[test]
fn times_convert_to_those_of_the_standard_of_the_standard_library() {
    let before = UNIX_EPOCH - Duration::from_millis(1_500);
    let moment = types::Timestamp::from(before);
    assert_eq!(moment, types::Timestamp::new(-2, 500_000_000));
    assert_eq!(SystemTime::try_from(moment).ok(), Some(before));
    let beyond = types::Timestamp {
        seconds: i64::MAX,
        nanos: u32::MAX,
    };
    SystemTime::try_from(beyond).expect_err("it is out of range");
    let span = types::Duration::from(Duration::from_millis(1_500));
    assert_eq!(span, types::Duration::new(1, 500_000_000));
    let converted = Duration::try_from(span).ok();
    assert_eq!(converted, Some(Duration::from_millis(1_500)));
}

#[test]
fn times_that_do_not_fit_are_errors_of_the_crate() {
    let convert = |span: types::Duration| -> Result<f64, Error> {
        let span: Duration = span.try_into()?;
        Ok(span.as_secs_f64())
    };
    let error = convert(types::Duration::new(-1, 0)).expect_err("it is negative");
    assert_eq!(error.kind(), ErrorKind::Message);
    let shown = "Duration { seconds: -1, nanos: 0 } is out of range";
    assert_eq!(error.to_string(), shown);
}
