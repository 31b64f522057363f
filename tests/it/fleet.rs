//! `annals ship` and `annals fleet`, into a folder: what many machines sent, and what came between.

mod attacked;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::hook::play::Agent;
use crate::project::{Project, Ran};

/// A folder that machines send to.
struct Fleet(tempfile::TempDir);

impl Fleet {
    fn new() -> Self {
        Self(tempfile::TempDir::new().expect("a folder"))
    }

    fn to(&self) -> &str {
        self.0.path().to_str().expect("a path")
    }

    fn ship(&self, project: &Project, words: &[&str]) -> Ran {
        project.annals(["ship", "--to", self.to()].iter().chain(words))
    }

    /// All that is sealed by then as well.
    fn ship_all(&self, project: &Project) -> Value {
        self.ship(project, &["--seal-after", "0s", "--json"]).code(0).json()[0].clone()
    }

    fn status(&self, by: &Project, words: &[&str]) -> Ran {
        by.annals(["fleet", "status", self.to(), "--json"].iter().chain(words))
    }

    fn verify(&self, by: &Project) -> Ran {
        by.annals(["fleet", "verify", self.to(), "--json"])
    }

    fn states(&self) -> Vec<PathBuf> {
        let states = fs::read_dir(self.0.path().join("_annals/state")).expect("states");
        let mut states: Vec<_> = states.map(|it| it.expect("an entry").path()).collect();
        states.retain(|it| it.extension().is_some_and(|end| end == "json"));
        states.sort();
        states
    }

    fn segments(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.0.path().join("_annals/segments")).expect("segments");
        let folders = folders.map(|it| it.expect("a folder").path());
        let files = folders.flat_map(|it| fs::read_dir(it).expect("a folder"));
        let mut files: Vec<_> = files.map(|it| it.expect("an entry").path()).collect();
        files.retain(|it| it.extension().is_some_and(|end| end == "zst"));
        files.sort();
        files
    }
}

fn recorded(texts: &[&str]) -> Project {
    let project = Project::new();
    for text in texts {
        project.annals(["run", "--", "echo", text]).code(0);
    }
    project
}

/// Whether a compressed segment has these bytes.
fn has(segment: &Path, text: &str) -> bool {
    let mut bytes = Vec::new();
    let file = fs::File::open(segment).expect("a segment");
    let mut whole = zstd::Decoder::new(file).expect("zstd");
    whole.read_to_end(&mut bytes).expect("whole");
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

fn copied(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp");
    assert!(status.success());
}

#[test]
fn what_is_sent_is_told_verified_and_brought_back() {
    let (fleet, one, other) = (Fleet::new(), recorded(&["one", "two"]), recorded(&["three"]));
    let sent = fleet.ship_all(&one);
    assert_eq!((&sent["segments"], &sent["sent"]), (&1.into(), &1.into()), "{sent}");
    fleet.ship_all(&other);
    one.annals(["run", "--", "false"]).code(1);
    // What is not due stays open, and is in the state all the same.
    let again = fleet.ship(&one, &["--json"]).code(0).json()[0].clone();
    assert_eq!((&again["segments"], &again["sent"]), (&1.into(), &0.into()), "{again}");
    let status = fleet.status(&one, &[]).code(0).json();
    let rows = status.as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    let mine = rows.iter().find(|it| it["journal"] == sent["journal"]).expect("ours");
    assert!(mine["through"].as_u64() > sent["through"].as_u64(), "{mine}");
    assert_eq!(mine["segments_through"], sent["through"]);
    assert_eq!(mine["root"].as_str().map(str::len), Some(64));
    let held = fleet.verify(&other).code(0).json();
    assert!(held.as_array().expect("two").iter().all(|it| it["holds"] == true), "{held}");
    // Two workers share them.
    let part = |it: &str| other.annals(["fleet", "verify", fleet.to(), "--part", it, "--json"]);
    let parts = ["1/2", "2/2"].map(|it| part(it).code(0).json()[0]["journal"].clone());
    assert_ne!(parts[0], parts[1]);
    part("3/2").code(2).says("no part");
    let journal = sent["journal"].as_str().expect("an id");
    let elsewhere = Project::empty();
    elsewhere.annals(["fleet", "pull", fleet.to(), journal, "there"]).code(0).says("segment");
    let log = elsewhere.annals(["--dir", "there", "--evidence", "log"]).code(0).out();
    assert!(log.contains("echo one") && log.contains("echo two"), "{log}");
    elsewhere.annals(["--dir", "there", "--evidence", "verify"]).code(0);
    elsewhere.annals(["fleet", "pull", fleet.to(), journal, "there"]).code(2).says("not empty");
    elsewhere
        .annals(["fleet", "pull", fleet.to(), "ffffff", "else"])
        .code(2)
        .says("nothing was sent");
}

#[test]
fn of_two_histories_of_one_journal_the_first_stays_and_the_other_is_named() {
    let (fleet, one, copy) = (Fleet::new(), recorded(&["one"]), Project::empty());
    fleet.ship_all(&one);
    copied(&one.path(".annals"), copy.root());
    one.annals(["run", "--", "echo", "two"]).code(0);
    let sent = fleet.ship_all(&one);
    copy.annals(["trust", "--yes"]).code(0);
    copy.annals(["run", "--", "echo", "other"]).code(0);
    let before = fs::read(&fleet.states()[0]).expect("a state");
    let refused = fleet.ship(&copy, &[]).code(2);
    assert!(refused.err().contains("another history"), "{}", refused.err());
    assert_eq!(fs::read(&fleet.states()[0]).expect("a state"), before);
    let status = fleet.status(&one, &[]).code(1).json();
    let forks: Vec<_> =
        status.as_array().expect("rows").iter().filter(|it| it["fork"] == true).collect();
    assert_eq!(forks.len(), 1, "{status}");
    assert_eq!(forks[0]["journal"], sent["journal"]);
    fleet.verify(&one).code(0);
}

#[test]
fn what_is_redacted_leaves_what_was_sent() {
    let (fleet, one) = (Fleet::new(), recorded(&["not-for-you-either", "two"]));
    fleet.ship_all(&one);
    assert!(has(&fleet.segments()[0], "not-for-you-either"));
    one.annals(["redact", "1", "--yes", "--reason", "leaked"]);
    let sent = fleet.ship(&one, &["--json"]).code(0).json()[0].clone();
    // The segment, and the one that has the order.
    assert_eq!(sent["sent"], 2, "{sent}");
    assert!(!has(&fleet.segments()[0], "not-for-you-either"));
    let held = fleet.verify(&one).code(0).json();
    assert_eq!(held[0]["holds"], true, "{held}");
    // Once more: it is as it was.
    assert_eq!(fleet.ship(&one, &["--json"]).code(0).json()[0]["sent"], 0);
}

#[test]
fn damage_here_is_told_there_and_not_sent_and_damage_there_is_found() {
    let (fleet, one, other) = (Fleet::new(), recorded(&["one"]), recorded(&["two"]));
    fleet.ship_all(&one);
    fleet.ship_all(&other);
    let there = fleet.segments();
    let path = fs::read_dir(one.path(".annals/journal")).expect("a journal");
    let mut segments: Vec<_> = path.map(|it| it.expect("an entry").path()).collect();
    segments.retain(|it| it.extension().is_some_and(|end| end == "seg"));
    segments.sort();
    let mut bytes = fs::read(&segments[0]).expect("a segment");
    bytes[4300] ^= 1;
    fs::remove_file(&segments[0]).expect("removed");
    fs::write(&segments[0], bytes).expect("written");
    fleet.ship(&one, &[]).code(3).says("lost or changed");
    let status = fleet.status(&other, &[]).code(3).json();
    let told = status
        .as_array()
        .expect("rows")
        .iter()
        .filter(|it| it["findings"] != serde_json::json!({}));
    assert_eq!(told.count(), 1, "{status}");
    // What was sent before is whole.
    fleet.verify(&other).code(0);
    let mut bytes = fs::read(&there[1]).expect("a segment");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&there[1], bytes).expect("written");
    let held = fleet.verify(&other).code(3).json();
    let held = held.as_array().expect("two");
    assert_eq!(held.iter().filter(|it| it["holds"] == false).count(), 1, "{held:?}");
    fs::remove_file(&there[1]).expect("removed");
    fleet.verify(&other).code(3);
    // Half a state, one of another version, and one under another's name.
    let state = &fleet.states()[0];
    let whole = fs::read_to_string(state).expect("a state");
    let other_name = format!("{}.json", "0".repeat(32));
    for (name, text) in [
        (state.file_name().expect("a name").to_str().expect("text"), &whole[..whole.len() / 2]),
        (
            state.file_name().expect("a name").to_str().expect("text"),
            &whole.replace("\"version\": 1", "\"version\": 9"),
        ),
        (&other_name, &whole),
    ] {
        let path = state.with_file_name(name);
        fs::write(&path, text).expect("written");
        let told = fleet.status(&other, &[]);
        assert!(told.err().contains("no state of a journal"), "{}", told.err());
        assert_ne!(told.output.status.code(), Some(0));
        fs::remove_file(&path).expect("removed");
        fs::write(state, &whole).expect("written");
    }
}

#[test]
fn a_clock_that_is_off_and_a_machine_that_is_late_are_told() {
    let (fleet, one) = (Fleet::new(), recorded(&["one"]));
    fleet.ship_all(&one);
    fleet.status(&one, &["--late", "1h"]).code(0);
    let state = &fleet.states()[0];
    let text = fs::read_to_string(state).expect("a state");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    let at_ms = told["at_ms"].as_u64().expect("a time");
    let ahead = text.replace(&at_ms.to_string(), &(at_ms + 86_400_000).to_string());
    fs::write(state, ahead).expect("written");
    let told = fleet.status(&one, &[]).code(1).json();
    assert!(told[0]["odd"][0].as_str().is_some_and(|it| it.contains("ahead")), "{told}");
    fs::write(state, &text).expect("written");
    let old = std::time::SystemTime::now() - Duration::from_secs(3 * 86_400);
    let file = fs::File::options().write(true).open(state).expect("open");
    file.set_modified(old).expect("dated");
    let late = fleet.status(&one, &["--late", "2d"]).code(1).json();
    assert!(late[0]["odd"].to_string().contains("late"), "{late}");
}

#[test]
fn a_sessions_end_only_notes_that_its_project_waits() {
    let (fleet, project) = (Fleet::new(), Project::new());
    let agent = Agent::new(&project, "claude-code", &[]);
    let settings = format!("[ship]\nto = {:?}\n", fleet.to());
    agent.fire("SessionEnd", serde_json::json!({"reason": "logout"}));
    project.annals(["ship", "--waiting"]).code(2).says("nobody said where to");
    project.write(".config/annals/config.toml", &settings);
    project.annals(["ship", "--waiting"]).code(0).says("Nothing waits");
    agent.fire("SessionEnd", serde_json::json!({"reason": "logout"}));
    assert!(
        fs::read_dir(fleet.0.path()).expect("a folder").next().is_none(),
        "a hook sent something"
    );
    let sent = project.annals(["ship", "--waiting", "--json"]).code(0).json();
    assert_eq!(sent.as_array().map(Vec::len), Some(1), "{sent}");
    project.annals(["ship", "--waiting"]).code(0).says("Nothing waits");
    // One that could not be sent waits on.
    agent.fire("SessionEnd", serde_json::json!({"reason": "logout"}));
    let file = project.write("a-file", "");
    let settings = format!("[ship]\nto = {:?}\n", file.to_str().expect("a path"));
    project.write(".config/annals/config.toml", &settings);
    assert_ne!(project.annals(["ship", "--waiting"]).output.status.code(), Some(0));
    let settings = format!("[ship]\nto = {:?}\n", fleet.to());
    project.write(".config/annals/config.toml", &settings);
    let sent = project.annals(["ship", "--waiting", "--json"]).code(0).json();
    assert_eq!(sent.as_array().map(Vec::len), Some(1), "{sent}");
}

#[test]
fn what_was_killed_anywhere_goes_on() {
    let (fleet, one) = (Fleet::new(), recorded(&["one"]));
    for round in 0..12 {
        one.annals(["run", "--", "echo", &round.to_string()]).code(0);
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(["ship", "--to", fleet.to(), "--seal-after", "0s"]).current_dir(one.root());
        command.env("HOME", one.root()).env_remove("XDG_STATE_HOME").env_remove("XDG_CACHE_HOME");
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        std::thread::sleep(Duration::from_millis(round * 4));
        // It may have ended by itself.
        drop(child.kill());
        child.wait().expect("ended");
    }
    fleet.ship_all(&one);
    let held = fleet.verify(&one).code(0).json();
    assert_eq!((&held[0]["holds"], &held[0]["findings"]), (&true.into(), &serde_json::json!([])));
    one.annals(["verify"]).code(0);
}
