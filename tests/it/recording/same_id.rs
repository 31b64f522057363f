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
fn another_tool_is_another_call() {
    let project = Project::new();
    record(&project, &line("file_read", "{}", r#","outcome":"ok""#), 0);
    let told = record(&project, &line("file_edit", "{}", ""), 2).remove(0);
    assert!(told["error"].as_str().expect("why").contains("another tool"), "{told}");
}

#[test]
fn another_result_under_an_id_that_exists_is_refused() {
    let long = "x".repeat(300 << 10); // lies in a blob
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"; // no secret: a pattern of one
    let printed = |text: &str| format!(r#","stdout":"{text}""#);
    for (first, again, differs) in [
        ("", r#","outcome":"failed""#, "another outcome"),
        (r#","outcome":"failed""#, r#","outcome":"ok""#, "another outcome"),
        (r#","exit_code":1"#, r#","exit_code":2"#, "another exit code"),
        (r#","exit_code":1"#, r#","exit_code":1,"duration_ms":7"#, ""),
        (&printed("a"), &printed("b"), "another output"),
        (&printed("a"), "", "another output"),
        (&printed("a"), r#","stderr":"a""#, "another output"),
        (&printed(&long), &printed(&long), ""),
        (&printed(secret), &printed(secret), ""),
        (
            r#","outcome":"failed","error":"a""#,
            r#","outcome":"failed","error":"b""#,
            "another output",
        ),
    ] {
        for (apart, forget) in [(false, false), (true, false), (true, true)] {
            let project = Project::new();
            let (one, two) = (line("file_read", "{}", first), line("file_read", "{}", again));
            let code = if differs.is_empty() { 0 } else { 2 };
            let lines = if apart { two } else { one.clone() + &two };
            if apart {
                record(&project, &one, 0);
            }
            if forget {
                std::fs::remove_file(project.path(".annals/index.db")).expect("it was there");
            }
            let told = record(&project, &lines, code).pop().expect("an answer");
            assert_eq!(told["ok"], differs.is_empty(), "{first:.50} {again:.50} {told}");
            match told["error"].as_str() {
                Some(why) => assert!(why.contains(ID) && why.contains(differs), "{why}"),
                None => assert_eq!(told["duplicate"], true, "{told}"),
            }
            assert_eq!(events(&project, &["ExecutionFinished"]).len(), 1);
        }
    }
}

/// What a transcript tells of a call is often shorter than what its hook told, and is no other call.
#[test]
fn what_hook_and_transcript_tell_otherwise_is_one_call_and_the_first_stands() {
    let project = Project::new();
    let session = "0193a5b2-7c1e-4f00-8a00-0000000000aa";
    let hook = |name: &str| {
        let told = json!({"session_id": session, "cwd": project.root(), "hook_event_name": name,
            "tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": {"command": "make"},
            "tool_response": {"stdout": "one\ntwo\n", "stderr": "", "interrupted": false}});
        let mut command = project.command();
        command.args(["hook", "claude-code"]).write_stdin(told.to_string());
        crate::project::Ran::of(&mut command).code(0);
    };
    hook("PreToolUse");
    hook("PostToolUse");
    let line = |kind: &str, at: usize, content: Value| {
        json!({"type": kind, "uuid": format!("u{at}"), "sessionId": session, "cwd": project.root(),
            "timestamp": format!("2026-01-05T12:17:{at:02}.000Z"),
            "message": {"role": kind, "content": content}})
    };
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash",
        "input": {"command": "make"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true,
        "content": "Exit code 2\none ... [1 line shortened]"}]);
    let lines = [line("assistant", 1, call), line("user", 2, result)];
    let path = project.write("t.jsonl", &lines.map(|it| it.to_string() + "\n").concat());
    project.annals(["import".as_ref(), path.as_os_str()]).code(0);
    let ended = events(&project, &["ExecutionFinished"]);
    assert_eq!((ended.len(), &ended[0]["body"]["outcome"]), (1, &json!("ok")), "{ended:?}");
}

#[test]
fn a_pipe_refuses_alone_what_is_another_call() {
    let project = Project::new();
    let ask = |id: u64, path: &str| {
        let args = json!({"tool": "file_read", "arguments": {"path": path}, "execution": ID});
        json!({"id": id, "op": "record_execution", "args": args}).to_string() + "\n"
    };
    let failed = |id: u64| {
        let args = json!({"tool": "file_read", "arguments": {"path": "a"}, "execution": ID,
            "exit_code": 3});
        json!({"id": id, "op": "record_execution", "args": args}).to_string() + "\n"
    };
    for already in [false, true] {
        let asked = ask(1, "a") + &ask(2, "b") + &ask(3, "a") + &failed(4);
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
        assert_eq!(told[3]["ok"], false, "{told:?}");
        assert!(told[3].to_string().contains("another"), "{told:?}");
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
