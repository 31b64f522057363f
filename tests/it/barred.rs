//! A journal whose newest segment is not to be written, having a second name or another owner: everybody
//! tells it, nothing is moved, and what is told ends it.

use std::fs;
use std::os::unix::fs::MetadataExt;

use serde_json::{Value, json};

use crate::hook::play::Agent;
use crate::project::{Project, Ran};

const LOCK: &str = ".annals/journal/LOCK";

/// How it comes about, what is told of it, and whether `LOCK` is barred as well.
const WAYS: &[(&str, &str, bool)] = &[
    ("ln S twin", "hard links", false),
    ("chown nobody S", "belongs to user 65534", false),
    ("cp -al .annals/journal twin", "hard links", true),
    ("chown -R nobody .annals/journal", "belongs to user 65534", true),
];

fn barred(how: &str) -> Project {
    let project = Project::new();
    project.annals(["run", "--", "true"]).code(0);
    project.annals(["status"]).code(0);
    let segment = project.segment();
    let how = how.replace('S', &segment.to_string_lossy());
    Ran::of(&mut project.shell(&how)).code(0);
    project
}

fn ways() -> impl Iterator<Item = &'static (&'static str, &'static str, bool)> {
    let is_root = rustix::process::geteuid().is_root();
    WAYS.iter().filter(move |(how, ..)| is_root || !how.starts_with("chown"))
}

#[test]
fn everybody_tells_it_and_what_is_told_ends_it() {
    for (how, says, locked) in ways() {
        let project = barred(how);
        project.annals(["verify"]).code(1).says(says);
        let told = project.annals(["status"]).code(1).says(says);
        let out = told.out();
        let way = out.lines().find_map(|line| line.strip_prefix("Next: "));
        let way =
            way.filter(|way| way.starts_with("cp ")).unwrap_or_else(|| panic!("{how}: {out}"));
        let status = project.annals(["status", "--json"]).code(1).json();
        assert!(status["journal"]["segment"].as_str().expect("a text").contains(says), "{status}");

        let stood = fs::metadata(project.path(LOCK)).expect("there").ino();
        let said = |json: Value| json["blocked"].as_str().map(str::to_owned).expect("why");
        for _ in 0..2 {
            let dry = project.annals(["repair", "--dry-run", "--json"]).code(1).json();
            let done = project.annals(["repair", "--json"]).code(1).json();
            assert_eq!((&dry["steps"], &done["steps"]), (&json!([]), &json!([])), "{how}");
            assert!(said(dry.clone()).contains(says), "{how}");
            assert_eq!(said(dry), said(done), "{how}");
        }
        project.annals(["repair"]).code(1).says(says).says("Next: cp ");
        assert_eq!(fs::metadata(project.path(LOCK)).expect("there").ino(), stood, "{how}");

        Ran::of(&mut project.shell(way)).code(0);
        if *locked {
            project.annals(["status"]).code(1).says("in the place of LOCK");
            project.annals(["repair"]).says("lock made anew");
        }
        assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "", "{how}");
        project.annals(["status"]).code(0);
        project.annals(["verify"]).code(0);
        project.annals(["repair"]).code(0).says("Nothing to repair");
    }
}

#[test]
fn hooks_whose_calls_are_not_recorded_are_counted_and_a_session_s_first_says_so() {
    let lock = ("rm .annals/journal/LOCK; mkdir .annals/journal/LOCK", "LOCK");
    for (how, says) in ways().map(|(how, says, _)| (*how, *says)).chain([lock]) {
        let project = barred(how);
        let agent = Agent::new(&project, "claude-code", &[]);
        let began = agent.fire("SessionStart", json!({"source": "startup"}));
        let message = began["systemMessage"].as_str().unwrap_or_default();
        assert!(message.contains(says), "{how}: {began}");
        let (tool, input) = agent.edit();
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t"});
        assert_eq!(agent.fire("PreToolUse", call), json!({}), "{how}");
        let status = project.annals(["status", "--json"]).code(1).json();
        let agents = status["agents"].as_array().expect("a list").clone();
        let counted = |it: &Value| {
            it["not_recorded"] == 2
                && it["last_fault"]["what"].as_str().is_some_and(|what| what.contains(says))
        };
        assert!(agents.iter().any(counted), "{how}: {status:#}");
    }
}
