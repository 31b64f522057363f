//! One id is one call: the same again is a duplicate, anything else is refused.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::events;
use crate::leash::start;
use crate::project::Project;

const ID: &str = "0193a5b2-7c1e-7f00-8a00-0000000000bb";

fn line(tool: &str, arguments: &str, more: &str) -> String {
    format!("{{\"tool\":\"{tool}\",\"arguments\":{arguments},\"execution\":\"{ID}\"{more}}}\n")
}

fn record(project: &Project, lines: &str, code: i32) -> Vec<Value> {
    let mut command = project.command();
    let ran = crate::project::Ran::of(command.arg("record").write_stdin(lines)).code(code);
    ran.out().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn another_call_under_an_id_that_exists_is_refused() {
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"; // no secret: a pattern of one
    for (first, again, is_same) in [
        (r#"{"path":"a","n":1}"#, r#"{ "n": 1, "path": "a" }"#, true),
        (r#"{"path":"a"}"#, r#"{"path":"b"}"#, false),
        (r#"{"path":"a"}"#, "{}", false),
        (r#"{"n":1.0}"#, r#"{"n":1}"#, true),
        (&format!(r#"{{"t":"{secret}"}}"#), &format!(r#"{{"t":"{secret}"}}"#), true),
    ] {
        // In one call of the program, in two, and in two with the index away in between.
        for (apart, forget) in [(false, false), (true, false), (true, true)] {
            let project = Project::new();
            let (one, two) = (line("file_read", first, ""), line("file_read", again, ""));
            let code = if is_same { 0 } else { 2 };
            let told = if apart {
                record(&project, &one, 0);
                if forget {
                    std::fs::remove_file(project.path(".annals/index.db")).expect("it was there");
                }
                record(&project, &two, code).pop()
            } else {
                record(&project, &(one + &two), code).pop()
            };
            let told = told.expect("an answer");
            assert_eq!(told["ok"], is_same, "{first} {again} {told}");
            match is_same {
                true => assert_eq!(told["duplicate"], true, "{told}"),
                false => {
                    assert_eq!(told["field"], "execution");
                    let why = told["error"].as_str().expect("why");
                    assert!(why.contains(ID) && why.contains("other arguments"), "{why}");
                }
            }
            assert_eq!(events(&project, &["ExecutionStarted"]).len(), 1);
        }
    }
}

#[test]
fn another_tool_is_another_call_and_another_result_is_not() {
    let project = Project::new();
    record(&project, &line("file_read", "{}", r#","outcome":"ok""#), 0);
    let told = record(&project, &line("file_edit", "{}", ""), 2).remove(0);
    assert!(told["error"].as_str().expect("why").contains("another tool"), "{told}");
    let told = record(&project, &line("file_read", "{}", r#","outcome":"failed""#), 0).remove(0);
    assert_eq!(told["duplicate"], true, "the first result stands: {told}");
}

#[test]
fn a_pipe_refuses_alone_what_is_another_call() {
    let project = Project::new();
    let ask = |id: u64, path: &str| {
        let args = json!({"tool": "file_read", "arguments": {"path": path}, "execution": ID});
        json!({"id": id, "op": "record_execution", "args": args}).to_string() + "\n"
    };
    for already in [false, true] {
        let asked = ask(1, "a") + &ask(2, "b") + &ask(3, "a");
        let mut command = project.command();
        let ran = crate::project::Ran::of(command.arg("pipe").write_stdin(asked)).code(0);
        let told: Vec<Value> = ran
            .out()
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(told[0]["result"]["duplicate"], already, "{told:?}");
        assert_eq!(told[1]["ok"], false, "{told:?}");
        assert_eq!(told[2]["result"]["duplicate"], true, "{told:?}");
    }
    assert_eq!(events(&project, &["ExecutionStarted"]).len(), 1);
}

#[test]
fn of_many_who_record_one_id_at_once_one_does() {
    let project = Project::new();
    let children: Vec<_> = (0..8)
        .map(|at| {
            let path = format!("{{\"path\":\"{}\"}}", at % 2);
            let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
            command
                .arg("record")
                .current_dir(project.root())
                .env("HOME", project.root())
                .env_remove("XDG_STATE_HOME")
                .env_remove("XDG_CACHE_HOME");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = start(&mut command);
            let mut input = child.stdin.take().expect("its input");
            std::io::Write::write_all(&mut input, line("file_read", &path, "").as_bytes())
                .expect("it reads");
            drop(input);
            child
        })
        .collect();
    let (mut recorded, mut duplicates, mut refused) = (0, 0, 0);
    for child in children {
        let output = child.output().expect("it ends");
        let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        match (&told["ok"], &told["duplicate"]) {
            (Value::Bool(false), _) => refused += 1,
            (_, Value::Bool(true)) => duplicates += 1,
            _ => recorded += 1,
        }
    }
    assert_eq!((recorded, duplicates, refused), (1, 3, 4));
    let kinds = ["ExecutionStarted", "ExecutionFinished"];
    assert_eq!(events(&project, &kinds).len(), 2);
}
