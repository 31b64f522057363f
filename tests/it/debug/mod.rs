//! `annals debug` (spec 002): what each command does, whole stories, and what they leave behind.

mod bounds;
pub mod crates;
mod example;
mod groups;
mod hooks;
mod infer;
mod inferred;
mod interrupted;
mod python;
mod refused;
mod retention;
mod shapes;
mod stores;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// A project that records quickly.
pub fn project() -> Project {
    let project = Project::new();
    settle(&project, "");
    project
}

/// Its settings: quick recording, and these.
pub fn settle(project: &Project, settings: &str) {
    let text = format!("[journal]\ndurability = \"buffered\"\n{settings}");
    project.write(".annals/config.toml", &text);
    project.annals(["trust", "--yes"]).code(0);
}

/// What `annals debug` with these words prints with `--json`.
#[track_caller]
pub fn told(project: &Project, words: &[&str]) -> Value {
    project.annals(["debug"].iter().chain(words).chain(&["--json"])).code(0).json()
}

/// The document of a session.
#[track_caller]
pub fn document(project: &Project, session: &str) -> Value {
    told(project, &["show", session])
}

/// The session that was worked on last.
#[track_caller]
pub fn last(project: &Project) -> Value {
    document(project, "last")
}

/// A failed test, in the schema's shape.
pub fn failure(test: &str, message: &str, file: &str) -> Value {
    json!({
        "test_name": test,
        "error_type": "TypeError",
        "error_message": message,
        "source_location": { "file": file, "line": 15, "function": "validate" },
    })
}

/// The documents that lie in the project.
pub fn documents(project: &Project) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(project.path(".annals/debug-memory")).expect("the folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let is_document =
        |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.len() == 36) && path.is_file();
    paths.retain(is_document);
    paths.sort();
    paths
}

/// An attempt of two tests in which this failed; `None`: nothing. The code is other code then.
pub fn execution(failure: Option<Value>) -> String {
    let failed = u64::from(failure.is_some());
    let failures: Vec<Value> = failure.into_iter().collect();
    json!({
        "code_hash": format!("abc{failed}"),
        "test_results": { "total": 2, "passed": 2 - failed, "failed": failed, "errors": 0 },
        "failures": failures,
    })
    .to_string()
}

/// Records an attempt at the session that was worked on last.
#[track_caller]
pub fn attempt(project: &Project, failure: Option<Value>) -> Value {
    told(project, &["attempt", "--execution", &execution(failure)])
}

/// Commands on one project in order, what they say, and their exit code.
#[test]
fn each_command_does_what_it_says() {
    let project = project();
    project.write("src/a.rs", "fn a() {}\n");
    let failed = execution(Some(failure("t", "Cannot read property 'length' of null", "src/a.rs")));
    let passed = execution(None);
    let cause = "validate() reads the length of what may be null";
    let strategy = "return early where there is no input at all";
    for (words, code, says) in [
        (&[][..], 0, "No debug session is open."),
        (&["list"], 0, "No debug session. Next: annals debug run FILE"),
        (&["show"], 2, "annals debug run FILE -- COMMAND"),
        (&["similar"], 2, "there is no debug session yet"),
        (&["escalations"], 0, "Nothing is escalated."),
        (&["templates"], 0, "No template has helped often enough yet"),
        (&["expire"], 0, "No debug session is due."),
        (&["attempt", "--total", "1", "--passed", "0"], 2, "annals debug run FILE -- COMMAND"),
        (&["open", "src"], 2, "is a folder"),
        (
            &["open", "src/a.rs", "--agent", "me", "--task", "t-1", "--iteration", "4"],
            0,
            "Opened debug session",
        ),
        (&["fix", "--description", "x"], 2, "no attempt"),
        (&["attempt"], 2, "say what the tests came to"),
        (&["attempt", "--execution", "{}"], 2, "test_results"),
        (
            &["attempt", "--execution", &failed],
            0,
            "1 of 2 tests passed, 1 failed; the session is in_progress",
        ),
        (&["analyse", "--root-cause", "short", "--fix-strategy", strategy], 2, "root_cause"),
        (
            &["analyse", "--root-cause", cause, "--fix-strategy", strategy, "--category", "nope"],
            2,
            "is none of null_undefined_access",
        ),
        (
            &[
                "analyse",
                "--root-cause",
                cause,
                "--fix-strategy",
                strategy,
                "--category",
                "null_undefined_access",
                "--confidence",
                "0.9",
            ],
            0,
            "Recorded an analysis",
        ),
        (
            &[
                "fix",
                "--description",
                "Return early",
                "--diff-summary",
                "+3/-0 lines",
                "--file",
                "src/a.rs",
            ],
            0,
            "Recorded a fix",
        ),
        (&["show"], 0, "fix, pending: Return early (+3/-0 lines)"),
        (&["list", "--status", "in_progress", "--error-type", "TypeError"], 0, "src/a.rs"),
        (&["list", "--status", "passed"], 0, "No debug session."),
        (&[], 0, "1 debug session open."),
        (&["attempt", "--execution", &passed], 0, "the fix after attempt 1: passed"),
        (&["attempt", "--execution", &passed], 2, "annals debug open"),
        (&["learn", "--recommend", "Ask for inputs that are there"], 0, "Recorded what was learnt"),
        (&["show"], 0, "Ask for inputs that are there"),
        (&["templates", "null_undefined_access"], 0, "1 of 1"),
        (&["similar", "--error-type", "TypeError", "--file", "src/%"], 0, "src/a.rs"),
        (
            &["similar", "--message", "Cannot read property 'length' of null"],
            0,
            "helped: Return early",
        ),
        (&["verify", "failed"], 0, "is failed"),
        (&["export"], 0, "annals/debug-export/v1"),
        (&["close", "--status", "failed"], 2, "final"),
        (&["infer"], 0, "No run of tests that is understood failed"),
        (&["run", "src/none.rs", "--", "sh", "-c", "exit 6"], 6, "no attempt recorded"),
        (&["run", "src", "--", "sh", "-c", "exit 6"], 6, "src cannot be read: it is a folder"),
        (&["fix", "--description", "too late"], 2, "annals debug open src/a.rs"),
        (&["run", "src/a.rs", "--", "true"], 0, "it is no attempt"),
        (&["run", "src/a.rs", "--", "no-such-program"], 127, "could not be started"),
    ] {
        project.annals(["debug"].iter().chain(words)).code(code).says(says);
    }
    let metadata = last(&project)["metadata"].clone();
    assert_eq!(metadata, json!({"agent": "me", "task_id": "t-1", "ralph_iteration": 4}));
    project.annals(["rebuild", "--check"]).code(0);
}

/// Three attempts that fail, and a person is to look; a person may end it.
#[test]
fn three_failed_attempts_are_escalated_and_may_still_pass() {
    let project = project();
    project.annals(["debug", "open", "src/a.ts"]).code(0);
    let failed = || Some(failure("t", "boom", "src/a.ts"));
    for (number, status) in
        [(1, "in_progress"), (2, "in_progress"), (3, "escalated"), (4, "escalated")]
    {
        let done = attempt(&project, failed());
        assert_eq!((done["attempt"].as_u64(), &done["status"]), (Some(number), &json!(status)));
    }
    project
        .annals(["debug", "escalations", "--since", "1h", "--exit-code"])
        .code(1)
        .says("src/a.ts");
    assert_eq!(attempt(&project, None)["status"], json!("passed"));
    project.annals(["debug", "escalations", "--exit-code"]).code(0);
    // Two that are allowed, and one that is given up.
    project.annals(["debug", "open", "src/b.ts", "--attempts-max", "2"]).code(0);
    attempt(&project, failed());
    assert_eq!(attempt(&project, failed())["status"], json!("escalated"));
    project.annals(["debug", "close", "--reason", "no use"]).code(0).says("is failed (@");
    assert_eq!(last(&project)["status"], json!("failed"));
}

/// As it was, in a copy, in two projects.
#[test]
fn debug_memory_is_asked_of_the_past_of_copies_and_of_several() {
    let project = project();
    let opened = told(&project, &["open", "src/a.ts"]);
    let at = format!("@{}", opened["sequence"]);
    let session = opened["session_id"].as_str().expect("an id").to_owned();
    attempt(&project, Some(failure("t", "boom", "src/a.ts")));
    let then = project.annals(["debug", "show", "--json", "--at", &at]).code(0).json();
    assert_eq!((&then["executions"], &then["session_id"]), (&json!([]), &json!(session)));
    let copy = Project::empty();
    let copied = std::process::Command::new("cp")
        .args(["-r", ".annals"])
        .arg(copy.root())
        .current_dir(project.root())
        .status();
    assert!(copied.expect("cp").success());
    let shown =
        copy.annals(["debug", "show", &session[..8], "--json", "--evidence"]).code(0).json();
    assert_eq!(shown["executions"].as_array().map(Vec::len), Some(1));
    let both = [copy.root().to_str().expect("text"), project.root().to_str().expect("text")];
    let several = copy.annals(["--dir", both[0], "--dir", both[1], "debug", "list", "--json"]);
    assert_eq!(several.code(0).json().as_array().map(Vec::len), Some(2));
    copy.annals(["debug", "show", "--at", "@1"]).code(2);
    copy.annals(["debug", "expire", "--dry-run", "--evidence"]).code(0).says("is due");
    copy.annals(["debug", "export", "--evidence"]).code(2).says("annals debug show");
    let out = Ran::of(project.command().args(["debug", "fix", "--description", "x", "--at", "@1"]));
    out.code(2).says("this command writes");
}
