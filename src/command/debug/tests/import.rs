//! Documents from elsewhere: all of them or none, once, and valid.

use serde_json::json;

use super::super::ImportDone;
use super::super::schema::everything;
use super::*;

const CONTRACT: &str = include_str!("../../../../tests/fixtures/spec/002-debug-memory.schema.yaml");

fn import(project: &Project, text: &str) -> Result<ImportDone, DebugError> {
    work(project, |it| it.import("f", text.as_bytes()))
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
    let done = import(&project, &more.to_string()).unwrap();
    assert_eq!(done.sessions[0].unnamed, ["/mood"]);
    assert_eq!(value(&project, done.sessions[0].session), everything());
}

#[test]
fn one_that_is_there_otherwise_is_replaced_and_attempts_may_follow() {
    let (_dir, project) = project("");
    import(&project, &everything().to_string()).unwrap();
    let mut other = everything();
    other["file_path"] = json!("src/other.rs");
    let done = import(&project, &format!("[{other},{other}]")).unwrap();
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
        (with("/executions/0/attempt", json!(1e20)), ""),
        (with("/executions/0/test_results/total", json!(1e300)), ""),
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
