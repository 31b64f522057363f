//! What inferring makes of the past: re-runs, fixes that were told, and by itself.

use super::infer::*;
use super::*;

/// Ruling 21.
#[test]
fn what_is_past_calls_nobody() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    for new in ["1", "2", "3", "4"] {
        story.tests("cargo test", FAILED);
        story.edit("src/a.rs", "0", new);
    }
    story.record(&project, 0);
    let found = told(&project, &["infer"]);
    assert_eq!((&found[0]["status"], &found[0]["attempts"]), (&json!("failed"), &json!(4)));
    assert_eq!(told(&project, &["escalations"]), json!([]));
    assert_eq!(told(&project, &["infer"]), json!([]));
    let from = story.lines.len();
    story.tests("cargo test", PASSED);
    story.record(&project, from);
    let found = told(&project, &["infer"]);
    assert_eq!((&found[0]["status"], &found[0]["attempts"]), (&json!("passed"), &json!(1)));
    let it = last(&project);
    assert_eq!(it["executions"][3]["fix_applied"]["verification"], json!("passed"));
    project.annals(["rebuild", "--check"]).code(0);
}

/// The same run of the same code: no attempt, and where it ends otherwise the tests are flaky.
#[test]
fn a_run_again_is_no_attempt_and_what_ends_otherwise_is_flaky() {
    let again = |runs: &[(&str, &str)], between: Option<&str>| {
        let project = project();
        let mut story = Story { lines: Vec::new() };
        for (at, (command, printed)) in runs.iter().enumerate() {
            if at > 0
                && let Some(between) = between
            {
                story.call("bash_exec", json!({"command": between}), json!({"exit_code": 0}));
            }
            story.tests(command, printed);
        }
        story.record(&project, 0);
        let found = told(&project, &["infer"]);
        let flaky = told(&project, &["flaky"]);
        let (status, attempts) = (found[0]["status"].clone(), found[0]["attempts_all"].clone());
        assert_eq!(told(&project, &["infer"]), json!([]), "{runs:?}");
        let learnt = last(&project)["learnings"]["patterns_identified"].clone();
        assert!(learnt.is_null() || flaky == json!([]), "{learnt}");
        project.annals(["rebuild", "--check"]).code(0);
        (status, attempts, flaky)
    };
    let run = "cargo test";
    let (status, attempts, flaky) = again(&[(run, FAILED), (run, FAILED)], Some("cat src/a.rs"));
    assert_eq!((status, attempts, flaky), (json!("in_progress"), json!(1), json!([])));
    let flips = [(run, FAILED), (run, PASSED), (run, FAILED), (run, PASSED)];
    let (status, attempts, flaky) = again(&flips, None);
    assert_eq!((status, attempts), (json!("passed"), json!(1)));
    assert_eq!(
        (&flaky[0]["test"], &flaky[0]["count"], &flaky[0]["last_seen"]),
        (&json!("a::tests::sums"), &json!(3), &json!("2026-10-01T10:00:03.000Z")),
        "{flaky}"
    );
    // Something else was done, or asked for: nobody can say so.
    for (other, between) in [(run, Some("npm install")), ("RUST_LOG=1 cargo test", None)] {
        let (status, attempts, flaky) = again(&[(run, FAILED), (other, PASSED)], between);
        assert_eq!((status, attempts, flaky), (json!("passed"), json!(2), json!([])), "{other}");
    }
}

/// What is told in words, before the tests pass or after, is one fix with what was edited.
#[test]
fn a_fix_that_is_told_is_joined_to_what_was_edited() {
    for is_before in [true, false] {
        let project = project();
        let mut story = Story { lines: Vec::new() };
        story.tests("cargo test", FAILED);
        story.edit("src/a.rs", "a", "b");
        story.record(&project, 0);
        told(&project, &["infer"]);
        let tell =
            || project.annals(["debug", "fix", "--description", "Add in the right order"]).code(0);
        if is_before {
            tell();
        }
        let from = story.lines.len();
        story.edit("src/a.rs", "c", "d");
        story.tests("cargo test", PASSED);
        story.record(&project, from);
        told(&project, &["infer"]);
        if !is_before {
            tell();
        }
        let it = last(&project);
        let fix = &it["executions"][0]["fix_applied"];
        assert_eq!(
            (&fix["description"], &fix["diff_summary"], &fix["verification"]),
            (&json!("Add in the right order"), &json!("+2/-2 lines"), &json!("passed")),
            "{is_before}: {it}"
        );
        assert_eq!(fix["files_changed"], json!(["src/a.rs"]));
        let pattern = &it["learnings"]["patterns_identified"][0];
        let template = json!("Add in the right order (+2/-2 lines)");
        assert_eq!((&pattern["fix_template"], &pattern["effectiveness"]), (&template, &json!(1.0)));
        assert_eq!(told(&project, &["infer"]), json!([]));
        std::fs::remove_dir_all(project.root().join(".annals/inferred")).expect("remembered");
        assert_eq!(told(&project, &["infer"]), json!([]));
        project.annals(["rebuild", "--check"]).code(0);
    }
}

/// A stop infers what its agent did, and an import what is in it.
#[test]
fn it_is_inferred_by_itself() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    story.tests("cargo test", FAILED);
    story.edit("src/a.rs", "a", "b");
    story.tests("cargo test", PASSED);
    story.record(&project, 0);
    project.annals(["status"]).code(0);
    let stop = json!({"hook_event_name": "Stop", "session_id": "s1", "cwd": project.root()});
    for _ in 0..2 {
        Ran::of(project.command().args(["hook", "claude-code"]).write_stdin(stop.to_string()))
            .code(0);
    }
    let found = told(&project, &["list"]);
    assert_eq!((found.as_array().map(Vec::len), &found[0]["status"]), (Some(1), &json!("passed")));
    assert_eq!(told(&project, &["infer"]), json!([]));
}
