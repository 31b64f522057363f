//! Recorders that were running before a value was redacted, and go on.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::leash::Leash;
use crate::pipe::{Piped, journal};
use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-7731-Grommet";

/// Started like a program of the user's, with an input that stays open.
fn started(project: &Project, words: &[&str]) -> Leash {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command.args(words).current_dir(project.root()).env("HOME", project.root());
    for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "ANNALS_DIR"] {
        command.env_remove(name);
    }
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().map(Leash::of).expect("it starts")
}

#[test]
fn who_recorded_before_a_redaction_takes_the_value_out_behind_it() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.write("late", &format!("late {SECRET}\n"));
    let mut pipe = Piped::new(&project);
    pipe.result("mem_node_fork", json!({"parent_node_id": "root", "child_node_id": "d1"}));
    let mut run = started(&project, &["run", "--", "sh", "-c", "echo on; read x; cat late"]);
    let mut shown = BufReader::new(run.stdout.take().expect("an output"));
    let mut record = started(&project, &["record"]);
    let mut answers = BufReader::new(record.stdout.take().expect("an output"));
    let mut call = |command: &str| {
        let line = json!({"tool": "bash_exec", "arguments": {"command": command}});
        let to = record.stdin.as_mut().expect("an input");
        to.write_all(format!("{line}\n").as_bytes()).and_then(|()| to.flush()).expect("sent");
        answers.read_line(&mut String::new()).expect("an answer");
    };
    call("nothing");
    shown.read_line(&mut String::new()).expect("it runs");
    let mut redact = project.command();
    redact.args(["redact", "--value-stdin", "--common", "--reason", "leaked", "--yes"]);
    // The file that is read later is the project's own, and named.
    Ran::of(redact.write_stdin(SECRET));
    call(&format!("echo {SECRET}"));
    let set = json!({"branch": "d1", "key": "k", "value": format!("v {SECRET}"), "phase": "draft"});
    pipe.result("mem_core_set", set);
    pipe.close();
    drop(run.stdin.take());
    run.wait().expect("it ends");
    drop(record.stdin.take());
    record.wait().expect("it ends");
    let events = journal(&project);
    let holding: Vec<_> =
        events.iter().filter(|it| it.to_string().contains(SECRET)).map(|it| &it["kind"]).collect();
    assert!(holding.is_empty(), "{holding:?}");
    let known = events.iter().filter(|it| it.to_string().contains("redacted-before")).count();
    assert_eq!(known, 3, "the record, the memory and the end of the run");
}
