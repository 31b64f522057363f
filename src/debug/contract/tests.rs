//! Spec 002's functions, as a program calls them.

use std::path::Path;

use super::*;
use crate::execution::asked_stores::tests::{evidence, rolled_back};

fn memory(path: &Path) -> DebugMemory {
    std::fs::create_dir_all(path.join(".annals")).unwrap();
    let settings = "[journal]\ndurability = \"buffered\"\n";
    std::fs::write(path.join(".annals/config.toml"), settings).unwrap();
    DebugMemory::initialize(path).unwrap().with_session("s1")
}

const FAILED: &str = "running 2 tests\n\nfailures:\n\n---- tests::half stdout ----\n\n\
    thread 'tests::half' (1) panicked at src/cart.rs:36:9:\nassertion `left == right` failed\n  \
    left: 15\n right: 16\n\n\nfailures:\n    tests::half\n\ntest result: FAILED. 1 passed; 1 failed; \
    0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
const PASSED: &str = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; \
    0 filtered out; finished in 0.01s\n";

fn run(printed: &str, exit_code: i32) -> TestRun<'_> {
    TestRun {
        command: &["cargo", "test"],
        stdout: printed.as_bytes(),
        exit_code: Some(exit_code),
        ..TestRun::default()
    }
}

fn open(memory: &DebugMemory, file: &str) -> DebugSessionId {
    let given = OpenGiven { file_path: file.to_owned(), ..OpenGiven::default() };
    memory.open_session(given).unwrap()
}

#[test]
fn spec_002s_queries_find_what_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    let first = open(&memory, "src/cart.rs");
    let done = memory.record_run(first, "h1", &run(FAILED, 101)).unwrap();
    assert_eq!((done.attempt, done.status), (1, DebugStatus::InProgress));

    let analysis = Analysis {
        root_cause: "the discount is taken off twice in a row".to_owned(),
        root_cause_category: Some(RootCause::LogicError),
        fix_strategy: "take the discount off of the sum only".to_owned(),
        confidence: Some(0.9),
        related_failures: None,
        similar_past_issues: None,
    };
    memory.analyse(first, None, analysis).unwrap();
    let fix = Fix {
        description: "Take it off once".to_owned(),
        diff_summary: None,
        files_changed: None,
        diff: None,
        verification: None,
    };
    memory.apply_fix(first, None, FixGiven { fix, template: None }).unwrap();
    let done = memory.record_run(first, "h2", &run(PASSED, 0)).unwrap();
    assert_eq!(done.status, DebugStatus::Passed);
    assert_eq!(done.verified, Some((1, Verification::Passed)));

    // Another process, another file, the same error.
    let again = DebugMemory::open(dir.path()).unwrap();
    let second = open(&again, "src/order.rs");
    let found = again.find_similar_failures("AssertionError", "src/%").unwrap();
    assert_eq!(found.iter().map(|it| it.id).collect::<Vec<_>>(), [first]);
    let templates = again.get_fix_templates("logic_error").unwrap();
    assert_eq!(templates.len(), 1, "{templates:?}");
    assert_eq!(templates[0].session, first);
    for hash in ["h3", "h4", "h5"] {
        again.record_run(second, hash, &run(FAILED, 101)).unwrap();
    }
    let escalated = again.recent_escalations(0).unwrap();
    assert_eq!(escalated.iter().map(|it| it.id).collect::<Vec<_>>(), [second]);
    assert!(again.recent_escalations(escalated[0].updated_ms).unwrap().is_empty());

    let document = again.document(first).unwrap().unwrap();
    let failure = &document.executions[0].failures.as_ref().unwrap()[0];
    assert_eq!(failure.expected.as_deref(), Some("16"));
    let asked = SimilarAsked::from(failure);
    let similar = again.similar(&[asked], Some(first), 5).unwrap();
    assert_eq!(similar[0].session.id, second);
    let file = dir.path().join(format!(".annals/debug-memory/{first}.json"));
    let written: DebugDocument = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(written, document);
}

#[test]
fn what_is_none_of_the_schemas_words_or_no_test_run_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let memory = memory(dir.path());
    assert!(matches!(
        memory.find_similar_failures("OutOfCheese", "%"),
        Err(Error::Word { what: "error type", .. })
    ));
    let session = open(&memory, "a.rs");
    assert!(matches!(
        memory.record_run(session, "h", &run("hello\n", 0)),
        Err(Error::NotUnderstood { .. })
    ));
    // A command that failed and that nobody understands has failed all the same.
    let done = memory.record_run(session, "h", &run("hello\n", 1)).unwrap();
    assert_eq!(done.done.document.executions[0].test_results.errors, Some(1));
    assert!(memory.expire(true).unwrap().is_empty());
    assert!(matches!(memory.export(session), Ok(it) if it.document.file_path == "a.rs"));
    let closed = memory.close(session, DebugStatus::Failed, None).unwrap();
    assert_eq!(closed.done.document.status, Some(DebugStatus::Failed));
    assert!(matches!(memory.record_run(session, "h", &run(PASSED, 0)), Err(Error::Debug(_))));
}

#[test]
fn a_session_that_only_a_store_ahead_of_its_journal_has_is_not_told() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(&memory(dir.path()), "src/cart.rs");
    rolled_back(dir.path(), || {
        open(&memory(dir.path()), "src/ghost.rs");
    });
    let before = evidence(dir.path());
    let sessions = memory(dir.path()).sessions(&DebugFilter::default()).unwrap();
    assert_eq!(sessions.iter().map(|it| it.id).collect::<Vec<_>>(), [first]);
    assert_eq!(evidence(dir.path()), before);
}
