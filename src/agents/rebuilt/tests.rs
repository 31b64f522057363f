//! What is rebuilt of a session, the importer reads as what is on record.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::Rebuilt;
use crate::agents::Agent;
use crate::agents::import::{ImportReport, ImportRequest, import};
use crate::event::{Body, Content, Outcome, Recorded, Sequence, SessionId};
use crate::journal::{InitOptions, Project, ReplayItem};

fn recorded(project: &Project) -> Vec<Recorded> {
    let reader = project.reader().unwrap();
    let events = reader.replay(Sequence(1), None).filter_map(|item| match item.unwrap() {
        ReplayItem::Event(recorded) => Some(recorded),
        _ => None,
    });
    events.collect()
}

fn import_all(project: &Project, paths: Vec<PathBuf>) -> ImportReport {
    let request = ImportRequest { paths, ..ImportRequest::default() };
    import(project, &request, &ProgressBar::hidden()).unwrap()
}

/// Writes each session of a project anew; how many lines there are.
fn rebuild(project: &Project, to: &Path) -> usize {
    let mut sessions: BTreeMap<SessionId, Vec<Recorded>> = BTreeMap::new();
    for event in recorded(project) {
        if let Some(session) = event.event.envelope.session {
            sessions.entry(session).or_default().push(event);
        }
    }
    let reader = project.reader().unwrap();
    let bring =
        |content: &Content| String::from_utf8_lossy(&reader.bytes(content).unwrap()).into_owned();
    let mut count = 0;
    for (session, events) in sessions {
        let agent = events.iter().find_map(|it| match &it.event.body {
            Body::SessionStarted(started) => Agent::parse(&started.agent),
            _ => None,
        });
        let Some(agent) = agent else { continue };
        let mut rebuilt = Rebuilt::new(agent, &bring);
        let lines = events.iter().flat_map(|event| rebuilt.lines(event));
        let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
        count += lines.len();
        std::fs::write(to.join(format!("{session}.jsonl")), lines.join("\n") + "\n").unwrap();
    }
    count
}

#[test]
fn importing_what_was_rebuilt_adds_nothing() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts");
    for sessions in ["whole.jsonl", "subagents.jsonl", "resumed.jsonl", "refused.jsonl", "codex"] {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::init(dir.path(), &InitOptions::default()).unwrap().0;
        import_all(&project, vec![fixtures.join(sessions)]);
        let folder = dir.path().join("rebuilt");
        std::fs::create_dir(&folder).unwrap();
        assert!(rebuild(&project, &folder) > 0, "{sessions}");
        let before = recorded(&project).len();
        let again = import_all(&project, vec![folder.clone()]);
        let names: Vec<_> =
            recorded(&project)[before..].iter().map(|it| it.event.body.clone()).collect();
        assert!(names.is_empty(), "{sessions}: {names:#?}");
        assert_eq!((again.recorded, again.unreadable_lines), (0, 0), "{sessions}");
        // And a journal that knows nothing learns from it what was asked, said and called.
        let other = tempfile::tempdir().unwrap();
        let fresh = Project::init(other.path(), &InitOptions::default()).unwrap().0;
        import_all(&fresh, vec![folder]);
        let told = |project: &Project| {
            let mut calls = BTreeMap::new();
            let mut told: Vec<String> = recorded(project)
                .into_iter()
                .filter_map(|it| match it.event.body {
                    Body::PromptSubmitted(b) => Some(format!("{:?} {:?}", b.native_id, b.text)),
                    Body::AssistantSaid(b) => {
                        Some(format!("{} {:?} {:?} {:?}", b.native_id, b.text, b.model, b.usage))
                    }
                    Body::ExecutionStarted(b) => {
                        calls.insert(b.execution, b.call.map(|call| call.to_text()));
                        Some(format!("{:?}", calls[&b.execution]))
                    }
                    // One that still ran at the end has no result in a transcript.
                    Body::ExecutionFinished(b) if b.closing.outcome != Outcome::Interrupted => {
                        let call = calls.get(&b.execution).cloned();
                        let it = b.closing;
                        let printed = [it.stdout, it.stderr].map(|it| it.map(|it| it.len()));
                        let mut changed: Vec<_> =
                            it.changed.into_iter().map(|it| (it.path, it.created)).collect();
                        changed.sort();
                        // Codex has no place for these beside a text alone.
                        let has_code = it.exit_code.is_some();
                        let told = has_code.then_some((it.duration_ms, it.error));
                        let ended = (it.outcome, it.exit_code, told);
                        Some(format!("{call:?} {ended:?} {printed:?} {changed:?}"))
                    }
                    _ => None,
                })
                .collect();
            told.sort();
            told.dedup();
            told
        };
        assert_eq!(told(&fresh), told(&project), "{sessions}");
    }
}
