//! The fold: what it keeps of failures, calls and checks.

mod idle;

use std::collections::{BTreeSet, VecDeque};

use super::digests::CALLS_MAX;
use super::ordinals::{ROWS_MAX, Rows};
use super::{Grounding, GroundingRules, Hex};
use crate::event::target::{Target, arguments_digest};
use crate::event::{
    Body, CallKey, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionInterrupted, ExecutionStarted, GateBypassed, GateMode, GateRefused, GateRule, Json,
    Outcome, Recorded, Sequence, SessionId, Source, derived,
};

const ME: SessionId = SessionId([1; 16]);
const OTHER: SessionId = SessionId([2; 16]);

struct Folded {
    grounding: Grounding,
    sequence: u64,
}

fn id(number: u8) -> ExecutionId {
    ExecutionId::v7(1, &[number; 10])
}

fn call(number: u8) -> CallKey {
    CallKey { agent: "a".to_owned(), scope: None, call: format!("c{number}") }
}

fn closing(outcome: Outcome, stdout: &str) -> Closing {
    Closing {
        outcome,
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: Some(Content::Inline(stdout.as_bytes().to_vec())),
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    }
}

impl Folded {
    fn new() -> Self {
        Self { grounding: Grounding::new(ME), sequence: 0 }
    }

    fn take(&mut self, session: SessionId, body: Body) {
        self.sequence += 1;
        let envelope = Envelope::new(Some(session), Source::Live, 1_000 + self.sequence);
        let event = Event { envelope, body };
        let recorded = Recorded { sequence: Sequence(self.sequence), recorded_ms: 0, event };
        self.grounding.apply(&recorded, &GroundingRules::default());
        let again = self.grounding.clone();
        self.grounding.apply(&recorded, &GroundingRules::default());
        assert_eq!(self.grounding, again, "taken twice");
        let bytes = derived::encode(&again).unwrap();
        assert_eq!(derived::decode::<Grounding>(&bytes).as_ref(), Some(&again), "through a file");
        assert!(again.is_bounded(u64::MAX));
    }

    fn start(&mut self, session: SessionId, number: u8, tool: &str, arguments: &str) {
        self.take(
            session,
            Body::ExecutionStarted(ExecutionStarted {
                execution: id(number),
                tool: tool.to_owned(),
                native_tool: None,
                call: Some(call(number)),
                actor: None,
                parent: None,
                arguments: Json(arguments.to_owned()),
                paths: Vec::new(),
                symbols: Vec::new(),
                cwd: None,
                branch: None,
            }),
        );
    }

    fn end(&mut self, session: SessionId, number: u8, tool: &str, closing: Closing) {
        let (execution, tool) = (id(number), tool.to_owned());
        let finished = ExecutionFinished { execution, tool, closing };
        self.take(session, Body::ExecutionFinished(finished));
    }

    fn ran(&mut self, number: u8, arguments: &str, outcome: Outcome, stdout: &str) {
        self.start(ME, number, "lsp_check", arguments);
        self.end(ME, number, "lsp_check", closing(outcome, stdout));
    }
}

const ONE: &str = r#"{"command":"cargo test"}"#;
const SAME: &str = r#"{"command":"cd . && cargo test 2>&1 | tail -3"}"#;
const PASSED: &str =
    "running 1 test\ntest it ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
const TWO: &str = r#"{"command":"cargo build"}"#;

#[test]
fn a_failure_is_pending_until_the_same_succeeds_and_then_tells_what_helped() {
    let mut folded = Folded::new();
    let error = "error[E0308]: mismatched types\n --> src/foo.rs:42:5\n";
    folded.ran(1, ONE, Outcome::Failed, error);
    folded.ran(2, SAME, Outcome::Failed, error);
    folded.ran(3, ONE, Outcome::Failed, "error[E0425]: no\n --> src/foo.rs:1:1\n");
    folded.ran(4, TWO, Outcome::Failed, "");
    folded.start(ME, 5, "file_write", r#"{"path":"src/foo.rs"}"#);
    folded.end(ME, 5, "file_write", closing(Outcome::Ok, ""));
    let key = Target::of(ONE, &[], &[]).unwrap().key();
    let pending = folded.grounding.pending_of("lsp_check", key).unwrap();
    assert_eq!((pending.failures, pending.same, pending.edits), (3, 1, 1));
    assert_eq!(pending.executions, [Some(1), Some(2), Some(3)]);
    assert_eq!(pending.last.error.as_deref(), Some("error[E0425] src/foo.rs:1: no"));
    assert!(!pending.is_loop());
    assert_eq!(folded.grounding.pending.len(), 2);
    assert!(folded.grounding.resolution_of("lsp_check", key).is_none());
    // Behind a pipe that shows nothing it may have failed.
    folded.ran(6, SAME, Outcome::Ok, "");
    assert!(folded.grounding.pending_of("lsp_check", key).is_some());
    folded.ran(11, SAME, Outcome::Ok, PASSED);
    assert!(folded.grounding.pending_of("lsp_check", key).is_none());
    let resolution = folded.grounding.resolution_of("lsp_check", key).unwrap();
    assert_eq!((resolution.failed.ordinal, resolution.resolved.ordinal), (Some(3), Some(7)));
    assert_eq!(resolution.edited, ["src/foo.rs"]);
    for number in 7..10 {
        folded.ran(number, ONE, Outcome::Failed, error);
    }
    assert!(folded.grounding.pending_of("lsp_check", key).unwrap().is_loop());
}

#[test]
fn ordinals_count_every_session_and_a_repeat_once() {
    let mut folded = Folded::new();
    folded.start(OTHER, 1, "lsp_check", ONE);
    folded.end(OTHER, 1, "lsp_check", closing(Outcome::Failed, ""));
    folded.start(ME, 2, "file_read", "{}");
    folded.end(ME, 2, "file_read", closing(Outcome::Ok, ""));
    folded.end(ME, 2, "file_read", closing(Outcome::Failed, ""));
    folded.end(OTHER, 1, "lsp_check", closing(Outcome::Ok, ""));
    folded.end(ME, 3, "not_declared", closing(Outcome::Ok, ""));
    assert_eq!(folded.grounding.ordinals(), 2);
    assert_eq!((folded.grounding.executions, folded.grounding.failed), (2, 0));
    assert!(folded.grounding.last_failure.is_none());
    let ordinals: Vec<_> = folded.grounding.recent.iter().map(|entry| entry.ordinal).collect();
    assert_eq!(ordinals, [Some(2), None]);
}

#[test]
fn a_call_is_open_then_closed_and_a_denied_one_may_be_bypassed() {
    let mut folded = Folded::new();
    folded.start(ME, 1, "file_read", "{}");
    assert_eq!(folded.grounding.open_call(&call(1)).unwrap().id(), id(1));
    assert!(!folded.grounding.call_is_closed(&call(1)));
    folded.end(ME, 1, "file_read", closing(Outcome::Ok, ""));
    assert!(folded.grounding.open_call(&call(1)).is_none());
    assert!(folded.grounding.call_is_closed(&call(1)));
    let refused = |mode| {
        Body::GateRefused(GateRefused {
            execution: Some(id(2)),
            call: Some(call(2)),
            tool: "file_edit".to_owned(),
            target: None,
            rule: GateRule::NoGrounding,
            reason: String::new(),
            required_query: String::new(),
            mode,
        })
    };
    folded.take(ME, refused(GateMode::Advise));
    assert!(folded.grounding.denied_call(&call(2)).is_none(), "it went on");
    folded.take(ME, refused(GateMode::Enforce));
    assert_eq!(folded.grounding.denied_call(&call(2)).unwrap().execution, Some(Hex::from(id(2))));
    let (execution, tool) = (id(2), "file_edit".to_owned());
    let bypassed = GateBypassed { execution, call: Some(call(2)), tool, refused: None };
    folded.take(ME, Body::GateBypassed(bypassed));
    assert!(folded.grounding.denied_call(&call(2)).is_none());
}

#[test]
fn a_check_behind_a_pipe_passes_only_where_its_output_says_nothing_else() {
    let piped = r#"{"command":"cargo test 2>&1 | tail -5"}"#;
    for (stdout, passed) in [
        ("test result: ok. 3 passed; 0 failed; 0 ignored", true),
        ("", false),
        ("done", false),
        ("running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 12 filtered out", false),
        ("test result: FAILED. 2 passed; 1 failed", false),
        ("== 10 failed, 2 passed ==", false),
        ("error: could not compile `x`", false),
        ("error[E0308]: mismatched types\n --> src/a.rs:1:1\n", false),
        ("thread 'x' panicked at src/a.rs", false),
    ] {
        let mut folded = Folded::new();
        folded.start(ME, 1, "bash_exec", piped);
        folded.end(ME, 1, "bash_exec", closing(Outcome::Ok, stdout));
        assert_eq!(folded.grounding.last_check.as_ref().is_some(), passed, "{stdout}");
    }
    let mut folded = Folded::new();
    folded.start(ME, 1, "bash_exec", piped);
    let repeated = Content::Repeated { sequence: 1, hash: [0; 32], len: 5_000 };
    let closing = Closing { stdout: Some(repeated), ..closing(Outcome::Ok, "") };
    folded.end(ME, 1, "bash_exec", closing);
    assert!(folded.grounding.last_check.as_ref().is_none(), "what is not here says nothing");
}

#[test]
fn a_refused_or_interrupted_call_is_no_failure() {
    let mut folded = Folded::new();
    folded.ran(1, ONE, Outcome::Refused, "");
    folded.start(ME, 2, "lsp_check", ONE);
    let (execution, tool) = (id(2), "lsp_check".to_owned());
    let reason = "its owner is gone".to_owned();
    folded.take(ME, Body::ExecutionInterrupted(ExecutionInterrupted { execution, tool, reason }));
    assert!(folded.grounding.last_failure.is_none());
    assert!(folded.grounding.pending.is_empty());
    assert!(folded.grounding.failed_call(arguments_digest(ONE)).is_none());
    assert_eq!((folded.grounding.executions, folded.grounding.refused), (2, 1));
}

#[test]
fn a_session_of_any_length_takes_as_much_room_as_one_of_thousands() {
    let mut folded = Folded::new();
    let long = "x".repeat(4_000);
    let mut bytes = Vec::new();
    for turn in 0..8_000_u32 {
        let arguments = format!(r#"{{"command":"{turn} {long}"}}"#);
        let number = (turn % 251) as u8;
        let execution = ExecutionId::v7(u64::from(turn), &[number; 10]);
        let started = ExecutionStarted {
            execution,
            tool: "lsp_check".to_owned(),
            native_tool: None,
            call: Some(CallKey { agent: "a".to_owned(), scope: None, call: turn.to_string() }),
            actor: None,
            parent: None,
            arguments: Json(arguments),
            paths: vec![long.clone(); 20],
            symbols: Vec::new(),
            cwd: None,
            branch: None,
        };
        let apply = |grounding: &mut Grounding, sequence, body| {
            let envelope = Envelope::new(Some(ME), Source::Live, 5);
            let event = Event { envelope, body };
            let recorded = Recorded { sequence: Sequence(sequence), recorded_ms: 0, event };
            grounding.apply(&recorded, &GroundingRules::default());
        };
        let sequence = u64::from(turn) * 2 + 1;
        apply(&mut folded.grounding, sequence, Body::ExecutionStarted(started));
        if turn % 3 > 0 {
            let mut closing = closing(Outcome::Failed, "");
            closing.error = Some(long.clone());
            let tool = "lsp_check".to_owned();
            let finished = ExecutionFinished { execution, tool, closing };
            apply(&mut folded.grounding, sequence + 1, Body::ExecutionFinished(finished));
        }
        if turn % 1_000 == 999 {
            bytes.push(derived::encode(&folded.grounding).unwrap().len());
        }
    }
    assert!(folded.grounding.is_bounded(u64::MAX));
    assert!(bytes[7] < bytes[6] + 200 && bytes[7] < 512 << 10, "{bytes:?}");
}

#[test]
fn lists_longer_than_any_fold_keeps_are_no_fold() {
    fn read<T: derived::Decode<()>>(written: impl derived::Encode) -> T {
        derived::decode(&derived::encode(&written).unwrap()).unwrap()
    }
    let calls = |count| read(vec![(7_u64, 8_u32); count]);
    let rows = |count| read(vec![(1_u64, 2_u64, 3_u64, 0_u32); count]);
    let mut grounding = Grounding { closed: calls(CALLS_MAX), ..Grounding::new(ME) };
    assert!(grounding.is_bounded(u64::MAX));
    grounding.closed = calls(CALLS_MAX + 1);
    assert!(!grounding.is_bounded(u64::MAX));
    let none: BTreeSet<u64> = BTreeSet::new();
    let ordinals = |rows: &Rows| read((0_u64, &none, rows, VecDeque::<(u64, u64)>::new()));
    grounding = Grounding { ordinals: ordinals(&rows(ROWS_MAX)), ..Grounding::new(ME) };
    assert!(grounding.is_bounded(u64::MAX));
    grounding.ordinals = ordinals(&rows(ROWS_MAX + 1));
    assert!(!grounding.is_bounded(u64::MAX));
}
