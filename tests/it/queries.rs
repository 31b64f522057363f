//! `annals failures` and `annals query`: what they find, and how they end.

use serde_json::Value;

use crate::project::{Project, Ran};

fn record(project: &Project, lines: &[&str]) {
    let lines = lines.join("\n");
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
}

/// A project in which a check failed twice, a file was edited, and the check passed; then a patch
/// failed.
pub fn broken_and_mended() -> Project {
    let project = Project::new();
    let root = project.root().display();
    let own = format!(r#""session":"s1","agent":"x","cwd":"{root}"}}"#);
    let line = |text: &str| format!("{text},{own}");
    let lines = [
        line(
            r#"{"tool":"lsp_check","arguments":{"command":"cargo check"},"exit_code":101,"duration_ms":7,"diagnostics":[{"level":"error","message":"cannot find value `x`","file_name":"src/main.rs","line_start":1,"code":"E0425"}]"#,
        ),
        line(
            r#"{"tool":"lsp_check","arguments":{"command":"cd . && cargo check 2>&1 | tail -5"},"exit_code":101,"stderr":"error[E0425]: cannot find value `x`\n --> src/main.rs:1:9\n""#,
        ),
        line(
            r#"{"tool":"file_edit","arguments":{"path":"src/main.rs"},"paths":["src/main.rs"],"changed":[{"path":"src/main.rs","created":false}]"#,
        ),
        line(r#"{"tool":"lsp_check","arguments":{"command":"cargo check"},"exit_code":0"#),
        line(
            r#"{"tool":"splice_patch","arguments":{"file":"src/main.rs","symbol":"main"},"paths":["src/main.rs"],"symbols":["main"],"exit_code":1,"error":"no such symbol""#,
        ),
    ];
    record(&project, &lines.each_ref().map(String::as_str));
    project
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.out()).expect("JSON")
}

/// The numbers of the executions in a list.
fn numbers(list: &Value) -> Vec<u64> {
    let rows = list.as_array().expect("a list").iter();
    rows.map(|row| row["no"].as_u64().expect("a number")).collect()
}

#[test]
fn failures_and_diagnostics_are_found_by_what_they_had_to_do_with() {
    let project = broken_and_mended();
    let root = project.root().to_str().expect("UTF-8").to_owned();
    let absolute = format!("{root}/src");
    let cases: [(&[&str], &[u64]); 12] = [
        (&["failures"], &[1, 2, 5]),
        (&["failures", "-n", "1"], &[5]),
        (&["failures", "--tool", "lsp_check"], &[1, 2]),
        (&["failures", "--symbol", "main", "--path", "src"], &[5]),
        (&["failures", "--path", &absolute], &[1, 2, 5]),
        (&["failures", "--path", "lib"], &[]),
        (&["failures", "--since", "1h", "--session", "s1"], &[1, 2, 5]),
        (&["failures", "--until", "1h"], &[]),
        (&["query", "diagnostic", "E0425"], &[1, 2]),
        (&["query", "diagnostic", "E0425", "--tool", "bash_exec"], &[]),
        (&["query", "diagnostic", "error"], &[]),
        (&["query", "diagnostic", "'; DROP TABLE executions; --"], &[]),
    ];
    for (arguments, expected) in cases {
        let found = project.annals(arguments.iter().copied().chain(["--json"])).code(0);
        assert_eq!(numbers(&json(found)), expected, "{arguments:?}");
        let code = i32::from(!expected.is_empty());
        let ran = project.annals(arguments.iter().copied().chain(["--exit-code"])).code(code);
        let out = ran.out();
        assert!(out.contains("Next: annals "), "{arguments:?} says nothing to do next: {out}");
    }
}

#[test]
fn a_list_is_read_in_pages() {
    let project = broken_and_mended();
    let (mut found, mut before) = (Vec::new(), None::<String>);
    for _ in 0..4 {
        let mut arguments = vec!["failures".to_owned(), "--json".into(), "-n".into(), "1".into()];
        arguments.extend(before.iter().flat_map(|at| ["--before".to_owned(), at.clone()]));
        let page = json(project.annals(&arguments).code(0));
        let Some(first) = page.get(0) else { break };
        before = first["cursor"].as_str().map(str::to_owned);
        found.extend(numbers(&page));
    }
    assert_eq!(found, [5, 2, 1]);
    project.annals(["failures", "--before", "yesterday"]).code(2);
}

#[test]
fn a_resolution_names_what_changed_in_between_and_calls_it_no_proof() {
    let project = broken_and_mended();
    for verb in ["resolving", "resolutions"] {
        let found = json(project.annals(["query", verb, "E0425", "--json"]).code(0));
        let one = &found[0];
        assert_eq!(one["resolved_by"]["no"], 4);
        assert_eq!((&one["first_seen"]["no"], &one["last_seen"]["no"]), (&1.into(), &2.into()));
        assert_eq!((&one["checks"], &one["basis"]), (&2.into(), &"temporal".into()));
        assert_eq!(one["candidates"][0]["execution"]["no"], 3);
        assert_eq!(one["candidates"][0]["changed"][0]["path"], "src/main.rs");
        assert!(found.get(1).is_none());
    }
    let said = project.annals(["query", "resolving", "E0425"]).code(0).out();
    assert!(said.contains("2 checks showed it"), "{said}");
    assert!(said.contains("src/main.rs (a matter of time, not a proof)"), "{said}");
    let elsewhere = ["query", "resolutions", "E0425", "--repo", "/nowhere", "--json"];
    assert_eq!(json(project.annals(elsewhere).code(0)), serde_json::json!([]));
    let here = ["query", "resolutions", "E0425", "--repo", ".", "--file", "main.rs", "--json"];
    assert_eq!(json(project.annals(here).code(0)).as_array().map(Vec::len), Some(1));
}

#[test]
fn an_action_that_failed_is_known_and_one_that_succeeded_since_is_not() {
    let project = broken_and_mended();
    let patch = |symbol: &str| format!(r#"{{ "symbol":"{symbol}", "file":"src/main.rs" }}"#);
    let recent = |tool: &str, arguments: &str, code: i32| {
        project.annals(["query", "recent", tool, arguments, "--exit-code"]).code(code).out()
    };
    assert!(recent("splice_patch", &patch("main"), 1).contains("A known antipattern"));
    assert!(recent("splice_patch", &patch("other"), 0).starts_with("No:"));
    // Failed once, and succeeded since.
    recent("lsp_check", r#"{"command":"cargo check"}"#, 0);
    // Refused is not failed.
    let refused =
        r#"{"tool":"file_read","arguments":{"path":"a"},"outcome":"refused","error":"no"}"#;
    record(&project, &[refused]);
    recent("file_read", r#"{"path":"a"}"#, 0);
    project.annals(["query", "recent", "splice_patch", "[]"]).code(2);
    let within = ["query", "recent", "splice_patch", &patch("main"), "--within", "0s", "--json"];
    assert_eq!(json(project.annals(within).code(0))["has_failed_recently"], false);

    let pattern = |threshold: &str| {
        let target = "cd . && cargo check > /tmp/log";
        let asked = ["query", "pattern", "lsp_check", target, "--threshold", threshold, "--json"];
        json(project.annals(asked).code(0))
    };
    let found = pattern("0.6");
    assert_eq!((&found[0]["failed"], &found[0]["ok"]), (&2.into(), &1.into()));
    assert_eq!(numbers(&found[0]["last_executions"]), [4, 2, 1]);
    assert_eq!(pattern("0.7"), serde_json::json!([]));
    project.annals(["query", "pattern", "splice_patch", "main.rs", "--exit-code"]).code(1);
}

#[test]
fn several_journals_are_asked_at_once_and_rows_say_which() {
    let (one, other) = (broken_and_mended(), broken_and_mended());
    let [first, second] = [&one, &other].map(|project| project.root().to_str().expect("UTF-8"));
    let asked = |arguments: &[&str]| {
        let both = ["--dir", first, "--dir", second, "--json"];
        json(one.annals(arguments.iter().copied().chain(both)).code(0))
    };
    let found = asked(&["failures", "-n", "4"]);
    assert_eq!(numbers(&found).len(), 4);
    assert!(found[0]["journal"].is_string());
    for (verb, items) in [("recurring", 2), ("resolving", 2)] {
        let code =
            if verb == "resolving" { vec!["query", verb, "E0425"] } else { vec!["query", verb] };
        assert_eq!(asked(&code).as_array().map(Vec::len), Some(items), "{verb}");
    }
    assert_eq!(asked(&["query", "latest", "main.rs"]).as_array().map(Vec::len), Some(2));
    let said = one.annals(["failures", "--dir", first, "--dir", second]).code(0).out();
    assert!(said.starts_with("journal"), "{said}");
}

#[test]
fn each_diagnostic_that_recurs_is_shown_itself_not_its_execution_s_first() {
    let project = Project::new();
    let printed = "a.go:3:2: Error return value is not checked (errcheck)\n\
                   a.go:9:6: func `f` is unused (unused)\n2 issues:\n* errcheck: 1\n* unused: 1\n";
    for _ in 0..2 {
        let line = serde_json::json!({"tool": "bash_exec", "exit_code": 1, "stdout": printed,
            "arguments": {"command": "golangci-lint run ./..."}});
        Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
    }
    let found = json(project.annals(["query", "recurring", "--json"]).code(0));
    for (at, code) in ["errcheck", "unused"].into_iter().enumerate() {
        let what = found[at]["what"].as_str().expect("a text");
        assert!(found[at]["code"] == code && what.contains(&format!("[{code}]")), "{found}");
    }
}
