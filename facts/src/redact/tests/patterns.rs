//! What a user's pattern leaves in a text: one marker a place, and no marker within another.

use super::own;
use crate::event::{Body, Content, Envelope, Event, PromptSubmitted, Source};

#[test]
fn no_pattern_takes_the_name_of_a_rule_out_of_a_marker() {
    let redactor = own("x", "[A-Za-z0-9_]").unwrap();
    for (text, clean) in [
        ("word, 4711!", "[REDACTED:x], [REDACTED:x]!"),
        ("[REDACTED:x]", "[REDACTED:x]"),
        (
            "[REDACTED:github-token] [REDACTED:environment]",
            "[REDACTED:github-token] [REDACTED:environment]",
        ),
        // What no rule is called stands in no marker.
        ("[REDACTED:4711]", "[[REDACTED:x]:[REDACTED:x]]"),
    ] {
        assert_eq!(redactor.redact_text(text), clean, "{text}");
        assert_eq!(redactor.redact_text(clean), clean, "twice is once");
    }
    let across = own("y", "a.*b").unwrap();
    assert_eq!(across.redact_text("a [REDACTED:y] b"), "[REDACTED:y]");
    let cut = own("y", "y. b").unwrap();
    assert_eq!(cut.redact_text("a [REDACTED:y] b"), "a [REDACTED:y]");
}

#[test]
fn a_text_that_costs_too_much_goes_whole_and_the_next_one_does_not() {
    let redactor = own("x", "[a-z]").unwrap();
    let many = "a,".repeat(100_000);
    assert_eq!(redactor.redact_text(&many), "[REDACTED:x]");
    let found = redactor.find(many.as_bytes());
    assert_eq!((found.len(), found[0].range.clone(), found[0].rule), (1, 0..many.len(), "x"));
    let text = Content::Inline(many.into_bytes());
    let prompt = PromptSubmitted {
        text,
        native_id: Some("a,b".into()),
        actor: None,
        attachments: Vec::new(),
    };
    let envelope = Envelope::new(None, Source::Live, 1);
    let mut event = Event { envelope, body: Body::PromptSubmitted(prompt) };
    redactor.redact(&mut event);
    let counts = event.envelope.redactions.iter().map(|it| (it.rule.as_str(), it.count));
    assert_eq!(counts.collect::<Vec<_>>(), [("whole-text", 1), ("x", 1)]);
    let Body::PromptSubmitted(prompt) = event.body else { unreachable!() };
    assert_eq!(prompt.text, Content::Inline(b"[REDACTED:x]".to_vec()));
    assert_eq!(prompt.native_id.as_deref(), Some("a,b"), "an id is never shown");
    assert_eq!(redactor.redact_text("A a B"), "A [REDACTED:x] B");
}
