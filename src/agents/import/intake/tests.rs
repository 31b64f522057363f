//! Imports into a real journal.

mod growth;
mod killed;
mod odd_times;
mod read_on;
mod reader;
mod rested;
mod turned;
mod unread;

use std::path::{Path, PathBuf};

use super::*;
use crate::agents::settings::Home;
use crate::event::{Body, Recorded, Sequence};
use crate::journal::{InitOptions, ReplayItem};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts").join(name)
}

fn project(dir: &Path) -> Project {
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
fn importing_twice_adds_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let folder = [fixture("")];
    let first = import_all(&project, &folder);
    assert!(first.recorded > 60, "{first:?}");
    let events = recorded(&project).len();
    let again = import_all(&project, &folder);
    assert_eq!((again.recorded, recorded(&project).len()), (0, events), "{again:?}");
    let request = ImportRequest { paths: folder.to_vec(), whole: true, ..ImportRequest::default() };
    let again = import(&project, &request, &ProgressBar::hidden()).unwrap();
    assert_eq!((again.recorded, recorded(&project).len()), (0, events), "{again:?}");
    assert_eq!((again.calls, again.results), (first.calls, first.results));
}

#[test]
fn a_grown_file_adds_its_growth_and_a_late_result_corrects() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let copy = dir.path().join("session.jsonl");
    std::fs::copy(fixture("no-result.jsonl"), &copy).unwrap();
    let first = import_all(&project, std::slice::from_ref(&copy));
    assert_eq!((first.calls, first.results, first.interrupted), (2, 1, 1));
    std::fs::copy(fixture("no-result-grown.jsonl"), &copy).unwrap();
    let grown = import_all(&project, std::slice::from_ref(&copy));
    assert_eq!((grown.recorded, grown.corrected, grown.interrupted), (1, 1, 0), "{grown:?}");
    assert_eq!(named(&project, "ExecutionCorrected"), 1);
    let third = import_all(&project, &[copy]);
    assert_eq!((third.recorded, third.corrected), (0, 0), "{third:?}");
}

#[test]
fn a_result_in_another_file_of_a_later_import_finds_its_call() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    import_all(&project, &[fixture("no-result.jsonl")]);
    let grown = std::fs::read_to_string(fixture("no-result-grown.jsonl")).unwrap();
    let alone = dir.path().join("rest.jsonl");
    std::fs::write(&alone, grown.lines().last().unwrap()).unwrap();
    let report = import_all(&project, &[alone]);
    assert_eq!((report.corrected, report.results_without_call), (1, 0), "{report:?}");
}

#[test]
fn a_resumed_session_adds_only_what_it_did_not_repeat() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    import_all(&project, &[fixture("whole.jsonl")]);
    import_all(&project, &[fixture("resumed.jsonl")]);
    assert_eq!(named(&project, "ExecutionStarted"), 7);
    assert_eq!(named(&project, "ExecutionFinished"), 7);
    assert_eq!(named(&project, "PromptSubmitted"), 2);
}

#[test]
fn no_event_lies_behind_an_earlier_one_of_its_session() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    import_all(&project, &[fixture("")]);
    let mut last = std::collections::BTreeMap::new();
    for Recorded { event, .. } in recorded(&project) {
        if let Some(session) = event.envelope.session {
            let before = last.insert(session, event.envelope.at_ms).unwrap_or_default();
            assert!(before <= event.envelope.at_ms, "{event:?}");
        }
    }
    assert!(last.len() >= 2);
}

#[test]
fn flaws_are_on_record_and_subagents_have_parents() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let paths = ["nul.jsonl", "torn.jsonl", "subagents.jsonl", "agent-a1b2c3d.jsonl"].map(fixture);
    import_all(&project, &paths);
    assert_eq!(named(&project, "TranscriptFlawed"), 6);
    let mut task = None;
    let mut of_subagents = 0;
    for Recorded { event, .. } in recorded(&project) {
        if let Body::ExecutionStarted(started) = event.body {
            if started.tool == "Task" {
                task = Some(started.execution);
            } else if started.actor.as_deref() == Some("a1b2c3d") {
                assert_eq!(started.parent, task, "{started:?}");
                of_subagents += 1;
            }
        }
    }
    assert_eq!(of_subagents, 3);
}

#[test]
fn foreign_and_unreadable_files_are_passed_over_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let paths = [
        write("rollout.jsonl", b"{\"timestamp\":\"x\",\"type\":\"session_meta\",\"payload\":{}}\n"),
        write("task.jsonl", b"{\"trajectory\":1}\n"),
        write("packed.jsonl", &[0x28, 0xB5, 0x2F, 0xFD, 0, 0]),
        write("photo.jsonl", b"\x89PNG\r\n\x1a\n"),
        write("empty.jsonl", b""),
        PathBuf::from("/dev/null"),
        fixture("whole.jsonl"),
    ];
    let report = import_all(&project, &paths);
    // What is wrong, and behind it what to do.
    let reason = |skipped: &SkippedFile| skipped.reason.split_once(": ").map(|it| it.0.to_owned());
    let reasons: Vec<_> = report.skipped.iter().filter_map(reason).collect();
    assert_eq!(
        reasons,
        [
            "no known transcript format",
            "compressed, and nothing in it can be unpacked",
            "no known transcript format",
            "not a regular file"
        ]
    );
    assert_eq!((report.files, report.calls), (3, 6));
}

#[test]
fn a_folder_with_pipes_and_link_loops_is_read_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let folder = dir.path().join("sessions");
    std::fs::create_dir_all(folder.join("deep/er")).unwrap();
    std::fs::copy(fixture("glued.jsonl"), folder.join("deep/er/a.jsonl")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("deep/loop")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("deep/loop.jsonl")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe.jsonl")).status();
    assert!(made.unwrap().success());
    let report = import_all(&project, &[folder]);
    assert_eq!((report.files, report.calls), (1, 3), "{report:?}");
}

#[test]
fn past_sessions_lie_in_a_folder_named_by_the_project() {
    let root = Path::new("/w/my.shop_2");
    let at = |claude: Option<&str>, home: Option<&str>| {
        let (claude, home) = (claude.map(PathBuf::from), home.map(PathBuf::from));
        let config =
            Home { named: claude.map(|it| (Agent::ClaudeCode, it)).into_iter().collect(), home }
                .folder(Agent::ClaudeCode)?;
        Some(crate::agents::claude_code::sessions_folder(&config, root))
    };
    let folder = at(None, Some("/home/x")).unwrap();
    assert_eq!(folder, Path::new("/home/x/.claude/projects/-w-my-shop-2"));
    let folder = at(Some("/c"), Some("/home/x")).unwrap();
    assert_eq!(folder, Path::new("/c/projects/-w-my-shop-2"));
    assert_eq!(at(None, None), None);
}

#[test]
fn a_hook_takes_only_its_own_sessions_records() {
    const OWN: &str = "11111111-2222-4333-8444-555555555555";
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let text = std::fs::read_to_string(fixture("no-result.jsonl")).unwrap();
    let (other, mixed) = (dir.path().join("other.jsonl"), dir.path().join("mixed.jsonl"));
    let foreign = text.replace(OWN, "stranger");
    std::fs::write(&other, &foreign).unwrap();
    // What cannot be read stands among the other's records.
    std::fs::write(&mixed, format!("{foreign}{{\"torn\n{text}")).unwrap();
    let take = |path| {
        let report = import_growth(&project, Agent::ClaudeCode, path, OWN, false).unwrap().0;
        (report.calls, report.prompts, report.unreadable_lines, report.interrupted)
    };
    let before = recorded(&project).len();
    assert_eq!(take(&other), (0, 0, 0, 0));
    assert_eq!(recorded(&project).len(), before, "nothing of the other session");
    assert_eq!(take(&mixed), (2, 1, 0, 1));
    let sessions = recorded(&project).into_iter().filter_map(|it| it.event.envelope.session);
    let own = crate::journal::id::session("claude-code", OWN);
    assert!(sessions.into_iter().all(|session| session == own));
}

#[test]
fn what_is_plainly_no_transcript_is_not_read_and_flaws_are_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut elf = b"\x7fELF\x02\x01\x01\0".to_vec();
    elf.extend((0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8));
    elf.extend(b"\n{\"a\":1}\n");
    let no_transcripts =
        [file("elf", &elf), file("passwd", b"root:x:0:0:root:/root:/bin/sh\nx:y\n")];
    for format in [Agent::ClaudeCode, Agent::Codex] {
        for path in &no_transcripts {
            let report = import_growth(&project, format, path, "s", false).unwrap().0;
            assert_eq!((report.skipped.len(), report.recorded), (1, 0), "{report:?}");
        }
    }
    let whole = std::fs::read_to_string(fixture("whole.jsonl")).unwrap();
    let damaged = file("damaged.jsonl", format!("{whole}{}", "torn {\n".repeat(1_000)).as_bytes());
    let request = ImportRequest { paths: vec![damaged.clone()], ..ImportRequest::default() };
    for (at, whole) in [false, false, true].into_iter().enumerate() {
        let request = ImportRequest { whole, ..request.clone() };
        let report = import(&project, &request, &ProgressBar::hidden()).unwrap();
        assert!(at == 1 || report.unreadable_lines == 1_000, "{report:?}");
        assert_eq!(named(&project, "TranscriptFlawed"), 101);
    }
    let last = recorded(&project).into_iter().rev().find_map(|it| match it.event.body {
        Body::TranscriptFlawed(flawed) => Some(flawed.detail),
        _ => None,
    });
    assert_eq!(last.unwrap(), "this and what follows: 900 more unreadable lines");
    // A crash may leave nothing but NULs, and versions to come may write what is not known.
    for bytes in [&b"\0\0\0\0"[..], b"{\"type\":\"dawn\",\"note\":1}\n", b""] {
        let path = file("odd.jsonl", bytes);
        let report = import_growth(&project, Agent::ClaudeCode, &path, "s", false).unwrap().0;
        assert!(report.skipped.is_empty(), "{report:?}");
    }
}
