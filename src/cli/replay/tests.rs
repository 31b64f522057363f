//! Pauses, bounds, and lines as a terminal takes them.

use std::time::Duration;

use super::stepper::page;
use super::{Bounds, Lines, Pace, QUOTED, SAID, speed};
use crate::event::{
    Body, DecisionRecorded, GateMode, GateRefused, GateRule, NoteAdded, NoteSource, RepoHash,
    RepoLinked, SessionEnded, StepEnded, SummaryAppended, SummaryMaker,
};
use crate::execution::replay::{Walk, Window};
use crate::journal::{Journal, JournalOptions, Reading};

#[test]
fn pauses_are_the_recorded_ones_and_bounded() {
    let ms = Duration::from_millis;
    for (factor, times, expect) in [
        (
            1.0,
            vec![Some(1_000), Some(1_500), None, Some(1_600)],
            vec![ms(0), ms(500), ms(0), ms(100)],
        ),
        (10.0, vec![Some(1_000), Some(6_000), Some(90_000_000)], vec![ms(0), ms(500), ms(2_000)]),
        // Imported sessions lie behind one another: time never runs backward.
        (1.0, vec![Some(5_000), Some(1_000), Some(1_200)], vec![ms(0), ms(0), ms(200)]),
        (1e-9, vec![Some(0), Some(u64::MAX)], vec![ms(0), ms(2_000)]),
        (1e300, vec![Some(0), Some(u64::MAX)], vec![ms(0), ms(0)]),
    ] {
        let mut pace = Pace::new(factor);
        let got: Vec<Duration> = times.into_iter().map(|at_ms| pace.before(at_ms)).collect();
        assert_eq!(got, expect, "at {factor}");
    }
    for (text, good) in
        [("1", true), ("2.5x", true), ("0", false), ("-1", false), ("inf", false), ("fast", false)]
    {
        assert_eq!(speed(text).is_ok(), good, "{text}");
    }
}

#[test]
fn what_is_quoted_is_bounded_and_marked() {
    let bounds = Bounds { lines_max: 2, bytes_max: 16 };
    for (text, expect) in [
        ("a\nb\n", vec!["a", "b"]),
        ("", vec![""]),
        ("a\r\nb", vec!["a", "b"]),
        ("\u{1b}[1mx", vec!["\\x1b[1mx"]),
        ("a\nb\ncc\nd", vec!["a", "b", "… 5 more bytes: --format jsonl has all"]),
        ("0123456789012345é", vec!["0123456789012345", "… 2 more bytes: --format jsonl has all"]),
        ("012345678901234é", vec!["012345678901234", "… 2 more bytes: --format jsonl has all"]),
    ] {
        let mut lines = Lines::default();
        lines.quote(text, bounds);
        let got: Vec<&str> = lines.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(got, expect, "{text:?}");
        for line in &lines.lines {
            let said = line.text.starts_with('…');
            assert_eq!(line.margin, if said { SAID } else { QUOTED });
        }
    }
}

#[test]
fn lines_are_wrapped_by_columns_not_by_characters() {
    for (text, columns, expect) in [
        ("", 5, vec![""]),
        ("abcdef", 3, vec!["abc", "def"]),
        ("abc", 3, vec!["abc"]),
        ("日本語", 4, vec!["日本", "語"]),
        ("a日b", 2, vec!["a", "日", "b"]),
        ("e\u{301}e\u{301}", 2, vec!["e\u{301}e\u{301}"]),
        ("\tx", 10, vec!["    x"]),
    ] {
        assert_eq!(page::wrap(text, columns), expect, "{text:?} at {columns}");
    }
    for (text, columns, expect) in [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…")]
    {
        assert_eq!(page::cut(text, columns), expect);
    }
}

#[test]
fn what_the_gate_said_is_told_in_words() {
    let refused = |mode| {
        Body::GateRefused(GateRefused {
            execution: None,
            call: None,
            tool: "file_edit".into(),
            target: Some("src/foo.rs".into()),
            rule: GateRule::NoGrounding,
            reason: "Must call memory_query before mutation tool".into(),
            required_query: "memory_query(timeline_summary)".into(),
            mode,
        })
    };
    let step = StepEnded {
        began: None,
        executions: 2,
        failed: 1,
        refused: 0,
        mutations: 1,
        checks_passed: 0,
        changed: Vec::new(),
        follow_up: Vec::new(),
        summary: "two calls\none failed".into(),
    };
    for (body, head, first) in [
        (refused(GateMode::Enforce), "gate: refused file_edit  src/foo.rs", "why Must call"),
        (refused(GateMode::Advise), "gate: advised against file_edit  src/foo.rs", "why Must call"),
        (refused(GateMode::Observe), "gate: would refuse file_edit  src/foo.rs", "why Must call"),
        (Body::StepEnded(step), "step ends", "two calls"),
    ] {
        let mut lines = Lines::default();
        let (_, told) = super::grounding::told(&body, &mut lines).unwrap();
        assert_eq!(told, head);
        assert!(lines.lines[0].text.starts_with(first), "{lines:?}");
    }
    let other = Body::SessionEnded(SessionEnded { reason: "exit".into() });
    assert!(super::grounding::told(&other, &mut Lines::default()).is_none());
}

#[test]
fn what_a_repository_remembers_is_told_in_words() {
    let repo = RepoHash([0xab; 32]);
    let decided = DecisionRecorded {
        repo,
        id: "d-1".into(),
        summary: "One journal".into(),
        rationale: "two drift\n\u{1b}[2Japart".into(),
        impacted_paths: vec!["src/**".into(), "Cargo.toml".into()],
        created_ms: None,
    };
    let noted = NoteAdded {
        repo,
        id: "n-1".into(),
        content: "slow on NFS".into(),
        source: NoteSource::Agent,
        created_ms: Some(1_735_689_600_000),
    };
    let told = SummaryAppended {
        repo,
        run_id: "nightly".into(),
        step_id: "step-2".into(),
        summary: "two calls\none failed".into(),
        made_by: SummaryMaker::Events,
        step: Some(3),
        through: Some(9),
        created_ms: None,
    };
    let folder = tempfile::tempdir().unwrap();
    drop(Journal::create(folder.path(), &[7; 48], JournalOptions::default()).unwrap());
    let walk = Walk::events(folder.path(), Reading::Live, Window::default()).unwrap();
    for (body, head, lines) in [
        (
            Body::RepoLinked(RepoLinked { repo, with: RepoHash([0xcd; 32]) }),
            "repo     abababababab shares its memory",
            vec![format!("with {}", "cd".repeat(32))],
        ),
        (
            Body::DecisionRecorded(decided),
            "repo     abababababab: decision d-1",
            ["decided One journal", "two drift", "\\x1b[2Japart", "touches src/**, Cargo.toml"]
                .map(str::to_owned)
                .to_vec(),
        ),
        (
            Body::NoteAdded(noted),
            "repo     abababababab: note n-1 (agent)",
            vec!["slow on NFS".to_owned(), "made 2025-01-01T00:00:00.000Z".to_owned()],
        ),
        (
            Body::SummaryAppended(told),
            "summary  of step-2, run nightly",
            ["two calls", "one failed", "made by events up to @9"].map(str::to_owned).to_vec(),
        ),
    ] {
        let mut told = Lines::default();
        let contents = walk.contents();
        let (_, got) = super::repo::told(&body, contents, super::PRINTED, &mut told).unwrap();
        assert_eq!(got, head);
        let got: Vec<String> = told.lines.into_iter().map(|line| line.text).collect();
        assert_eq!(got, lines, "{head}");
    }
}
