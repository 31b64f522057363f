//! Fifty calls of checks, told as they are told behind pipes: every question says the same of each.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::graph::record;
use crate::project::Project;

/// A check, what it prints where it fails and where it passes.
const CHECKS: [(&str, &str, &str); 5] = [
    (
        "go test ./P",
        "--- FAIL: TestOne (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/x/P\t0.1s\nFAIL\n",
        "ok  \texample.com/x/P\t0.1s\n",
    ),
    (
        "cargo test -p P",
        "running 1 test\ntest it ... FAILED\n\nfailures:\n\n---- it stdout ----\n\nthread 'it' panicked at \
         src/lib.rs:3:5:\nno\n\n\nfailures:\n    it\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 \
         measured; 0 filtered out; finished in 0.00s\n",
        "running 1 test\ntest it ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 \
         filtered out; finished in 0.00s\n",
    ),
    (
        "pytest tests/P.py",
        "=== FAILURES ===\n___ test_one ___\n\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/P.py:2: \
         AssertionError\n=== short test summary info ===\nFAILED tests/P.py::test_one - assert 1 == 2\n=== 1 \
         failed in 0.01s ===\n",
        "=== 3 passed in 0.01s ===\n",
    ),
    (
        "golangci-lint run ./P/...",
        "P/a.go:3:2: ineffectual assignment to y (ineffassign)\n1 issues:\n* ineffassign: 1\n",
        "0 issues.\n",
    ),
    ("go build ./P", "# example.com/x/P\nP/a.go:3:2: undefined: y\n", ""),
];

/// How it is called, and whether its exit code reaches who called.
const CALLED: [(&str, &str, bool); 5] = [
    ("", "", true),
    ("", " 2>&1 | tail -20", false),
    ("", "; echo done", false),
    ("", " || true", false),
    ("cd sub && ", " 2>&1 | tee log.txt", false),
];

fn numbers(found: &Value, key: &str) -> BTreeSet<u64> {
    let rows = found.as_array().expect("a list");
    rows.iter().map(|row| row[key].as_u64().expect("a number")).collect()
}

#[test]
fn every_question_says_the_same_of_a_check() {
    let project = Project::new();
    let (mut lines, mut failing, mut hidden) = (String::new(), BTreeSet::new(), BTreeSet::new());
    let mut number = 0;
    // Those that pass first, so that none of them ends a failure.
    for fails in [false, true] {
        for (check, (command, failed, passed)) in CHECKS.iter().enumerate() {
            for (how, (before, behind, reaches)) in CALLED.iter().enumerate() {
                let package = format!("p{check}{how}{}", u8::from(fails));
                let printed = if fails { failed } else { passed }.replace('P', &package);
                number += 1;
                if fails {
                    failing.insert(number);
                    if !reaches {
                        hidden.insert(number);
                    }
                }
                let is_told = fails && *reaches;
                let call = json!({
                    "tool": "bash_exec",
                    "arguments": {
                        "command": format!("{before}{}{behind}", command.replace('P', &package)),
                    },
                    "outcome": if is_told { "failed" } else { "ok" },
                    "exit_code": i32::from(is_told),
                    "stdout": printed,
                });
                lines.push_str(&format!("{call}\n"));
            }
        }
    }
    record(&project, &lines).code(0);
    let asked = |arguments: &[&str]| project.annals(arguments).code(0).json();
    let log = asked(&["log", "-n", "100", "--json"]);
    let rows = log.as_array().expect("rows");
    assert_eq!(rows.len(), 50);
    for row in rows {
        let number = row["no"].as_u64().expect("a number");
        let (fails, hides) = (failing.contains(&number), hidden.contains(&number));
        assert_eq!(row["outcome"], if fails { "failed" } else { "ok" }, "{row:#}");
        assert_eq!(row["told"], if hides { json!("ok") } else { Value::Null }, "{row:#}");
        let verdict = row["verdict"].as_str();
        assert_eq!(verdict == Some("failed"), fails, "{row:#}");
        let telling = row["telling"].as_str().unwrap_or_default();
        let says = ["a.go:3", "TestOne", "it: ", "test_one"];
        assert_eq!(says.iter().any(|it| telling.contains(it)), fails, "{row:#}");
    }
    let failed = asked(&["log", "-n", "100", "--failed", "--json"]);
    assert_eq!(numbers(&failed, "no"), failing, "log --failed");
    let failures = asked(&["failures", "-n", "100", "--json"]);
    assert_eq!(numbers(&failures, "no"), failing, "failures");
    let listed = project.annals(["log", "-n", "100"]).code(0).out();
    let piped = listed.lines().filter(|line| line.contains("failed, behind a pipe")).count();
    assert_eq!(piped, hidden.len(), "{listed}");
    let sessions = asked(&["sessions", "--json"]);
    assert_eq!(sessions[0]["failed"], failing.len(), "sessions");
    let timeline = asked(&["timeline", "-n", "100", "--json"]);
    assert_eq!(numbers(&timeline["pending_failures"], "id"), failing, "timeline");
    let entries = timeline["executions"].as_array().expect("a list");
    let told = entries.iter().filter(|it| it["told"] == "ok");
    assert_eq!(
        told.map(|it| it["id"].as_u64().expect("a number")).collect::<BTreeSet<_>>(),
        hidden
    );
    let lines = project.annals(["timeline", "-n", "100"]).code(0).out();
    assert!(lines.matches("failed, behind a pipe").count() >= hidden.len(), "{lines}");
    let block = project.annals(["timeline", "-n", "100", "--block"]).code(0).out();
    assert!(block.contains(" FAILED, behind a pipe\n"), "{block}");
    for (text, finds) in [("UNDEFINED: y", true), ("undefined_ y", false), ("ineffassign", true)] {
        let found = project.annals(["query", "diagnostic", text, "--json"]).json();
        assert_eq!(found.as_array().is_some_and(|it| !it.is_empty()), finds, "{text}: {found:#}");
    }
    // What the gate and the step's end go by is folded by itself.
    let step = asked(&["step", "end", "--json"]);
    assert_eq!(step["failed"], failing.len(), "step end: {step:#}");
    project.annals(["rebuild", "--check"]).code(0);
}
