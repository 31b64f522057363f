//! `annals timeline`: what it tells, of whom, and when asking is recorded.

use serde_json::Value;

use crate::project::{Project, Ran};
use crate::queries::broken_and_mended;

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.code(0).out()).expect("JSON")
}

/// The numbers of the executions in an answer.
fn ids(answer: &Value) -> Vec<u64> {
    let entries = answer["executions"].as_array().expect("a list").iter();
    entries.map(|entry| entry["id"].as_u64().expect("a number")).collect()
}

/// `annals timeline --json` as this session's agent.
fn asked(project: &Project, session: &str, words: &[&str]) -> Value {
    let mut command = project.command();
    command.env("ANNALS_SESSION", session).arg("timeline").args(words).arg("--json");
    json(Ran::of(&mut command))
}

/// The names of the events from this sequence on.
fn events_after(project: &Project, sequence: u64) -> Vec<String> {
    let ran = project.annals(["replay", "--format", "jsonl"]).code(0).out();
    let lines = ran.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let later = lines.filter(|line| line["sequence"].as_u64().is_some_and(|at| at > sequence));
    later.filter_map(|line| line["event"]["kind"].as_str().map(str::to_owned)).collect()
}

#[test]
fn the_newest_session_stands_where_its_last_execution_left_it() {
    let project = broken_and_mended();
    let told = json(project.annals(["timeline", "-n", "3", "--json"]));
    assert_eq!(ids(&told), [3, 4, 5]);
    let position = &told["position"];
    for (field, expected) in [
        ("total_executions", 5),
        ("last_execution_id", 5),
        ("last_success", 4),
        ("last_failure", 5),
        ("current_step", 1),
    ] {
        assert_eq!(position[field], expected, "{field}");
    }
    let pending = told["pending_failures"].as_array().expect("a list");
    assert_eq!((pending.len(), &pending[0]["id"]), (1, &Value::from(5)), "the check passed since");
    let text = project.annals(["timeline"]).code(0).out();
    for part in ["Session ", "Step 1", "5 executions", "never read", "no such symbol", "show 5"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let query = r#"memory_query(tool="lsp_check", success=true, after_id=2)"#;
    assert_eq!(ids(&json(project.annals(["timeline", "--query", query, "--json"]))), [4]);
    project.annals(["timeline", "--query", "memory_query(after_id=999)"]).code(2);
    project.annals(["timeline", "--query", "what?"]).code(2);
    project.annals(["timeline", "--session", "nobody"]).code(2);
    let then = json(project.annals(["timeline", "--at", "2", "--json"]));
    assert_eq!((ids(&then), &then["pending_failures"][0]["failures"]), (vec![1, 2], &2.into()));
}

#[test]
fn an_agents_question_is_its_read_and_a_persons_look_is_none() {
    let project = broken_and_mended();
    let last = |project: &Project| {
        let told = json(project.annals(["timeline", "--json"]));
        told["through_sequence"].as_u64().expect("a number")
    };
    let before = last(&project);
    for words in [&["timeline"][..], &["timeline", "--block"], &["timeline", "--project"]] {
        project.annals(words).code(0);
    }
    assert_eq!(last(&project), before, "nothing was recorded");
    let mut command = project.command();
    command.env("ANNALS_SESSION", "s1").args(["timeline", "--evidence"]);
    Ran::of(&mut command).code(0);
    let mut command = project.command();
    command.env("ANNALS_SESSION", "s1").args(["timeline", "--at", "2"]);
    Ran::of(&mut command).code(0);
    let own = json(project.annals(["timeline", "--json"]))["executions"][0]["session"].clone();
    let other = own.as_str().expect("a session");
    for words in [
        &["-n", "0"][..],
        &["--block", "--chars", "0"],
        &["--session", other],
        &["--query", "memory_query(last=0)"],
    ] {
        let mut command = project.command();
        command.env("ANNALS_SESSION", "s1").arg("timeline").args(words);
        Ran::of(&mut command);
    }
    assert_eq!(last(&project), before, "what is past or evidence is not written to");
    let first = asked(&project, "s1", &["--project"]);
    assert_eq!(first["position"]["last_query"], Value::Null);
    assert_eq!(events_after(&project, before), ["TimelineQueried"]);
    let again = asked(&project, "s1", &["--block"]);
    let since = again["position"]["time_since_last_query_ms"].as_u64().expect("it was read");
    assert!(since < 60_000, "{since}");
    let block = again["block"].as_str().expect("a block");
    assert!(block.starts_with("=== EXECUTION TIMELINE (GROUND TRUTH) ===\n"), "{block}");
    assert_eq!(
        events_after(&project, before + 1),
        ["TimelineCheckpoint", "TimelineQueried"],
        "a block that was given is a checkpoint too"
    );
    let whole =
        project.annals(["timeline", "--block", "--project", "--chars", "300"]).code(0).out();
    assert!(whole.trim_end().chars().count() <= 300, "{whole}");
}

#[test]
fn several_journals_are_told_each_by_its_name() {
    let [one, other] = [broken_and_mended(), Project::new()];
    let folders = [one.root(), other.root()].map(|root| root.to_str().expect("UTF-8").to_owned());
    let words = ["timeline", "--json", "--dir", &folders[0], "--dir", &folders[1]];
    let told = json(one.annals(words));
    let told = told.as_array().expect("a list");
    assert_eq!(told.len(), 2);
    assert_eq!((ids(&told[0]).len(), ids(&told[1]).len()), (5, 0));
    assert!(told.iter().all(|one| one["journal"].is_string()), "{told:?}");
}
