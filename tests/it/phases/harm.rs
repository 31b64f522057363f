//! Models and plans that mean harm, or break.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{json, plan, project, set};

#[test]
fn a_model_that_gives_nothing_of_use_is_a_buggy_node_in_time() {
    let project = project();
    for (node, model, says) in [
        ("hangs", "(trap '' TERM; sleep 300) & wait", "took longer than 1 s"),
        ("floods", "head -c 1073741824 /dev/zero", "printed 1073741824 bytes"),
        ("garbles", "head -c 100000 /dev/urandom", "no <memory_update> block"),
        ("fails", "echo no key >&2; exit 2", "no key"),
        ("is silent", "true", "printed nothing"),
        ("is nobody", "no-such-model", "exit status: 127"),
    ] {
        // Only the one that hangs is to find the end of its time.
        let (was, is) = ("model_timeout_s = 600", "model_timeout_s = 1");
        if node == "hangs" {
            set(&project, was, is);
        }
        let began = Instant::now();
        let ran = project.annals(["phases", "run", node, "--json", "--model", model]).code(1);
        if node == "hangs" {
            assert!(began.elapsed() < Duration::from_secs(60), "{node}");
            set(&project, is, was);
        }
        let ran = json(&ran);
        assert!(ran["error"].as_str().unwrap().contains(says), "{node}: {ran}");
        assert_eq!(ran["phases"].as_array().unwrap().len(), 0, "nothing was run");
    }
    project.annals(["verify"]).code(0);
    let nodes = json(&project.annals(["phases", "list", "--json"]).code(0));
    assert_eq!(nodes.as_array().unwrap().len(), 6);
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
