//! What events say.

use super::*;
use crate::agents::import::item::{Item, Part};
use crate::agents::import::transcript::Transcript;

#[test]
fn each_kind_of_event_is_told() {
    let lines = [
        r#"{"id":"e0","timestamp":"2026-01-02T03:04:05.000001","source":"user","kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"mend it"}]}}"#,
        r#"{"id":"e1","timestamp":"2026-01-02T03:04:06","source":"agent","kind":"ActionEvent","thought":[{"type":"text","text":"look"}],"llm_response_id":"r","tool_name":"file_editor","tool_call_id":"c1","tool_call":{"arguments":"{\"command\":\"str_replace\",\"path\":\"/w/a\"}"}}"#,
        r#"{"id":"e2","timestamp":"2026-01-02T03:04:06","source":"agent","kind":"ActionEvent","thought":[],"llm_response_id":"r","tool_name":"terminal","tool_call_id":"c2","action":{"command":"false"}}"#,
        r#"{"id":"e3","timestamp":"x","source":"environment","kind":"ObservationEvent","tool_call_id":"c1","observation":{"content":[{"text":"done"}],"is_error":false,"exit_code":null}}"#,
        r#"{"id":"e4","timestamp":"x","source":"environment","kind":"ObservationEvent","tool_call_id":"c2","observation":{"content":[],"is_error":false,"metadata":{"exit_code":1}}}"#,
        r#"{"id":"e5","timestamp":"x","source":"environment","kind":"ObservationEvent","tool_call_id":"c3","observation":{"content":"y","metadata":{"exit_code":-1}}}"#,
        r#"{"id":"e6","timestamp":"x","source":"agent","kind":"AgentErrorEvent","tool_call_id":"c4","error":"no such tool"}"#,
        r#"{"id":"e7","timestamp":"x","source":"user","kind":"UserRejectObservation","tool_call_id":"c5","rejection_reason":"no"}"#,
        r#"{"id":"e8","timestamp":"x","source":"environment","kind":"Condensation","summary":"short"}"#,
        r#"{"id":"e9","timestamp":"x","source":"environment","kind":"PauseEvent"}"#,
    ];
    let text = lines.join("\n");
    assert!((SOURCE.is_of)(&crate::agents::import::log_source::Beginning::of(text.as_bytes())));
    let mut told = Vec::new();
    for item in Transcript::new(text.as_bytes(), Box::<Events>::default()) {
        let Item::Record(record) = item.unwrap() else { panic!("not read") };
        assert_eq!((record.head.session.as_deref(), record.head.at_ms), (Some("e0"), None));
        told.extend(record.parts.iter().map(|part| match part {
            Part::Prompt(it) => format!("asked {}", it.text),
            Part::Said(it) => format!("said {} {:?}", it.text, it.id),
            Part::Call(it) => format!("{} {} {:?} {}", it.id, it.tool, it.paths, it.changes.len()),
            Part::Result(it) => {
                format!("{} {:?} {:?} {:?}", it.id, it.outcome, it.exit_code, it.error)
            }
            Part::Compacted(it) => format!("compacted {}", it.summary),
            Part::Title(it) => format!("title {}", it.text),
            Part::Unread(it) => format!("unread {it}"),
        }));
    }
    assert_eq!(
        told,
        [
            "asked mend it",
            "said look Some(\"r\")",
            "c1 file_edit [\"/w/a\"] 1",
            "c2 bash_exec [] 0",
            "c1 Ok None None",
            "c2 Failed Some(1) Some(\"Exit code 1\")",
            "c3 Ok None None",
            "c4 Failed None Some(\"no such tool\")",
            "c5 Refused None Some(\"no\")",
            "compacted short",
        ]
    );
}
