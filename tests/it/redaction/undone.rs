//! Redactions that somebody forges, hides behind, or undoes; and those that a death cuts short.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::{Project, Ran};
use crate::skipped::skipped;

const SECRET: &str = "zebra-crossing-77";

fn annals(root: &Path, words: &[&str]) -> Ran {
    let home = root.parent().expect("a folder");
    let mut command = Project::empty().command();
    Ran::of(command.current_dir(root).env("HOME", home).args(words))
}

fn shell(folder: &Path, script: &str) {
    let ran = Command::new("sh").args(["-ec", script]).current_dir(folder).status();
    assert!(ran.expect("a shell").success(), "{script}");
}

/// A project where a commit of three records holds the secret in one of them; `whole` is a copy of it.
fn begun() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("project");
    fs::create_dir(&root).expect("made");
    annals(&root, &["init"]).code(0);
    annals(&root, &["run", "--", "echo", "keep"]).code(0);
    let lines = ["before", SECRET, "after"].map(|text| {
        format!("{{\"op\":\"record_prompt\",\"args\":{{\"text\":\"it is {text}\"}}}}\n")
    });
    let mut command = Project::empty().command();
    command.current_dir(&root).env("HOME", dir.path()).args(["pipe", "--session", "s"]);
    Ran::of(command.write_stdin(lines.concat())).code(0);
    annals(&root, &["run", "--", "echo", "more"]).code(0);
    annals(&root, &["log"]).code(0);
    shell(dir.path(), "cp -a project whole");
    (dir, root)
}

/// The event that holds the secret.
fn secret(root: &Path) -> String {
    let events = annals(root, &["export", "jsonl", "events"]).code(0).out();
    let line = events.lines().find(|line| line.contains(SECRET)).expect("recorded");
    let event: serde_json::Value = serde_json::from_str(line).expect("JSON");
    format!("@{}", event["sequence"])
}

fn redact(root: &Path, at: &str) {
    annals(root, &["redact", at, "--reason", "leaked", "--yes"]).code(0);
}

/// As a death behind the frames leaves it, in a project that was moved since it was begun.
#[test]
fn what_a_death_left_in_a_moved_project_is_done_by_the_next_question() {
    let (dir, root) = begun();
    let at = secret(&root);
    let moved = dir.path().join("moved");
    fs::rename(&root, &moved).expect("moved");
    annals(&moved, &["log"]).code(0);
    shell(&moved, "mkdir ../old; cp -a execution_log.db .annals/index.db ../old");
    redact(&moved, &at);
    let log = annals(&moved, &["verify", "--json"]).json();
    let order = log[0]["redactions"][0]["order"].as_str().expect("an order").to_owned();
    shell(&moved, "cp -a ../old/execution_log.db .; cp -a ../old/index.db .annals/index.db");
    let marker = format!("annals redaction 1\n{order} 999999999\n");
    fs::write(moved.join(".annals/redaction"), marker).expect("written");
    annals(&moved, &["log"]);
    for store in ["execution_log.db", ".annals/index.db"] {
        let bytes = fs::read(moved.join(store)).expect("there");
        let holds = bytes.windows(SECRET.len()).any(|it| it == SECRET.as_bytes());
        assert!(!holds, "{store}");
    }
    assert!(!moved.join(".annals/redaction").exists());
}

/// The way, the exit code, and the words that name it.
const WAYS: [(&str, i32, &str); 5] = [
    ("unordered", 3, "redacted without an order"),
    ("leaf", 3, "leaf changed"),
    ("beside", 3, "leaf changed"),
    ("before", 3, "chain broken"),
    ("undone", 1, "not redacted"),
];

#[test]
fn each_way_to_hide_behind_a_redaction_is_named_and_an_undone_one_is_done_again() {
    let (dir, root) = begun();
    let at = secret(&root);
    redact(&root, &at);
    annals(&root, &["verify"]).code(0).says("1 record redacted").says("leaked");
    shell(dir.path(), "cp -a project redacted");
    for (way, code, name) in WAYS {
        shell(dir.path(), "rm -rf project .local/state/annals/seen-*; cp -a redacted project");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks/redacted.py");
        let mut ran = Command::new(script);
        ran.arg(&root).arg(way).env("PYTHONDONTWRITEBYTECODE", "1");
        assert!(ran.status().expect("it runs").success(), "{way}");
        let told = annals(&root, &["verify"]).code(code);
        assert!(told.out().contains(name), "{way}: {}", told.out());
    }
    assert_eq!(holding(&root), ["project/.annals/journal/0000000000-00000000000000000001.seg"]);
    annals(&root, &["status"]).code(1).says("not redacted");
    annals(&root, &["repair"]).code(0).says("redacted: 1 payload");
    annals(&root, &["verify"]).code(0);
    assert_eq!(holding(&root), [""; 0]);
}

/// Files below a project that hold the secret.
fn holding(root: &Path) -> Vec<String> {
    let mut ran = Command::new("grep");
    ran.args(["-rla", SECRET, "project"]).current_dir(root.parent().expect("a folder"));
    let out = ran.output().expect("grep runs").stdout;
    String::from_utf8(out).expect("names").lines().map(str::to_owned).collect()
}

/// What a redaction changes on disk goes by these.
const STEPS: &str = "rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync";

/// How many of those the whole of it takes, and the first segment as it is then.
fn counted(root: &Path, at: &str) -> Option<u32> {
    let trace = root.with_file_name("trace");
    let ran = traced(root, at, &["-o", &trace.to_string_lossy(), "-e", &format!("trace={STEPS}")]);
    if !ran {
        return None;
    }
    let lines = fs::read_to_string(trace).expect("a trace");
    Some(u32::try_from(lines.lines().filter(|line| line.contains('(')).count()).expect("few"))
}

/// Whether it ran to its end.
fn traced(root: &Path, at: &str, how: &[&str]) -> bool {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq"]).args(how).arg(env!("CARGO_BIN_EXE_annals"));
    command.args(["redact", at, "--reason", "leaked", "--yes"]).current_dir(root);
    command.env("HOME", root.parent().expect("a folder"));
    command.env_remove("ANNALS_DIR").env_remove("ANNALS_SESSION").env_remove("XDG_CACHE_HOME");
    command.env_remove("XDG_STATE_HOME");
    command.output().is_ok_and(|ran| ran.status.success())
}

/// As it was, and nobody has seen more of it.
const RESET: &str = "rm -rf project .local/state/annals/seen-*; cp -a whole project";

/// Deaths that are tried: ANNALS_DEATHS says another number, and all of them with one that is large enough.
const DEATHS: u32 = 4;

#[test]
fn a_death_at_any_step_leaves_what_the_next_command_ends() {
    let (dir, root) = begun();
    let at = secret(&root);
    let Some(steps) = counted(&root, &at) else {
        return skipped("strace is not there, or may not trace: no redaction was killed");
    };
    assert!(steps > 20, "{steps}");
    let segment = "project/.annals/journal/0000000000-00000000000000000001.seg";
    let whole = fs::read(dir.path().join(segment.replace("project", "whole"))).expect("read");
    let end = whole.iter().rposition(|byte| *byte != 0).expect("bytes") + 1;
    let ended = fs::read(dir.path().join(segment)).expect("read");
    assert_ne!(ended[..end], whole[..end]);
    let deaths = std::env::var("ANNALS_DEATHS").ok().and_then(|it| it.parse().ok());
    let stride = (steps / deaths.unwrap_or(DEATHS)).max(1);
    let mut became = BTreeSet::new();
    for step in (1..=steps).step_by(usize::try_from(stride).expect("small")) {
        shell(dir.path(), RESET);
        let kill = format!("inject={STEPS}:signal=SIGKILL:when={step}");
        let is_done = traced(&root, &at, &["-e", &format!("trace={STEPS}"), "-e", &kill]);
        let what = format!("step {step} of {steps}, done {is_done}");
        annals(&root, &["run", "--", "echo", "on"]).code(0);
        assert!(!root.join(".annals/redaction").exists(), "{what}: it is ended");
        let now = fs::read(dir.path().join(segment)).expect("read");
        let is_redacted = now[..end] == ended[..end];
        assert!(is_redacted || now[..end] == whole[..end], "{what}: all or nothing");
        became.insert((is_redacted, step));
        if is_redacted {
            assert_eq!(holding(&root), [""; 0], "{what}");
        }
        annals(&root, &["verify"]).code(0);
        annals(&root, &["rebuild", "--check"]).code(0);
    }
    assert!(became.iter().any(|(is_redacted, _)| *is_redacted), "{steps}: {became:?}");
}
