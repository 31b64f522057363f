//! What comes in as documents, and what is refused of it.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const CONTRACT: &str = include_str!("../../../tests/fixtures/spec/002-debug-memory.schema.yaml");

fn read(text: &str) -> Vec<Value> {
    read_documents("f", text.as_bytes()).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    match read_documents("f", bytes) {
        Err(DebugError::Unreadable { what, why }) if what == "f" => why,
        other => panic!("{:?}", other.map(|it| it.len())),
    }
}

#[test]
fn one_document_several_a_list_or_the_contracts_file() {
    let one = json!({"session_id": "a", "examples": [1]});
    let two = json!({"session_id": "b"});
    for (text, found) in [
        (one.to_string(), vec![one.clone()]),
        (format!("{one}\n{two}\n\n"), vec![one.clone(), two.clone()]),
        (format!("\u{feff}[{one},\n{two}]"), vec![one.clone(), two.clone()]),
        (format!("{{\"examples\":[{one}],\"$id\":\"x\"}}"), vec![one.clone()]),
        ("session_id: b".to_owned(), vec![two.clone()]),
        ("---\nsession_id: b\n---\nsession_id: b\n".to_owned(), vec![two.clone(), two.clone()]),
        ("- {session_id: b}\n- session_id: 'b'\n".to_owned(), vec![two.clone(), two.clone()]),
        ("{session_id: b, # flow\n}".to_owned(), vec![two.clone()]),
        ("examples:\n  - session_id: b".to_owned(), vec![two]),
    ] {
        assert_eq!(read(&text), found, "{text}");
    }
}

#[test]
fn the_contracts_own_example_is_read_and_valid() {
    let documents = read(CONTRACT);
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0]["executions"][0]["failures"][0]["test_line"], 42);
    let checked = validate("f", CONTRACT.as_bytes(), false).unwrap();
    assert_eq!(checked[0].session_id.as_deref(), Some("dm-001-example"));
    assert!(checked[0].is_valid() && checked[0].unnamed.is_empty(), "{checked:?}");
    let strict = validate("f", CONTRACT.as_bytes(), true).unwrap();
    let faults: Vec<_> = strict[0].faults.iter().map(|it| it.at.as_str()).collect();
    assert_eq!(faults, ["/session_id"]);
}

#[test]
fn what_is_no_document_is_refused() {
    for bad in ["", "  \n", "{", "[1,", "{\"a\":1} x", "a: [", "\"unended", "- a\nb: c", "null"] {
        assert!(!refused(bad.as_bytes()).is_empty(), "{bad:?}");
    }
    assert_eq!(refused(b"\xff\xfe\x00"), "it is no UTF-8");
    for (what, text, told) in [
        ("f", r#"{"a": 1, "a": 2}"#, "it is no JSON: the member \"a\" is there twice"),
        ("f.yaml", "{a: 1, a: 2", "it is no YAML"),
        ("f.YML", "[1,", "it is no YAML"),
        ("f", "[1,", "it is no JSON"),
    ] {
        match read_documents(what, text.as_bytes()) {
            Err(DebugError::Unreadable { why, .. }) => assert!(why.starts_with(told), "{why}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    let large = vec![b' '; 1 + (16 << 20)];
    assert!(refused(&large).contains("bytes"));
    assert!(refused("{}".repeat(1_001).as_bytes()).contains("1001 documents"));
}

#[test]
fn no_bomb_goes_off() {
    // Nested deeper than anything that is meant.
    for open in ["[", "{\"a\":", "- ", "? "] {
        refused(open.repeat(100_000).as_bytes());
    }
    // A billion laughs.
    let mut laughs = "a0: &a0 [\"ha\",\"ha\",\"ha\"]\n".to_owned();
    for level in 1..12 {
        let before = level - 1;
        let nine = vec![format!("*a{before}"); 9].join(",");
        laughs.push_str(&format!("a{level}: &a{level} [{nine}]\n"));
    }
    let told = refused(laughs.as_bytes());
    assert!(told.contains("come to more than is taken") && told.len() < 120, "{told}");
    // One large text, often.
    let large = "x".repeat(1 << 20);
    let often = vec!["*a"; 900].join(",");
    refused(format!("a: &a {large}\nb: [{often}]\n").as_bytes());
    // Itself.
    refused(b"a: &a [*a]\n");
    // Merged upon merged.
    let mut merged = "m0: &m0 {a: 1, b: 2}\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        merged.push_str(&format!("m{level}: &m{level} {{<<: [*m{before}, *m{before}]}}\n"));
    }
    drop(read_documents("f", merged.as_bytes()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_stops_it(
        text in "(session_id|examples|a|- |: |\\{|\\}|\\[|\\]|,|\n|  |&x|\\*x|<<|!!int|'|\"|\\||>|#|---|1e9|\u{1}|ä){0,40}"
    ) {
        drop(read_documents("f", text.as_bytes()));
    }
}
