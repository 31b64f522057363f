//! What `--json` prints has the shape of its example in `tests/fixtures/json/`: same fields, same
//! types. Fields may be added (and then to the example); none may go.

use std::path::PathBuf;

use serde_json::Value;

use crate::project::{Project, Ran};

fn example(verb: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/json/{verb}.json"))
}

/// The fields and types of a document, a line each; of a list, its first item's.
fn shape(value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                shape(value, &format!("{path}.{name}"), out);
            }
        }
        Value::Array(items) => {
            out.push(format!("{path}: list"));
            if let Some(first) = items.first() {
                shape(first, &format!("{path}[]"), out);
            }
        }
        Value::Null => out.push(format!("{path}: null")),
        Value::Bool(_) => out.push(format!("{path}: bool")),
        Value::Number(_) => out.push(format!("{path}: number")),
        Value::String(_) => out.push(format!("{path}: text")),
    }
}

/// One line of what is printed a document a line; from the end where it is below 0.
fn one_of(project: &Project, words: &[&str], at: isize) -> String {
    let words = ["--format", "jsonl"].iter().chain(words);
    let text = project.annals(words).code(0).out();
    let lines: Vec<&str> = text.lines().collect();
    let at = if at < 0 { lines.len().checked_add_signed(at) } else { at.try_into().ok() };
    lines[at.expect("a line")].to_owned()
}

/// What waits for consent, of settings that are gone again.
fn trust(project: &Project) -> String {
    let before = std::fs::read_to_string(project.path(".annals/config.toml")).expect("settings");
    project.write(".annals/config.toml", "[repo]\nsummary_model = \"summarise\"\n");
    let told = project.annals(["trust", "--show", "--json"]).code(1).out();
    project.write(".annals/config.toml", &before);
    told
}

#[test]
fn what_is_printed_has_the_shape_of_its_example() {
    let project = Project::new();
    let line = concat!(
        r#"{"tool":"lsp_check","arguments":{"path":"."},"exit_code":101,"duration_ms":7,"stdout":"o","stderr":"e","#,
        r#""diagnostics":[{"level":"error","message":"m","file_name":"src/a.rs","line_start":3,"code":"E0425"}],"#,
        r#""paths":["src/a.rs"],"session":"s1","agent":"x","call":"c1","native_tool":"Check","cwd":"/p","branch":"main"}"#
    );
    let recorded = Ran::of(project.command().arg("record").write_stdin(line)).code(0);
    let refused = Ran::of(project.command().arg("record").write_stdin(r#"{"tool":5}"#)).code(2);
    let mut printed = vec![
        ("record", recorded.out()),
        ("record-refused", refused.out()),
        ("log", project.annals(["log", "--json"]).code(0).out()),
        ("show", project.annals(["show", "1", "--json"]).code(0).out()),
        ("trace", project.annals(["trace", "src/a.rs", "--json"]).code(0).out()),
        ("trace-around", project.annals(["trace", "1", "--json"]).code(0).out()),
        ("sessions", project.annals(["sessions", "--json"]).code(0).out()),
        ("status", project.annals(["status", "--digest", "--json"]).code(0).out()),
        ("verify", project.annals(["verify", "--json"]).code(0).out()),
        ("replay", one_of(&project, &["replay", "--to", "1"], -2)),
        ("replay-end", one_of(&project, &["replay"], -1)),
        ("export-executions", one_of(&project, &["export", "jsonl", "executions"], 0)),
        ("export-artifacts", one_of(&project, &["export", "jsonl", "artifacts"], 0)),
        ("export-diagnostics", one_of(&project, &["export", "jsonl", "diagnostics"], 0)),
        ("export-sarif", project.annals(["export", "sarif"]).code(0).out()),
        ("export-sessions", one_of(&project, &["export", "jsonl", "sessions"], 0)),
        (
            "sql",
            project.annals(["sql", "--json", "SELECT id, rowid FROM executions"]).code(0).out(),
        ),
        ("checks", {
            project.annals(["checks", "add", "./ci.sh"]).code(0);
            Ran::of(project.command().arg("record").write_stdin(
                r#"{"tool":"bash_exec","arguments":{"command":"./ci.sh"},"exit_code":1,"stdout":"a.c:1:2: error: no"}"#,
            ))
            .code(0);
            project.annals(["checks", "--json"]).code(0).out()
        }),
        ("rebuild", project.annals(["rebuild", "--check", "--json"]).code(0).out()),
        ("trust", trust(&project)),
        ("init", project.annals(["init", "--json"]).code(0).out()),
        ("session", project.annals(["session", "start", "--json"]).code(0).out()),
        ("bundle", project.annals(["bundle", "x.bundle", "--json"]).code(0).out()),
        ("evidence", project.annals(["status", "--evidence", "--digest", "--json"]).code(0).out()),
        ("salvage", project.annals(["salvage", ".", "saved", "--json"]).code(0).out()),
    ];
    std::fs::remove_file(project.path("execution_log.db")).expect("removed");
    printed.push(("repair", project.annals(["repair", "--json"]).code(0).out()));
    let inspected = project.annals(["inspect", ".", "--json"]).code(0).out();
    let frame = inspected.lines().find(|line| line.contains("\"frame\"")).expect("a frame");
    printed.push(("inspect", frame.to_owned()));
    let secret = format!("A={}\n", crate::redaction::scanned::secret());
    project.write("found/.env", &secret);
    printed.push(("scan", project.annals(["scan", "found", "--json"]).code(1).out()));
    let transcript = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/transcripts/whole.jsonl");
    project.write("src/main.rs", "fn main() {}\n");
    printed.push(("context", project.annals(["context", "--json"]).code(0).out()));
    printed.push(("repo-map", project.annals(["repo", "map", "--json"]).code(0).out()));
    printed.push(("import", project.annals(["import", transcript, "--json"]).code(0).out()));
    let forget = ["forget", "--before", "2020-01-01", "--reason", "why", "--dry-run", "--json"];
    printed.push(("forget", project.annals(forget).code(0).out()));
    let mut redact = project.command();
    let redact = redact.args(["redact", "--value-stdin", "--dry-run", "--json", "--common"]);
    printed.push(("redact", Ran::of(redact.write_stdin("price")).code(1).out()));
    for (verb, arguments) in [
        ("search", &["search", "price"][..]),
        ("stats", &["stats", "--by", "tool"]),
        ("diff", &["diff"]),
        ("report", &["report"]),
        ("blame", &["blame", "/w/shop/src/cent.rs"]),
    ] {
        let arguments = arguments.iter().chain(&["--json"]);
        printed.push((verb, project.annals(arguments).code(0).out()));
    }
    printed.into_iter().for_each(|(verb, text)| check(verb, &text));
}

#[test]
fn what_the_gate_prints_has_the_shape_of_its_example() {
    let project = Project::new();
    let line = r#"{"tool":"lsp_check","arguments":{"path":"."},"exit_code":101,"session":"s1"}"#;
    Ran::of(project.command().arg("record").write_stdin(line)).code(0);
    project.write("plan.json", r#"[{"tool":"file_edit"}]"#);
    let in_session = |code, arguments: &[&str]| {
        let mut command = project.command();
        command.env("ANNALS_SESSION", "s1").args(arguments).arg("--json");
        Ran::of(&mut command).code(code).out()
    };
    for (verb, code, arguments) in [
        ("gate-check", 1, &["gate", "check", "--tool", "file_edit", "--path", "src/a.rs"][..]),
        ("gate-plan", 1, &["gate", "plan", "plan.json"]),
        ("claim", 1, &["claim", "#1 is fixed"]),
        ("step-begin", 0, &["step", "begin", "mend it"]),
        ("step-end", 0, &["step", "end"]),
    ] {
        if verb == "step-end" {
            // Of a step in which nothing ran there is no summary.
            let line = r#"{"tool":"file_read","arguments":{"path":"a"},"session":"s1"}"#;
            Ran::of(project.command().arg("record").write_stdin(line)).code(0);
        }
        check(verb, &in_session(code, arguments));
    }
}

#[test]
fn what_repositories_remember_is_printed_in_the_shape_of_its_example() {
    let project = Project::new();
    for (verb, arguments) in [
        ("repo-added", &["repo", "convention", "add", "T", "C", "--tag", "t", "--id", "c"][..]),
        ("repo-decided", &["repo", "decision", "add", "S", "W", "--path", "src"]),
        ("repo-noted", &["repo", "note", "add", "N"]),
        ("repo-summed", &["repo", "summary", "add", "S", "--step", "step-1"]),
        ("repo-show", &["repo", "show"]),
        ("repo-hash", &["repo", "hash"]),
        ("repo-list", &["repo", "list"]),
        ("repo-conventions", &["repo", "convention", "list"]),
        ("repo-decisions", &["repo", "decision", "list"]),
        ("repo-notes", &["repo", "note", "list"]),
        ("repo-summaries", &["repo", "summary", "list"]),
        ("repo-removed", &["repo", "convention", "remove", "c"]),
    ] {
        let printed = project.annals(arguments.iter().copied().chain(["--json"])).code(0).out();
        check(verb, &printed);
    }
    let folder = std::fs::read_dir(project.path(".codex-toolloop/repos")).expect("folders").next();
    let path = folder.expect("a folder").expect("its entry").path().join("memory.json");
    let text = std::fs::read_to_string(&path).expect("the file");
    std::fs::write(&path, text.replace("\"N\"", "\"M\"")).expect("edited");
    check("repo-diff", &project.annals(["repo", "diff", "--json"]).code(0).out());
    check("repo-adopt", &project.annals(["repo", "adopt", "--json"]).code(0).out());
}

#[test]
fn what_queries_print_has_the_shape_of_its_example() {
    let project = crate::queries::broken_and_mended();
    let recent = r#"{"symbol":"main","file":"src/main.rs"}"#;
    for (verb, arguments) in [
        ("failures", &["failures", "--symbol", "main"][..]),
        ("query-diagnostic", &["query", "diagnostic", "E0425"]),
        ("query-resolving", &["query", "resolving", "E0425"]),
        ("query-pattern", &["query", "pattern", "lsp_check", "cargo check"]),
        ("query-recent", &["query", "recent", "splice_patch", recent]),
        ("query-recurring", &["query", "recurring"]),
        ("query-latest", &["query", "latest", "src/main.rs"]),
        ("timeline", &["timeline", "--block"]),
    ] {
        let printed = project.annals(arguments.iter().copied().chain(["--json"])).code(0).out();
        check(verb, &printed);
    }
}

#[test]
fn what_tools_print_has_the_shape_of_its_example() {
    let project = Project::new();
    let create = ["tool", "file_create", "--path", "a", "--content", "x", "--json"];
    check("tool-refused", &project.annals(create).code(1).out());
    check("tool", &project.annals(create).code(0).out());
    check("tool-list", &project.annals(["tool", "list", "--json"]).code(0).out());
}

#[test]
fn what_enabling_prints_has_the_shape_of_its_example() {
    let scratch = crate::enable::Scratch::new(&[".codex", ".claude"]);
    scratch.project.write(".claude/settings.local.json", "{}");
    scratch.past_session();
    check("enable", &scratch.annals(&["enable", "--yes", "--json"]).code(0).out());
    let hooks = scratch.project.path(".annals/hooks");
    std::fs::create_dir_all(&hooks).expect("made");
    let log = r#"{"hooks":{"Stop":{"fired":2,"last_ms":1}},"faults":1,"last_fault":{"at_ms":1,"hook":"Stop","what":"x"}}"#;
    std::fs::write(hooks.join("claude-code.json"), log).expect("written");
    let status = scratch.annals(&["status", "--json"]).code(0).json();
    check("status-agent", &status["agents"][0].to_string());
    check("disable", &scratch.annals(&["disable", "--yes", "--json"]).code(0).out());
}

#[test]
fn what_phases_print_has_the_shape_of_its_example() {
    let project = Project::new();
    let plan = crate::phases::plan("echo metric: 1; echo why >&2; exit 1").to_string();
    project.write("plan.json", &plan);
    for (verb, code, arguments) in [
        ("phases-run", 1, &["phases", "run", "n", "--artifacts", "plan.json"][..]),
        ("phases-list", 0, &["phases", "list"]),
        ("phases-show", 0, &["phases", "show", "n"]),
        ("phases-prompts", 0, &["phases", "prompts"]),
    ] {
        let printed = project.annals(arguments.iter().copied().chain(["--json"])).code(code).out();
        check(verb, &printed);
    }
}

pub fn check(verb: &str, text: &str) {
    let printed: Value = serde_json::from_str(text).expect(verb);
    if std::env::var_os("ANNALS_BLESS").is_some() {
        let pretty = serde_json::to_string_pretty(&printed).expect("JSON") + "\n";
        std::fs::write(example(verb), pretty).expect("written");
    }
    let expected = std::fs::read_to_string(example(verb)).expect(verb);
    let expected: Value = serde_json::from_str(&expected).expect(verb);
    let [mut found, mut wanted] = [Vec::new(), Vec::new()];
    shape(&printed, verb, &mut found);
    shape(&expected, verb, &mut wanted);
    assert_eq!(found, wanted, "run with ANNALS_BLESS=1 where a field was added on purpose");
}
