//! Which later check ends a failure, as every question tells it (ruling 10).

use serde_json::{Value, json};

use crate::graph::record;
use crate::project::Project;

const PYTEST: &str = "=== FAILURES ===\n___ test_one ___\n\n>       assert 1 == 2\nE       assert 1 == 2\n\n\
     tests/test_a.py:2: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_one - \
     assert 1 == 2\n=== 1 failed in 0.01s ===\n";
const PYTEST_OK: &str = "=== 3 passed in 0.01s ===\n";
const GO: &str =
    "--- FAIL: TestOne (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/x/a\t0.1s\nFAIL\n";
const GO_OK: &str = "ok  \texample.com/x/a\t0.1s\n";
const GO_SKIPPED: &str = "--- SKIP: TestOne (0.00s)\nPASS\nok  \texample.com/x/a\t0.1s\n";
const JEST: &str = "FAIL src/sum.test.js\n  \u{25cf} adds\n\n    expect(received).toBe(expected)\n\n    \
     Expected: 3\n    Received: 4\n\n      at Object.<anonymous> (src/sum.test.js:4:21)\n\nTests:       1 \
     failed, 1 total\n";
const JEST_OK: &str = "PASS src/other.test.js\nTests:       1 passed, 1 total\n";
const ESLINT: &str = "/w/w.js\n  1:1  error  'x' is not defined  no-undef\n  2:1  error  'y' is not defined  \
     no-undef\n\n\u{2716} 2 problems (2 errors, 0 warnings)\n";
const ESLINT_END: &str = "\n\u{2716} 2 problems (2 errors, 0 warnings)\n\n";

/// A command, where it runs, its exit code, and what it prints.
type Call<'a> = (&'a str, &'a str, i32, &'a str);

fn recorded(project: &Project, calls: &[Call<'_>]) {
    let lines = calls.iter().map(|(command, cwd, code, printed)| {
        let call = json!({
            "tool": "bash_exec", "arguments": { "command": command }, "cwd": cwd, "exit_code": code,
            "stdout": printed, "session": "s1",
        });
        format!("{call}\n")
    });
    record(project, &lines.collect::<String>()).code(0);
}

fn asked(project: &Project, arguments: &[&str]) -> Value {
    project.annals(arguments).code(0).json()
}

#[test]
fn a_failure_is_ended_by_what_looks_where_it_was() {
    let table: &[(&[Call<'_>], usize)] = &[
        (&[("cd api && pytest", "/w", 1, PYTEST), ("cd web && pytest", "/w", 0, PYTEST_OK)], 1),
        (&[("cd api; pytest", "/w", 1, PYTEST), ("cd web; pytest", "/w", 0, PYTEST_OK)], 1),
        (&[("pytest", "/w/api", 1, PYTEST), ("pytest", "/w/web", 0, PYTEST_OK)], 1),
        (&[("make test", "/w/api", 1, "no"), ("make test", "/w/web", 0, "ok")], 1),
        (&[("npx tsc", "/w/api", 1, "no"), ("npx tsc", "/w/web", 0, "")], 1),
        // Both wait, and each is ended by its own.
        (&[("pytest", "/w/api", 1, PYTEST), ("pytest", "/w/web", 1, PYTEST)], 2),
        (
            &[
                ("pytest", "/w/api", 1, PYTEST),
                ("cd web && pytest", "/w", 1, PYTEST),
                ("cd /w/api && pytest -q", "/tmp", 0, PYTEST_OK),
            ],
            1,
        ),
        (&[("pytest", "/w", 1, PYTEST), ("cd /w && pytest", "/tmp", 0, PYTEST_OK)], 0),
        (&[("make test", "/w/", 1, "no"), ("cd . && make test", "/w", 0, "ok")], 0),
        (&[("go test -v ./...", "/w", 1, GO), ("go test -v ./...", "/w", 0, GO_SKIPPED)], 1),
        (&[("go test -v ./...", "/w", 1, GO), ("go test -v ./...", "/w", 0, GO_OK)], 0),
        (&[("pytest -k nothing", "/w", 5, "=== 3 deselected in 0.01s ===\n")], 0),
        (
            &[
                ("pytest", "/w", 1, PYTEST),
                ("pytest -k nothing", "/w", 5, "=== 3 deselected in 0.01s ===\n"),
            ],
            1,
        ),
    ];
    for (calls, pending) in table {
        let project = Project::new();
        recorded(&project, calls);
        let timeline = asked(&project, &["timeline", "--json"]);
        let found = timeline["pending_failures"].as_array().map_or(0, Vec::len);
        assert_eq!(found, *pending, "{calls:?}: {timeline:#}");
        project.annals(["rebuild", "--check"]).code(0);
    }
}

#[test]
fn a_check_stands_by_the_runs_that_look_at_all_of_it() {
    let project = Project::new();
    project.write("package.json", "{\"scripts\": {\"test\": \"jest\"}}\n");
    project.annals(["checks", "find"]).code(0);
    project.annals(["checks", "add", "go build ./...", "--kind", "build"]).code(0);
    let stands = |command: &str| {
        let checks = asked(&project, &["checks", "--json"]);
        let checks = checks.as_array().expect("a list").clone();
        let found = checks.iter().find(|it| it["command"] == command);
        found.map(|it| it["last"]["verdict"].clone()).unwrap_or_default()
    };
    let table: &[(&str, i32, &str, &str, &str)] = &[
        ("npm test", 0, JEST_OK, "npm run test", "passed"),
        ("npm test -- src/sum.test.js", 1, JEST, "npm run test", "failed"),
        ("npm test -- src/other.test.js", 0, JEST_OK, "npm run test", "failed"),
        ("yarn test other", 0, JEST_OK, "npm run test", "failed"),
        ("cd /w && npm test 2>&1 | tail -30", 0, JEST_OK, "npm run test", "passed"),
        ("npx jest", 1, JEST, "npm run test", "failed"),
        ("go build ./... && go test ./... 2>&1 | tail -9", 0, GO, "go build ./...", "passed"),
        ("go build ./...", 1, "# x/a\na/a.go:3:2: undefined: y\n", "go build ./...", "failed"),
    ];
    for (command, code, printed, check, verdict) in table {
        recorded(&project, &[(*command, "/w", *code, *printed)]);
        assert_eq!(stands(check), *verdict, "{check} after {command}");
    }
}

#[test]
fn what_was_cut_away_is_not_gone() {
    let project = Project::new();
    let calls = [
        ("npx eslint w.js", "/w", 1, ESLINT),
        ("npx eslint w.js 2>&1 | tail -3", "/w", 0, ESLINT_END),
    ];
    recorded(&project, &calls);
    let told = project.annals(["trace", "/w/w.js"]).code(0).out();
    assert!(told.contains("no-undef") && !told.contains("no longer shown"), "{told}");
    recorded(&project, &[("npx eslint w.js", "/w", 0, "")]);
    let told = project.annals(["trace", "/w/w.js"]).code(0).out();
    assert!(told.contains("no longer shown"), "{told}");
}
