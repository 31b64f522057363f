//! Nodes run through the command line leave the logs of spec 003, and a rebuild leaves the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::project::Project;

const DOCUMENT: &str = include_str!("../fixtures/spec/003-branch-memory-flow.md");
const LOGS: [&str; 2] = [".annals/memory", ".annals/experiments"];

/// A plan whose phases run these commands; `path` is the one file it writes.
fn plan(download: &str, path: &str, compile: &str, run: &str) -> String {
    let artifacts = json!({
        "phase_artifacts": {
            "download": {"commands": [download], "notes": "none"},
            "coding": {"workspace": {"files": [{"path": path, "content": "echo 'metric: 0.5'\n"}]}},
            "compile": {
                "build_plan": {"language": "sh", "compiler_selected": "sh"},
                "commands": [compile],
            },
            "run": {"commands": [run], "expected_outputs": []},
        },
        "constraints": {},
    });
    let updates = json!({
        "core": {"best": "v1"},
        "archival": [{"text": "an insight", "tags": ["TAG"]}],
        "recall": {"kind": "discovery", "summary": "it works"},
    });
    format!("<memory_update>\n{updates}\n</memory_update>\n{artifacts}")
}

/// Six nodes: one that ends well, one that fails in each phase, and one whose model reads memory.
fn tree() -> Project {
    let project = Project::new();
    let fails = "echo no >&2; exit 3";
    let nodes = [
        ("good", plan("echo got", "main.sh", "sh -n main.sh", "sh main.sh"), 0),
        ("no-download", plan(fails, "main.sh", "true", "true"), 1),
        ("no-coding", plan("true", "../../outside.sh", "true", "true"), 1),
        ("no-compile", plan("true", "main.sh", fails, "true"), 1),
        ("no-run", plan("true", "main.sh", "true", fails), 1),
    ];
    for (node, reply, code) in nodes {
        let reply = project.write(&format!("{node}.txt"), &reply);
        let reply = reply.to_string_lossy().into_owned();
        let parent: &[&str] = if node == "good" { &[] } else { &["--parent", "good"] };
        let run =
            ["phases", "run", node, "--run", "r1", "--experiment", "exp", "--artifacts", &reply];
        let ran = project.annals(run.iter().chain(parent));
        // What a model proposed against the rules may be refused before anything is run.
        assert!(ran.output.status.code() == Some(code) || node == "no-coding", "{}", ran.err());
    }
    let reads = json!({"core_get": ["best"], "archival_search": {"query": "insight", "k": 2}});
    let read = format!("<memory_update>\n{reads}\n</memory_update>\n");
    let done = "<memory_update>\n{}\n</memory_update>\n{\"command\": \"\", \"done\": true, \"notes\": \"\"}";
    let replies = [&read, &plan("true", "main.sh", "true", "sh main.sh"), done, done];
    let script: Vec<_> = replies.iter().map(|reply| json!(reply).to_string()).collect();
    let script = project.write("script.jsonl", &script.join("\n")).to_string_lossy().into_owned();
    let asked = ["phases", "run", "asked", "--parent", "good", "--run", "r1", "--script", &script];
    project.annals(asked.iter().chain(&["--experiment", "exp"]));
    project.annals(["status"]).code(0);
    project
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).into_iter().flatten().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false if name == ".cursor.json" => {}
                false => drop(found.insert(name, fs::read(path).unwrap())),
            }
        }
    }
    found
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    String::from_utf8_lossy(bytes).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_tree_of_nodes_leaves_every_file_and_kind_that_the_document_names_and_they_come_back() {
    let project = tree();
    let memory = files(&project.path(LOGS[0]));
    let experiments = files(&project.path(LOGS[1]));
    let (_, tree) = DOCUMENT.split_once("experiments/<run>/\n").unwrap();
    let tree = tree.split("\n```").next().unwrap();
    let named = tree.lines().filter_map(|line| line.split("── ").nth(1)?.split_whitespace().next());
    let mut count = 0;
    for name in named.filter(|name| !name.ends_with('/')) {
        let is_there = |file: &String| file.rsplit('/').next() == Some(name);
        let made = memory.keys().chain(experiments.keys()).any(is_there);
        // Nothing put it under pressure here.
        assert!(made || name == "memory_internal.jsonl", "{name}: {memory:?}");
        count += 1;
    }
    assert_eq!(count, 13);
    let calls = lines(&memory["memory_calls.jsonl"]);
    let told = |call: &Value| call["details"]["kind"].as_str().map(str::to_owned);
    let kinds: BTreeSet<String> = calls.iter().filter_map(told).collect();
    let quoted: BTreeSet<_> = DOCUMENT
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| {
            word.ends_with("_complete") || word.ends_with("_failed") || *word == "node_result"
        })
        .filter(|word| *word != "vlm_analysis_complete")
        .collect();
    assert_eq!(quoted.len(), 9, "{quoted:?}");
    for kind in quoted.into_iter().chain(["node_created", "memory_context_injected"]) {
        assert!(kinds.contains(kind), "no {kind} among {kinds:?}");
    }
    // Every line is in its layer's log too.
    for call in &calls {
        let log = format!("memory_{}.jsonl", call["layer"].as_str().unwrap());
        assert!(lines(&memory[&log]).contains(call), "{call}");
    }
    assert!(!project.root().parent().unwrap().join("outside.sh").exists());

    for logs in LOGS {
        fs::remove_dir_all(project.path(logs)).unwrap();
    }
    project.annals(["status"]).code(0);
    assert_eq!(files(&project.path(LOGS[0])), memory, "caught up from nothing");
    assert_eq!(files(&project.path(LOGS[1])), experiments);
    project.annals(["rebuild", "memory_calls", "experiments"]).code(0);
    assert_eq!(files(&project.path(LOGS[0])), memory, "rebuilt");
    assert_eq!(files(&project.path(LOGS[1])), experiments);
}

#[test]
fn a_log_changed_by_hand_is_found_in_the_project_and_in_a_copy_of_it() {
    let project = tree();
    let stores = ["memory_calls", "experiments"];
    project.annals(["rebuild", "--check"].iter().chain(&stores)).code(0);
    let copy = Project::empty();
    let root = copy.root().display();
    copy.shell(&format!("cp -a '{}/.' '{root}'", project.root().display())).assert().success();
    copy.annals(["--evidence", "rebuild", "--check"]).code(0).says("memory_calls");
    for place in [&project, &copy] {
        let log = place.path(".annals/memory/memory_public_api.jsonl");
        let text = fs::read_to_string(&log).unwrap();
        fs::write(&log, text.replacen("an insight", "a mistake", 1)).unwrap();
    }
    project.annals(["rebuild", "--check"].iter().chain(&stores)).code(1);
    let before = files(copy.root());
    copy.annals(["--evidence", "rebuild", "--check"]).code(1).says("DIFFERS");
    assert_eq!(files(copy.root()), before, "nothing of a copy is changed");
    project.annals(["repair"]).code(0).says("memory_calls");
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn memory_without_a_node_makes_no_folder_of_experiments() {
    let project = Project::new();
    project.annals(["memory", "fork", "root"]).code(0);
    project.annals(["memory", "render", "root"]).code(0);
    assert!(project.path(".annals/memory/memory_calls.jsonl").exists());
    assert!(!project.path(".annals/experiments").exists());
    project.annals(["rebuild", "--check"]).code(0);
}
