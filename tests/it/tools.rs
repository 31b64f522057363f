//! `annals tool`: the gate end to end, what never leaves the project, and what is recorded.

use std::time::Duration;

use serde_json::json;

use crate::project::{Project, Ran};

/// A project with one file, and a read that holds for so long.
fn project(window_ms: u64) -> Project {
    let project = Project::new();
    project.write("src/lib.rs", "fn a() {}\n");
    let config = std::fs::read_to_string(project.path(".annals/config.toml")).expect("settings");
    let config = config.replace("window_ms = 10000", &format!("window_ms = {window_ms}"));
    project.write(".annals/config.toml", &config);
    project
}

/// Runs a tool for a session.
fn tool(project: &Project, session: &str, words: &[&str]) -> Ran {
    let mut command = project.command();
    Ran::of(command.env("ANNALS_SESSION", session).arg("tool").args(words))
}

fn edit<'w>(from: &'w str, to: &'w str) -> [&'w str; 7] {
    ["file_edit", "--path", "src/lib.rs", "--old-string", from, "--new-string", to]
}

fn text(project: &Project) -> String {
    std::fs::read_to_string(project.path("src/lib.rs")).expect("the file")
}

#[test]
fn an_edit_needs_a_read_of_its_own_session_that_is_not_stale() {
    const WINDOW: u64 = 6_000;
    let project = project(WINDOW);
    tool(&project, "s", &edit("a()", "b()"))
        .code(1)
        .says("Grounding required: Must call memory_query before mutation tool")
        .says("required: memory_query(timeline_summary)")
        .says("=== EXECUTION TIMELINE (GROUND TRUTH) ===")
        .says("execution 1: file_edit refused");
    assert_eq!(text(&project), "fn a() {}\n");
    std::thread::sleep(Duration::from_millis(WINDOW + 100));
    tool(&project, "s", &edit("a()", "b()")).code(1).says("Grounding required");
    std::thread::sleep(Duration::from_millis(WINDOW + 100));

    let asked = tool(&project, "s", &["memory_query", "--timeline-summary", "--json"]).code(0);
    let asked = asked.json();
    assert_eq!(asked["data"]["position"]["total_executions"], 2);
    assert_eq!(asked["no"], 3);
    tool(&project, "s", &edit("a()", "b()")).code(0).says("execution 4: file_edit ok");
    assert_eq!(text(&project), "fn b() {}\n");
    // Another session's read is not this one's.
    tool(&project, "t", &edit("b()", "c()")).code(1).says("Grounding required");
    std::thread::sleep(Duration::from_millis(WINDOW + 100));
    tool(&project, "s", &edit("b()", "c()")).code(1).says("Grounding required");
    assert_eq!(text(&project), "fn b() {}\n");
    // The refusals are on record: what was asked for, by which rule.
    let events = project.annals(["export", "jsonl", "events"]).code(0).out();
    assert_eq!(events.matches("\"no_grounding\"").count(), 4, "{events}");
    project.annals(["log"]).code(0).says("refused: Grounding required: Must call memory_query");
}

#[test]
fn advise_lets_it_pass_with_the_timeline_and_observe_without() {
    for (mode, block) in [("advise", true), ("observe", false)] {
        let project = project(10_000);
        let config = std::fs::read_to_string(project.path(".annals/config.toml")).expect("one");
        project.write(".annals/config.toml", &format!("gate = \"{mode}\"\n{config}"));
        let ran = tool(&project, "s", &edit("a()", "b()"));
        let said = format!("{}{}", ran.out(), ran.err());
        ran.code(0);
        assert_eq!(said.contains("=== EXECUTION TIMELINE"), block, "{mode}: {said}");
        assert_eq!(said.contains("Grounding required"), block, "{mode}: {said}");
        assert_eq!(text(&project), "fn b() {}\n");
        // Advised, it has read the timeline; observed, it has not.
        let again = tool(&project, "s", &[&edit("b()", "c()")[..], &["--json"]].concat());
        let again = again.code(0).json();
        assert_eq!(again["gate"].is_null(), block, "{mode}: {again}");
        if !block {
            assert_eq!(again["gate"]["mode"], "observe");
            assert_eq!(again["gate"]["rule"], "no_grounding");
            assert!(again["gate"]["timeline"].is_null());
        }
    }
}

#[test]
fn nothing_outside_the_project_is_read_or_written() {
    let outer = tempfile::tempdir().expect("a folder");
    std::fs::write(outer.path().join("secret"), "secret").expect("written");
    let secret = outer.path().join("secret").to_string_lossy().into_owned();
    let project = project(10_000);
    std::os::unix::fs::symlink(outer.path(), project.path("out")).expect("a link");
    rustix::fs::mkfifoat(rustix::fs::CWD, project.path("pipe"), 0o600.into()).expect("a pipe");
    for (path, says) in [
        ("../secret", "has `..` in it: give the path from the project's root"),
        ("/proc/self/root/etc/passwd", "is outside the project"),
        (secret.as_str(), "is outside the project"),
        ("out/secret", "\"out\" is a symbolic link, and none is followed: name the file itself"),
        ("pipe", "is a pipe: name a file"),
    ] {
        tool(&project, "s", &["file_read", "--path", path]).code(2).says(says);
        tool(&project, "s", &["memory_query"]).code(0);
        tool(&project, "s", &["file_write", "--path", path, "--content", "x"]).code(2).says(says);
    }
    tool(&project, "s", &["file_write", "--path", "codegraph.db", "--content", "x"])
        .code(2)
        .says("belongs to annals: tools do not change it");
    assert_eq!(std::fs::read_to_string(&secret).expect("there"), "secret");
    assert_eq!(std::fs::read_dir(outer.path()).expect("listed").count(), 1);
    project.annals(["log", "--tool", "file_write"]).code(0).says("refused: ");
}

#[test]
fn what_a_tool_did_is_recorded_with_what_it_changed() {
    let project = project(10_000);
    tool(&project, "s", &["memory_query", "--query", "timeline_summary"]).code(0);
    let arguments = json!({"path": "src/new.rs", "content": "fn n() {}\n"}).to_string();
    let mut command = project.command();
    command.env("ANNALS_SESSION", "s").args(["tool", "file_create", "--args", "-", "--json"]);
    let made = Ran::of(command.write_stdin(arguments)).code(0).json();
    assert_eq!(made["changed"], json!([{"path": "src/new.rs", "created": true}]));
    let no = made["no"].to_string();
    let shown = project.annals(["show", &no, "--json"]).code(0).json();
    assert_eq!(shown["execution"], made["execution"]);
    assert_eq!(shown["at"], made["at"]);
    assert!(shown["paths"].to_string().contains("created"), "{shown}");
    tool(&project, "s", &["file_search", "--pattern", "fn n"]).code(0).says("src/new.rs:1:fn n()");
    tool(&project, "s", &["file_read", "--path", "src/none.rs"])
        .code(1)
        .says("there is no \"src/none.rs\": file_glob lists what there is");
    tool(&project, "s", &["file_read", "--args", "{"]).code(2).says("annals tool file_read --help");
}

/// What a program of that name is told, and that what it changed is recorded.
#[test]
fn splice_is_run_as_its_own_command_line_wants_it() {
    let project = project(10_000);
    project.write("p/a.rs", "fn a() { 1 }\n");
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\"\ncp p/a.rs src/lib.rs\n";
    let program = project.write("bin/splice", script);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).expect("executable");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", project.path("bin").display());
    let run = |words: &[&str]| {
        let mut command = project.command();
        command.env("PATH", &path).env("ANNALS_SESSION", "s").arg("tool").args(words);
        Ran::of(&mut command)
    };
    run(&["memory_query"]).code(0);
    let patched = run(&[
        "splice_patch",
        "--file",
        "src/lib.rs",
        "--symbol",
        "-a",
        "--kind",
        "fn",
        "--with",
        "p/a.rs",
        "--json",
    ]);
    let patched = patched.code(0).json();
    let root = project.root().canonicalize().expect("the root");
    let root = root.display();
    assert_eq!(
        patched["text"].as_str(),
        Some(
            format!(
                "patch\n--file={root}/src/lib.rs\n--with={root}/p/a.rs\n--symbol=-a\n\
                 --kind=function\n"
            )
            .as_str()
        )
    );
    assert_eq!(patched["changed"], json!([{"path": "src/lib.rs", "created": false}]));
    run(&["list"]).code(0).says("splice_patch file symbol [kind] with (behind the gate)");
}

#[test]
fn the_list_says_what_there_is_and_declaring_still_works() {
    let project = project(10_000);
    let tools = project.annals(["tool", "list", "--json"]).code(0).json();
    let tools = tools.as_array().expect("a list");
    let named = |name: &str| {
        let found = tools.iter().find(|tool| tool["tool"] == name);
        found.unwrap_or_else(|| panic!("no {name}")).clone()
    };
    for name in annals::internal::event::tool::CONTRACT.iter().chain(&["file_edit", "memory_query"])
    {
        named(name);
    }
    assert_eq!(tools.len(), 13);
    assert_eq!(
        (named("file_edit")["mutation"].clone(), named("file_read")["mutation"].clone()),
        (json!(true), json!(false))
    );
    project.annals(["tool", "declare", "deploy"]).code(0).says("Declared: deploy");
    project.annals(["tool", "no_such"]).code(2);
}
