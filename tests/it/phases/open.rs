//! Nodes that are run twice at once, that are interrupted, and that have another run's name.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{events, json, plan, project};
use crate::leash::{Leash, start};
use crate::project::{Project, Ran};

fn words<'w>(node: &'w str, file: &'w str, more: &[&'w str]) -> Vec<&'w str> {
    let mut words = vec!["phases", "run", node, "--workspace", "work", "--artifacts", file];
    words.extend(more);
    words
}

fn begun(project: &Project, words: &[&str]) -> Leash {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command
        .args(words)
        .current_dir(project.root())
        .env("HOME", project.root())
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME");
    start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

fn wait_for(project: &Project, path: &str) {
    let began = Instant::now();
    while !project.path(path).exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no {path}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn state(project: &Project, words: &[&str]) -> String {
    let words = words.iter().chain(&["phases", "list", "--json"]);
    let nodes: Value = json(&project.annals(words).code(0));
    nodes[0]["state"].as_str().unwrap().to_owned()
}

#[test]
fn one_process_runs_a_node_and_the_others_are_told_so() {
    let project = project();
    let script = "touch up; while [ ! -e go ]; do sleep 0.05; done; echo metric: 1";
    let file = project.write("plan.json", &plan(script).to_string());
    let file = file.to_str().unwrap();
    let mut first = begun(&project, &words("n", file, &[]));
    wait_for(&project, "work/up");
    assert_eq!(state(&project, &[]), "running");
    for _ in 0..2 {
        project.annals(words("n", file, &[])).code(4).says("is being run by another process");
    }
    assert_eq!(state(&project, &["--evidence"]), "open", "no lock is looked at");
    // One that is killed leaves it to whoever runs it again.
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(state(&project, &[]), "abandoned");
    project.write("work/go", "");
    project.annals(words("n", file, &[])).code(0).says("reached 1");
    assert_eq!(state(&project, &[]), "ok");
    assert_eq!(events(&project, &["NodeResultRecorded"]).len(), 1);
    project.annals(words("n", file, &[])).code(2).says("has its result already");
}

#[test]
fn an_interrupted_node_stays_open_and_teaches_nothing() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let project = project();
        let script = "touch up; [ -e go ] || sleep 300; echo metric: 1";
        let file = project.write("plan.json", &plan(script).to_string());
        let file = file.to_str().unwrap();
        let child = begun(&project, &words("n", file, &[]));
        wait_for(&project, "work/up");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.output().unwrap();
        let ran = Ran { what: "interrupted".to_owned(), output };
        ran.code(code).says("was interrupted").says("can be run again");
        assert_eq!(events(&project, &["NodeResultRecorded", "ArchivalWritten"]).len(), 0);
        let told = project.annals(["log", "--json"]).code(0).out();
        assert!(told.contains("interrupted"), "{told}");
        assert_eq!(state(&project, &[]), "abandoned");
        project.write("work/go", "");
        project.annals(words("n", file, &[])).code(0).says("reached 1");
        let texts = events(&project, &["RecallAppended"]);
        assert!(!texts.iter().any(|it| it["body"]["kind"] == "run_failed"), "{texts:?}");
    }
}

#[test]
fn each_run_has_names_of_its_own() {
    let project = project();
    let file = project.write("plan.json", &plan("echo metric: 1").to_string());
    let file = file.to_str().unwrap();
    let ran = |node: &str, more: &[&str]| {
        let words = ["phases", "run", node, "--json", "--artifacts", file];
        project.annals(words.iter().chain(more))
    };
    let branch = |ran: Ran| json(&ran.code(0))["branch"].as_str().unwrap().to_owned();
    assert_eq!(branch(ran("root", &["--run", "a"])), "root");
    assert_eq!(branch(ran("root", &["--run", "b"])), "b/root");
    ran("root", &["--run", "b"]).code(2).says("has its result already");
    // Its children are under its own branch, and see nothing of the other run's.
    let child = ["--run", "b", "--task", "improve", "--parent", "root"];
    assert_eq!(branch(ran("child", &child)), "child");
    let forks = events(&project, &["BranchForked"]);
    let forks: Vec<_> =
        forks.iter().map(|it| (&it["body"]["branch"], &it["body"]["parent"])).collect();
    assert_eq!(forks.last().unwrap().1, "b/root", "{forks:?}");
    assert_eq!(forks.len(), 3);
    project.annals(["memory", "recall", "child"]).code(0).says("b/root");
    // Where both names are other nodes' branches it is told.
    ran("c/root", &["--run", "a"]).code(0);
    ran("root", &["--run", "c"]).code(2).says("\"c/root\" is that of another node");
    let nodes = json(&project.annals(["phases", "list", "--json"]).code(0));
    assert_eq!(nodes.as_array().unwrap().len(), 4);
}

#[test]
fn an_attempt_that_was_cut_short_leaves_nothing_to_the_next() {
    let project = project();
    let script = "touch up; [ -e go ] || exec sleep 300; echo metric: 1";
    let update = r#"{"core":{"mood":"aborted"},"archival":[{"text":"an insight of the aborted"}]}"#;
    let reply = format!("<memory_update>{update}</memory_update>{}", plan(script));
    let first = project.write("first.txt", &reply);
    let child = begun(&project, &words("n", first.to_str().unwrap(), &[]));
    wait_for(&project, "work/up");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.output().unwrap().status.code(), Some(130));
    project.write("work/go", "");
    let second = project.write("second.json", &plan(script).to_string());
    let ran = project.annals(words("n", second.to_str().unwrap(), &["--json"])).code(0);
    assert_eq!(json(&ran)["branch"], "n/2");
    let seen = |branch: &str| {
        let told = ["core", "search"].map(|layer| match layer {
            "core" => project.annals(["memory", "get", branch]).out(),
            _ => project.annals(["memory", "search", branch, "insight"]).out(),
        });
        told.concat()
    };
    assert!(seen("n").contains("aborted") && seen("n").contains("an insight"), "{}", seen("n"));
    assert!(!seen("n/2").contains("aborted"), "{}", seen("n/2"));
    // A child goes on with what stands.
    let child = ["phases", "run", "m", "--parent", "n", "--task", "improve", "--json"];
    let more = ["--workspace", "work", "--artifacts", second.to_str().unwrap()];
    project.annals(child.iter().chain(&more)).code(0);
    assert!(!seen("m").contains("aborted"), "{}", seen("m"));
    project.annals(["rebuild", "--check"]).code(0);
}
