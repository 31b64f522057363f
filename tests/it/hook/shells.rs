//! What a shell surely edits is an edit: judged, recorded and asked for like any other, whoever tells it.

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use super::stops::{AGENTS, CLAIMS, stop};
use crate::project::Project;

const SED: &str = "sed -i s/a/b/ src/a.rs";

fn project() -> Project {
    let project = Project::new();
    project.write(".gitignore", "build.log\n/out/\n*.tmp\n!keep.tmp\n");
    project.write("src/a.rs", "a\n");
    project.write("bin/run", "a\n");
    project.write("src/.gitignore", "made.rs\n");
    project
}

#[test]
fn a_sure_edit_of_the_project_needs_a_read_and_nothing_else_does() {
    for (command, denied) in [
        (SED, true),
        ("cd src && perl -pi -e s/a/b/ a.rs", true),
        ("cat > src/new.rs <<'EOF'\nfn main() {}\nEOF", true),
        ("echo x | tee notes.md", true),
        ("echo x > keep.tmp", true),
        ("git checkout -- src/a.rs", true),
        ("gofmt -w src/a.go", true),
        ("mv src/a.rs src/b.rs", true),
        ("mv bin/run bin/go", true),
        ("mv bin/run src", true),
        ("cd bin && git checkout -- run", true),
        (": > bin/run", true),
        ("for f in src/a.rs src/b.rs; do sed -i s/a/b/ $f; done", true),
        ("mv src bin", false),
        ("cp nothing nowhere", false),
        ("git checkout -- src", false),
        ("if grep -q a src/a.rs; then sed -i s/a/b/ src/a.rs; fi", false),
        ("echo x > build.log", false),
        ("cargo test > keep.tmp 2>&1", false),
        ("cargo test > x.tmp 2>&1", false),
        ("touch src/made.rs out/x.rs", false),
        ("echo x | tee /var/tmp/x", false),
        ("cd .. && touch x.rs", false),
        ("cargo test > /dev/null 2>&1", false),
        ("echo x > .git/info/exclude", false),
        ("python3 -c \"open('src/a.rs','w')\"", false),
        ("git stash", false),
        ("sed -i s/a/b/ $FILE", false),
        ("grep -q a src/a.rs || sed -i s/a/b/ src/a.rs", false),
    ] {
        for name in AGENTS {
            let project = project();
            let agent = Agent::new(&project, name, &["--enforce"]);
            let (before, _) = agent.call("call_1a2b3c4d5e", "Bash", json!({"command": command}), 0);
            let decision = &before["hookSpecificOutput"]["permissionDecision"];
            assert_eq!(decision == "deny", denied, "{name}: {command}: {before}");
        }
    }
}

/// The paths of the newest execution that it changed or made.
fn changed(project: &Project) -> Vec<String> {
    let shown = project.annals(["show", "last", "--json"]).code(0).json();
    let paths = shown["paths"].as_array().cloned().unwrap_or_default();
    let changed = paths.iter().filter(|it| it["role"] != "named");
    changed.map(|it| it["path"].as_str().unwrap_or_default().to_owned()).collect()
}

fn affected(project: &Project, file: &str) -> Vec<Value> {
    let trace = project.annals(["trace", file, "--json"]).code(0).json();
    let steps = trace["steps"].as_array().cloned().unwrap_or_default();
    let links = steps.iter().flat_map(|it| it["links"].as_array().cloned().unwrap_or_default());
    links.filter(|it| it["edge"] == "AFFECTED").map(|it| it["word"].clone()).collect()
}

#[test]
fn a_sure_edit_that_ended_well_is_in_every_answer() {
    for name in AGENTS {
        let project = project();
        let agent = Agent::new(&project, name, &[]);
        agent.fire("SessionStart", json!({"source": "startup"}));
        agent.fire("UserPromptSubmit", json!({"prompt": "change it"}));
        agent.call("call_1a2b3c4d5e", "Bash", json!({"command": SED}), 1);
        assert_eq!(changed(&project), Vec::<String>::new(), "{name}: it failed");
        agent.call("call_2a2b3c4d5e", "Bash", json!({"command": SED}), 0);
        let whole = project.path("src/a.rs").to_string_lossy().into_owned();
        assert_eq!(changed(&project), [whole], "{name}");
        assert_eq!(affected(&project, "src/a.rs"), ["patched"], "{name}");
        let blocked = stop(&agent, CLAIMS[0], false);
        assert_ne!(blocked, json!({}), "{name}: nothing was checked since");
        agent.fire("UserPromptSubmit", json!({"prompt": "go on"}));
        let told = project.annals(["replay", "--format", "jsonl"]).code(0).out();
        let ended = told.lines().find(|it| it.contains("\"SummaryAppended\"")).unwrap_or_default();
        assert!(ended.contains("1 mutation") && ended.contains("src/a.rs"), "{name}: {ended}");
    }
}

#[test]
fn switched_off_no_shell_edits_anything() {
    for name in AGENTS {
        let project = project();
        project.write(".annals/config.toml", "[policy]\nshell_mutations = false\n");
        let agent = Agent::new(&project, name, &["--enforce"]);
        let (before, _) = agent.call("call_1a2b3c4d5e", "Bash", json!({"command": SED}), 0);
        assert_eq!(before, json!({}), "{name}");
        assert_eq!(changed(&project), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn every_other_door_tells_a_sure_edit_too() {
    let project = project();
    let whole = |path: &str| project.path(path).to_string_lossy().into_owned();
    project.annals(["run", "--", "sh", "-c", "sed -i s/a/b/ src/a.rs; echo > new.rs"]).code(0);
    let mut found = changed(&project);
    found.sort();
    assert_eq!(found, [whole("new.rs"), whole("src/a.rs")]);
    assert_eq!(affected(&project, "new.rs"), ["patched", "created"], "of one call");
    project.annals(["run", "--", "sh", "-c", "touch src/b.rs; false"]).code(1);
    assert_eq!(changed(&project), Vec::<String>::new());
    let told = json!({"command": "cd src && touch c.rs"}).to_string();
    project.annals(["record", "--tool", "bash_exec", "--arguments", &told]).code(0);
    assert_eq!(changed(&project), [whole("src/c.rs")]);
    // What is known wins over what the command says.
    let known = ["record", "--tool", "bash_exec", "--arguments", &told, "--changed", "src/d.rs"];
    project.annals(known).code(0);
    assert_eq!(changed(&project), ["src/d.rs"]);
}

/// A session's transcript, as Claude Code writes it, in a folder.
fn transcript(cwd: &str, command: &str, failed: bool) -> String {
    let mut lines = String::new();
    let mut line = |at: usize, kind: &str, content: Value| {
        let line = json!({"type": kind, "uuid": format!("u{at}"), "sessionId": SESSION, "cwd": cwd,
            "version": "2.0.1", "timestamp": format!("2026-01-05T12:17:{at:02}.000Z"),
            "message": {"role": kind, "content": content}});
        lines.push_str(&format!("{line}\n"));
    };
    line(1, "user", "change it".into());
    line(
        2,
        "assistant",
        json!([{"type": "tool_use", "id": "toolu_01", "name": "Bash",
        "input": {"command": command}}]),
    );
    line(
        31,
        "user",
        json!([{"type": "tool_result", "tool_use_id": "toolu_01", "content": "x", "is_error": failed}]),
    );
    lines
}

#[test]
fn an_imported_session_shows_its_sure_edits_wherever_it_ran() {
    for (cwd, command, failed, file) in [
        ("", SED, false, Some("src/a.rs")),
        ("/src", "sed -i s/a/b/ a.rs", false, Some("src/a.rs")),
        ("", "echo x > build.log", false, None),
        ("", SED, true, None),
        ("elsewhere", SED, false, Some("/work/shop/src/a.rs")),
        ("elsewhere", "cd /work/other && touch a.rs", false, None),
    ] {
        let project = project();
        let root = project.root().to_string_lossy().into_owned();
        let cwd = if cwd == "elsewhere" { "/work/shop".to_owned() } else { format!("{root}{cwd}") };
        let path = project.write("t/s.jsonl", &transcript(&cwd, command, failed));
        project.annals(["import", "auto", &path.to_string_lossy()]).code(0);
        let whole = |file: &str| match file.starts_with('/') {
            true => file.to_owned(),
            false => format!("{root}/{file}"),
        };
        let expect: Vec<String> = file.map(whole).into_iter().collect();
        assert_eq!(changed(&project), expect, "{cwd}: {command}");
        if let Some(file) = file {
            assert_eq!(affected(&project, file), ["patched"], "{cwd}: {command}");
        }
        // Of a call that only timestamps tell of, nobody knows how long it took: no longer than this.
        let shown = project.annals(["show", "last", "--json"]).code(0).json();
        assert_eq!(
            (&shown["duration_ms"], &shown["duration_ms_max"]),
            (&Value::Null, &json!(29_000))
        );
        project.annals(["log"]).code(0).says("<= 29.0 s");
        project.annals(["show", "last"]).code(0).says("<= 29.0 s");
    }
}
