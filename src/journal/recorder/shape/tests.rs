//! Sizes: what is cut, and that what is cut still fits.

use super::*;
use crate::event::{
    Change, Envelope, ExecutionFinished, ExecutionId, Outcome, PromptSubmitted, Source, encode,
};

fn event(body: Body) -> Event {
    Event { envelope: Envelope::new(None, Source::Import, 1), body }
}

fn finished(change: impl FnOnce(&mut Closing)) -> Event {
    let mut closing = Closing {
        outcome: Outcome::Failed,
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    };
    change(&mut closing);
    let (execution, tool) = (ExecutionId([0; 16]), "bash_exec".into());
    event(Body::ExecutionFinished(ExecutionFinished { execution, tool, closing }))
}

#[test]
fn every_size_has_a_limit_and_what_is_cut_fits() {
    let long = || "é".repeat(1 << 20);
    let change = || Change { path: long(), created: false };
    for (name, mut event, cuts) in [
        ("nothing", finished(|_| ()), 0),
        ("error", finished(|c| c.error = Some(long())), 1),
        ("paths", finished(|c| c.paths = vec!["p".into(); LIST_LEN_MAX + 1]), 1),
        ("long paths", finished(|c| c.paths = vec![long(), long()]), 2),
        ("changes", finished(|c| c.changed = vec![change(), change()]), 2),
        (
            "all of it",
            finished(|c| {
                c.paths = vec!["p".repeat(2_000); LIST_LEN_MAX];
                c.symbols = vec!["s".repeat(2_000); LIST_LEN_MAX];
            }),
            2,
        ),
    ] {
        assert_eq!(shape(&mut event, RecordMode::Import).unwrap(), cuts, "{name}");
        let mut bytes = Vec::new();
        encode(&event, &mut bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes.len() <= PAYLOAD_BYTES_MAX);
    }
}

#[test]
fn a_prompt_is_cut_like_any_content() {
    let text = Content::Inline(vec![b'x'; CONTENT_BYTES_MAX + 7]);
    let prompt = PromptSubmitted { text, native_id: None, actor: None, attachments: Vec::new() };
    let mut event = event(Body::PromptSubmitted(prompt));
    assert_eq!(shape(&mut event, RecordMode::Live).unwrap(), 1);
    let Body::PromptSubmitted(prompt) = event.body else { panic!() };
    let Content::Truncated { head, tail, len } = prompt.text else { panic!() };
    assert_eq!((head.len(), tail.len(), len), (END_BYTES, END_BYTES, CONTENT_BYTES_MAX as u64 + 7));
}

#[test]
fn ends_that_are_too_long_are_cut_to_their_own_ends() {
    let head = [vec![b'h'; END_BYTES], vec![b'x'; 1 << 20]].concat();
    let tail = [vec![b'x'; 1 << 20], vec![b't'; END_BYTES]].concat();
    let mut event = finished(|c| c.stdout = Some(Content::Truncated { head, tail, len: 1 << 40 }));
    assert_eq!(shape(&mut event, RecordMode::Live).unwrap(), 1);
    let Body::ExecutionFinished(finished) = event.body else { panic!() };
    let kept = Content::Truncated {
        head: vec![b'h'; END_BYTES],
        tail: vec![b't'; END_BYTES],
        len: 1 << 40,
    };
    assert_eq!(finished.closing.stdout, Some(kept));
}
