//! What is gone is never passed over in silence, and nothing is written through what lies in the way.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use annals::internal::event::Sequence;
use serde_json::Value;

use crate::project::{Project, Ran};

fn replay_end(project: &Project, folder: &str, code: i32) -> Value {
    let told = project.annals(["--dir", folder, "replay", "--json"]).code(code).out();
    serde_json::from_str(told.lines().last().expect("an end")).expect("JSON")
}

/// Holds that a journal, sound but for the contents of one event, says so everywhere. `exits`: of exports that
/// hold the event, and of others.
fn holds_that_one_event_lacks_its_contents(
    project: &Project,
    folder: &str,
    why: &str,
    exits: [i32; 2],
) {
    let end = replay_end(project, folder, 1);
    assert_eq!((&end["verified"], &end["damaged"]), (&Value::from(true), &Value::from(false)));
    assert_eq!(end["not_shown"]["contents_count"], 1, "{end}");
    let absent = &end["not_shown"]["contents"][0];
    assert!(absent["problem"].as_str().expect("a reason").contains(why), "{absent}");
    let at = absent["sequence"].as_u64().expect("its event");
    let told = project.annals(["--dir", folder, "replay"]).code(1).out();
    assert!(told.contains(&format!("Not shown, contents of: @{at} (")), "{told}");
    assert!(!told.contains("Every record was shown"), "{told}");
    let before = format!("@{}", at - 1);
    let part = project.annals(["--dir", folder, "replay", "--to", &before]).code(0);
    part.says("Every record was shown.");

    for format in ["jsonl", "csv"] {
        let exported = project.annals(["--dir", folder, "export", format]).code(exits[0]);
        assert!(exported.err().contains("1 row of "), "{}", exported.err());
        assert!(exported.err().contains("without contents"), "{}", exported.err());
        project.annals(["--dir", folder, "export", format, "--to", &before]).code(exits[1]);
    }
    project.annals(["--dir", folder, "export", "jsonl", "prompts"]).code(exits[1]);
}

#[test]
fn contents_whose_first_telling_was_salvaged_away_are_counted() {
    let project = Project::new();
    let printed = "needle ".repeat(800);
    for call in ["c1", "c2"] {
        let line = serde_json::json!({
            "tool": "file_read", "arguments": {"path": "src/a.rs"}, "stdout": printed,
            "session": "s", "agent": "x", "call": call,
        });
        Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
    }
    let segment = project.segment();
    let mut bytes = fs::read(&segment).expect("read");
    let events = project.annals(["export", "jsonl"]).code(0).out();
    let ended: Vec<Value> = events
        .lines()
        .filter(|line| line.contains("ExecutionFinished"))
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(ended[1]["body"]["stdout"]["repeats"], ended[0]["sequence"], "it is kept once");
    let first = Sequence(ended[0]["sequence"].as_u64().expect("its place"));
    let place = annals::internal::journal::location::place(&project.path(".annals/journal"), first);
    let at = place.expect("readable").expect("there").offset as usize + 60;
    assert!(replay_end(&project, ".", 0)["not_shown"]["contents"] == serde_json::json!([]));
    bytes[at] ^= 1;
    fs::write(&segment, &bytes).expect("written");
    project.annals(["salvage", ".annals/journal", "saved"]).code(1);
    project.annals(["verify", "saved"]).code(0);
    holds_that_one_event_lacks_its_contents(&project, "saved", "event @", [1, 0]);
}

#[test]
fn contents_whose_file_is_gone_are_counted() {
    let project = Project::new();
    project.annals(["run", "--", "sh", "-c", "yes large | head -c 300000"]).code(0);
    project.annals(["run", "--", "sh", "-c", "echo small"]).code(0);
    fs::remove_dir_all(project.path(".annals/journal/blobs")).expect("removed");
    holds_that_one_event_lacks_its_contents(&project, ".", "could not be read", [3, 3]);
}

#[test]
fn an_export_follows_no_link_and_replaces_no_pipe() {
    let project = Project::new();
    let annals = env!("CARGO_BIN_EXE_annals");
    let victim = project.write("victim", "mine");
    let planted = format!("ln -s victim out.$$.tmp; exec {annals} export jsonl -o out");
    Ran::of(&mut project.shell(&planted)).code(0);
    assert_eq!(fs::read_to_string(&victim).expect("read"), "mine");
    assert!(fs::symlink_metadata(project.path("out")).expect("there").is_file());
    Ran::of(&mut project.shell("mkfifo pipe")).code(0);
    project.annals(["export", "jsonl", "-o", "pipe"]).code(2).says("regular files only");
    let is_pipe = |path: &Path| fs::metadata(path).expect("there").file_type().is_fifo();
    assert!(is_pipe(&project.path("pipe")));
}

#[test]
fn options_of_every_command_are_told_once() {
    let project = Project::empty();
    let told = |words: &[&str]| project.annals(words).code(0).out();
    let all = told(&["-h"]);
    assert!(all.contains("Take no lock") && all.lines().count() < 92, "{all}");
    assert!(all.lines().all(|line| line.chars().count() <= 100), "{all}");
    for words in [&["log", "-h"][..], &["log", "--help"], &["memory", "fork", "-h"]] {
        let help = told(words);
        assert!(!help.contains("Take no lock"), "{help}");
        assert!(help.contains("Options for every command, see `annals --help`: --dir"), "{help}");
    }
}

#[test]
fn help_is_a_word_too() {
    let project = Project::empty();
    for (word, option) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "help"], &["--help"]),
        (&["help", "log"], &["log", "--help"]),
        (&["help", "memory", "fork"], &["memory", "fork", "--help"]),
    ] {
        let [word, option] = [word, option].map(|words| project.annals(words).code(0).out());
        assert!(word == option && word.contains("Usage: annals"), "{word}");
    }
    project.annals(["help", "nosuch"]).code(2).says("unrecognized subcommand");
}
