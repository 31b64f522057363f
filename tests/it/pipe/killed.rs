//! What was acknowledged is in the journal, whatever happens to the pipe.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Piped, journal};
use crate::project::Project;

#[test]
fn what_was_acknowledged_before_a_kill_is_recorded() {
    let project = Project::new();
    for round in 0..4_u32 {
        let mut pipe = Piped::with(&project, &["--session", "s"]);
        pipe.result("mem_node_fork", json!({ "child_node_id": "n" }));
        // More than is read: the kill comes in the middle.
        for at in 0..300 {
            let key = format!("k{round}-{at}");
            match at % 3 {
                0 => pipe.ask("record_prompt", &json!({ "text": key, "native_id": key })),
                1 => pipe.ask("mem_archival_write", &json!({ "branch": "n", "text": key })),
                _ => pipe.ask(
                    "record_execution",
                    &json!({ "tool": "bash_exec", "arguments": { "command": key } }),
                ),
            }
        }
        let acknowledged: Vec<Value> =
            (0..40 + 60 * round).map(|_| pipe.next().expect("an answer")).collect();
        pipe.kill();
        let recorded: BTreeSet<u64> =
            journal(&project).iter().filter_map(|event| event["sequence"].as_u64()).collect();
        for answer in &acknowledged {
            assert_eq!(answer["ok"], json!(true), "{answer}");
            let sequence = answer["sequence"].as_u64().expect("recorded");
            assert!(recorded.contains(&sequence), "{sequence} is gone: {answer}");
        }
    }
    project.annals(["verify"]).code(0);
    // Who looks feeds the stores what the pipe no longer could.
    project.annals(["memory", "branches"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn neighbours_share_a_commit() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s"]);
    pipe.result("mem_node_fork", json!({ "child_node_id": "n" }));
    let commits = || {
        let verified = project.annals(["verify", "--json"]).code(0).json();
        verified[0]["commits"].as_u64().unwrap_or_else(|| panic!("{verified}"))
    };
    let before = commits();
    let mut lines = String::new();
    for at in 0..200 {
        let (op, args) = match at < 100 {
            true => ("record_prompt", json!({ "text": format!("p{at}") })),
            false => {
                ("mem_core_set", json!({ "branch": "n", "key": format!("k{at}"), "value": "v" }))
            }
        };
        lines += &format!("{}\n", json!({ "id": at, "op": op, "args": args }));
        if at % 50 == 0 {
            // Refused alone, in the midst of those that are not.
            let bad =
                json!({ "id": "bad", "op": "record_execution", "args": { "tool": "unknown" } });
            lines += &format!("{bad}\n");
        }
    }
    pipe.send(lines.as_bytes());
    let answers: Vec<Value> = (0..204).map(|_| pipe.next().expect("an answer")).collect();
    let bad = answers.iter().filter(|answer| answer["ok"] == json!(false)).count();
    assert_eq!(bad, 4);
    let mut sequences: Vec<u64> =
        answers.iter().filter_map(|answer| answer["sequence"].as_u64()).collect();
    let told = sequences.clone();
    sequences.sort_unstable();
    assert_eq!(told, sequences, "in order");
    pipe.close();
    let made = commits() - before;
    assert!(made < 190, "{made} commits of 200 requests");
}

#[test]
fn requests_of_two_kinds_share_their_flushes() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s"]);
    pipe.result("mem_node_fork", json!({ "child_node_id": "n" }));
    let commits = || {
        let verified = project.annals(["verify", "--json"]).code(0).json();
        verified[0]["commits"].as_u64().unwrap_or_else(|| panic!("{verified}"))
    };
    let before = commits();
    let mut lines = String::new();
    for at in 0..300 {
        let call = json!({ "tool": "bash_exec", "arguments": { "command": format!("c{at}") } });
        let set = json!({ "branch": "n", "key": format!("k{at}"), "value": "v" });
        for (id, op, args) in
            [(at * 2, "record_execution", call), (at * 2 + 1, "mem_core_set", set)]
        {
            lines += &format!("{}\n", json!({ "id": id, "op": op, "args": args }));
        }
    }
    pipe.send(lines.as_bytes());
    let answers: Vec<Value> = (0..600).map(|_| pipe.next().expect("an answer")).collect();
    let mut sequences = std::collections::BTreeSet::new();
    for (at, answer) in answers.iter().enumerate() {
        assert_eq!((&answer["id"], &answer["ok"]), (&json!(at), &json!(true)), "{answer}");
        assert!(sequences.insert(answer["sequence"].as_u64().expect("a sequence")), "{answer}");
    }
    pipe.close();
    let made = commits() - before;
    assert!(made <= 120, "{made} commits of 600 requests");
    // Each answer names its own last event; a key more than the budget takes lets another go.
    let events = super::journal(&project);
    for (at, answer) in answers.iter().enumerate() {
        let event = events.iter().find(|event| event["sequence"] == answer["sequence"]);
        let text = event.map(ToString::to_string).unwrap_or_default();
        let kinds: &[&str] =
            if at % 2 == 0 { &["ExecutionFinished"] } else { &["CoreSet", "CoreEvicted"] };
        assert!(kinds.iter().any(|kind| text.contains(kind)), "{answer}: {text}");
    }
}
