//! Eight processes that write one repository's memory, killed again and again: nothing that was
//! acknowledged is lost, and whoever reads meanwhile reads whole files.
//!
//! `ANNALS_WRITERS=25 cargo test --release --test it repo_files::writers -- --nocapture` has each of them
//! run 25 times instead of 3.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use super::{folder, memory, row};
use crate::leash::Leash;
use crate::project::Project;

const WRITERS: u64 = 8;

/// The same numbers each time.
fn mixed(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

/// The program, to be killed.
fn annals(project: &Project) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command
        .current_dir(project.root())
        .env("HOME", project.root())
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME");
    for name in ["ANNALS_DIR", "ANNALS_SESSION", "CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
        command.env_remove(name);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// One writer's runs; the ids of what it was told was recorded.
fn write(project: &Project, writer: u64, runs: u64) -> Vec<String> {
    let mut told = Vec::new();
    for run in 0..runs {
        let number = writer * runs + run;
        let id = format!("w{writer}-{run}");
        let mut command = annals(project);
        match number % 2 {
            0 => command.args(["repo", "note", "add", "a note", "--id", &id]),
            _ => {
                command.args(["repo", "summary", "add", "It went on.", "--run", "r", "--step", &id])
            }
        };
        let mut child = command.spawn().map(Leash::of).expect("it starts");
        // Every third one is killed, at another moment each.
        if mixed(number).is_multiple_of(3) {
            std::thread::sleep(Duration::from_micros(mixed(number + 1_000) % 250_000));
            let _ = child.kill(); // it may have ended
        }
        let status = child.wait().expect("it ends");
        if status.success() {
            told.push(id);
        }
    }
    told
}

/// What can be read at any moment is whole.
fn look(folder: &Path) {
    let memory = fs::read(folder.join("memory.json")).expect("it is there at every moment");
    serde_json::from_slice::<Value>(&memory).expect("whole JSON at every moment");
    let lines = fs::read(folder.join("summaries.jsonl")).unwrap_or_default();
    for line in lines.split_inclusive(|byte| *byte == b'\n').filter(|it| it.ends_with(b"\n")) {
        serde_json::from_slice::<Value>(line).expect("whole lines at every moment");
    }
}

#[test]
fn eight_processes_that_are_killed_lose_nothing_that_was_acknowledged() {
    let runs = std::env::var("ANNALS_WRITERS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(3);
    let project = Project::new();
    project.annals(["repo", "note", "add", "the first", "--id", "first"]).code(0);
    let folder = folder(&project);
    let done = AtomicBool::new(false);
    let told: BTreeSet<String> = std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                look(&folder);
                std::thread::sleep(Duration::from_millis(3));
            }
        });
        let project = &project;
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| scope.spawn(move || write(project, writer, runs))).collect();
        let told = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        done.store(true, Ordering::Relaxed);
        looking.join().unwrap();
        told
    });
    assert_eq!(row(&project, 0)["problem"], Value::Null);
    let memory = memory(&project);
    let mut kept: BTreeSet<String> = memory["notes"].as_array().unwrap().iter().map(id).collect();
    let lines = fs::read_to_string(folder.join("summaries.jsonl")).unwrap();
    assert!(lines.is_empty() || lines.ends_with('\n'));
    let mut count = kept.len();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        kept.insert(line["stepId"].as_str().unwrap().to_owned());
        count += 1;
    }
    assert_eq!(count, kept.len(), "nothing is there twice");
    assert!(told.len() > 4, "{told:?}");
    let lost: Vec<&String> = told.difference(&kept).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let hidden = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = hidden.filter(|name| name.to_string_lossy().ends_with(".new")).collect();
    assert!(left.is_empty(), "{left:?}");
    // What is published is what the rows say.
    project.annals(["rebuild", "repo_memory", "--check"]).code(0);
}

fn id(entry: &Value) -> String {
    entry["id"].as_str().unwrap().to_owned()
}
