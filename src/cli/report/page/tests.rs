//! Whatever stands in a report, its page is built as one of plain words is.

mod skeleton;

use proptest::prelude::*;

use super::page;
use crate::event::{OrderId, SessionId};
use crate::execution::query::diff::{Diff, FileDiff, Section, StrayCommand, Strays};
use crate::execution::query::{SessionSummary, Slow};
use crate::execution::replay::Unshown;
use crate::execution::tally::TallyCounts;
use crate::parse::check::Verdict;
use crate::report::activity::Bucket;
use crate::report::check::CheckMark;
use crate::report::failure::{CallRef, ChangeRef, Mended};
use crate::report::integrity::SignedSize;
use crate::report::memory::MemoryOp;
use crate::report::redaction::{Destroyed, TakenOut};
use crate::report::*;
use skeleton::skeleton;

fn one<T>(item: T) -> Bounded<T> {
    Bounded { items: vec![item], left_out: 1 }
}

fn words(text: &str) -> Text {
    Text { text: text.to_owned(), chars_left_out: 1 }
}

fn turn(text: &str) -> Turn {
    let owned = || text.to_owned();
    let call = Call {
        call: owned(),
        tool: owned(),
        target: Some(owned()),
        outcome: "failed",
        why: Some(owned()),
        actor: Some(owned()),
        files: vec![owned()],
        ..Call::default()
    };
    let items = vec![
        Item::Call(Box::new(call)),
        Item::Said { sequence: 1, actor: Some(owned()), model: Some(owned()), text: words(text) },
        Item::Asked { sequence: 2, actor: owned(), text: words(text) },
        Item::Given { sequence: 3, given: owned(), chars: 1 },
        Item::Noted { sequence: 4, text: owned() },
    ];
    let items = Bounded { items, left_out: 1 };
    let (prompt, answer, files) = (Some(words(text)), Some(words(text)), one(owned()));
    Turn { session: Some(SessionId([1; 16])), prompt, answer, files, items, ..Turn::default() }
}

/// A report with the text wherever one stands.
fn report(text: &str) -> Report {
    let owned = || text.to_owned();
    let call =
        || CallRef { call: owned(), sequence: 0, at_ms: 1, tool: owned(), target: Some(owned()) };
    let change = ChangeRef { call: owned(), sequence: 9, files: vec![owned()] };
    let mended = Mended { by: call(), changes: vec![change], changes_left_out: 1 };
    let failure = |mended| Failure {
        session: None,
        is_check: true,
        first: call(),
        last: call(),
        times: 2,
        why: Some(owned()),
        mended,
    };
    let mark = CheckMark {
        call: owned(),
        sequence: 1,
        at_ms: 1,
        verdict: Verdict::Failed,
        why: Some(owned()),
    };
    let check = Check {
        what: owned(),
        kind: None,
        program: Some(owned()),
        passed: 1,
        failed: 1,
        unknown: 1,
        runs: vec![mark],
        runs_left_out: 1,
        is_failing: true,
    };
    let section = Section {
        notes: vec![owned()],
        calls: vec![owned()],
        unplaced: vec![format!("+{text}")],
        diff: format!("+{text}\n"),
        ..Section::default()
    };
    let file = FileDiff {
        path: owned(),
        sections: vec![section],
        notes: vec![owned()],
        ..FileDiff::default()
    };
    let stray = StrayCommand { call: owned(), command: owned(), times: 2 };
    let fact = GateFact {
        sequence: 1,
        at_ms: 1,
        word: GateWord::Refused,
        mode: Some("enforce"),
        rule: Some("no_grounding"),
        about: owned(),
        reason: Some(owned()),
    };
    let op = MemoryOp {
        sequence: 1,
        at_ms: 1,
        kind: "CoreSet",
        branch: Some(owned()),
        text: words(text),
    };
    let destroyed = Destroyed {
        sequence: 1,
        order: OrderId([1; 16]),
        records: 2,
        first: 1,
        at_ms: 1,
        reason: owned(),
        by: owned(),
        rule: Some(owned()),
    };
    let signed = SignedSize {
        sequence: 1,
        at_ms: 1,
        size: 1,
        root: owned(),
        key: owned(),
        is_contained: Some(true),
    };
    let core = || CoreChange { branch: owned(), key: owned(), value: Some(owned()) };
    let (stores, memory) = (TallyCounts::default(), MemoryCounts::default());
    let stand =
        Stand { step: 1, sequence: 1, at_ms: 1, told: owned(), stores, memory, core: vec![core()] };
    let session = |no: u8| SessionSummary {
        journal: None,
        id: SessionId([no; 16]),
        agent: owned(),
        native_id: owned(),
        title: Some(owned()),
        model: Some(owned()),
        parent: None,
        cwd: None,
        branch: Some(owned()),
        first_ms: 1,
        last_ms: 1,
        ended: true,
        prompts: 1,
        calls: 1,
        failed: 1,
        refused: 0,
        interrupted: 0,
    };
    let bucket = Bucket { began_ms: Some(1), ok: 1, failed: 1, other: 1 };
    Report {
        program: "1",
        journal: JournalFacts { id: owned(), project: owned(), root: owned(), machine: owned() },
        asked: AskedFor {
            session: Some(owned()),
            from: Some(owned()),
            to: Some(owned()),
            at: Some(owned()),
        },
        findings: vec![owned()],
        exit_code: 3,
        summary: Summary {
            began_ms: Some(1),
            ended_ms: Some(2),
            agents: vec![owned()],
            ..Summary::default()
        },
        sessions: Bounded { items: vec![session(1), session(2)], left_out: 0 },
        activity: Activity { bucket_ms: 1, buckets: vec![bucket], pauses: Vec::new() },
        tools: one(ToolUse { tool: owned(), calls: 2, failed: 1, ..ToolUse::default() }),
        slow: vec![Slow { reference: owned(), what: owned(), duration_ms: 1 }],
        turns: one(turn(text)),
        checks: one(check),
        failures: Bounded { items: vec![failure(None), failure(Some(mended))], left_out: 1 },
        diff: Diff {
            files: vec![file],
            left_out: 1,
            strays: Strays { commands: vec![stray], left_out: 1 },
        },
        gate: one(fact),
        memory: MemoryUse { counts: [("CoreSet", 1)].into(), written: one(op) },
        redactions: Redactions {
            taken_out: vec![TakenOut { rule: owned(), count: 1 }],
            destroyed: one(destroyed),
            gone: 1,
        },
        integrity: Integrity {
            holds: false,
            damaged: true,
            events: 1,
            commits: 1,
            commits_chained: 1,
            segments: 1,
            seals: 1,
            bytes: 1,
            redacted: 1,
            findings: Bounded::default(),
            unreadable: vec![owned()],
            size: Some(1),
            root: Some(owned()),
            no_root: None,
            sequence: Some(1),
            chain: Some(owned()),
            checkpoints: vec![signed],
            checkpoints_left_out: 1,
            not_shown: Unshown::default(),
        },
        stands: Stands {
            steps: 1,
            before_core: vec![core()],
            shown: vec![stand],
            ..Stands::default()
        },
    }
}

fn hostile() -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        Just("</script><script>x()</script>".to_owned()),
        Just("\" onload=\"x()".to_owned()),
        Just("'--><!--<![CDATA[".to_owned()),
        Just("javascript:x()".to_owned()),
        Just("\u{202e}\u{2066}\u{1b}]8;;http://x\u{7}".to_owned()),
        Just("&lt;&#60;&quot;".to_owned()),
        Just("\0\u{fffd}\u{feff}".to_owned()),
        "[^\n\r]{1,12}",
    ];
    proptest::collection::vec(parts, 1..3).prop_map(|parts| format!("x{}", parts.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_shapes_a_page(text in hostile()) {
        let made = page(&report(&text));
        prop_assert_eq!(skeleton(&made), skeleton(&page(&report("plain"))));
        let is_obeyed = |c: char| crate::output::escape::is_hostile(c) && c != '\n' && c != '\t';
        prop_assert!(!made.contains(is_obeyed));
    }
}

#[test]
fn every_text_of_a_report_is_told() {
    let word = "unmistakable";
    let told = page(&report(word)).matches(word).count();
    assert!(told >= 60, "{told}");
}
