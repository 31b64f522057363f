//! What a pattern of the settings may cost, whoever wrote it: the call is on record all the same.

use std::fs;

use serde_json::json;

use crate::project::{Project, Ran};

/// KiB of address space, the program itself included.
const MEMORY_KIB: u32 = 300_000;

fn patterns(regex: impl Fn(usize) -> String, count: usize) -> String {
    let one = |at| format!("[[redact.patterns]]\nname = 'n{at}'\nregex = '{}'\n", regex(at));
    (0..count).map(one).collect()
}

/// A call with this output, told by a hook that has little memory; what was kept of it.
fn kept(settings: &str, output: &str) -> String {
    let project = Project::new();
    project.write(".annals/config.toml", settings);
    kept_in(&project, output)
}

/// The same where the settings came with a clone.
fn kept_of_a_stranger_s(settings: &str, output: &str) -> (Project, String) {
    let project = Project::empty();
    project.write(".annals/config.toml", settings);
    project.annals(["init"]).code(0);
    let kept = kept_in(&project, output);
    (project, kept)
}

fn kept_in(project: &Project, output: &str) -> String {
    let told = json!({
        "session_id": "0193a5b2-7c1e-4f00-8a00-000000000001", "cwd": project.root(),
        "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_use_id": format!("t{}", output.as_bytes()[0]),
        "tool_input": {"command": "true"},
        "tool_response": {"stdout": output, "stderr": "", "interrupted": false},
    });
    project.write("told", &told.to_string());
    let script = format!("ulimit -v {MEMORY_KIB}; exec \"$0\" hook claude-code < told");
    Ran::of(project.shell(&script).arg(env!("CARGO_BIN_EXE_annals"))).code(0);
    fs::remove_file(project.path("told")).expect("removed");
    project.annals(["log"]).code(0).says("bash_exec");
    project.annals(["replay", "--format", "jsonl"]).code(0).out()
}

#[test]
fn a_pattern_that_matches_everywhere_leaves_the_call_on_record() {
    let output = "word and words 4711 ".repeat(30_000);
    for settings in
        [patterns(|_| "[A-Za-z0-9_]".to_owned(), 100), patterns(|_| "[A-Za-z0-9_]".to_owned(), 1)]
    {
        let kept = kept(&settings, &output);
        // "4711" alone may stand in an id.
        assert!(kept.contains("[REDACTED:n0]") && !kept.contains("words"), "it is taken out");
        assert!(kept.len() < 4 << 20, "{} bytes", kept.len());
    }
}

#[test]
fn a_pattern_that_looks_to_the_end_from_everywhere_takes_the_whole_text() {
    let output = "A".repeat(600_000);
    let kept = kept(&patterns(|at| format!(".*[^A-Z]{{{}}}|[A-Z]", at + 1), 100), &output);
    assert!(kept.contains("[REDACTED:n0]") && !kept.contains("AAAA"), "it is taken out");
    assert!(kept.contains("whole-text"), "and that is told");
}

/// What it takes a hundred patterns long to look at, though each finds next to nothing.
const SLOW: usize = 100;

fn slow() -> String {
    patterns(|at| format!("e[a-z ]{{30}}{at}|hidden{at}x"), SLOW)
}

/// 840 kB, with something of the last pattern's at both ends.
fn long() -> String {
    format!(
        "hidden99x {} hidden99x",
        "the tree is even here and there were seven more ".repeat(17_500)
    )
}

#[test]
fn a_stranger_s_patterns_cost_only_themselves() {
    let (project, kept) = kept_of_a_stranger_s(&slow(), &long());
    assert!(kept.contains("seven more"), "a clone blanks no output");
    assert!(kept.contains("[REDACTED:n99] the tree"), "each has a share");
    assert!(!kept.contains("whole-text"));
    let show = project.annals(["show", "last"]).code(0).says("[REDACTED:n99]");
    assert_eq!(
        show.out().contains("not searched to its end by patterns that came with the project"),
        kept.contains("unfinished")
    );
    // One that looks to the end from everywhere stops, and keeps none of the others from a secret.
    let settings = format!("{}{}", patterns(|_| ".*[^A-Z]{90}|[A-Z]".to_owned(), 1), PLAIN);
    let output = format!("{} plainly-secret {}", "A".repeat(150_000), "A".repeat(150_000));
    let (project, kept) = kept_of_a_stranger_s(&settings, &output);
    assert!(kept.contains("AAAA") && !kept.contains("plainly-secret"));
    assert!(kept.contains("[REDACTED:plain]") && kept.contains("unfinished"));
    project.annals(["show", "last"]).code(0).says("not searched to its end by patterns");
    // Once they are allowed they are the user's own: nothing that they would have found is kept.
    project.annals(["trust", "--yes"]).code(0);
    let kept = kept_in(&project, &output.replace('A', "B"));
    assert!(!kept.contains("BBBB") && kept.contains("whole-text"));
}

const PLAIN: &str = "[[redact.patterns]]\nname = 'plain'\nregex = 'plainly-[a-z]+'\n";

#[test]
fn what_was_taken_whole_is_told_by_show() {
    let project = Project::new();
    project
        .write(".annals/config.toml", &patterns(|at| format!(".*[^A-Z]{{{}}}|[A-Z]", at + 1), 100));
    let kept = kept_in(&project, &"A".repeat(600_000));
    assert!(kept.contains("whole-text"));
    project.annals(["show", "last"]).code(0).says("[REDACTED:n0]").says("was taken out whole");
}
