//! Each command reaches what it is for, and ends with the code it promises.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::project::{Project, Ran};

/// Two calls of one session, the first failed, and a command that was run.
fn filled() -> Project {
    let project = Project::new();
    let lines = concat!(
        r#"{"tool":"file_edit","arguments":{"path":"src/a.rs"},"error":"no such line","paths":["src/a.rs"],"session":"s1","agent":"x","call":"c1"}"#,
        "\n",
        r#"{"tool":"file_read","arguments":{"path":"src/b.rs"},"stdout":"needle","paths":["src/b.rs"],"session":"s1","agent":"x","call":"c2"}"#,
        "\n",
    );
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    project.annals(["run", "--", "sh", "-c", "echo out; echo err >&2; exit 3"]).code(3);
    project
}

#[test]
fn every_command_ends_with_the_code_it_promises() {
    let project = filled();
    let transcript = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/transcripts/whole.jsonl");
    for (arguments, code, says) in [
        ("", 0, "Next: annals timeline"),
        ("init", 0, "a project already"),
        ("sessions", 0, "s1"),
        ("sessions --agent nobody", 0, "Nothing matches"),
        ("log", 0, "file_read"),
        ("log --since 2h -n 1", 0, "earlier"),
        ("log --since soon", 2, "not a time"),
        ("show last", 0, "exit code    3"),
        ("show 1", 0, "no such line"),
        ("show 99", 2, "nothing is recorded"),
        ("show -- --", 2, "names no execution"),
        ("trace src/a.rs", 0, "no such line"),
        ("trace 1", 0, "in the graph"),
        ("trace src/none.rs", 0, "knows no file"),
        ("trace none --symbol", 0, "knows no symbol"),
        ("trace 99", 2, "nothing is recorded"),
        ("trace src/a.rs --after here", 2, "not where a page ended"),
        ("status", 0, "caught up"),
        ("status --digest", 0, "digest"),
        ("verify", 0, "everything holds"),
        ("verify no-such-folder", 2, "no-such-folder"),
        ("repair --dry-run", 0, "Nothing to repair"),
        ("repair", 0, "Nothing to repair"),
        ("rebuild --check", 0, "nothing differs"),
        ("rebuild execution_log", 0, "rebuilt"),
        ("rebuild memories", 2, "stores are"),
        ("session start --name night --title t", 0, "export ANNALS_SESSION=night"),
        ("session end night", 0, "ended"),
        ("log --grep exit -n 1", 0, "sh -c 'echo out; echo err >&2; exit 3'"),
        ("tool declare new_tool", 0, "Declared: new_tool"),
        ("record --tool new_tool --exit-code 1", 0, "Recorded"),
        ("record --tool undeclared", 2, "tool declare undeclared"),
        ("record --tool file_read --arguments [1]", 2, "must be a JSON object"),
        ("import auto no-such-file", 5, "no-such-file"),
        ("completions bash", 0, "complete"),
        ("man", 0, "annals"),
        ("timeline", 0, "Step"),
        ("fly", 2, "unrecognized"),
        ("--dir no-such-folder status", 2, "try: annals init"),
    ] {
        project.annals(arguments.split_whitespace()).code(code).says(says);
    }
    project.annals(["import", "auto", transcript]).code(0).says("calls");
    project.annals(["import", transcript]).code(0).says("seen before");
    let pages = project.path("pages");
    project.annals(["man", "--out", &pages.to_string_lossy()]).code(0);
    assert!(pages.join("annals-run.1").is_file());
}

#[test]
fn run_records_what_ran() {
    let project = filled();
    let shown = project.annals(["show", "3", "--json"]).code(0).json();
    assert_eq!(shown["tool"], "bash_exec");
    assert_eq!(shown["outcome"], "failed");
    assert_eq!(shown["exit_code"], 3);
    assert_eq!(shown["error"], "err");
    assert_eq!(shown["arguments"]["argv"][2], "echo out; echo err >&2; exit 3");
    for (artifact_type, text) in [("stdout", "out\n"), ("stderr", "err\n")] {
        let mut artifacts = shown["artifacts"].as_array().expect("a list").iter();
        let found = artifacts.find(|artifact| artifact["artifact_type"] == artifact_type);
        assert_eq!(found.expect(artifact_type)["content"]["text"], text);
    }
    assert!(shown["duration_ms"].is_u64());
}

#[test]
fn run_tells_checks_from_commands_and_takes_a_tool_that_is_declared() {
    let project = Project::new();
    project.annals(["run", "--tool", "file_glob", "--", "true"]).code(0);
    project.annals(["run", "--tool", "nobody_knows", "--", "true"]).code(0).says("not recorded");
    let log = project.annals(["log", "--json"]).code(0).json();
    assert_eq!(log.as_array().map(Vec::len), Some(1));
    assert_eq!(log[0]["tool"], "file_glob");
    let locked = Project::empty();
    locked.annals(["init", "--contract", "locked"]).code(0);
    locked.annals(["run", "--", "true"]).code(0).says("not recorded");
    locked.annals(["run", "--tool", "lsp_check", "--", "true"]).code(0);
    assert_eq!(locked.annals(["log", "--json"]).json().as_array().map(Vec::len), Some(1));
}

#[test]
fn log_filters() {
    let project = filled();
    for (arguments, numbers) in [
        ("", vec![1, 2, 3]),
        ("-n 2", vec![2, 3]),
        ("--failed", vec![1, 3]),
        ("--tool file_read", vec![2]),
        ("--path src", vec![1, 2]),
        ("--path a.rs", vec![1]),
        ("--grep needle", vec![2]),
        ("--grep nothing-like-it", vec![]),
        ("--session s1", vec![1, 2]),
        ("--since 1h", vec![1, 2, 3]),
        ("--since 2099-01-01", vec![]),
    ] {
        let mut words = vec!["log", "--json"];
        words.extend(arguments.split_whitespace());
        let log = project.annals(words).code(0).json();
        let rows = log.as_array().expect("a list").iter();
        let found: Vec<_> = rows.map(|row| row["no"].as_i64().expect("a number")).collect();
        assert_eq!(found, numbers, "{arguments}");
    }
}

#[test]
fn record_answers_line_by_line_and_good_lines_stay() {
    let project = Project::new();
    let lines = concat!(
        "{\"tool\":\"bash_exec\",\"call\":\"c1\"}\n",
        "\n",
        "{\"tool\":\"bash_exec\",\"outcome\":\"perfect\"}\n",
        "{\"tool\":\"undeclared\"}\n",
        "not JSON\n",
        "{\"tool\":\"bash_exec\",\"call\":\"c1\"}\n",
        "{\"tool\":\"bash_exec\",\"arguments\":{\"big\":9007199254740993}}",
    );
    let ran = Ran::of(project.command().arg("record").write_stdin(lines)).code(2);
    let answers: Vec<Value> =
        ran.out().lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect();
    let brief: Vec<_> = answers
        .iter()
        .map(|answer| {
            let field = answer["field"].as_str().unwrap_or_default().to_owned();
            (answer["line"].as_u64(), answer["ok"] == true, answer["duplicate"] == true, field)
        })
        .collect();
    let row = |line, ok, duplicate, field: &str| (Some(line), ok, duplicate, field.to_owned());
    assert_eq!(
        brief,
        [
            row(1, true, false, ""),
            row(3, false, false, "outcome"),
            row(4, false, false, "tool"),
            row(5, false, false, ""),
            row(6, true, true, ""),
            row(7, true, false, ""),
        ]
    );
    let shown = project.annals(["show", "last", "--json"]).code(0);
    assert!(shown.out().contains("9007199254740993"), "integers beyond 2^53 survive");
    assert_eq!(project.annals(["log", "--json"]).json().as_array().map(Vec::len), Some(2));
}

/// Not the last line that it printed (`2 errors`).
#[test]
fn show_tells_a_checks_first_error() {
    let project = Project::new();
    let said =
        "A.java:1: error: cannot find symbol\nA.java:2: error: cannot find symbol\n2 errors\n";
    let javac = project.path("javac");
    std::fs::write(&javac, format!("#!/bin/sh\nprintf '%s' '{said}' >&2\nexit 1\n")).unwrap();
    std::fs::set_permissions(&javac, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = ["run", "--", &*javac.to_string_lossy(), "A.java"];
    project.annals(run).code(1);
    let shown = project.annals(["show", "1"]).code(0);
    let error =
        shown.out().lines().find(|it| it.starts_with("error ")).unwrap_or_default().to_owned();
    assert!(error.contains("error A.java:1: cannot find symbol (and 1 more)"), "{error}");
}

#[test]
fn nothing_a_tool_prints_reaches_the_terminal_as_a_command() {
    let project = Project::new();
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}gnp\r\u{8}";
    let line = serde_json::json!({
        "tool": "bash_exec", "arguments": {"command": hostile}, "stdout": hostile, "stderr": hostile,
        "error": hostile, "paths": [hostile], "session": hostile, "agent": hostile, "cwd": hostile,
        "call": hostile, "native_tool": hostile, "branch": hostile,
        "diagnostics": [{"level": "error", "message": hostile}],
    });
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
    project.annals(["session", "start", "--name", hostile, "--title", hostile]).code(0);
    for arguments in [
        "log",
        "log --json",
        "show last",
        "show last --json",
        "sessions",
        "sessions --json",
        "status",
        "log --grep \u{1b}",
        "show \u{1b}[2J",
        "--dir \u{1b}[2J status",
        "verify \u{1b}[2J",
        "rebuild --check",
        "session end \u{1b}[2J",
    ] {
        let ran = project.annals(arguments.split(' '));
        let all = format!("{}{}", ran.out(), ran.err());
        let hostile =
            all.chars().find(|c| annals::internal::output::escape::is_hostile(*c) && *c != '\n');
        assert_eq!(hostile, None, "{arguments}: {all:?}");
    }
}
