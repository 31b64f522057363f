//! What an import could not read: told, and its exit code.

use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::leash::start;
use crate::project::Project;

/// A line of Claude Code's.
fn line(number: u64, kind: &str, content: &str) -> String {
    format!(
        "{{\"type\":\"{kind}\",\"uuid\":\"u{number}\",\"sessionId\":\"s\",\"timestamp\":\"2026-02-03T10:00:0{number}Z\",\
         \"message\":{{\"content\":{content}}}}}\n"
    )
}

fn call(number: u64) -> String {
    let content = format!(
        "[{{\"type\":\"tool_use\",\"id\":\"toolu_{number}\",\"name\":\"Bash\",\"input\":{{\"command\":\"true\"}}}}]"
    );
    line(number, "assistant", &content)
}

fn result(number: u64) -> String {
    let content = format!(
        "[{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_{number}\",\"content\":\"x\"}}]"
    );
    line(number, "user", &content)
}

fn findings(project: &Project) -> Value {
    let asked = "SELECT kind, message FROM integrity_findings";
    project.annals(["--json", "sql", "--exported", asked]).json()
}

#[test]
fn a_line_that_was_half_there_while_it_was_watched_is_no_finding_once_it_is_whole() {
    let project = Project::new();
    std::fs::create_dir(project.path("logs")).unwrap();
    let all = [call(1), result(1), call(2), result(2)].concat();
    let whole = [call(1), result(1)].concat().len();
    let write = |name: &str, text: &str| project.write(&format!("logs/{name}"), text);
    let traj = |steps: &str| format!("{{\"environment\":\"e\",\"trajectory\":[{steps}");
    let step = "{\"action\":\"ls\",\"observation\":\"x\"}";
    write("s.jsonl", &all[..whole + 40]);
    write("t.traj", &traj(&format!("{step},{{\"act")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command.args(["import", "--watch", "logs"]).current_dir(project.root());
    command.env("HOME", project.root()).env_remove("XDG_STATE_HOME").env_remove("XDG_CACHE_HOME");
    command.env_remove("ANNALS_DIR").env_remove("ANNALS_SESSION");
    let watching = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let has = |calls: usize| {
        (0..60).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            let log = project.annals(["--json", "log", "-n", "9"]).json();
            log.as_array().is_some_and(|log| log.len() == calls)
        })
    };
    let has_begun = has(2);
    write("s.jsonl", &all);
    write("t.traj", &(traj(&format!("{step},{step}")) + "]}"));
    // One stays half: told at the end.
    write("u.jsonl", &line(1, "user", "\"go\"").trim_end()[..90]);
    let has_ended = has(4);
    kill_process(Pid::from_child(&watching), Signal::TERM).unwrap();
    let output = watching.output().unwrap();
    assert!(has_begun && has_ended, "{output:?}");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = findings(&project);
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0]["message"].as_str().unwrap().contains("u.jsonl, line 1: torn"), "{found:#?}");
}

#[test]
fn an_import_that_could_not_read_all_ends_with_1_and_names_what_it_could_not() {
    let project = Project::new();
    let whole = [call(1), result(1)].concat();
    project.write("a.jsonl", &whole);
    project.annals(["import", "a.jsonl"]).code(0);
    project.write("b.jsonl", &format!("{}{{\"type\":\"us\n{}", call(3), result(3)));
    let told = project.annals(["import", "b.jsonl"]).code(1);
    assert!(told.out().contains("b.jsonl:2: unreadable line: torn"), "{}", told.out());
    assert!(told.out().contains("Mend the file and import it again"), "{}", told.out());
    project.write("c.jsonl", &result(4));
    project.annals(["import", "c.jsonl"]).code(1);
    // What is read on without any finding is fine.
    project.annals(["import", "a.jsonl"]).code(0);

    // In a folder: each file that should be a log by name, what is anybody's by a count.
    project.write("logs/a.jsonl", &whole);
    for name in ["x.jsonl", "y.traj", "z.cast", "ui_messages.json"] {
        project.write(&format!("logs/{name}"), "no log\n");
    }
    for name in ["package.json", "notes.txt", "app.log", "other.db"] {
        project.write(&format!("logs/{name}"), "no log\n");
    }
    std::os::unix::fs::symlink("nowhere", project.path("logs/gone.jsonl")).unwrap();
    let got = project.annals(["--json", "import", "logs"]).code(1).json();
    let mut skipped: Vec<_> = got["skipped"].as_array().unwrap().iter().collect();
    let base = |it: &Value| it["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    skipped.sort_by_key(|it| base(it));
    let names: Vec<_> = skipped.iter().map(|it| base(it)).collect();
    assert_eq!(names, ["gone.jsonl", "ui_messages.json", "x.jsonl", "y.traj", "z.cast"], "{got:#}");
    assert_eq!(got["foreign"], 4, "{got:#}");
    let reasons: Vec<_> = skipped.iter().map(|it| it["reason"].as_str().unwrap()).collect();
    assert!(reasons[0].contains("make it readable"), "{reasons:?}");
    assert!(reasons[1].contains("name whose log it is"), "{reasons:?}");
    std::fs::remove_dir_all(project.path("logs")).unwrap();
    project.write("logs/a.jsonl", &whole);
    project.write("logs/package.json", "{}");
    let out = project.annals(["import", "logs"]).code(0).out();
    assert!(out.contains("files in the folders that are no known logs: 1"), "{out}");
}

#[test]
fn a_log_that_names_what_it_is_of_may_be_moved() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sources");
    for file in [
        "atif/trajectory.json",
        "cline/ui_messages.json",
        "execution-log/toy.db",
        "gemini-cli/session-2026-02-03T10-00-11111111.jsonl",
        "opencode/export.json",
        "openhands/events.jsonl",
        "otlp/traces.json",
    ] {
        let project = Project::new();
        let name = file.rsplit('/').next().unwrap();
        for folder in ["one", "other"] {
            std::fs::create_dir(project.path(folder)).unwrap();
            std::fs::copy(root.join(file), project.path(&format!("{folder}/{name}"))).unwrap();
        }
        let import =
            |folder: &str| project.annals(["--json", "import", &format!("{folder}/{name}")]).json();
        assert!(import("one")["recorded"].as_u64().unwrap() > 0, "{file}");
        let moved = import("other");
        // A finding is one of the file.
        assert_eq!(moved["recorded"], moved["results_without_call"], "{file}\n{moved:#}");
    }
}
