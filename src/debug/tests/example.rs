//! The contract's own example, and a document with every member, come out as they are written.

use serde_json::json;

use super::super::schema::everything;
use super::super::{LearnGiven, OpenGiven};
use super::*;
use crate::event::Content;

const CONTRACT: &str = include_str!("../../../tests/fixtures/spec/002-debug-memory.schema.yaml");

/// Without what differs from one run to the next.
fn timeless(mut document: Value) -> Value {
    let members = document.as_object_mut().unwrap();
    for name in ["session_id", "created_at", "updated_at"] {
        members.remove(name);
    }
    for execution in document["executions"].as_array_mut().unwrap() {
        execution.as_object_mut().unwrap().remove("timestamp").unwrap();
    }
    document
}

/// Tells annals what a document tells, in the order in which it happened.
fn retold(project: &Project, document: &DebugDocument) -> Value {
    let metadata = document.metadata.clone().unwrap_or_default();
    let session = work(project, |it| {
        let opened = it.open(OpenGiven {
            agent: metadata.agent,
            task_id: metadata.task_id,
            ralph_iteration: metadata.ralph_iteration,
            ..file(&document.file_path)
        });
        let session = opened.unwrap().session;
        for execution in &document.executions {
            let given = AttemptGiven {
                execution: None,
                code_hash: execution.code_hash.clone(),
                code_snapshot: execution.code_snapshot.clone().map(String::into_bytes),
                environment: execution.environment.clone(),
                results: execution.test_results.clone(),
                failures: execution.failures.clone().unwrap_or_default(),
            };
            assert_eq!(it.attempt(session, given).unwrap().attempt, execution.attempt);
            if let Some(analysis) = &execution.analysis {
                it.analyse(session, None, analysis.clone()).unwrap();
            }
            if let Some(mut fix) = execution.fix_applied.clone() {
                // That it helped, the next attempt says.
                fix.verification.take_if(|it| *it == Verification::Passed);
                it.fix(session, None, FixGiven { fix, template: None }).unwrap();
            }
            // Before it passes: else annals tells patterns of its own.
            if execution.attempt == 1 {
                let learnings = document.learnings.clone().unwrap();
                it.learn(session, LearnGiven { learnings, tallies: Vec::new() }).unwrap();
            }
        }
        it.close(session, document.status.unwrap(), None).unwrap();
        session
    });
    value(project, session)
}

#[test]
fn the_contracts_example_comes_out_equal_but_for_ids_and_times() {
    let (_dir, project) = project("");
    let theirs: Value = serde_saphyr::from_str(CONTRACT).unwrap();
    let mut theirs = theirs["examples"][0].clone();
    theirs["session_id"] = json!("019a0000-0000-7000-8000-000000000001");
    for execution in theirs["executions"].as_array_mut().unwrap() {
        execution["test_results"]["total"].as_u64().unwrap();
    }
    let document: DebugDocument = serde_json::from_value(theirs.clone()).unwrap();
    let ours = retold(&project, &document);
    // Numbers are equal as numbers: 75 and 75.0.
    let canonical = |value: Value| crate::event::Json::canonical("it", &value.to_string()).unwrap();
    assert_eq!(canonical(timeless(ours)), canonical(timeless(theirs)));
}

#[test]
fn every_member_of_the_schema_can_be_told() {
    let (_dir, project) = project("");
    let document: DebugDocument = serde_json::from_value(everything()).unwrap();
    let ours = retold(&project, &document);
    assert_eq!(timeless(ours.clone()), timeless(everything()));
    for at in ["/created_at", "/updated_at", "/executions/0/timestamp"] {
        let time = ours.pointer(at).unwrap().as_str().unwrap();
        assert!(time.len() == 24 && time.ends_with('Z'), "{at} {time}");
    }
    let snapshot = bodies(&project).into_iter().find_map(|body| match body {
        Body::AttemptRecorded(recorded) => recorded.code_snapshot,
        _ => None,
    });
    assert_eq!(snapshot, Some(Content::Inline(b"fn a() {}".to_vec())));
}
