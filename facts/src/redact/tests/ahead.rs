//! Texts that are looked through before they are redacted.

use super::*;

/// A prompt and a call, each with this text.
fn events(text: &str) -> [crate::event::Event; 2] {
    let prompt = PromptSubmitted {
        text: Content::Inline(text.as_bytes().to_vec()),
        native_id: None,
        actor: None,
        attachments: Vec::new(),
    };
    let call = ExecutionStarted {
        execution: ExecutionId([1; 16]),
        tool: "bash_exec".into(),
        arguments: Json(serde_json::json!({ "command": text }).to_string()),
        ..ExecutionStarted::default()
    };
    [Body::PromptSubmitted(prompt), Body::ExecutionStarted(call)]
        .map(|body| crate::event::Event { envelope: Envelope::new(None, Source::Import, 1), body })
}

#[test]
fn what_was_looked_through_ahead_is_redacted_as_if_it_had_not_been() {
    let plain = "one line of many in which nothing is to be found\n".repeat(20);
    let secret = format!("{plain}x ghp_{} y\n{plain}", random(WORD, 36));
    let escaped = format!("{plain}\u{1}{plain}");
    let patterned = format!("{plain}ticket-4711");
    for redactor in [redactor(), own("ticket", "ticket-[0-9]+").unwrap()] {
        for text in [&plain, &secret, &escaped, &patterned] {
            let expected = events(text).map(|mut event| (redactor.redact(&mut event), event));
            for _ in 0..2 {
                let json = serde_json::json!({ "command": text }).to_string();
                redactor.look_ahead(text.as_bytes());
                redactor.look_ahead_json(&json);
                let redacted = events(text).map(|mut event| (redactor.redact(&mut event), event));
                assert_eq!(redacted, expected, "{text}");
            }
        }
    }
}

#[test]
fn a_text_that_holds_nothing_is_looked_through_once() {
    use crate::redact::ahead::Kind;
    let redactor = redactor();
    let text = "nothing of note ".repeat(40);
    redactor.look_ahead(text.as_bytes());
    assert!(!redactor.clean.takes(Kind::Json, text.as_bytes()));
    assert!(redactor.clean.takes(Kind::Plain, text.as_bytes()));
    assert!(!redactor.clean.takes(Kind::Plain, text.as_bytes()));
    for number in 0..10_000 {
        redactor.look_ahead(format!("{text}{number}").as_bytes());
    }
    assert!(!redactor.clean.takes(Kind::Plain, format!("{text}0").as_bytes()));
}
