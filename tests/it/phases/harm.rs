//! Models and plans that mean harm, or break.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{events, json, plan, project, set};

#[test]
fn a_model_whose_replies_are_of_no_use_is_a_buggy_node() {
    let project = project();
    let words = ["phases", "run", "n", "--json", "--model", "head -c 100000 /dev/urandom"];
    let ran = json(&project.annals(words).code(1));
    assert!(ran["error"].as_str().unwrap().contains("no <memory_update> block"), "{ran}");
    assert_eq!(ran["phases"].as_array().unwrap().len(), 0, "nothing was run");
}

#[test]
fn what_is_no_finding_about_the_experiment_leaves_the_node_open() {
    let project = project();
    let file = project.write("plan.json", &plan("echo metric: 1").to_string());
    let (empty, good) = (project.write("empty.jsonl", ""), file.to_str().unwrap());
    let empty = empty.to_str().unwrap();
    for (node, words, code, says) in [
        ("hangs", ["--model", "(trap '' TERM; sleep 300) & wait"], 5, "took longer than 1 s"),
        ("floods", ["--model", "head -c 1073741824 /dev/zero"], 5, "printed 1073741824 bytes"),
        ("fails", ["--model", "echo no key >&2; exit 2"], 5, "no key"),
        ("is silent", ["--model", "true"], 5, "printed nothing"),
        ("is nobody", ["--model", "no-such-model"], 5, "exit status: 127"),
        ("is empty", ["--script", empty], 2, "the script has no reply 1"),
    ] {
        // Only the one that hangs is to find the end of its time.
        let (was, is) = ("model_timeout_s = 600", "model_timeout_s = 1");
        if node == "hangs" {
            set(&project, was, is);
        }
        let began = Instant::now();
        let run = ["phases", "run", node, "--json"];
        let ran = project.annals(run.iter().chain(&words)).code(code);
        if node == "hangs" {
            assert!(began.elapsed() < Duration::from_secs(60), "{node}");
            set(&project, is, was);
        }
        ran.says(says).says("stays open").says("run the node again");
    }
    let away = ["--executor", "no-such-runtime exec box", "--artifacts", good];
    let run = ["phases", "run", "is away", "--json"];
    project.annals(run.iter().chain(&away)).code(2).says("no-such-runtime").says("stays open");

    project.annals(["verify"]).code(0);
    let nodes = json(&project.annals(["phases", "list", "--json"]).code(0));
    let nodes = nodes.as_array().unwrap();
    assert_eq!(nodes.len(), 7);
    assert!(nodes.iter().all(|node| node["state"] == "abandoned"), "{nodes:?}");
    assert_eq!(events(&project, &["ModelQueried"]).len(), 6, "what happened is recorded");
    assert_eq!(events(&project, &["NodeResultRecorded", "ArchivalWritten"]).len(), 0);
    for node in ["fails", "is empty", "is away"] {
        project.annals(["phases", "run", node, "--artifacts", good]).code(0).says("reached 1");
    }
}

#[test]
fn a_plan_that_leads_out_of_its_workspace_writes_nothing() {
    let project = project();
    project.write("secret", "mine");
    let secret = project.path("secret").to_string_lossy().into_owned();
    let paths = [
        "../secret",
        "a/../../secret",
        "/etc/annals-test",
        secret.as_str(),
        ".git/hooks/x",
        "a\nb",
    ];
    for (at, path) in paths.into_iter().enumerate() {
        let mut value = plan("true");
        value["phase_artifacts"]["coding"]["workspace"]["files"][0]["path"] = json!(path);
        let file = project.write("plan.json", &value.to_string());
        let (node, work) = (format!("n{at}"), format!("work{at}"));
        let words = ["phases", "run", &node, "--json", "--workspace", &work, "--artifacts"];
        let ran = json(&project.annals(words.iter().chain(&[file.to_str().unwrap()])).code(1));
        assert_eq!(ran["phases"].as_array().unwrap().len(), 2, "it ends with coding: {ran}");
        assert_eq!(std::fs::read_dir(project.path(&work)).unwrap().count(), 0, "{path:?}");
    }
    assert_eq!(std::fs::read_to_string(project.path("secret")).unwrap(), "mine");
}

#[test]
fn a_command_that_hangs_is_ended_with_all_that_it_started() {
    let project = project();
    set(&project, "command_timeout_s = 3600", "command_timeout_s = 1");
    let script = "(trap '' TERM; while :; do date +%s%N > alive; sleep 0.05; done) & wait";
    let file = project.write("plan.json", &plan(script).to_string());
    let words = ["phases", "run", "n", "--json", "--workspace", "work", "--artifacts"];
    let ran = json(&project.annals(words.iter().chain(&[file.to_str().unwrap()])).code(1));
    assert!(ran["error"].as_str().unwrap().contains("took longer than 1 s"), "{ran}");
    let alive = project.path("work/alive");
    std::thread::sleep(Duration::from_millis(300));
    let before = std::fs::read_to_string(&alive).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(std::fs::read_to_string(&alive).unwrap(), before, "something of it lives");
}

#[test]
fn what_a_command_prints_cannot_reach_the_terminal() {
    let project = project();
    let script = "printf 'metric: 1\\n\\033[2J\\033]0;x\\007'";
    let file = project.write("plan.json", &plan(script).to_string());
    project.annals(["phases", "run", "n", "--artifacts", file.to_str().unwrap()]).code(0);
    let shown = project.annals(["phases", "show", "n"]).code(0).out();
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{7}'), "{shown:?}");
}

#[test]
fn a_plan_never_works_where_git_an_agent_or_annals_keeps_its_own() {
    let project = project();
    let file = project.write("plan.json", &plan("true").to_string());
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(project.path(to), project.path(name)).unwrap();
    };
    std::fs::create_dir_all(project.path(".git/hooks")).unwrap();
    std::fs::create_dir_all(project.path("other/.annals/journal")).unwrap();
    link(".annals/journal", "linked");
    link(".git", "further");
    let root = project.root().to_string_lossy().into_owned();
    let above = project.root().parent().unwrap().to_string_lossy().into_owned();
    let before = project.annals(["replay", "--format", "jsonl"]).code(0).out();
    for folder in [
        ".annals",
        ".annals/journal",
        ".annals/workspaces",
        ".annals/new/x",
        ".ANNALS/journal",
        ".annals/workspaces/../journal",
        "linked",
        "linked/below",
        ".git",
        ".git/hooks",
        ".git/new/x",
        "further/hooks",
        "new/../.git/hooks",
        "other/.annals",
        "other/.annals/journal",
        ".claude",
        ".claude/hooks",
        ".annals/workspaces/x/.git",
        "/",
        &root,
        &above,
        ".",
    ] {
        let words = ["phases", "run", "n", "--workspace", folder, "--artifacts"];
        let ran = project.annals(words.iter().chain(&[file.to_str().unwrap()])).code(2);
        ran.says("the workspace ").says("give another folder");
    }
    assert_eq!(project.annals(["replay", "--format", "jsonl"]).code(0).out(), before);
    assert!(!project.path(".git/new").exists() && !project.path(".annals/new").exists());
    for (at, folder) in
        [".annals/workspaces/x/y", "work/new", ".claude/worktrees/w"].iter().enumerate()
    {
        let node = format!("n{at}");
        let words = ["phases", "run", &node, "--workspace", folder, "--artifacts"];
        project.annals(words.iter().chain(&[file.to_str().unwrap()])).code(0);
    }
    // Where the project lies in the workspace, what is its own is kept all the same.
    let inner = project.path("outer/inner");
    std::fs::create_dir_all(&inner).unwrap();
    let annals = |words: &[&str]| {
        let mut command = project.command();
        command.current_dir(&inner).args(words);
        crate::project::Ran::of(&mut command)
    };
    annals(&["init"]).code(0);
    for (at, path) in ["inner/.annals/journal/x.seg", "inner/.git/hooks/x"].iter().enumerate() {
        let mut value = plan("true");
        value["phase_artifacts"]["coding"]["workspace"]["files"][0]["path"] = json!(path);
        let (file, node) = (project.write("plan.json", &value.to_string()), format!("m{at}"));
        let words = ["phases", "run", &node, "--workspace", "..", "--artifacts"];
        let words: Vec<&str> = words.into_iter().chain([file.to_str().unwrap()]).collect();
        annals(&words).code(1).says("is buggy");
        assert!(!project.path("outer").join(path).exists(), "{path}");
    }
}

#[test]
fn what_a_command_leaves_in_the_background_ends_with_it() {
    let project = project();
    let left = "(trap '' TERM; while :; do date +%s%N > alive; sleep 0.05; done) >/dev/null 2>&1 &";
    let script = format!("{left}\nwhile [ ! -s alive ]; do sleep 0.05; done; echo metric: 1");
    let file = project.write("plan.json", &plan(&script).to_string());
    let words = ["phases", "run", "n", "--workspace", "work", "--artifacts"];
    project.annals(words.iter().chain(&[file.to_str().unwrap()])).code(0).says("reached 1");
    let before = std::fs::read_to_string(project.path("work/alive")).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(std::fs::read_to_string(project.path("work/alive")).unwrap(), before, "it lives");
}
