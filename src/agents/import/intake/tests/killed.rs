//! Imports that were killed, or run beside each other.

use std::path::Path;

use super::read_on::{append, turns};
use super::{import_all, named, project, recorded};
use crate::event::Body;
use crate::journal::Project;
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

/// A journal that ends after `count` events, as that of an import which was killed there; the commits are its own.
fn killed_after(whole: &Path, count: u64) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let from = Project::open(whole).unwrap();
    let to = project(dir.path());
    let journal = to.journal().unwrap();
    for it in recorded(&from)
        .into_iter()
        .filter(|it| it.event.body.name() != "JournalCreated")
        .take(count as usize)
    {
        journal.append(&[it.event], it.recorded_ms).unwrap();
    }
    dir
}

/// What the agent says at the end of a turn.
fn said(session: &str, turn: usize) -> String {
    let line = serde_json::json!({
        "type": "assistant", "sessionId": session, "uuid": format!("{session}-said-{turn}"), "cwd": "/w",
        "timestamp": format!("2026-01-05T12:00:{:02}.000Z", 3 * turn + 2),
        "message": {"id": format!("said{turn}"), "role": "assistant", "content": [
            {"type": "text", "text": format!("I have looked at {turn}.")}
        ]},
    });
    format!("{line}\n")
}

fn summaries(project: &Project) -> Vec<String> {
    let bodies = recorded(project).into_iter().map(|it| it.event.body);
    let told = |body| match body {
        Body::SummaryAppended(it) => Some(it.summary),
        _ => None,
    };
    bodies.filter_map(told).collect()
}

#[test]
fn an_import_that_was_killed_between_commits_lacks_nothing_once_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    for at in 0..3 {
        append(&path, &turns("s", at..at + 1));
        append(&path, &said("s", at));
    }
    let first = project(dir.path());
    import_all(&first, std::slice::from_ref(&path));
    let all = recorded(&first);
    let told = summaries(&first);
    assert!(told.len() == 3 && told[1].contains("said: I have looked at 1"), "{told:?}");
    let steps = |project: &Project| (named(project, "StepBegun"), named(project, "StepEnded"));
    assert_eq!(steps(&first), (3, 3));
    let bodies: Vec<_> = all.iter().map(|it| it.event.body.name()).collect();
    let prompts = bodies.iter().filter(|it| **it == "PromptSubmitted").count();
    assert_eq!(prompts, 3);
    for count in 1..all.len() as u64 {
        // A prompt and the beginning of its turn are in one commit, and so are its end and what is told of it.
        if matches!(bodies.get(count as usize), Some(&("PromptSubmitted" | "StepEnded"))) {
            continue;
        }
        let killed = killed_after(dir.path(), count);
        let killed = Project::open(killed.path()).unwrap();
        if count % 2 == 0 {
            let places = crate::stores::places(killed.root());
            catch_up(&places, &JournalFeed::of(&killed).unwrap());
        }
        import_all(&killed, std::slice::from_ref(&path));
        assert_eq!(
            steps(&killed),
            (3, 3),
            "killed after {count}: {:?}",
            bodies.get(count as usize)
        );
        assert_eq!(named(&killed, "ExecutionStarted"), 3);
        assert_eq!(summaries(&killed), told, "killed after {count}");
        assert_eq!(import_all(&killed, std::slice::from_ref(&path)).recorded, 0);
    }
}

#[test]
fn two_imports_at_once_and_one_more_record_everything_once() {
    let dir = tempfile::tempdir().unwrap();
    let first = project(dir.path());
    let path = dir.path().join("session.jsonl");
    append(&path, &turns("s", 0..40));
    let both = || {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    import_all(&Project::open(dir.path()).unwrap(), std::slice::from_ref(&path))
                });
            }
        });
    };
    both();
    append(&path, &turns("s", 40..60));
    both();
    assert_eq!(import_all(&first, std::slice::from_ref(&path)).recorded, 0);
    for (name, count) in [("ExecutionStarted", 60), ("PromptSubmitted", 60), ("StepBegun", 60)] {
        assert_eq!(named(&first, name), count, "{name}");
    }
}
