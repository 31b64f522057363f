//! What a span says.

use super::*;
use crate::agents::import::item::Part;

fn told(span: &str) -> Vec<String> {
    let text = format!(r#"{{"scopeSpans":[{{"spans":[{span}]}}]}}"#);
    let member =
        Member { number: 1, key: "resourceSpans", is_element: true, bytes: text.as_bytes() };
    let mut out = Vec::new();
    let mut traces = Traces::default();
    assert!(traces.member(&member, &mut out));
    traces.end(&mut out);
    let part = |record: &TranscriptRecord| {
        let at = record.head.at_ms;
        record
            .parts
            .iter()
            .map(move |part| match part {
                Part::Call(it) => format!("{at:?} {} {} {}", it.id, it.tool, it.arguments),
                Part::Result(it) => {
                    format!("{at:?} {:?} {:?} {:?}", it.outcome, it.duration_ms, it.error)
                }
                Part::Said(it) => format!("{at:?} said {} {:?}", it.text, it.usage.output),
                Part::Prompt(it) => format!("{at:?} asked {}", it.text),
                other => format!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    out.iter().flat_map(part).collect()
}

#[test]
fn spans_of_tools_are_calls_and_those_of_models_what_they_said() {
    let text = |key: &str, value: &str| {
        let value = serde_json::Value::from(value);
        format!(r#"{{"key":"{key}","value":{{"stringValue":{value}}}}}"#)
    };
    let span = |attributes: &[String], rest: &str| {
        format!(
            r#"{{"traceId":"t","spanId":"s","startTimeUnixNano":"1700000000000000000","endTimeUnixNano":1700000001500000000,"attributes":[{}]{rest}}}"#,
            attributes.join(",")
        )
    };
    let tool = text("gen_ai.operation.name", "execute_tool");
    let named = text("gen_ai.tool.name", "bash");
    let arguments = text("gen_ai.tool.call.arguments", r#"{"command":"ls"}"#);
    assert_eq!(
        told(&span(&[tool.clone(), named.clone(), arguments], "")),
        [
            "Some(1700000000000) s bash_exec {\"command\":\"ls\"}",
            "Some(1700000001500) Ok Some(1500) None"
        ]
    );
    let failed = [tool, named, text("error.type", "timeout")];
    assert_eq!(
        told(&span(&failed, r#","status":{"code":2,"message":"too long"}"#))[1],
        "Some(1700000001500) Failed Some(1500) Some(\"timeout: too long\")"
    );
    let asked = r#"[{"role":"user","parts":[{"type":"text","content":"mend"}]}]"#;
    let answer = r#"[{"role":"assistant","parts":[{"type":"text","content":"done"}]}]"#;
    let chat = [
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.input.messages", asked),
        text("gen_ai.output.messages", answer),
        r#"{"key":"gen_ai.usage.output_tokens","value":{"intValue":"7"}}"#.to_owned(),
    ];
    assert_eq!(
        told(&span(&chat, "")),
        ["Some(1700000000000) asked mend", "Some(1700000001500) said done Some(7)"]
    );
    assert!(told(&span(&[text("http.method", "GET")], "")).is_empty());
    assert_eq!(
        told(r#"{"traceId":1,"attributes":{}}, 5"#),
        [
            "Unread(\"a span without traceId or spanId\")",
            "Unread(\"a span, or a list of them, that is no object\")"
        ]
    );
}
