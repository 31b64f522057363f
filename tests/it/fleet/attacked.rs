//! What somebody lost, changed or put back where journals are sent to.

use std::fs;

use serde_json::Value;

use super::{Fleet, recorded};
use crate::project::Project;

/// One that has a key, was sent whole and went on since.
fn gone_on() -> (Fleet, Project, String) {
    let (fleet, one) = (Fleet::new(), recorded(&["one"]));
    one.annals(["key", "new", "--name", "me"]).code(0);
    let key = one.annals(["key", "show"]).code(0).out();
    let key = key.lines().next().expect("a key").to_owned();
    fleet.ship_all(&one);
    one.annals(["run", "--", "echo", "two"]).code(0);
    (fleet, one, key)
}

#[test]
fn what_was_lost_or_changed_there_is_sent_again() {
    let (fleet, one) = (Fleet::new(), recorded(&["one"]));
    fleet.ship_all(&one);
    let there = fleet.segments().remove(0);
    let whole = fs::read(&there).expect("a segment");
    let manifest = there.with_extension("").with_extension("seg.manifest");
    for gone in [&there, &manifest] {
        fs::remove_file(gone).expect("removed");
        fleet.ship(&one, &[]).code(0);
        assert!(fs::read(&there).expect("sent again") == whole, "{}", gone.display());
        fleet.verify(&one).code(0);
    }
    // A byte of it, and a state that is none: only a look at every byte finds the one, and nobody goes on from the other.
    let mut bytes = whole.clone();
    bytes[whole.len() / 2] ^= 1;
    fs::write(&there, bytes).expect("written");
    fleet.verify(&one).code(3);
    fleet.ship(&one, &["--anew"]).code(0);
    fleet.verify(&one).code(0);
    fs::write(&fleet.states()[0], "{").expect("written");
    let refused = fleet.ship(&one, &[]).code(2);
    assert!(refused.err().contains("--anew"), "{}", refused.err());
    fleet.ship(&one, &["--anew"]).code(0);
    fleet.verify(&one).code(0);
}

#[test]
fn a_state_that_says_something_else_than_the_segments_is_found() {
    let (fleet, one, key) = gone_on();
    fleet.ship_all(&one);
    // Nothing is recorded by sending, however often.
    let before = fleet.ship_all(&one);
    assert_eq!(fleet.ship_all(&one), before);
    let verify = |words: &[&str]| one.annals(["fleet", "verify", fleet.to()].iter().chain(words));
    verify(&["--key", &key]).code(0);
    let state = &fleet.states()[0];
    let text = fs::read_to_string(state).expect("a state");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    let zeros = "0".repeat(64);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut other = told.clone();
        change(&mut other);
        fs::write(state, other.to_string()).expect("written");
    };
    changed(&|it| it["root"] = zeros.clone().into());
    verify(&[]).code(3);
    changed(&|it| it["chain"] = zeros.clone().into());
    verify(&[]).code(3);
    changed(&|it| it["size"] = 1_000_000_000_u64.into());
    verify(&[]).code(3);
    changed(&|it| drop(it["segments"].as_array_mut().expect("segments").remove(0)));
    verify(&[]).code(3);
    one.annals(["fleet", "pull", fleet.to(), "", "copy"]).code(3).says("segment 0");
    // Put back by a segment: what lies beside it is more.
    changed(&|it| {
        drop(it["segments"].as_array_mut().expect("segments").pop());
        let end = it["segments"][0].clone();
        (it["through"], it["size"], it["root"]) =
            (end["last"].clone(), end["size"].clone(), end["root"].clone());
        it["chain"] = Value::from("");
    });
    assert_ne!(verify(&[]).output.status.code(), Some(0));
    changed(&|it| it["checkpoint"] = Value::Null);
    verify(&["--key", &key]).code(3).says("no checkpoint");
    fs::remove_file(state).expect("removed");
    let status = fleet.status(&one, &[]);
    assert!(status.err().contains("no state of it"), "{}", status.err());
    assert_ne!(status.output.status.code(), Some(0));
    one.annals(["fleet", "verify", "no-such-folder"]).code(2);
    one.annals(["ship", "--to", ".annals/journal"]).code(2).says("own folder");
    assert!(!one.path(".annals/journal/_annals").exists());
}

#[test]
fn nothing_is_taken_away_there_that_cannot_be_replaced() {
    let (fleet, one) = (Fleet::new(), recorded(&["one"]));
    fleet.ship_all(&one);
    let journal = fs::read_dir(one.path(".annals/journal")).expect("a journal");
    let mut segments: Vec<_> = journal.map(|it| it.expect("an entry").path()).collect();
    segments.retain(|it| it.extension().is_some_and(|end| end == "seg"));
    segments.sort();
    // In the header's page, where no event is.
    let mut bytes = fs::read(&segments[0]).expect("a segment");
    bytes[300] = b'X';
    fs::remove_file(&segments[0]).expect("removed");
    fs::write(&segments[0], bytes).expect("written");
    fleet.ship(&one, &["--anew"]).code(3).says("cannot be copied");
    fleet.verify(&one).code(0);
    let status = fleet.status(&one, &[]).json();
    assert_ne!(status[0]["findings"], serde_json::json!({}), "{status}");
}

#[test]
fn more_that_is_signed_than_lies_there_is_no_proof() {
    let (fleet, one, key) = gone_on();
    one.annals(["checkpoint"]).code(0);
    // The checkpoint of what is sealed stays, though there is a newer one.
    fleet.ship(&one, &[]).code(0);
    let verify = || one.annals(["fleet", "verify", fleet.to(), "--key", &key]);
    verify().code(0);
    fleet.ship_all(&one);
    verify().code(0);
    let state = &fleet.states()[0];
    let mut told: Value =
        serde_json::from_str(&fs::read_to_string(state).expect("a state")).expect("JSON");
    drop(told["segments"].as_array_mut().expect("segments").pop());
    fs::write(state, told.to_string()).expect("written");
    for segment in fleet.segments().iter().skip(1) {
        fs::remove_file(segment).expect("removed");
        fs::remove_file(segment.with_extension("").with_extension("seg.manifest"))
            .expect("removed");
    }
    verify().code(1).says("more records are signed");
}

#[test]
fn what_waits_and_was_killed_waits_on() {
    let (fleet, one) = (Fleet::new(), recorded(&["one"]));
    let agent = crate::hook::play::Agent::new(&one, "claude-code", &[]);
    one.write(".config/annals/config.toml", &format!("[ship]\nto = {:?}\n", fleet.to()));
    agent.fire("SessionEnd", serde_json::json!({"reason": "logout"}));
    for wait_ms in [1, 5, 10, 20] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(["ship", "--waiting"]).current_dir(one.root()).env("HOME", one.root());
        command.env_remove("XDG_STATE_HOME").env_remove("XDG_CACHE_HOME");
        let quiet = std::process::Stdio::null;
        let mut child = command.stdout(quiet()).stderr(quiet()).spawn().expect("started");
        std::thread::sleep(std::time::Duration::from_millis(wait_ms));
        // It may have ended by itself.
        drop(child.kill());
        child.wait().expect("ended");
    }
    one.annals(["ship", "--waiting"]).code(0);
    fleet.verify(&one).code(0);
    one.annals(["ship", "--waiting"]).code(0).says("Nothing waits");
}
