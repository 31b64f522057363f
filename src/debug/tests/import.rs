//! Documents from elsewhere: all of them or none, once, and valid.

use serde_json::json;

use super::super::ImportDone;
use super::super::schema::everything;
use super::*;

const CONTRACT: &str = include_str!("../../../tests/fixtures/spec/002-debug-memory.schema.yaml");

fn import(project: &Project, text: &str) -> Result<ImportDone, DebugError> {
    work(project, |it| it.import("f", text.as_bytes(), false))
}

fn replace(project: &Project, text: &str) -> Result<ImportDone, DebugError> {
    work(project, |it| it.import("f", text.as_bytes(), true))
}

#[test]
fn the_contracts_file_is_imported_once() {
    let (_dir, project) = project("");
    let done = import(&project, CONTRACT).unwrap();
    let session = done.sessions[0].session;
    assert_eq!(done.sessions[0].native_id.as_deref(), Some("dm-001-example"));
    assert_eq!(session.to_string().as_bytes()[14], b'8');
    let before = bodies(&project).len();
    let again = import(&project, CONTRACT).unwrap();
    assert!(again.sessions[0].is_known && again.sequence.is_none());
    assert_eq!(bodies(&project).len(), before);
    let document = document(&project, session);
    assert_eq!(document.status, Some(DebugStatus::Passed));
    assert_eq!(document.executions.len(), 2);
    // It is looked up as what was recorded here.
    let met = attempt(&project, "src/b.ts", failing("1", &[failure("t", "src/b.ts")]));
    assert_eq!(met.similar[0].session.id, session);
    assert_eq!(met.proposed.unwrap().0.description, "Add null check: if (!input) return/throw");
}

#[test]
fn everything_comes_in_as_it_is_and_what_is_not_named_is_told() {
    let (_dir, project) = project("");
    let done = import(&project, &everything().to_string()).unwrap();
    assert_eq!(value(&project, done.sessions[0].session), everything());
    assert!(!done.sessions[0].is_known && done.sessions[0].unnamed.is_empty());
    let mut more = everything();
    more["mood"] = json!("good");
    more["executions"][0]["attempt"] = json!(1.0);
    let done = replace(&project, &more.to_string()).unwrap();
    assert_eq!(done.sessions[0].unnamed, ["/mood"]);
    assert_eq!(value(&project, done.sessions[0].session), everything());
}

#[test]
fn one_that_is_there_otherwise_is_replaced_and_attempts_may_follow() {
    let (_dir, project) = project("");
    import(&project, &everything().to_string()).unwrap();
    let mut other = everything();
    other["file_path"] = json!("src/other.rs");
    let both = format!("[{other},{other}]");
    let refused = import(&project, &both).unwrap_err();
    assert!(matches!(refused, DebugError::Taken { document: 1, is_expired: false, .. }));
    let done = replace(&project, &both).unwrap();
    let known: Vec<bool> = done.sessions.iter().map(|it| it.is_known).collect();
    assert_eq!(known, [false, true]);
    let session = done.sessions[0].session;
    let next = work(&project, |it| it.attempt(session, passing("2"))).unwrap();
    assert_eq!((next.attempt, next.status), (2, DebugStatus::Passed));
    assert_eq!(next.done.document.file_path, "src/other.rs");
    // What it was does not come back by being told again.
    let again = import(&project, &other.to_string()).unwrap();
    assert!(again.sessions[0].is_known, "{again:?}");
}

#[test]
fn all_of_them_or_none() {
    let (_dir, project) = project("");
    let before = bodies(&project).len();
    let with = |at: &str, value: Value| {
        let mut document = everything();
        *document.pointer_mut(at).unwrap() = value;
        document
    };
    let cases = [
        (json!({"session_id": "x"}), ""),
        (with("/status", json!("done")), "/status"),
        (with("/session_id", json!(" ")), "/session_id"),
        // Integers by the schema, and by nobody else.
        (with("/executions/0/attempt", json!(1e20)), "/executions/0/attempt"),
        (with("/executions/0/attempt", json!(1_u64 << 32)), "/executions/0/attempt"),
        (
            with("/executions/0/test_results/total", json!(1e300)),
            "/executions/0/test_results/total",
        ),
        (with("/metadata/ralph_iteration", json!(u64::MAX)), "/metadata/ralph_iteration"),
        (json!(7), ""),
        (json!("text"), ""),
    ];
    for (bad, place) in cases {
        let error = import(&project, &format!("{}\n{bad}", everything())).unwrap_err();
        assert!(error.is_refusal());
        let DebugError::Invalid { what, document, at, .. } = &error else { panic!("{error:?}") };
        assert_eq!((what.as_str(), *document, at.as_str()), ("f", 2, place), "{error}");
    }
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let deep = with("/executions/0/environment/additional", json!({"deep": deep}));
    assert!(import(&project, &format!("{deep}")).is_ok());
    assert_eq!(bodies(&project).len(), before + 1);
}

#[test]
fn a_secret_in_a_document_is_taken_out_and_it_is_still_the_same() {
    let (_dir, project) = project("");
    let secret = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E";
    let mut document = everything();
    document["executions"][0]["failures"][0]["error_message"] = json!(format!("no {secret}"));
    let text = document.to_string();
    let session = import(&project, &text).unwrap().sessions[0].session;
    assert!(!value(&project, session).to_string().contains("ghp_"));
    assert!(import(&project, &text).unwrap().sessions[0].is_known);
}

#[test]
fn what_was_worked_on_here_is_not_replaced_unasked() {
    let (_dir, project) = project("");
    let first = attempt(&project, "src/a.rs", failing("1", &[failure("t", "src/a.rs")]));
    let session = first.done.session;
    let older = value(&project, session).to_string();
    attempt(&project, "src/a.rs", failing("2", &[failure("t", "src/a.rs")]));
    let now = value(&project, session);
    let mut others = now.clone();
    others["file_path"] = json!("src/another.rs");
    for text in [older.clone(), others.to_string()] {
        let refused = import(&project, &text).unwrap_err();
        assert!(refused.is_refusal());
        let told = refused.to_string();
        assert!(told.contains(&session.to_string()) && told.contains("--replace"), "{told}");
        assert_eq!(value(&project, session), now);
    }
    assert!(import(&project, &now.to_string()).unwrap().sessions[0].is_known);
    replace(&project, &older).unwrap();
    assert_eq!(document(&project, session).executions.len(), 1);
    // As it came it is known, whatever was done since.
    attempt(&project, "src/a.rs", failing("2", &[failure("t", "src/a.rs")]));
    assert!(import(&project, &older).unwrap().sessions[0].is_known);
    assert_eq!(document(&project, session).executions.len(), 2);
}

#[test]
fn two_attempts_of_one_number_or_two_documents_of_one_id_are_refused() {
    let (_dir, project) = project("");
    let mut document = everything();
    let execution = document["executions"][0].clone();
    document["executions"].as_array_mut().unwrap().push(execution);
    let checked = super::super::validate("f", document.to_string().as_bytes(), true).unwrap();
    assert!(checked[0].is_valid());
    assert_eq!(checked[0].unkept[0].at, "/executions/1/attempt");
    let refused = import(&project, &document.to_string()).unwrap_err();
    assert!(matches!(&refused, DebugError::Invalid { at, .. } if at == "/executions/1/attempt"));
    let mut other = everything();
    other["file_path"] = json!("src/other.rs");
    let both = format!("[{},{other}]", everything());
    for refused in [import(&project, &both), replace(&project, &both)] {
        assert!(matches!(refused, Err(DebugError::Twice { first: 1, second: 2, .. })));
    }
    assert!(names(&project, 0).iter().all(|name| *name != "DebugSessionImported"));
}

#[test]
fn an_export_is_imported_as_its_document() {
    let (_dir, one) = project("");
    let session = attempt(&one, "a", failing("1", &[failure("t", "a")])).done.session;
    let export = work(&one, |it| it.export(session)).unwrap();
    let text = serde_json::to_string(&export).unwrap();
    assert!(import(&one, &text).unwrap().sessions[0].is_known);
    let (_dir, other) = project("");
    let checked = super::super::validate("f", text.as_bytes(), true).unwrap();
    assert!(checked[0].is_valid() && checked[0].unnamed.is_empty(), "{checked:?}");
    import(&other, &format!("[{text}]")).unwrap();
    assert_eq!(value(&other, session), value(&one, session));
}

#[test]
fn times_that_cannot_be_are_told() {
    let (_dir, project) = project("");
    let mut document = everything();
    document["created_at"] = json!("yesterday");
    document["updated_at"] = json!("2999-01-01T00:00:00Z");
    let done = import(&project, &document.to_string()).unwrap();
    let notes = done.sessions[0].notes.join("\n");
    assert!(notes.contains("/created_at is no RFC 3339") && notes.contains("/updated_at lies"));
    assert!(import(&project, &document.to_string()).unwrap().sessions[0].is_known);
}
