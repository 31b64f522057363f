//! A project's own checks: found in its files, declared in its journal, and told by `annals checks`.

use serde_json::Value;

use crate::project::{Project, Ran};

fn listed(project: &Project) -> Vec<Value> {
    let told = project.annals(["checks", "--json"]).code(0).out();
    let told: Value = serde_json::from_str(&told).expect("JSON");
    told.as_array().expect("a list").clone()
}

/// Of each check its command, and a field.
fn field(project: &Project, name: &str) -> Vec<(String, Value)> {
    let text = |it: &Value| it["command"].as_str().expect("a command").to_owned();
    listed(project).iter().map(|it| (text(it), it[name].clone())).collect()
}

fn record(project: &Project, command: &str, exit_code: i32, printed: &str) {
    let line = serde_json::json!({
        "tool": "bash_exec", "arguments": { "command": command }, "exit_code": exit_code,
        "stdout": printed, "session": "s1",
    });
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
}

fn files(project: &Project) {
    project.write(
        "mise.toml",
        "[tasks]\ntest = 'go test ./...'\nlint = 'echo ok'\ntypecheck = './t.sh'\n",
    );
    project.write("Makefile", "check:\n\tgolangci-lint run ./...\n");
}

#[test]
fn a_task_is_a_check_by_what_it_runs() {
    let project = Project::new();
    files(&project);
    record(&project, "mise run lint", 0, "ok");
    assert!(listed(&project).is_empty(), "nothing is looked for where it was not asked for");
    project.annals(["checks", "find"]).code(0);
    let of = |command: &str, value: &str| (command.to_owned(), Value::from(value));
    let expected = [
        of("mise run lint", "idle"),
        of("mise run test", "in_force"),
        of("mise run typecheck", "waiting"),
        of("make check", "in_force"),
    ];
    assert_eq!(field(&project, "standing"), expected);
    // Of the linter behind the rule, whose name says nothing of it.
    record(
        &project,
        "make check | tail -3",
        0,
        "main.go:3:1: unused x (unused)\n1 issues:\n* unused: 1\n",
    );
    record(
        &project,
        "mise run test",
        1,
        "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\n",
    );
    record(&project, "mise run lint", 0, "ok");
    let last = field(&project, "last");
    let verdict = |at: usize| last[at].1["verdict"].as_str().map(str::to_owned);
    assert_eq!(verdict(1).as_deref(), Some("failed"));
    assert_eq!(verdict(3).as_deref(), Some("failed"));
    let status = project.annals(["status"]).code(0).out();
    assert!(status.contains("checks         3 checks, 2 failed, 1 not allowed"), "{status}");
    // What runs behind the task ends what the task failed with.
    record(&project, "go test ./...", 0, "ok  \texample.com/a\t0.1s\n");
    let sql = "SELECT count(*) FROM idx.executions WHERE checked IS NOT NULL";
    let count = project.annals(["sql", sql, "--json"]).code(0).out();
    assert!(count.contains('4'), "the task that echoes is no check any more: {count}");
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn a_part_that_failed_and_passed_since_says_nothing_of_the_whole() {
    let project = Project::new();
    project.annals(["checks", "add", "go test ./...", "--kind", "test"]).code(0);
    let (failed, passed) =
        ("--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/a\t0.1s\n", "ok  \tx/a\t0.1s\n");
    let verdict = || field(&project, "last")[0].1["verdict"].as_str().map(str::to_owned);
    for (command, exit_code, printed, expected) in [
        ("go test ./a", 1, failed, Some("failed")),
        ("go test ./a", 0, passed, None),
        ("go test ./...", 0, passed, Some("passed")),
        ("go test ./a", 1, failed, Some("failed")),
        ("go test ./a", 0, passed, Some("passed")),
    ] {
        record(&project, command, exit_code, printed);
        assert_eq!(verdict().as_deref(), expected, "{command}");
    }
}

#[test]
fn a_person_allows_adds_and_removes() {
    let project = Project::new();
    files(&project);
    project.annals(["checks", "find"]).code(0);
    project.annals(["checks", "add", "mise run typecheck"]).code(0);
    project.annals(["checks", "add", "./ci.sh", "--kind", "lint"]).code(0);
    let stands = |project: &Project, command: &str| {
        let found = listed(project).into_iter().find(|it| it["command"] == command);
        found.map(|it| (it["standing"].clone(), it["kind"].clone()))
    };
    let in_force = |kind: &str| Some((Value::from("in_force"), Value::from(kind)));
    assert_eq!(stands(&project, "mise run typecheck"), in_force("types"));
    assert_eq!(stands(&project, "./ci.sh"), in_force("lint"));
    let told = project.annals(["checks"]).code(0).out();
    assert!(!told.contains("annals checks find"), "nothing is new in the files: {told}");
    project.annals(["checks", "find"]).code(0);
    assert_eq!(
        stands(&project, "mise run typecheck"),
        in_force("types"),
        "the same runs behind it"
    );
    project.write("mise.toml", "[tasks]\ntypecheck = './other.sh'\n");
    let told = project.annals(["checks"]).code(0).out();
    assert!(told.contains("annals checks find"), "{told}");
    project.annals(["checks", "find"]).code(0);
    assert_eq!(stands(&project, "mise run typecheck").expect("there").0, "waiting");
    project.annals(["checks", "remove", "./ci.sh"]).code(0);
    assert_eq!(stands(&project, "./ci.sh"), None);
    project.annals(["checks", "remove", "./ci.sh"]).code(2);
    for vain in ["echo ok", "true", ":", "make check && true", "npm"] {
        project.annals(["checks", "add", vain]).code(2);
    }
}

#[test]
fn the_scripts_of_a_package_are_run_by_what_locked_it() {
    let project = Project::new();
    project.write("package.json", r#"{"scripts": {"test": "vitest run"}}"#);
    project.write("pnpm-lock.yaml", "");
    project.annals(["checks", "find"]).code(0);
    record(&project, "pnpm test", 0, "      Tests  1 passed (1)\n");
    let last = field(&project, "last");
    assert_eq!((last[0].0.as_str(), &last[0].1["verdict"]), ("pnpm run test", &"passed".into()));
}

#[test]
fn what_came_with_a_clone_is_no_check_to_the_gate_before_it_is_allowed() {
    let project = Project::new();
    project.write(".annals/config.toml", "[policy]\nchecks = ['echo']\n");
    record(&project, "echo fine", 0, "fine");
    assert!(listed(&project).is_empty());
    let status = project.annals(["status"]).out();
    assert!(!status.contains("checks  "), "{status}");
}

#[test]
fn links_are_not_followed_out_of_the_project() {
    let project = Project::new();
    let outside = tempfile::tempdir().expect("a folder");
    let file = outside.path().join("Makefile");
    std::fs::write(&file, "check:\n\tgo test ./...\n").expect("written");
    std::os::unix::fs::symlink(&file, project.path("Makefile")).expect("a link");
    project.annals(["checks", "find"]).code(0);
    assert!(listed(&project).is_empty());
}

const TASKS: &str = r#"{ // as an editor has it
    "tasks": [{ "label": "q", "command": "q", "problemMatcher": [ "$tsc", {
        "owner": "q", "fileLocation": ["relative", "${workspaceFolder}"], "severity": "warning",
        "pattern": [ { "regexp": "^in (\\S+)$", "file": 1 },
            { "regexp": "^ (\\d+),(\\d+) (error|warning) (Q\\d+) (.*)$", "line": 1, "column": 2,
              "severity": 3, "code": 4, "message": 5, "loop": true }, ],
    } ] }],
}"#;
const QUIRKS: &str = "in src/a.q\n 3,4 error Q7 loose end\n 9,1 warning Q2 odd\ndone\n";

#[test]
fn an_editors_matcher_reads_what_a_projects_check_prints() {
    let project = Project::new();
    project.write(".vscode/tasks.json", TASKS);
    project.annals(["checks", "add", "./q.sh", "--kind", "lint"]).code(0);
    record(&project, "./q.sh | cat", 0, QUIRKS);
    let told = project.annals(["checks", "matcher", "add", ".vscode/tasks.json"]).code(0);
    told.says("$tsc is read as tsc").says(".vscode/tasks.json").says("tasks");
    record(&project, "./q.sh --again | cat", 0, QUIRKS);
    let told = project.annals(["failures"]).code(0).out();
    assert!(told.contains("error[Q7] src/a.q:3: loose end"), "{told}");
    assert!(!told.contains("./q.sh |"), "what was read before stays as it was read: {told}");
    // A rebuild reads the journal alone.
    project.write(".vscode/tasks.json", "{}");
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["rebuild"]).code(0);
    assert_eq!(project.annals(["failures"]).code(0).out(), told);
    project.annals(["checks", "matcher", "add", ".vscode/tasks.json"]).code(2);
    let fifo = std::process::Command::new("mkfifo").arg(project.root().join("fifo")).status();
    assert!(fifo.unwrap().success());
    project.annals(["checks", "matcher", "add", "fifo"]).code(2).says("regular file");
    project.annals(["checks", "matcher", "remove", "q"]).code(0);
    project.annals(["checks", "matcher", "remove", "q"]).code(2);
    record(&project, "./q.sh --last | cat", 0, QUIRKS);
    assert_eq!(project.annals(["failures"]).code(0).out(), told);
}

const SETTINGS: &str = "[policy]\nchecks = ['./q.sh']\n[[policy.matchers]]\nname = 'q'\nprograms = ['q.sh']\n\
                        lines = ['^!(?<file>[^:]+):(?<line>[0-9]+) (?<message>.*)$']\n";

#[test]
fn a_matcher_of_the_settings_reads_what_its_program_prints() {
    let project = Project::new();
    project.write(".annals/config.toml", SETTINGS);
    record(&project, "./other.sh; make all", 0, "!a.q:4 loose\n");
    record(&project, "./q.sh -x; true", 0, "!a.q:3 loose\n");
    let told = project.annals(["failures"]).code(0).out();
    assert!(told.contains("error a.q:3: loose") && !told.contains("a.q:4"), "{told}");
    project.annals(["checks", "matcher"]).code(0).says("config.toml").says("q.sh");
    let wrong = SETTINGS.replace("(?<file>[^:]+)", "(?!x)");
    project.write(".annals/config.toml", &wrong);
    project.annals(["status"]).says("pattern 1: look-around");
}
