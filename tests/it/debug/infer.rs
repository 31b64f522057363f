//! Debug sessions worked out of an agent's session.

use serde_json::{Value, json};

use super::{document, last, project, told};
use crate::project::{Project, Ran};

pub const FAILED: &str = "\nrunning 2 tests\ntest a::tests::sums ... FAILED\ntest a::tests::waits ... ok\n\nfailures:\n\n\
     ---- a::tests::sums stdout ----\n\nthread 'a::tests::sums' (7) panicked at src/a.rs:9:9:\n\
     assertion `left == right` failed\n  left: 2\n right: 3\n\n\nfailures:\n    a::tests::sums\n\n\
     test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
pub const PASSED: &str = "\nrunning 2 tests\ntest a::tests::sums ... ok\ntest a::tests::waits ... ok\n\n\
     test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";

/// What an agent did, a call each, a second apart.
pub struct Story {
    pub lines: Vec<Value>,
}

impl Story {
    pub fn call(&mut self, tool: &str, arguments: Value, more: Value) {
        let second = self.lines.len();
        let mut line = json!({
            "tool": tool, "arguments": arguments, "session": "s1", "agent": "claude-code",
            "call": format!("c{second}"), "at": format!("2026-10-01T10:00:{second:02}Z"),
        });
        let members = line.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        self.lines.push(line);
    }

    pub fn tests(&mut self, command: &str, printed: &str) {
        let code = if printed == PASSED { 0 } else { 101 };
        self.call(
            "bash_exec",
            json!({"command": command}),
            json!({"stdout": printed, "exit_code": code}),
        );
    }

    pub fn edit(&mut self, file: &str, old: &str, new: &str) {
        let arguments = json!({"file_path": file, "old_string": old, "new_string": new});
        self.call("file_edit", arguments, json!({"paths": [file]}));
    }

    /// Records what there is, and forgets it.
    pub fn record(&self, project: &Project, from: usize) {
        let text: String = self.lines[from..].iter().map(|line| format!("{line}\n")).collect();
        Ran::of(project.command().arg("record").write_stdin(text)).code(0);
    }
}

#[test]
fn an_agents_runs_and_edits_become_a_debug_session_once() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    story.tests("cd /p && cargo test 2>&1 | tail -30", FAILED);
    story.edit("src/a.rs", "a + b", "a + b + 1\nx");
    story.call(
        "bash_exec",
        json!({"command": "cat src/a.rs"}),
        json!({"stdout": FAILED, "exit_code": 0}),
    );
    story.tests("cargo test", FAILED);
    story.edit("src/a.rs", "a + b + 1\nx", "a + b");
    story.edit("src/b.rs", "y", "");
    story.record(&project, 0);
    let dry = told(&project, &["infer", "--dry-run"]);
    assert_eq!((&dry[0]["attempts"], &dry[0]["fixes"]), (&json!(2), &json!(2)), "{dry}");
    project.annals(["debug", "show"]).code(2);

    let first = told(&project, &["infer", "s1"]);
    assert_eq!(first.as_array().map(Vec::len), Some(1), "{first}");
    assert_eq!(
        (&first[0]["status"], &first[0]["file_path"]),
        (&json!("in_progress"), &json!("src/a.rs"))
    );
    assert_eq!(told(&project, &["infer"]), json!([]));
    project
        .annals(["debug", "infer"])
        .code(0)
        .says("2 runs that failed are in debug sessions already");
    // What was edited last waits for the run that verifies it.
    let waits = last(&project)["executions"][1]["fix_applied"].clone();
    assert_eq!(waits["verification"], json!("pending"));

    // The agent went on.
    let from = story.lines.len();
    story.tests("cargo test", PASSED);
    story.tests("cargo test", FAILED);
    story.record(&project, from);
    let more = told(&project, &["infer"]);
    assert_eq!(more.as_array().map(Vec::len), Some(2), "{more}");
    assert_eq!(
        (&more[0]["attempts"], &more[0]["fixes"], &more[0]["attempts_all"]),
        (&json!(1), &json!(0), &json!(3))
    );
    let session = first[0]["session_id"].as_str().expect("an id");
    let it = document(&project, session);
    assert_eq!(
        (&it["status"], &it["metadata"]["agent"]),
        (&json!("passed"), &json!("claude-code"))
    );
    assert_eq!(it["created_at"], json!("2026-10-01T10:00:00.000Z"));
    let attempts = it["executions"].as_array().expect("a list");
    let times: Vec<_> =
        attempts.iter().map(|it| it["timestamp"].as_str().expect("a time")).collect();
    assert_eq!(times, [0, 3, 6].map(|at| format!("2026-10-01T10:00:0{at}.000Z")));
    let fixes: Vec<_> = attempts.iter().map(|it| it["fix_applied"].clone()).collect();
    assert_eq!(fixes[0]["diff_summary"], json!("+2/-1 lines"));
    assert_eq!(fixes[0]["verification"], json!("failed"));
    assert_eq!(fixes[1]["files_changed"], json!(["src/a.rs", "src/b.rs"]));
    assert_eq!((&fixes[1]["verification"], &fixes[2]), (&json!("passed"), &Value::Null));
    assert_eq!(attempts[0]["failures"][0]["test_name"], json!("a::tests::sums"));
    let hashes: Vec<_> = attempts.iter().map(|it| it["code_hash"].as_str().unwrap_or("")).collect();
    assert_ne!(hashes[0], hashes[1]);
    assert!(hashes.iter().all(|hash| hash.len() == 64), "{hashes:?}");
    // What helped is learnt.
    let pattern = &it["learnings"]["patterns_identified"][0];
    assert!(pattern["fix_template"].as_str().is_some_and(|it| it.contains("src/a.rs")), "{it}");
    // Nothing is twice, whatever was worked out before.
    let before = project.annals(["replay", "--format", "jsonl"]).code(0).out().lines().count();
    told(&project, &["infer"]);
    let after = project.annals(["replay", "--format", "jsonl"]).code(0).out().lines().count();
    assert_eq!(before, after);
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["debug", "infer", "no-such-session"]).code(2).says("annals sessions");
}

/// A runner that nobody knows by name, and what only shows a log.
#[test]
fn a_script_that_runs_the_tests_counts_and_a_look_at_a_log_does_not() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    for command in ["mise run test", "tail -20 test.log", "git log -- tests", "grep -r tests ."] {
        story.tests(command, FAILED);
    }
    story.record(&project, 0);
    let found = told(&project, &["infer"]);
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found[0]["command"], json!("mise run test"));
}

#[test]
fn what_debug_run_recorded_is_not_worked_out_again() {
    let project = project();
    project.write("src/a.rs", "fn a() {}\n");
    project.write("out", FAILED);
    let run = [
        "debug",
        "run",
        "src/a.rs",
        "--",
        "sh",
        "-c",
        "cargo() { cat out; exit 101; }; cargo test",
    ];
    project.annals(run).code(101).says("1 of 2 tests passed, 1 failed");
    let of_run = last(&project)["session_id"].clone();
    let inferred = told(&project, &["infer"]);
    assert_eq!(inferred, json!([]), "{of_run}");
    project
        .annals(["debug", "infer"])
        .code(0)
        .says("1 run that failed is in debug sessions already");
}

pub const PY_FAILED: &str = "F\n=================================== FAILURES ===================================\n\
     ____________________________________ test_x ____________________________________\n\n    def test_x():\n\
     >       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:2: AssertionError\n\
     =========================== short test summary info ============================\n\
     FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 1 passed in 0.01s\n";
pub const PY_PASSED: &str =
    "..                                                     [100%]\n2 passed in 0.00s\n";

/// What runs come to: each is a command, what it printed and its code; and what is expected of each
/// session: status, file, attempts, fixes.
#[test]
fn runs_of_the_same_tests_are_followed_however_they_are_called() {
    const A: &str = "tests/test_a.py";
    const X: &str = "pytest tests/test_a.py::test_x";
    let other = PY_FAILED.replace("test_x", "test_z").replace("test_a.py", "test_z.py");
    let module = "/usr/bin/python3: No module named pytest\n";
    let rust = FAILED;
    for (runs, expect) in [
        (&[(X, PY_FAILED, 1), (&format!("{X} -q"), PY_PASSED, 0)][..], &[("passed", A, 1, 0)][..]),
        (&[(X, PY_FAILED, 1), ("pytest", PY_PASSED, 0)], &[("passed", A, 2, 0)]),
        (
            &[
                ("/opt/bin/python3 -B -m pytest tests", PY_FAILED, 1),
                ("sed -i s/1/2/ src/a.py", "", 0),
                ("pytest tests/test_a.py", PY_PASSED, 0),
            ],
            &[("passed", "src/a.py", 2, 1)],
        ),
        (
            &[(X, PY_FAILED, 1), ("pytest tests/test_b.py", PY_PASSED, 0)],
            &[("in_progress", A, 1, 0)],
        ),
        (
            &[(X, PY_FAILED, 1), ("pytest", &other, 1)],
            &[("passed", A, 2, 0), ("in_progress", "tests/test_z.py", 1, 0)],
        ),
        (&[("python3 -m pytest", module, 1), ("pytest", "sh: pytest: not found\n", 127)], &[]),
        (&[("cd rs && cargo test", rust, 101)], &[("in_progress", "rs/src/a.rs", 1, 0)]),
        (
            &[(X, PY_FAILED, 1), ("sed -i s/1/2/ src/b.py", "", 0)],
            &[("in_progress", "src/b.py", 1, 1)],
        ),
    ] {
        let project = project();
        let mut story = Story { lines: Vec::new() };
        for (command, printed, code) in runs {
            let more = json!({"stdout": printed, "exit_code": code, "cwd": project.root()});
            story.call("bash_exec", json!({"command": command}), more);
        }
        story.record(&project, 0);
        let found = told(&project, &["infer"]);
        let told: Vec<_> = found
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| {
                let text = |name: &str| it[name].as_str().expect("text").to_owned();
                let count = |name: &str| it[name].as_i64().expect("a number");
                (text("status"), text("file_path"), count("attempts"), count("fixes"))
            })
            .collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|(status, file, attempts, fixes)| {
                ((*status).to_owned(), (*file).to_owned(), *attempts, *fixes)
            })
            .collect();
        assert_eq!(told, expect, "{runs:?}");
        assert_eq!(self::told(&project, &["infer"]), json!([]), "{runs:?}");
        // Without what it remembers it finds what is recorded.
        std::fs::remove_dir_all(project.root().join(".annals/inferred")).expect("remembered");
        assert_eq!(self::told(&project, &["infer"]), json!([]), "{runs:?}");
        // Step by step it comes to the same.
        let stepped = self::project();
        for at in 0..story.lines.len() {
            let lines =
                story.lines[..=at].iter().map(|line| {
                    let text = line.to_string();
                    serde_json::from_str(&text.replace(
                        &*project.root().to_string_lossy(),
                        &stepped.root().to_string_lossy(),
                    ))
                    .expect("JSON")
                });
            Story { lines: lines.collect() }.record(&stepped, at);
            self::told(&stepped, &["infer"]);
        }
        let listed = |project: &Project| {
            let list = self::told(project, &["list"]);
            let list = list.as_array().expect("a list").iter();
            let mut all: Vec<_> = list
                .map(|it| {
                    (it["status"].to_string(), it["attempts"].clone(), it["created_at"].clone())
                })
                .collect();
            all.sort_by_key(|it| it.2.to_string());
            all
        };
        assert_eq!(listed(&project), listed(&stepped), "{runs:?}");
    }
}

/// A file elsewhere is not what a session is about where the project has one; and what was learnt in an
/// agent's session is offered to the next.
#[test]
fn a_scratch_file_is_not_what_was_repaired_and_what_helped_is_offered() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    story.tests("cargo test", FAILED);
    for new in ["1", "2", "3"] {
        story.edit("/tmp/scratch.rs", "0", new);
    }
    story.edit("src/a.rs", "a", "b");
    story.tests("cargo test", PASSED);
    story.record(&project, 0);
    let found = told(&project, &["infer"]);
    assert_eq!(
        (&found[0]["file_path"], &found[0]["status"]),
        (&json!("src/a.rs"), &json!("passed"))
    );
    let templates = told(&project, &["templates"]);
    assert_eq!(templates[0]["session_id"], found[0]["session_id"], "{templates}");
    project.annals(["rebuild", "--check"]).code(0);
}
