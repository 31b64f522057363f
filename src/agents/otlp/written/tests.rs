//! Both encodings say the same.

use serde_json::{Value as Json, json};

use super::span::{CLIENT, Span, Value};
use super::*;
use crate::agents::otlp::protobuf::resource_spans;

#[test]
fn the_protobuf_says_what_the_json_says() {
    let origin = Origin { journal: [7; 16], machine: "m".to_owned() };
    let mut span = Span::at([1; 16], [2; 8], "execute_tool sh".to_owned(), 1_767_225_600_000);
    (span.kind, span.parent, span.error) = (CLIENT, Some([3; 8]), Some("no: \u{1b}".to_owned()));
    span.end_ms += 5;
    span.text(names::TOOL, "sh");
    span.count(names::INPUT_TOKENS, Some(u64::MAX));
    span.attributes.push((names::EXIT_CODE, Value::Int(-1)));
    span.attributes.push(("flag", Value::Flag(true)));
    span.attributes.push((names::PATHS, Value::Texts(vec!["a".to_owned(), String::new()])));
    span.attributes.push(("none", Value::Texts(Vec::new())));
    let spans = [span.clone(), Span { parent: None, error: None, ..span }];
    let told: Json = serde_json::from_str(&json::request(&origin, &spans)).unwrap();
    let mut told = told["resourceSpans"][0]["scopeSpans"][0]["spans"].clone();
    // What nobody reads of the protobuf.
    for span in told.as_array_mut().unwrap() {
        let span = span.as_object_mut().unwrap();
        span.remove("name");
        span.remove("kind");
    }
    let message = protobuf::request(&origin, &spans);
    // One field, `resource_spans`, behind its tag and a length of two bytes.
    let read = resource_spans(&message[3..]).unwrap();
    assert_eq!(read, json!({ "scopeSpans": [{ "spans": told }] }));
}

#[test]
fn ids_are_of_what_they_name_alone() {
    let session = SessionId([1; 16]);
    assert_eq!(span::trace_of(session), span::trace_of(SessionId([1; 16])));
    assert_ne!(span::trace_of(session)[..8], span::session_span(session));
    assert_ne!(span::trace_of(session), span::trace_beside(&[1; 16]));
}
