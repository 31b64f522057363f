//! Documents by the bytes that they are made of.

use super::members::Members;
use super::outline::Outline;
use crate::agents::import::Flaw;

/// Each member as `key[] bytes`, or why it could not be read.
fn members(text: &[u8]) -> Vec<String> {
    // A buffer of three bytes: every seam is met.
    let mut members = Members::new(std::io::BufReader::with_capacity(3, text), &["list"]);
    let mut found = Vec::new();
    while let Some(member) = members.next().unwrap() {
        found.push(match member {
            Ok(it) => {
                let bytes = String::from_utf8_lossy(it.bytes);
                let list = if it.is_element { "[]" } else { "" };
                format!("{}{list} {bytes}", it.key)
            }
            Err((_, flaw)) => format!("! {flaw}"),
        });
        assert!(found.len() < 100);
    }
    found
}

#[test]
fn members_and_elements_come_one_by_one() {
    let torn = format!("! {}", Flaw::Torn);
    let not_json = |at| format!("! {}", Flaw::NotJson { at });
    for (text, expect) in [
        ("", vec![]),
        ("  \n", vec![]),
        (r#"{}"#, vec![]),
        (r#"[]"#, vec![]),
        (
            r#"[1, {"a":[2]} ,"x]"]"#,
            vec!["[] 1".into(), r#"[] {"a":[2]}"#.into(), r#"[] "x]""#.into()],
        ),
        (
            "\u{feff}{\"a\" : {\"b\":\"}\\\"\"}, \"list\":[ {\"c\":1},[2] ], \"d\":null}\n",
            vec![
                r#"a {"b":"}\""}"#.into(),
                r#"list[] {"c":1}"#.into(),
                "list[] [2]".into(),
                "d null".into(),
            ],
        ),
        (r#"{"other":[1,2],"list":{}}"#, vec!["other [1,2]".into(), "list {}".into()]),
        (r#"{"list":[{"a":1},{"b":"#, vec![r#"list[] {"a":1}"#.into(), torn.clone()]),
        (r#"{"list":[1"#, vec!["list[] 1".into(), torn.clone()]),
        (r#"{"a""#, vec![torn.clone()]),
        (r#"{"a" 1}"#, vec![not_json(6)]),
        (r#"x"#, vec![not_json(1)]),
        (r#"{"a":1} {"b":2}"#, vec!["a 1".into(), "b 2".into()]),
        (r#"{"a":1}}"#, vec!["a 1".into(), not_json(8)]),
        (r#"[1,:{"a":2}]"#, vec!["[] 1".into(), not_json(4), r#"[] {"a":2}"#.into()]),
        ("[{\"a\":\0\0", vec![format!("! {}", Flaw::NulFilled { bytes: 2 })]),
    ] {
        assert_eq!(members(text.as_bytes()), expect, "{text}");
    }
}

#[test]
fn a_beginning_tells_the_keys() {
    let head = br#"{"a":"x","list":[{"b":{"c":1,"d":[{"e":"y"}]}},{"f":2}],"cut":"#;
    let outline = Outline::of(head);
    for key in ["a", "list", "list.b", "list.b.c", "list.b.d", "list.b.d.e", "list.f", "cut"] {
        assert!(outline.has(key), "{key}: {outline:?}");
    }
    assert!(!outline.is_list() && !outline.has("b") && !outline.has("x"));
    assert_eq!((outline.text("a"), outline.text("list.b.d.e")), (Some("x"), Some("y")));
    assert!(Outline::of(br#"[{"a":1}]"#).is_list());
    for none in [&b""[..], b"\0{", b"text {\"a\":1}", b"\"a\":1"] {
        assert!(!Outline::of(none).has("a"), "{none:?}");
    }
    Outline::of("[".repeat(60_000).as_bytes());
    Outline::of("{\"a\":".repeat(12_000).as_bytes());
}
