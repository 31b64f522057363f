//! What is refused, and what is told twice; the contract's own tests are in
//! `tests/execution_tools_tests.rs`.

use rusqlite::Connection;
use serde_json::json;

use super::{
    Duration, Error, Execution, ExecutionDb, ExecutionFilter, query_executions, record_execution,
};
use crate::event::ExecutionId;
use crate::execution::asked_stores::tests::{evidence, rolled_back};
use crate::execution::query::Action;
use crate::grounding::tools::{Step, ToolLayer};
use crate::journal::Project;

const TIMESTAMP: u64 = 1_735_036_800_000;

fn temp_db() -> (tempfile::TempDir, ExecutionDb) {
    let folder = tempfile::tempdir().unwrap();
    let db = ExecutionDb::initialize(folder.path()).unwrap();
    (folder, db)
}

fn log(db: &ExecutionDb) -> Connection {
    Connection::open(db.execution_log_path()).unwrap()
}

fn ids(log: &Connection) -> Vec<String> {
    let mut ids = log.prepare("SELECT id FROM executions ORDER BY rowid").unwrap();
    let found = ids.query_map([], |row| row.get(0)).unwrap();
    found.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_duration_is_what_it_says() {
    for (ours, seconds) in [
        (Duration::days(7), 604_800),
        (Duration::hours(2), 7_200),
        (Duration::minutes(3), 180),
        (Duration::seconds(4), 4),
        (Duration::days(u64::MAX), u64::MAX),
    ] {
        assert_eq!(std::time::Duration::from(ours).as_secs(), seconds);
    }
}

#[test]
fn a_refused_record_leaves_no_row_and_says_why() {
    let (_folder, db) = temp_db();
    db.record("file_read", &json!({"path": "a"}), "text", &TIMESTAMP).unwrap();
    let early = TIMESTAMP - 60_001;
    for (tool, args, timestamp, why) in [
        ("nobody_knows", json!({}), TIMESTAMP, "not in the contract's list"),
        ("file_read", json!([1]), TIMESTAMP, "not an object"),
        ("file_read", json!({}), early, "behind the session's last"),
        ("file_read", json!({}), u64::MAX, "ahead"),
    ] {
        let error = db.record(tool, &args, "text", &timestamp).unwrap_err();
        assert!(matches!(error, Error::Record(_)), "{error:?}");
        let mut said = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(source) = cause {
            said += &source.to_string();
            cause = source.source();
        }
        assert!(said.contains(why), "{said}");
    }
    let log = log(&db);
    assert_eq!(ids(&log).len(), 1);
    // Another session has a time of its own.
    let (folder, db) = (db.root().to_owned(), db);
    drop(db);
    let other = ExecutionDb::initialize(&folder).unwrap().with_session("other");
    other.record("file_read", &json!({}), "text", &early).unwrap();
}

#[test]
fn one_execution_told_twice_is_one() {
    let (folder, db) = temp_db();
    let execution = Execution {
        tool_name: "file_read".to_owned(),
        arguments: "{}".to_owned(),
        timestamp: TIMESTAMP,
        execution_id: ExecutionId::parse("550e8400-e29b-41d4-a716-446655440000"),
        success: true,
        ..Default::default()
    };
    let told = record_execution(&db, execution.clone()).unwrap();
    let again = record_execution(&db, execution).unwrap();
    assert_eq!((told.duplicate, again.duplicate), (false, true));
    drop(db);
    let db = ExecutionDb::initialize(folder.path()).unwrap();
    let log = log(&db);
    assert_eq!(ids(&log), ["550e8400-e29b-41d4-a716-446655440000"]);
}

#[test]
fn what_failed_is_asked_for_under_the_contracts_names() {
    let (_folder, db) = temp_db();
    let args = json!({"file": "src/lib.rs", "symbol": "foo"});
    let now_ms = crate::journal::clock::now_ms() - 60_000;
    let broken = super::ToolOutcome {
        diagnostics: vec![crate::parse::check::diagnostic::Diagnostic {
            level: "error".to_owned(),
            message: "m".to_owned(),
            file_name: Some("src/lib.rs".to_owned()),
            line_start: Some(1),
            code: Some("E0425".to_owned()),
        }],
        ..super::ToolOutcome::failed("E0425")
    };
    let check = json!({"path": "."});
    db.record("lsp_check", &check, &broken, &now_ms).unwrap();
    for at in 1..4 {
        let failed = super::ToolOutcome::failed("span moved");
        db.record("splice_patch", &args, &failed, &(now_ms + at)).unwrap();
    }
    let action = Action::with("splice_patch", &args.to_string()).unwrap();
    assert!(db.has_failed_recently(&action, Duration::days(7)).unwrap());
    assert!(!db.has_failed_recently(&action, Duration::seconds(1)).unwrap());
    let failures = db.failed_executions("splice_patch").with_symbol("foo").with_file("src/lib.rs");
    assert_eq!(failures.fetch().unwrap().items.len(), 3);
    assert!(
        db.failed_executions("splice_patch").with_symbol("bar").fetch().unwrap().items.is_empty()
    );
    let patterns = db.pattern_match(&action).filter_failure_rate_threshold(0.7);
    assert_eq!(patterns.fetch().unwrap().items.len(), 1);
    assert_eq!(db.executions_producing_diagnostic("E0425").fetch().unwrap().items.len(), 1);
    assert!(db.executions_resolving_error("E0425").fetch().unwrap().items.is_empty());

    db.record("splice_patch", &args, &(), &(now_ms + 5)).unwrap();
    db.record("lsp_check", &check, &(), &(now_ms + 6)).unwrap();
    assert!(!db.has_failed_recently(&action, Duration::days(7)).unwrap());
    let resolving = db.executions_resolving_error("E0425").with_success(true);
    assert_eq!(resolving.fetch().unwrap().items.len(), 1);
    let proven = db.successful_resolutions_for_error("E0425").in_repository(db.root());
    assert_eq!(proven.fetch().unwrap().items.len(), 1);
    let elsewhere = db.successful_resolutions_for_error("E0425").in_repository("/elsewhere");
    assert!(elsewhere.fetch().unwrap().items.is_empty());
}

#[test]
fn where_a_store_is_ahead_of_its_journal_answers_come_from_fresh_ones() {
    let (folder, db) = temp_db();
    let record = |db: &ExecutionDb, path: &str| {
        let args = json!({"path": path});
        db.record("file_read", &args, "text", &TIMESTAMP).unwrap()
    };
    let paths = |db: &ExecutionDb| {
        let found = query_executions(db, &ExecutionFilter::default()).unwrap();
        found.into_iter().filter_map(|one| one.target).collect::<Vec<_>>()
    };
    record(&db, "real");
    drop(db);
    rolled_back(folder.path(), || {
        record(&ExecutionDb::open(folder.path()).unwrap(), "ghost");
    });
    let before = evidence(folder.path());

    let db = ExecutionDb::open(folder.path()).unwrap();
    assert_eq!(paths(&db), ["real"]);
    let (_, reason) = db.contradicts().expect("told");
    assert!(reason.is_loss(), "{reason}");
    assert_ne!(db.execution_log_path(), folder.path().join("execution_log.db"));
    // What is recorded meanwhile is answered too.
    record(&db, "later");
    let mut found = paths(&db);
    found.sort();
    assert_eq!(found, ["later", "real"]);
    // So does an agent's tool, and it says so.
    let project = Project::open(folder.path()).unwrap();
    let layer = ToolLayer::new(&project, db.session_id()).unwrap();
    let step = Step::new("memory_query", &json!({"last": 10, "project": true})).unwrap();
    let given = layer.invoke(&step).result.unwrap();
    assert!(!given.text.contains("ghost") && given.text.contains("later"), "{}", given.text);
    assert!(given.note.as_deref().is_some_and(|note| note.contains("kept as evidence")));
    assert_eq!(evidence(folder.path()), before, "nothing is written over evidence");
    drop(db);
    assert!(ExecutionDb::open(folder.path()).unwrap().contradicts().is_some());
}

#[test]
fn a_recorder_leaves_the_stores_behind_until_they_are_asked_for() {
    let (folder, db) = temp_db();
    let mut recorder = db.recorder();
    let mut recorded: Vec<String> = Vec::new();
    for at in 0..5 {
        let args = json!({ "path": format!("{at}") });
        let one = recorder.record("file_read", &args, "text", &(TIMESTAMP + at)).unwrap();
        assert!(!one.duplicate, "{at}");
        recorded.push(one.execution_id.to_string());
    }
    assert_eq!(ids(&log(&db)).len(), 0, "it appends, and no more");
    // Somebody else records beside it, and is known to it from then on.
    let other = db.record("file_read", &json!({"path": "x"}), "text", &(TIMESTAMP + 9)).unwrap();
    recorded.push(other.execution_id.to_string());
    assert_eq!(ids(&log(&db)), recorded);
    let same = Execution {
        execution_id: Some(other.execution_id),
        tool_name: "file_read".into(),
        arguments: json!({"path": "x"}).to_string(),
        timestamp: TIMESTAMP + 9,
        success: true,
        ..Execution::default()
    };
    assert!(recorder.record_execution(same).unwrap().duplicate);
    recorder.record("file_read", &json!({"path": "y"}), "text", &(TIMESTAMP + 10)).unwrap();
    let reopened = ExecutionDb::open(folder.path()).unwrap();
    assert_eq!(ids(&log(&reopened)).len(), 7);
}
