//! Canonical JSON, held to RFC 8785 by another implementation of it.

use proptest::prelude::*;

use super::*;
use crate::event::limits::JSON_DEPTH_MAX;

fn canonical(text: &str) -> Result<String, EventError> {
    Json::canonical("test", text).map(|json| json.0)
}

#[test]
fn a_text_has_one_canonical_form() {
    for (text, expected) in [
        (" null ", "null"),
        ("{ }", "{}"),
        ("[ ]", "[]"),
        ("[1 , 2,\t3]", "[1,2,3]"),
        (r#"{"b":1,"a":{"d":[],"c":{}}}"#, r#"{"a":{"c":{},"d":[]},"b":1}"#),
        // The last of equal names wins.
        (r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
        (r#"{"a":1,"\u0061":2}"#, r#"{"a":2}"#),
        // RFC 8785, 3.2.3: by UTF-16 code units.
        (
            "{\"\u{20ac}\":1,\"\\r\":2,\"\u{fb33}\":3,\"1\":4,\"\u{1f600}\":5,\"\u{80}\":6,\"\u{f6}\":7}",
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}",
        ),
        // RFC 8785, 3.2.2.2: the fewest escapes.
        (
            r#""\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/""#,
            "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"",
        ),
        // A pair of surrogates is one character; a lone one is none.
        (r#""\ud83d\ude00""#, "\"\u{1f600}\""),
        (r#""\ud83d""#, "\"\u{fffd}\""),
        (r#""\ud83dA\ude00""#, "\"\u{fffd}A\u{fffd}\""),
        (r#""\ud83d\ud83d\ude00""#, "\"\u{fffd}\u{1f600}\""),
    ] {
        assert_eq!(canonical(text).unwrap(), expected, "{text}");
        assert_eq!(canonical(expected).unwrap(), expected, "twice is once: {expected}");
    }
}

#[test]
fn numbers_are_ecmascripts_or_their_own() {
    for (number, expected) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("1.0", "1"),
        ("1.50", "1.5"),
        ("1e3", "1000"),
        ("1E+2", "100"),
        ("1e21", "1e+21"),
        ("1e-7", "1e-7"),
        ("0.000001", "0.000001"),
        ("333333333.33333329", "333333333.3333333"),
        ("4.50", "4.5"),
        ("2e-3", "0.002"),
        ("5e-324", "5e-324"),
        ("9007199254740992", "9007199254740992"),
        // Beyond 2^53 an integer is an id, not a double.
        ("9007199254740993", "9007199254740993"),
        ("-12345678901234567890", "-12345678901234567890"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        // Beyond a double nothing is lost either.
        ("1e400", "1e400"),
        ("-1.5e999", "-1.5e999"),
    ] {
        assert_eq!(canonical(number).unwrap(), expected, "{number}");
        assert_eq!(canonical(expected).unwrap(), expected, "twice is once: {expected}");
    }
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    for (text, line, column) in [
        ("", 1, 1),
        ("{", 1, 2),
        ("{\"a\":1,}", 1, 8),
        ("{\"a\" 1}", 1, 6),
        ("[1 2]", 1, 4),
        ("[1,\n 2,\n x]", 3, 2),
        ("01", 1, 1),
        ("1.", 1, 1),
        ("-", 1, 1),
        ("+1", 1, 1),
        ("1e", 1, 1),
        ("tru", 1, 1),
        ("null null", 1, 6),
        ("\"a\u{1}\"", 1, 3),
        ("\"\\x\"", 1, 2),
        ("\"\\u12g4\"", 1, 2),
        ("\"abc", 1, 5),
        ("NaN", 1, 1),
    ] {
        match canonical(text) {
            Err(EventError::NotJson { field: "test", line: l, column: c, .. }) => {
                assert_eq!((l, c), (line, column), "{text}");
            }
            other => panic!("{text:?} gave {other:?}"),
        }
    }
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    assert!(canonical(&nested(JSON_DEPTH_MAX)).is_ok());
    assert!(matches!(canonical(&nested(JSON_DEPTH_MAX + 1)), Err(EventError::JsonTooDeep { .. })));
    let deep = "{\"a\":".repeat(1_000_000);
    assert!(canonical(&deep).is_err());
    let large = format!("\"{}\"", "x".repeat(JSON_BYTES_MAX));
    assert!(matches!(canonical(&large), Err(EventError::JsonTooLarge { .. })));
}

#[test]
fn a_rewriting_pass_sees_names_and_values_with_their_member() {
    let mut seen = Vec::new();
    let out = rewrite("test", r#"{"b":["x",{"c":"y"}],"a":1,"d":"z"}"#, &mut |place, text| {
        match place {
            Place::Name => seen.push(format!("name {text}")),
            Place::Value { name } => seen.push(format!("{name:?} {text}")),
        }
        text.make_ascii_uppercase();
    });
    assert_eq!(out.unwrap(), r#"{"A":1,"B":["X",{"C":"Y"}],"D":"Z"}"#);
    assert_eq!(
        seen,
        ["name b", "Some(\"b\") x", "name c", "Some(\"c\") y", "name a", "name d", "Some(\"d\") z"]
    );
}

/// JSON whose integers a double holds, so that RFC 8785 leaves nothing to us.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        (-(1_i64 << 53)..(1_i64 << 53)).prop_map(Into::into),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Into::into),
        ".{0,12}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::btree_map(".{0,6}", inner, 0..8)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_comes_out_as_serde_json_canonicalizer_writes_it(value in json()) {
        let expected = serde_json_canonicalizer::to_string(&value).unwrap();
        prop_assert_eq!(canonical(&value.to_string()).unwrap(), expected.clone());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(canonical(&pretty).unwrap(), expected);
    }

    #[test]
    fn any_text_is_canonical_json_or_an_error(text in "[\\[\\]{}\",:0-9eE.+\\-a\\\\ut \\n]{0,64}") {
        match (canonical(&text), serde_json::from_str::<serde_json::Value>(&text)) {
            (Ok(out), _) => prop_assert_eq!(canonical(&out).unwrap(), out),
            // serde_json refuses what is beyond a double, and so nothing we refuse.
            (Err(_), parsed) => prop_assert!(parsed.is_err(), "refused {}", text),
        }
    }
}
