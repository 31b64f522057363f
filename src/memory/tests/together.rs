//! Many processes and threads on one memory, some of them killed: nothing acknowledged is lost, and
//! each commit is whole.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Scene, scene_of, tags};
use crate::event::Body;
use crate::journal::Project;
use crate::leash::Leash;
use crate::memory::state::KvKey;
use crate::memory::{Asker, Memory};

const PROJECT: &str = "ANNALS_TEST_MEMORY_PROJECT";
const NAME: &str = "ANNALS_TEST_MEMORY_NAME";
const PROCESSES: usize = 8;

/// Not a test of its own: what the tests below start. Says each operation that was acknowledged.
#[test]
fn remembering_process() {
    let (Ok(root), Ok(name)) = (env::var(PROJECT), env::var(NAME)) else { return };
    let project = Project::open(Path::new(&root)).unwrap();
    let mut memory = Memory::open(&project).unwrap();
    let mut out = std::io::stdout();
    for number in 0.. {
        let text = format!("{name}-{number}");
        let done = memory.operate(&Asker::default(), |op| {
            op.mem_node_fork(Some("root"), &name, &[], None)?;
            // Two of each: half a commit would show.
            op.insert_archival(&name, &text, &tags(&["first"]))?;
            op.write_event(&name, "note", &text, &[])?;
            // All of them to one thread.
            op.thread_append("root", "t", "user", &format!("{text:?}"))?;
            op.insert_archival(&name, &text, &tags(&["second"]))
        });
        match done {
            Ok(_) => writeln!(out, "\ndone {text}").unwrap(),
            Err(error) if error.is_locked() => continue,
            Err(error) => panic!("{error:?}"),
        }
        out.flush().unwrap();
    }
}

fn start(scene: &Scene, name: &str) -> Leash {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "memory::tests::together::remembering_process", "--nocapture"])
        .env(PROJECT, scene.project.root())
        .env(NAME, name)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map(Leash::of)
        .unwrap()
}

/// What a killed process had acknowledged.
fn killed(mut child: Leash) -> Vec<String> {
    child.kill().unwrap();
    let said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let said: Vec<String> =
        said.filter_map(|line| line.strip_prefix("done ").map(str::to_owned)).collect();
    child.wait().unwrap();
    said
}

#[test]
fn eight_processes_killed_at_any_moment_lose_nothing_that_was_acknowledged() {
    let scene = scene_of("[memory]\nrecall_max_events = 5\n");
    scene.branches(&[("root", None)]);
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..3_u64 {
        let mut running: Vec<Leash> =
            (0..PROCESSES).map(|process| start(&scene, &format!("p{round}-{process}"))).collect();
        // One after the other, while the others go on.
        std::thread::sleep(Duration::from_millis(1_500));
        while let Some(child) = running.pop() {
            acknowledged.extend(killed(child));
            std::thread::sleep(Duration::from_millis(20 + round * 17));
        }
        scene.check();
        whole(&scene, &acknowledged);
    }
    assert!(acknowledged.len() > PROCESSES, "{acknowledged:?}");
}

/// Everything acknowledged is there, each commit whole, each number given once.
fn whole(scene: &Scene, acknowledged: &[String]) {
    let mut numbers = BTreeSet::new();
    let mut pairs: std::collections::BTreeMap<String, BTreeSet<String>> = Default::default();
    for event in scene.events() {
        match event.body {
            Body::ArchivalWritten(written) => {
                assert!(numbers.insert(("archival", written.id)), "{written:?}");
                let tag = written.tags.into_iter().next().unwrap_or_default();
                pairs.entry(written.text).or_default().insert(tag);
            }
            Body::RecallAppended(appended) => {
                assert!(numbers.insert(("events", appended.id)), "{appended:?}");
                pairs.entry(appended.text).or_default().insert("event".to_owned());
            }
            Body::MessageAppended(appended) => {
                assert!(numbers.insert(("thread", appended.number)), "{appended:?}");
                let text = appended.content.0.trim_matches('"').to_owned();
                pairs.entry(text).or_default().insert("message".to_owned());
            }
            _ => {}
        }
    }
    pairs.retain(|text, _| text.starts_with('p'));
    for (text, tags) in &pairs {
        assert_eq!(tags.len(), 4, "half of {text}");
    }
    for text in acknowledged {
        assert!(pairs.contains_key(text), "{text} was acknowledged and is lost");
    }
}

#[test]
fn threads_with_a_memory_each_take_turns() {
    let scene = scene_of("");
    scene.branches(&[("root", None)]);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let root = scene.project.root();
            scope.spawn(move || {
                let project = Project::open(root).unwrap();
                let mut memory = Memory::open(&project).unwrap();
                for number in 0..5 {
                    let text = format!("{thread}-{number}");
                    let done = memory.operate(&Asker::default(), |op| {
                        let key = KvKey { branch: "root", namespace: &[], key: "key" };
                        op.kv_put(&key, "1", None)?;
                        op.write_event("root", "note", &text, &[])
                    });
                    assert!(done.unwrap().written);
                }
            });
        }
    });
    let events = scene.events();
    let texts: BTreeSet<&str> = events
        .iter()
        .filter_map(|event| match &event.body {
            Body::RecallAppended(appended) => Some(appended.text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts.len(), 40);
    let times: Vec<u64> = events
        .iter()
        .filter(|event| matches!(event.body, Body::RecallAppended(_)))
        .map(|event| event.envelope.at_ms)
        .collect();
    let versions = events.iter().filter_map(|event| match &event.body {
        Body::KvPut(put) => Some(put.version),
        _ => None,
    });
    assert!(versions.eq(1..=40), "{events:?}");
    assert!(times.is_sorted_by(|a, b| a < b), "commits are in strict order: {times:?}");
}
