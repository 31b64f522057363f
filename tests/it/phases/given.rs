//! Replies that are there already: a file, a script, what a model answered in an earlier run.

use serde_json::json;

use super::{events, json, model, plan, project, set};
use crate::project::{Project, Ran};

fn given(project: &Project, node: &str, reply: &str, words: &[&str]) -> Ran {
    let path = project.write("reply.txt", reply);
    let run = ["phases", "run", node, "--json", "--artifacts", path.to_str().unwrap()];
    project.annals(run.iter().chain(words))
}

#[test]
fn a_reply_in_a_file_is_carried_out_and_remembered() {
    let project = project();
    let reply = format!(
        "<memory_update>{{\"core\":{{\"seen\":\"yes\"}},\"core_get\":[\"seen\"]}}</memory_update>{}",
        plan("echo metric: 2.5; echo done > done.txt")
    );
    let ran = json(&given(&project, "one", &reply, &["--workspace", "work"]).code(0));
    assert_eq!((ran["metric"].as_str(), ran["queries"].as_u64()), (Some("2.5"), Some(0)));
    assert!(project.path("work/run.sh").exists() && project.path("work/done.txt").exists());
    assert_eq!(events(&project, &["UpdatesApplied"]).len(), 1);
    assert_eq!(events(&project, &["ModelQueried"]).len(), 0);
    // The same node once more would be another one under its name.
    given(&project, "one", &reply, &[]).code(2).says("has its result already");
    // Its child sees what it remembers, and goes on with its program.
    given(&project, "two", &reply, &["--task", "debug", "--parent", "one"]).code(0);
    given(&project, "three", &reply, &["--task", "debug"]).code(2).says("needs --parent");
    given(&project, "three", &reply, &["--task", "debug", "--parent", "x"])
        .code(2)
        .says("is no node of run");
}

#[test]
fn what_cannot_be_used_is_refused_before_anything_is_recorded() {
    let project = project();
    let before = project.annals(["verify", "--json"]).code(0).out();
    for (reply, says) in [
        ("", "has no JSON object"),
        ("{\"phase_artifacts\":{}}", "phase_artifacts.coding"),
        ("<memory_update>{", "is not closed"),
        ("<memory_update>[]</memory_update>{}", "no JSON object: it is a list"),
    ] {
        given(&project, "n", reply, &[]).code(2).says(says);
    }
    let good = plan("true").to_string();
    given(&project, "a\u{7}b", &good, &[]).code(2).says("cannot be the node");
    given(&project, "n", &good, &["--run", ""]).code(2).says("cannot be the run");
    given(&project, "n", &good, &["--task", "sleep"]).code(2).says("no task");
    project.annals(["phases", "run", "n"]).code(2).says("--artifacts, --model or --script");
    assert_eq!(project.annals(["verify", "--json"]).code(0).out(), before);
    assert!(!project.path(".annals/memory.db").exists(), "nothing was remembered");
}

#[test]
fn without_memory_none_of_it_is_used() {
    let project = project();
    set(&project, "enabled = true", "enabled = false");
    let broken = format!("<memory_update>{{</memory_update>{}", plan("echo metric: 1"));
    let script = format!(
        "{}\n{}\n",
        json!(broken),
        json!({ "reply": { "command": "", "done": true }, "label": "phase1_step1_attempt1" })
    );
    let script = project.write("script.jsonl", &script);
    let script = script.to_str().unwrap();
    let ran = project.annals(["phases", "run", "n", "--json", "--script", script]).code(0);
    assert_eq!(json(&ran)["metric"], "1");
    assert!(!project.path(".annals/memory.db").exists());
    let asked = events(&project, &["ModelQueried"]);
    assert_eq!(asked.len(), 2);
    let sections = asked[0].to_string();
    assert!(!sections.contains("Memory operations"), "{sections}");
    assert_eq!(events(&project, &["PromptRendered", "RecallAppended", "BranchForked"]).len(), 0);
    assert_eq!(events(&project, &["PhaseCompleted"]).len(), 4);
}

#[test]
fn what_a_model_answered_can_be_said_again() {
    let project = project();
    let model = model();
    let run = |node: &str, words: &[&str]| {
        let first = ["phases", "run", node, "--json", "--run", "first"];
        project.annals(first.iter().chain(words))
    };
    run("d6", &["--model", &model]).code(0);
    run("d7", &["--model", &model]).code(1);
    for (node, code) in [("d6", 0), ("d7", 1)] {
        let again = format!("{node}-again");
        let words = ["phases", "run", &again, "--json", "--run", "second"];
        let from = ["--replay-from", "first", "--replay-node", node];
        let ran = json(&project.annals(words.iter().chain(&from)).code(code));
        let asked = |node: &str| {
            let all = events(&project, &["ModelQueried"]);
            let of = all.iter().filter(|it| it["body"]["node"]["node"] == node);
            of.map(|it| (it["body"]["prompt"]["label"].clone(), it["body"]["error"].clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(asked(&again), asked(node), "{ran}");
    }
    let words = ["phases", "run", "x", "--replay-from", "nothing"];
    project.annals(words).code(2).says("no node \"x\" was run here");
}

#[test]
fn a_prefix_leads_somewhere_else_and_memory_has_two_rounds_at_most() {
    let project = project();
    let reads = "<memory_update>{\"core_get\":[\"a\"]}</memory_update>";
    let script: Vec<String> = [
        reads.to_owned(),
        reads.to_owned(),
        // No round is left: it only reads, and is told so.
        reads.to_owned(),
        format!("<memory_update>{{}}</memory_update>{}", plan("echo metric: $BOX")),
        "<memory_update>{}</memory_update>{\"done\":true}".to_owned(),
    ]
    .iter()
    .map(|reply| json!(reply).to_string())
    .collect();
    let script = project.write("script.jsonl", &script.join("\n"));
    let work = project.root().canonicalize().unwrap().join("work").to_string_lossy().into_owned();
    let there = ["--workspace", "work", "--mount", &work];
    let words = ["phases", "run", "n", "--json", "--executor", "env BOX=9", "--script"];
    let words: Vec<&str> = words[..4].iter().chain(&there).chain(&words[4..]).copied().collect();
    let ran = json(&project.annals(words.iter().chain(&[script.to_str().unwrap()])).code(0));
    assert_eq!((ran["metric"].as_str(), ran["queries"].as_u64()), (Some("9"), Some(5)));
    let asked = events(&project, &["ModelQueried"]);
    let told = |at: usize| {
        let prompt = &asked[at]["body"]["prompt"];
        (prompt["label"].as_str().unwrap().to_owned(), prompt["round"].as_u64().unwrap())
    };
    let draft = |attempt: u64, round| (format!("draft_attempt{attempt}"), round);
    assert_eq!(
        [told(0), told(1), told(2), told(3)],
        [draft(1, 0), draft(1, 1), draft(1, 2), draft(2, 2)]
    );
    assert!(asked[2]["body"]["error"].as_str().unwrap().contains("only reads memory"));
}
