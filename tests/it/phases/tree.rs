//! A search of 20 nodes with a model that is a command: drafts, corrections, improvements, studies;
//! failures in every phase; reads, evictions, consolidations. Then everything derived is deleted.

use std::collections::BTreeMap;

use annals::internal::event::{Body, Sequence};
use annals::internal::journal::Reading;
use annals::internal::memory::query::{Render, render};
use annals::internal::memory::store::Memory;
use annals::internal::store::Projector;
use annals::internal::store::evidence::{Cache, evidence_stores};
use annals::internal::stores::STORES;
use serde_json::Value;

use super::{events, json, model, project};
use crate::project::Project;

/// Node, task, parent, exit code, the phases that were begun (the failed one marked), metric.
const NODES: [(&str, &str, &str, i32, &str, &str); 20] = [
    ("d1", "draft", "", 0, "download coding compile run", "0.1"),
    ("d2", "draft", "", 1, "download!", ""),
    ("d3", "draft", "", 1, "download coding!", ""),
    ("d4", "draft", "d1", 1, "download coding compile!", ""),
    ("d5", "draft", "d1", 1, "download coding compile run!", ""),
    ("d6", "draft", "", 0, "download coding compile run", "0.15"),
    ("d7", "draft", "", 1, "", ""),
    ("b1", "debug", "d4", 0, "download coding compile run", "0.2"),
    ("b2", "debug", "d5", 0, "download coding compile run", "0.3"),
    ("b3", "debug", "d2", 0, "download coding compile run", "0.35"),
    ("b4", "debug", "d3", 1, "download coding compile run!", ""),
    ("i1", "improve", "b1", 0, "download coding compile run", "0.4"),
    ("i2", "improve", "i1", 0, "download coding compile run", "0.5"),
    ("i3", "improve", "i2", 1, "download coding compile run!", ""),
    ("b5", "debug", "i3", 0, "download coding compile run", "0.52"),
    ("h1", "hyperparam", "i2", 0, "download coding compile run", "0.6"),
    ("h2", "hyperparam", "i2", 0, "download coding compile run", "0.55"),
    ("a1", "ablation", "h1", 0, "download coding compile run", "0.45"),
    ("a2", "ablation", "h1", 0, "download coding compile run", "0.44"),
    ("i4", "improve", "h1", 0, "download coding compile run", "0.70"),
];

const RUN: [&str; 6] = ["--run", "search", "--experiment", "speed", "--index", "3"];

fn grow(project: &Project) {
    let (model, idea) = (model(), project.write("idea.md", "Make it fast."));
    for (node, task, parent, code, phases, metric) in NODES {
        let mut words = vec!["phases", "run", node, "--task", task, "--model", &model, "--json"];
        words.extend(RUN);
        words.extend(["--idea", idea.to_str().unwrap(), "--variation", "threads"]);
        if !parent.is_empty() {
            words.extend(["--parent", parent]);
        }
        if node == "d1" {
            words.extend(["--review", "--summarize"]);
        }
        let ran = json(&project.annals(words).code(code));
        assert_eq!(ran["is_buggy"], code == 1, "{ran}");
        assert_eq!(marks(&ran["phases"]), phases, "{ran}");
        assert_eq!(ran["metric"].as_str().unwrap_or_default(), metric, "{ran}");
    }
}

fn marks(phases: &Value) -> String {
    let mark = |phase: &Value| {
        let failed = if phase["success"] == true { "" } else { "!" };
        format!("{}{failed}", phase["phase"].as_str().unwrap())
    };
    phases.as_array().unwrap().iter().map(mark).collect::<Vec<_>>().join(" ")
}

/// Store, digest.
fn rebuilt(project: &Project, words: &[&str]) -> BTreeMap<String, String> {
    let list = json(&project.annals(["rebuild", "--json"].iter().chain(words)).code(0));
    let store = |it: &Value| {
        let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
        assert_ne!(it["same"], false, "{it}");
        (text("store"), text("after"))
    };
    list.as_array().unwrap().iter().map(store).collect()
}

#[test]
fn a_search_of_twenty_nodes_is_all_in_the_journal() {
    let project = project();
    grow(&project);
    listed(&project);
    remembered(&project);
    let before = rebuilt(&project, &["--check"]);
    assert!(before.keys().any(|store| store.contains("memory")), "{before:?}");
    for path in ["memory.db", "index.db", "memory", "experiments"] {
        let path = project.path(&format!(".annals/{path}"));
        match path.is_dir() {
            true => std::fs::remove_dir_all(&path).unwrap(),
            // One that was never made is no loss.
            false => drop(std::fs::remove_file(&path)),
        }
    }
    for path in ["execution_log.db", "codegraph.db"] {
        std::fs::remove_file(project.path(path)).unwrap();
    }
    assert_eq!(rebuilt(&project, &[]), before);
    prompts_are_the_same(&project);
}

fn listed(project: &Project) {
    let nodes = json(&project.annals(["phases", "list", "--json"]).code(0));
    let nodes = nodes.as_array().unwrap();
    assert_eq!(nodes.len(), NODES.len());
    for (told, (node, _, parent, code, phases, metric)) in nodes.iter().zip(NODES) {
        assert_eq!(told["node"], node);
        assert_eq!(told["parent"].as_str().unwrap_or_default(), parent);
        assert_eq!(told["state"], if code == 0 { "ok" } else { "buggy" }, "{told}");
        assert_eq!(marks(&told["phases"]), phases);
        assert_eq!(told["metric"].as_str().unwrap_or_default(), metric);
    }
    project.annals(["phases", "show", "d4"]).code(0).says("no rule").says("sh -n run.sh");
    project.annals(["phases", "show", "nobody"]).code(2).says("no node \"nobody\"");
    // Each command was recorded as an execution, with its output.
    project.annals(["log", "-n", "500"]).code(0).says("sh -n run.sh").says("./run.sh");
}

/// The events and records of spec 003, by kind and tag, for the nodes that they tell of.
fn remembered(project: &Project) {
    let of = |kind: &str, node: &str| {
        let all = events(project, &["RecallAppended"]);
        let found = all.into_iter().map(|event| event["body"].clone());
        let mut found = found.filter(|it| it["kind"] == kind && it["branch"] == node);
        found.next().map(|it| it["text"].as_str().unwrap().to_owned())
    };
    for (kind, node, text) in [
        ("node_created", "d1", "Node d1 created for draft"),
        ("node_created", "h1", "Node h1 created for hyperparam_node from i2"),
        ("memory_context_injected", "d1", "Memory context injected for draft"),
        ("memory_context_injected", "a1", "Memory context injected for ablation_node"),
        ("phase1_complete", "d1", "Phase 1 download/install complete for node d1"),
        (
            "phase1_failed",
            "d2",
            "Phase 1 download/install failed for node d2\nError: 3 steps were made",
        ),
        ("coding_complete", "d1", "Coding phase complete for node d1\nFiles: run.sh"),
        (
            "coding_failed",
            "d3",
            "Coding phase failed for node d3\nError: \"../outside.sh\" is outside",
        ),
        ("compile_complete", "d1", "Compile phase complete for node d1\nCompiler: sh"),
        ("compile_failed", "d4", "Compile phase failed for node d4\nCompiler: sh\nError: "),
        ("run_complete", "d1", "Run phase complete for node d1\nOutputs: run.sh"),
        ("run_failed", "d5", "Run phase failed for node d5\nOutputs: run.sh\nError: "),
        (
            "run_failed",
            "i3",
            "Run phase failed for node i3\nOutputs: never.json\nError: the expected output",
        ),
        (
            "node_result",
            "d1",
            "node_id: d1\nbranch_id: d1\nis_buggy: false\nmetric: 0.1\nexec_time: 0.",
        ),
        (
            "node_result",
            "d7",
            "node_id: d7\nbranch_id: d7\nis_buggy: true\nmetric: none\nexec_time: 0.000",
        ),
        ("node_summary", "d1", "d1 was tried."),
        ("decision", "i4", "Stop here."),
    ] {
        let found = of(kind, node).unwrap_or_else(|| panic!("no {kind} of {node}"));
        assert!(found.starts_with(text), "{kind} of {node}: {found}");
    }
    let archived: Vec<(String, String, Vec<String>)> = events(project, &["ArchivalWritten"])
        .iter()
        .map(|event| {
            let body = &event["body"];
            let text = |name: &str| body[name].as_str().unwrap().to_owned();
            let tags = body["tags"].as_array().unwrap().iter();
            let tags = tags.map(|tag| tag.as_str().unwrap().to_owned()).collect();
            (text("branch"), text("text"), tags)
        })
        .collect();
    for (node, begins, tags) in [
        ("d4", "Compilation failed: ", ["ERROR", "COMPILE", "node:d4"].as_slice()),
        ("d4", "Node d4 (draft, 1_initial_implementation) failed in compile: ", &["ERROR"]),
        ("d7", "Node d7 (draft, 1_initial_implementation) failed before its phases: ", &["ERROR"]),
        ("d1", "Node d1 (draft) reached 0.1 in ", &["SUCCESS", "stage:1_initial_implementation"]),
        ("h1", "Node h1 (hyperparam) reached 0.6 in ", &["SUCCESS", "stage:2_baseline_tuning"]),
        ("b1", "Insight of b1", &["LLM_INSIGHT", "INSIGHT"]),
    ] {
        let is_it = |it: &&(String, String, Vec<String>)| {
            it.0 == node
                && it.1.starts_with(begins)
                && tags.iter().all(|tag| it.2.iter().any(|one| one == tag))
        };
        assert!(archived.iter().any(|it| is_it(&it)), "{node} {begins} {tags:?} in {archived:#?}");
    }
    let count = |kinds: &[&str]| events(project, kinds).len();
    assert!(count(&["CoreEvicted"]) > 0 && count(&["RecallEvicted"]) > 0, "they were asked for");
    assert_eq!(count(&["NodeCreated"]), 20);
    assert_eq!(count(&["NodeResultRecorded"]), 20);
    assert_eq!(count(&["ArtifactsAccepted"]), 19, "d7 had none");
    // A reply without its block, then three that say nothing: told why, asked again.
    let errors: Vec<(String, String)> = events(project, &["ModelQueried"])
        .iter()
        .filter_map(|event| {
            let (body, error) = (&event["body"], event["body"]["error"].as_str()?);
            Some((body["prompt"]["label"].as_str()?.to_owned(), error.to_owned()))
        })
        .collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(errors.iter().all(|(_, error)| error.contains("no <memory_update> block")));
    // A read of memory is a round of its own.
    let rounds = events(project, &["ModelQueried"]);
    let of_b1 = rounds.iter().map(|event| &event["body"]["prompt"]);
    let of_b1 = of_b1.filter(|it| it["session"] == "node_b1" && it["label"] == "debug_attempt1");
    assert_eq!(of_b1.map(|it| it["round"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1]);
}

/// What was shown of memory is what memory says now that it showed then.
fn prompts_are_the_same(project: &Project) {
    let opened = annals::internal::journal::Project::open(project.root()).unwrap();
    let (config, reader) = (opened.config().memory.clone(), opened.reader().unwrap());
    let cache = project.path("cache");
    let cache = Cache::new(Some(cache), std::env::temp_dir(), "test".into());
    // One memory, folded event by event: what a prompt shows is what lies before it.
    let path = project.path("folded.db");
    Box::new(Memory::create(&path).unwrap()).finish().unwrap();
    let mut folded = Memory::open(&path).unwrap();
    folded.begin().unwrap();
    let mut compared = 0;
    for at in 1..=reader.mark().sequence.0 {
        let Some(recorded) = reader.get(Sequence(at)).unwrap() else { continue };
        let Body::PromptRendered(shown) = &recorded.event.body else {
            folded.apply(&recorded, None).unwrap();
            continue;
        };
        compared += 1;
        let ask = Render {
            branch: &shown.branch,
            task_hint: shown.task_hint.as_deref(),
            budget_chars: shown.budget_chars as usize,
            no_limit: shown.no_limit,
            now_ms: recorded.event.envelope.at_ms,
            recall_max_events: config.recall_max_events as usize,
            retrieval_k: config.retrieval_k as usize,
        };
        let then = String::from_utf8(reader.bytes(&shown.rendered).unwrap()).unwrap();
        let again = render(&folded.view(), &ask).unwrap().text;
        assert_eq!(again, then, "@{at}: {}", shown.branch);
        folded.apply(&recorded, None).unwrap();
        // Every seventh from a memory of its own, built from nothing, as `--at` builds it.
        if compared % 7 != 1 {
            continue;
        }
        let (journal, before) = (opened.journal_dir(), Some(Sequence(at - 1)));
        let built = evidence_stores(&STORES, &journal, Reading::Live, before, &cache).unwrap();
        let memory =
            annals::internal::memory::store::MemoryReader::open(built.places.memory()).unwrap();
        let again = render(&memory.view(), &ask).unwrap().text;
        assert_eq!(again, then, "@{at}: {}", shown.branch);
    }
    assert!(compared > 40, "{compared}");
}
