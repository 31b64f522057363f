//! Debug memory, on a real journal.

mod example;
mod hooks;
mod import;
mod lifecycle;
mod property;
mod refused;
mod related;
mod retention;
mod templates;

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::schema::DebugSchema;
use super::{AttemptDone, AttemptGiven, DebugDone, DebugError, DebugWriter, FixGiven, OpenGiven};
use crate::event::{
    Analysis, Body, DebugDocument, DebugSessionId, DebugStatus, ErrorType, Fix, RootCause,
    Sequence, SourceLocation, TestFailure, TestResults, Verification,
};
use crate::execution::live_recorder;
use crate::journal::trust::Settings;
use crate::journal::{InitOptions, Project};

/// A project that is flushed by nobody, with these settings.
fn project(settings: &str) -> (TempDir, Project) {
    let dir = tempfile::tempdir().unwrap();
    Project::init(dir.path(), &InitOptions::default()).unwrap();
    let settings = format!("[journal]\ndurability = \"buffered\"\n{settings}");
    fs::write(dir.path().join(".annals/config.toml"), settings).unwrap();
    Settings::of(dir.path()).allow(None).unwrap();
    let project = Project::open(dir.path()).unwrap();
    (dir, project)
}

/// Works on a project's debug memory.
fn work<T>(project: &Project, work: impl FnOnce(&mut DebugWriter<'_, '_>) -> T) -> T {
    let mut recorder = live_recorder(project);
    work(&mut DebugWriter::new(project, &mut recorder, None))
}

fn file(file_path: &str) -> OpenGiven {
    OpenGiven { file_path: file_path.to_owned(), ..OpenGiven::default() }
}

fn attempt(project: &Project, path: &str, given: AttemptGiven) -> AttemptDone {
    work(project, |it| it.attempt_at(file(path), given)).unwrap()
}

/// An attempt at code of this hash in which these failed and five passed.
fn failing(code_hash: &str, failures: &[TestFailure]) -> AttemptGiven {
    let failed = failures.len() as u64;
    AttemptGiven {
        code_hash: code_hash.to_owned(),
        results: TestResults { total: 5 + failed, passed: 5, failed, ..TestResults::default() },
        failures: failures.to_vec(),
        ..AttemptGiven::default()
    }
}

fn passing(code_hash: &str) -> AttemptGiven {
    failing(code_hash, &[])
}

fn failure(test: &str, source: &str) -> TestFailure {
    TestFailure {
        test_name: test.to_owned(),
        test_file: None,
        test_line: None,
        error_type: ErrorType::TypeError,
        error_message: "Cannot read property 'length' of null".to_owned(),
        stack_trace: None,
        expected: None,
        actual: None,
        source_location: Some(SourceLocation {
            file: Some(source.to_owned()),
            line: Some(15),
            function: Some("validateInput".to_owned()),
        }),
    }
}

fn analysis() -> Analysis {
    Analysis {
        root_cause: "validateInput() accesses input.length without null check".to_owned(),
        root_cause_category: Some(RootCause::NullUndefinedAccess),
        fix_strategy: "Add null/undefined check at function entry".to_owned(),
        confidence: Some(0.95),
        related_failures: None,
        similar_past_issues: None,
    }
}

fn fix(description: &str) -> FixGiven {
    let fix = Fix {
        description: description.to_owned(),
        diff_summary: Some("+3/-0 lines".to_owned()),
        files_changed: None,
        diff: None,
        verification: None,
    };
    FixGiven { fix, template: None }
}

fn document(project: &Project, session: DebugSessionId) -> DebugDocument {
    let document = work(project, |it| it.record(session)).unwrap().document;
    let value = serde_json::to_value(&document).unwrap();
    assert_eq!(DebugSchema::new(true).unwrap().faults(&value), [], "{value:#}");
    document
}

fn value(project: &Project, session: DebugSessionId) -> Value {
    serde_json::to_value(document(project, session)).unwrap()
}

fn bodies(project: &Project) -> Vec<Body> {
    let reader = project.reader().unwrap();
    let events = reader.replay(Sequence(0), None).filter_map(|item| match item.unwrap() {
        crate::journal::ReplayItem::Event(recorded) => Some(recorded.event.body),
        _ => None,
    });
    events.collect()
}

/// The names of what was recorded since there were so many events.
fn names(project: &Project, since: usize) -> Vec<&'static str> {
    bodies(project).iter().skip(since).map(Body::name).collect()
}

/// What the hooks of the journal came to: their names, then their outcomes.
fn hooks(project: &Project) -> Vec<(String, String)> {
    let ran = bodies(project).into_iter().filter_map(|body| match body {
        Body::HookRan(ran) if ran.agent == "annals" => Some((ran.hook, ran.outcome)),
        _ => None,
    });
    ran.collect()
}
