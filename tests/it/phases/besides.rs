//! What a node takes over, what a person is told besides, and where commands run.

use serde_json::{Value, json};

use super::{events, json, plan, project, set};
use crate::project::{Project, Ran};
use crate::skipped::skipped;

/// Runs a node with these replies, in order.
fn scripted(project: &Project, node: &str, replies: &[String], words: &[&str]) -> Ran {
    let lines: Vec<String> = replies.iter().map(|reply| json!(reply).to_string()).collect();
    let script = project.write("script.jsonl", &lines.join("\n"));
    let run = ["phases", "run", node, "--script", script.to_str().unwrap()];
    project.annals(run.iter().chain(words))
}

fn reply(value: &Value) -> String {
    format!("<memory_update>{{}}</memory_update>{value}")
}

/// A plan, and that nothing is to be installed.
fn replies(script: &str) -> Vec<String> {
    vec![reply(&plan(script)), reply(&json!({ "done": true }))]
}

/// The sections of each prompt of a node.
fn prompts(project: &Project, node: &str) -> Vec<Value> {
    let path = project.path(".annals/experiments/run/logs/0-experiment/prompt_logs");
    let folder = path.join(format!("node_{node}"));
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|it| it == "md"));
    names.sort();
    names.iter().map(|path| json!(std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn the_idea_is_remembered_and_taken_over_by_children() {
    let project = project();
    let idea = project.write("idea.md", "Make it fast.");
    let idea = ["--idea", idea.to_str().unwrap()];
    scripted(&project, "root", &replies("echo metric: 1"), &idea).code(0);
    let kept = events(&project, &["ArchivalWritten"]);
    let is_idea = |event: &&Value| event["body"]["tags"].to_string().contains("IDEA_MD");
    assert_eq!(kept.iter().filter(is_idea).count(), 1);
    let told = scripted(&project, "child", &replies("echo metric: 1"), &["--parent", "root"]);
    assert!(!told.code(0).err().contains("no research idea"));
    // Given once more, it is no other one; another one is.
    let same: Vec<&str> = ["--parent", "child"].into_iter().chain(idea).collect();
    scripted(&project, "same", &replies("echo metric: 1"), &same).code(0);
    let other = project.write("other.md", "Make it small.");
    let other = ["--parent", "child", "--idea", other.to_str().unwrap()];
    scripted(&project, "other", &replies("echo metric: 1"), &other).code(0);
    scripted(&project, "grand", &replies("echo metric: 1"), &["--parent", "other"]).code(0);
    let kept = events(&project, &["ArchivalWritten"]);
    assert_eq!(kept.iter().filter(is_idea).count(), 2);
    for (node, text) in [("child", "fast"), ("same", "fast"), ("grand", "small")] {
        let asked = format!("# Research idea\n\nMake it {text}.\n");
        let prompts = prompts(&project, node);
        let first = prompts.iter().find(|it| it.as_str().unwrap().contains("# Instructions"));
        assert!(first.unwrap().as_str().unwrap().contains(&asked), "{node}: {prompts:?}");
    }
    scripted(&project, "alone", &replies("echo metric: 1"), &[]).code(0).says("no research idea");
}

#[test]
fn a_parent_that_is_not_there_is_refused() {
    let project = project();
    let before = project.annals(["verify", "--json"]).code(0).out();
    scripted(&project, "n", &replies("true"), &["--parent", "rot"]).code(2).says("\"rot\" is no");
    assert_eq!(project.annals(["verify", "--json"]).code(0).out(), before);
    project.annals(["memory", "fork", "root"]).code(0);
    scripted(&project, "n", &replies("echo metric: 1"), &["--parent", "root"]).code(0);
}

#[test]
fn the_prompt_names_the_folder_where_commands_run() {
    let project = project();
    let root = project.root().canonicalize().unwrap();
    let work = root.join("work").to_string_lossy().into_owned();
    let mut value = plan(&format!("cd {work} && echo metric: 1"));
    let coding = &mut value["phase_artifacts"]["coding"]["workspace"];
    coding["root"] = json!(work);
    coding["tree"] = json!([format!("{work}/src"), format!("{work}/src/a"), "run.sh"]);
    let file = json!({ "path": format!("{work}/src/a"), "content": "" });
    coding["files"].as_array_mut().unwrap().push(file);
    value["phase_artifacts"]["compile"]["build_plan"]["workdir"] = json!(format!("{work}/src"));
    value["phase_artifacts"]["compile"]["commands"] = json!(["test -e a"]);
    let replies = [reply(&value), reply(&json!({ "done": true }))];
    scripted(&project, "n", &replies, &["--workspace", "work"]).code(0);
    for prompt in prompts(&project, "n") {
        let prompt = prompt.as_str().unwrap();
        assert!(prompt.contains(&work) && !prompt.contains("\"/workspace\""), "{prompt}");
    }
    // Somewhere else it has the name it has there.
    let words = ["--workspace", "work", "--executor", "sh -c '\"$@\"' x", "--mount", &work];
    let replies = self::replies("pwd; echo metric: 1");
    scripted(&project, "m", &replies, &words).code(0);
    project.annals(["phases", "show", "m"]).code(0).says(&work);
    let words = ["--executor", "sh -c '", "--mount", &work];
    scripted(&project, "o", &replies, &words).code(2).says("not closed");
    // A program that is a file is the one that lies where the user stands.
    let script = project.write("bin/box", "#!/bin/sh\nexec \"$@\"\n");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["--workspace", "work", "--executor", "bin/box", "--mount", &work];
    scripted(&project, "p", &replies, &words).code(0);
}

#[test]
fn what_could_not_be_done_besides_is_told() {
    let project = project();
    project.write("outside.png", "x");
    let mut asked = replies("echo metric: 1; echo p > a.png; ln -s ../outside.png out.png");
    asked.push(reply(&json!({ "nothing": 1 })));
    let words = ["--workspace", "work", "--summarize"];
    let plots =
        ["--plot", "no.png", "--plot", "../outside.png", "--plot", "out.png", "--plot", "a.png"];
    let words: Vec<&str> = words.into_iter().chain(plots).collect();
    let told = scripted(&project, "n", &asked, &words).code(0).err();
    let shown = project.annals(["phases", "show", "n"]).code(0).out();
    for part in [
        "plot \"no.png\" was not looked at: there is no such file",
        "plot \"../outside.png\" was not looked at: ",
        "plot \"out.png\" was not looked at: ",
        "the plots were not read: ",
        "there is no summary: ",
    ] {
        assert!(told.contains(part) && shown.contains(part), "{part}: {told}\n{shown}");
    }
    let file = project.write("plan.json", &plan("echo metric: 1").to_string());
    for words in [&["--review"][..], &["--summarize"], &["--plot", "a.png"]] {
        let run = ["phases", "run", "m", "--artifacts", file.to_str().unwrap()];
        project.annals(run.iter().chain(words)).code(2).says("nobody to ask");
    }
}

#[test]
fn a_folder_of_texts_that_is_not_used_is_told() {
    let project = project();
    set(&project, "# prompts = \"prompts\"", "prompts = \"texts\"");
    let run = |node: &str| scripted(&project, node, &replies("echo metric: 1"), &[]);
    run("n").code(2).says("there is no folder").says("texts");
    project.annals(["phases", "prompts"]).code(2).says("there is no folder");
    project.annals(["phases", "prompts", "--export", "texts"]).code(0);
    project.write("texts/prompt/agent/draft.txt", "mine");
    project.write("texts/prompt/base_system.txt", "");
    for told in [run("n").code(0), project.annals(["phases", "prompts"]).code(0)] {
        told.says("draft.txt: no prompt has this text").says("base_system.txt is empty");
    }
}

#[test]
fn a_long_log_is_shown_by_its_ends_and_each_command_by_its_reference() {
    let project = project();
    let script = "echo metric: 1; echo first; yes middle | head -c 400000; echo; echo last";
    let file = project.write("plan.json", &plan(script).to_string());
    let run = ["phases", "run", "n", "--artifacts", file.to_str().unwrap()];
    project.annals(run).code(0);
    let shown = project.annals(["phases", "show", "n"]).code(0);
    assert!(shown.out().len() < 40_000, "{}", shown.out().len());
    let shown = shown.says("first").says("last").says("bytes left out").out();
    let all = shown.split("all of it: ").nth(1).unwrap().lines().next().unwrap().to_owned();
    assert!(std::fs::metadata(project.path(&all)).unwrap().len() > 400_000);
    let reference = shown.split("  command ").nth(1).unwrap().lines().next().unwrap().to_owned();
    project.annals(["show", &reference]).code(0).says("sh run.sh");
    let told = json(&project.annals(["phases", "show", "n", "--json"]).code(0));
    assert_eq!(told["commands"], json!([[], [], [], [reference]]));
    assert!(told["logs"][3].as_str().unwrap().len() > 400_000);
    project.annals(["phases", "list", "--run", "nosuch"]).code(0).says("Run nosuch has no nodes");
}

#[test]
fn what_is_too_large_or_makes_no_sense_is_a_fault_of_the_call() {
    let project = project();
    let large = project.write("large.json", &" ".repeat((8 << 20) + 1));
    let run = ["phases", "run", "n", "--artifacts", large.to_str().unwrap()];
    project.annals(run).code(2).says("more than 8388608 bytes");
    let given = format!(
        "<memory_update>{{\"core\":{{\"seen\":\"yes\"}}}}</memory_update>{}",
        plan("echo metric: 1")
    );
    let file = project.write("given.txt", &given);
    project.annals(["phases", "run", "n", "--artifacts", file.to_str().unwrap()]).code(0);
    let log = "run/logs/0-experiment/prompt_logs/node_n/memory_operations.jsonl";
    let log = std::fs::read_to_string(project.path(&format!(".annals/experiments/{log}"))).unwrap();
    assert!(log.contains("draft_given") && log.contains("core_set"), "{log}");
    set(&project, "phase1_max_steps = 3", "phase1_max_steps = 0");
    project.annals(["status"]).code(0).says("phase1_max_steps is 0");
    let run = ["phases", "run", "m", "--artifacts", file.to_str().unwrap()];
    project.annals(run).code(2).says("phase1_max_steps is 0");
}

/// A container's client that reaches nothing is no fault of the experiment.
#[test]
fn an_executor_that_leads_nowhere_is_missing() {
    let project = project();
    let file = project.write("plan.json", &plan("echo metric: 1").to_string());
    let file = file.to_str().unwrap();
    let failing = project.write("fails.json", &plan("exit 125").to_string());
    let work = project.path("work").to_string_lossy().into_owned();
    let ran = |node: &str, executor: &str, file: &str| {
        let words = ["phases", "run", node, "--workspace", "work", "--mount", &work];
        let more = ["--executor", executor, "--artifacts", file];
        project.annals(words.iter().chain(&more))
    };
    let away = "sh -c 'echo Cannot connect to the daemon >&2; exit 1'";
    ran("n", away, file).code(2).says("Cannot connect").says("stays open");
    let here = "sh -c '\"$@\"' x";
    ran("n", here, file).code(0).says("reached 1");
    // What fails where commands can be run is the experiment's own.
    ran("m", here, failing.to_str().unwrap()).code(1).says("buggy");
    let docker = || std::process::Command::new("docker").arg("info").output();
    match docker() {
        Err(_) => return skipped("no docker client"),
        Ok(asked) if asked.status.success() => return skipped("docker has its daemon here"),
        Ok(_) => {}
    }
    for (node, executor) in [("exec", "docker exec box"), ("run", "docker run --rm box")] {
        ran(node, executor, file).code(2).says("stays open").says("Docker daemon");
    }
    let nodes = json(&project.annals(["phases", "list", "--json"]).code(0));
    let states = nodes.as_array().unwrap().iter().map(|node| node["state"].as_str().unwrap());
    assert_eq!(states.collect::<Vec<_>>(), ["ok", "buggy", "abandoned", "abandoned"]);
}
