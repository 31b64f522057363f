//! Rollouts into a real journal.

use std::io::Read;

use indicatif::ProgressBar;

use super::*;
use crate::agents::Agent;
use crate::agents::import::lines::Opened;
use crate::agents::import::{ImportRequest, import, import_growth};
use crate::event::{Recorded, Sequence};
use crate::journal::{InitOptions, Project, ReplayItem};

fn project(dir: &Path) -> Project {
    std::fs::create_dir_all(dir).unwrap();
    Project::init(dir, &InitOptions::default()).unwrap().0
}

fn import_all(project: &Project, paths: &[PathBuf]) -> ImportReport {
    let request = ImportRequest { paths: paths.to_vec(), ..ImportRequest::default() };
    import(project, &request, &ProgressBar::hidden()).unwrap()
}

fn recorded(project: &Project) -> Vec<Recorded> {
    let reader = project.reader().unwrap();
    reader
        .replay(Sequence(1), None)
        .filter_map(|item| match item.unwrap() {
            ReplayItem::Event(recorded) => Some(recorded),
            _ => None,
        })
        .collect()
}

fn named(project: &Project, name: &str) -> usize {
    recorded(project).iter().filter(|r| r.event.body.name() == name).count()
}

#[test]
fn a_grown_rollout_adds_its_growth_and_late_results_correct() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let copy = dir.path().join("rollout.jsonl");
    const SESSION: &str = "0199a1b2-0008-7000-8000-000000000022";
    std::fs::copy(fixture("short.jsonl"), &copy).unwrap();
    let first = import_growth(&project, Agent::Codex, &copy, SESSION, false).unwrap().0;
    assert_eq!((first.calls, first.results, first.interrupted), (3, 1, 2));
    let again = import_growth(&project, Agent::Codex, &copy, SESSION, false).unwrap().0;
    assert_eq!((again.recorded, again.corrected), (0, 0), "{again:?}");
    std::fs::copy(fixture("short-grown.jsonl"), &copy).unwrap();
    let grown = import_growth(&project, Agent::Codex, &copy, SESSION, false).unwrap().0;
    // The call without result, and the process that was still running.
    assert_eq!((grown.corrected, grown.interrupted), (2, 0), "{grown:?}");
    assert_eq!(named(&project, "ExecutionCorrected"), 2);
    let third = import_growth(&project, Agent::Codex, &copy, SESSION, false).unwrap().0;
    assert_eq!((third.recorded, third.corrected), (0, 0), "{third:?}");
    assert_eq!(named(&project, "PromptSubmitted"), 1);
}

#[test]
fn a_fork_doubles_nothing_whichever_is_imported_first() {
    let (whole, fork) = (fixture("whole.jsonl"), fixture("fork.jsonl"));
    for (first, then) in [(&whole, &fork), (&fork, &whole)] {
        let dir = tempfile::tempdir().unwrap();
        let project = project(dir.path());
        import_all(&project, std::slice::from_ref(first));
        import_all(&project, std::slice::from_ref(then));
        let counts = ["ExecutionStarted", "ExecutionFinished", "PromptSubmitted"];
        assert_eq!(counts.map(|name| named(&project, name)), [8, 8, 2], "{}", first.display());
    }
    // Together, what was forked from comes first, however the files are named or dated.
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    import_all(&project, &[fork, whole]);
    let of_fork =
        |r: &Recorded| r.event.envelope.session.is_some_and(|s| s.to_string().ends_with("ee"));
    let started = |r: &&Recorded| r.event.body.name() == "ExecutionStarted";
    assert_eq!(recorded(&project).iter().filter(started).filter(|r| of_fork(r)).count(), 1);
}

#[test]
fn compressed_rollouts_are_read_like_plain_ones() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read(fixture("shapes.jsonl")).unwrap();
    let path = dir.path().join("rollout.jsonl.zst");
    std::fs::write(&path, zstd::encode_all(text.as_slice(), 3).unwrap()).unwrap();
    let plain = project(&dir.path().join("a"));
    let packed = project(&dir.path().join("b"));
    let expect = import_all(&plain, &[fixture("shapes.jsonl")]);
    let got = import_all(&packed, std::slice::from_ref(&path));
    assert_eq!(
        (got.calls, got.results, got.recorded),
        (expect.calls, expect.results, expect.recorded)
    );
    assert_eq!(got.bytes, std::fs::metadata(&path).unwrap().len(), "of the file, not of its text");
    let bodies = |project: &Project| {
        // These name the project's folder.
        let skip = ["JournalCreated", "RepoIdentified", "SummaryAppended"];
        let all = recorded(project).into_iter().map(|r| r.event.body);
        all.filter(|b| !skip.contains(&b.name())).collect::<Vec<_>>()
    };
    assert_eq!(bodies(&packed), bodies(&plain));
}

#[test]
fn a_torn_compressed_rollout_gives_what_is_whole_and_a_flaw() {
    let dir = tempfile::tempdir().unwrap();
    let text: Vec<u8> = (0..3_000)
        .flat_map(|n| format!("{{\"timestamp\":\"2026-04-02T09:00:00Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call\",\"name\":\"shell\",\"call_id\":\"call_{n}\",\"arguments\":\"{}\"}}}}\n", noise(n)).into_bytes())
        .collect();
    let whole = zstd::encode_all(text.as_slice(), 3).unwrap();
    let path = dir.path().join("rollout.jsonl.zst");
    let mut before = 0;
    for part in [4, 3, 2, 1] {
        std::fs::write(&path, &whole[..whole.len() - whole.len() / 5 * part]).unwrap();
        let project = project(&dir.path().join(part.to_string()));
        let report = import_all(&project, std::slice::from_ref(&path));
        assert!(report.calls > before && report.calls < 3_000, "{report:?}");
        before = report.calls;
        assert!((1..=2).contains(&report.unreadable_lines), "{report:?}");
        let told = report.findings.iter().any(|found| found.detail.contains("compressed file"));
        assert!(told || !report.skipped.is_empty(), "{report:?}");
    }
    // What is no data at all behind a whole frame.
    let mut followed = whole.clone();
    followed.extend_from_slice(b"not a frame");
    std::fs::write(&path, &followed).unwrap();
    let report = import_all(&project(&dir.path().join("f")), std::slice::from_ref(&path));
    assert_eq!((report.calls, report.unreadable_lines), (3_000, 1), "{report:?}");
    assert_eq!(report.findings[0].line, 3_001);
    // Damage inside: nothing checks the text, so that it may read as other text.
    for at in (0..whole.len()).step_by(whole.len() / 12) {
        let mut damaged = whole.clone();
        damaged[at..(at + 16).min(whole.len())].fill(0xFF);
        std::fs::write(&path, &damaged).unwrap();
        let mut text = Vec::new();
        Opened::open(&path).unwrap().read_to_end(&mut text).unwrap();
        hostile::survives(&text);
    }
}

/// Text that does not compress to nothing.
fn noise(seed: u32) -> String {
    (0..16).map(|n| format!("{:08x}", (seed * 16 + n).wrapping_mul(2_654_435_761))).collect()
}

#[test]
fn a_frame_that_asks_for_a_huge_window_is_refused_without_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rollout.jsonl.zst");
    // A frame header that asks for a window of 2 GiB (exponent 21), then an empty last block.
    std::fs::write(&path, [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA8, 0x01, 0x00, 0x00]).unwrap();
    let report = import_all(&project(&dir.path().join("p")), &[path]);
    assert_eq!(report.skipped.len(), 1, "{report:?}");
}

#[test]
fn both_agents_past_sessions_are_found_in_one_run() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("shop");
    std::fs::create_dir_all(&root).unwrap();
    let project = project(&root);
    let claude_home = dir.path().join("claude");
    let claude = crate::agents::claude_code::sessions_folder(&claude_home, &root);
    std::fs::create_dir_all(&claude).unwrap();
    std::fs::copy(fixture("../whole.jsonl"), claude.join("a.jsonl")).unwrap();
    let day = dir.path().join("codex/sessions/2026/04/02");
    std::fs::create_dir_all(&day).unwrap();
    let ours = std::fs::read_to_string(fixture("whole.jsonl")).unwrap();
    let ours = ours.replace("/w/shop", root.to_str().unwrap());
    std::fs::write(day.join("rollout-a.jsonl"), ours).unwrap();
    std::fs::copy(fixture("shapes.jsonl"), day.join("rollout-b.jsonl")).unwrap();
    let request = |format| ImportRequest {
        format,
        homes: vec![
            (Agent::ClaudeCode, claude_home.clone()),
            (Agent::Codex, dir.path().join("codex")),
        ],
        root: Some(root.clone()),
        ..ImportRequest::default()
    };
    for (format, calls) in
        [(Some(Agent::Codex.source()), 7), (Some(Agent::ClaudeCode.source()), 6), (None, 13)]
    {
        let report = import(&project, &request(format), &ProgressBar::hidden()).unwrap();
        assert_eq!((report.calls, report.skipped.len()), (calls, 0), "{format:?}");
    }
    assert_eq!(named(&project, "ExecutionStarted"), 13);
    // A named format does not make another agent's file its own.
    let mixed = ImportRequest {
        format: Some(Agent::Codex.source()),
        paths: vec![claude],
        ..ImportRequest::default()
    };
    assert_eq!(import(&project, &mixed, &ProgressBar::hidden()).unwrap().skipped.len(), 1);
}
