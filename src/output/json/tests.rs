//! Documents against those of serde_json.

use super::{Layout, text};

#[test]
fn both_layouts_are_those_of_serde_json_and_a_raw_value_stays_as_it_is() {
    let raw = serde_json::value::RawValue::from_string("{ \"as\":  1}".to_owned()).expect("JSON");
    let nested = serde_json::json!({ "none": null, "empty": [{}, []], "list": [1, "zwei\n", 3.5] });
    let value = (nested, raw, Some("ü"));
    let line = text(&value, Layout::Line).expect("a document");
    assert_eq!(line, serde_json::to_string(&value).expect("a document"));
    let indented = text(&value, Layout::Indented).expect("a document");
    assert_eq!(indented, serde_json::to_string_pretty(&value).expect("a document"));
    assert!(indented.contains("{ \"as\":  1}"), "{indented}");
}
