//! A check that fails, fails behind a pipe, and passes once the code is mended: of four languages, run for real and
//! told by both agents, every question says the same.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::play::Agent;
use super::stops::AGENTS;
use crate::project::Project;
use crate::skipped::skipped;

struct Language {
    program: &'static str,
    /// Files, and the one that is broken at first: what it says then, and what mends it.
    files: &'static [(&'static str, &'static str)],
    broken: (&'static str, &'static str, &'static str),
    check: &'static str,
    /// What the line of its failure must have.
    telling: &'static str,
}

const LANGUAGES: [Language; 5] = [
    Language {
        program: "cargo",
        files: &[(
            "Cargo.toml",
            "[package]\nname = \"sum\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )],
        broken: (
            "src/lib.rs",
            "pub fn add(a: u32, b: u32) -> u32 {\n    a * b\n}\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, \
             2), 3);\n}\n",
            "a + b",
        ),
        check: "cargo test --offline",
        telling: "adds: ",
    },
    Language {
        program: "go",
        files: &[
            ("go.mod", "module example.com/sum\n\ngo 1.19\n"),
            (
                "sum_test.go",
                "package sum\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got \
                 != 3 {\n\t\tt.Errorf(\"got %d, want 3\", got)\n\t}\n}\n",
            ),
        ],
        broken: ("sum.go", "package sum\n\nfunc Add(a, b int) int {\n\treturn a * b\n}\n", "a + b"),
        check: "go test ./...",
        telling: "TestAdd: got 2, want 3 (sum_test.go:7)",
    },
    Language {
        program: "python3",
        files: &[(
            "test_sums.py",
            "import unittest\n\nfrom sums import add\n\n\nclass Sums(unittest.TestCase):\n    def \
             test_add(self):\n        self.assertEqual(add(1, 2), 3)\n",
        )],
        broken: ("sums.py", "def add(a, b):\n    return a * b\n", "a + b"),
        check: "python3 -m unittest",
        telling: "test_add",
    },
    Language {
        program: "node",
        files: &[(
            "sum.test.mjs",
            "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from \
             './sum.mjs';\ntest('adds', () => assert.strictEqual(add(1, 2), 3));\n",
        )],
        broken: ("sum.mjs", "export const add = (a, b) => a * b;\n", "a + b"),
        check: "node --test",
        telling: "adds: ",
    },
    Language {
        program: "tsc",
        files: &[("tsconfig.json", "{\"compilerOptions\": {\"noEmit\": true, \"types\": []}}")],
        broken: ("sum.ts", "export const add = (a: number): string => a * b;\n", "String(a)"),
        check: "tsc --noEmit",
        telling: "sum.ts:1",
    },
];

/// Runs a line for real; its output and how it ended.
fn run(root: &Path, line: &str) -> (String, i32) {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("({line}) 2>&1")]).current_dir(root);
    command.env("CARGO_TARGET_DIR", root.join("target")).env("GOFLAGS", "-mod=mod");
    command.env("GOCACHE", root.join("cache")).env("GOTOOLCHAIN", "local").env_remove("RUSTFLAGS");
    let ran = command.output().expect("run");
    (String::from_utf8_lossy(&ran.stdout).into_owned(), ran.status.code().expect("a code"))
}

/// Runs a line and tells of it as the agent does.
fn told(agent: &Agent<'_>, id: &str, line: &str) -> i32 {
    let told = json!({"tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": id});
    agent.fire("PreToolUse", told.clone());
    let (printed, code) = run(agent.project.root(), line);
    let mut ended = told;
    let hook = match (agent.name, code) {
        ("codex", _) => {
            let text = format!("Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{printed}");
            ended["tool_response"] = text.into();
            "PostToolUse"
        }
        (_, 0) => {
            ended["tool_response"] = json!({"stdout": printed, "stderr": "", "interrupted": false});
            "PostToolUse"
        }
        _ => {
            ended["error"] = format!("Exit code {code}\n{printed}").into();
            "PostToolUseFailure"
        }
    };
    agent.fire(hook, ended);
    code
}

/// Tells of the edit that mends the code.
fn mend(agent: &Agent<'_>, language: &Language) {
    let (file, text, mended) = language.broken;
    let mended = text.replace("a * b", mended);
    let (tool, input) = match agent.name {
        "codex" => {
            let patch =
                format!("*** Begin Patch\n*** Update File: {file}\n@@\n-a\n+b\n*** End Patch");
            ("apply_patch", json!({ "command": patch }))
        }
        _ => {
            let path = agent.project.path(file);
            ("Edit", json!({"file_path": path, "old_string": "a * b", "new_string": "x"}))
        }
    };
    agent
        .fire("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": "edit"}));
    agent.project.write(file, &mended);
    agent.ended("edit", tool, input, 0);
}

/// What the questions answer, as far as two agents' sessions can say the same.
fn answers(project: &Project, file: &str) -> Value {
    let asked = |arguments: &[&str]| project.annals(arguments).code(0).json();
    let root = project.root().display().to_string();
    let rows = |found: &Value| {
        let rows = found.as_array().expect("rows").iter();
        let fields = |row: &Value| {
            let telling = row["telling"].as_str().map(|it| it.replace(&root, ""));
            json!([row["outcome"], row["told"], row["verdict"], row["check"], telling])
        };
        rows.map(fields).collect::<Vec<_>>()
    };
    let log = asked(&["log", "-n", "20", "--json"]);
    let timeline = asked(&["timeline", "-n", "20", "--json"]);
    let trace = project.annals(["trace", file]).code(0).out();
    let pending = timeline["pending_failures"].as_array().map(Vec::len);
    json!({
        "log": rows(&log),
        "failures": rows(&asked(&["failures", "--json"])),
        "pending": pending,
        "trace": trace.lines().filter(|line| line.contains(file)).count() > 0,
        "sessions": asked(&["sessions", "--json"])[0]["failed"],
    })
}

#[test]
fn a_failure_behind_a_pipe_and_what_ended_it_are_told_alike_in_every_language() {
    for language in &LANGUAGES {
        if Command::new(language.program).arg("--version").output().is_err()
            && Command::new(language.program).arg("version").output().is_err()
        {
            skipped(&format!(
                "{} is not installed: its checks as hooks tell them",
                language.program
            ));
            continue;
        }
        let mut found = Vec::new();
        for name in AGENTS {
            let project = Project::new();
            language.files.iter().for_each(|(file, text)| drop(project.write(file, text)));
            let (file, broken, _) = language.broken;
            project.write(file, broken);
            let agent = Agent::new(&project, name, &[]);
            agent.fire("SessionStart", json!({"source": "startup"}));
            agent.fire("UserPromptSubmit", json!({"prompt": "mend it"}));
            let what = format!("{name}: {}", language.check);
            assert_ne!(told(&agent, "plain", language.check), 0, "{what}");
            let piped = format!("{} 2>&1 | tail -40", language.check);
            assert_eq!(told(&agent, "piped", &piped), 0, "{what}");
            let before = answers(&project, file);
            mend(&agent, language);
            assert_eq!(told(&agent, "again", language.check), 0, "{what}");
            let after = answers(&project, file);
            // An independent count: two failed, the second as it was told well; then an edit, and a pass.
            let outcomes: Vec<_> =
                after["log"].as_array().expect("rows").iter().map(|row| &row[0]).collect();
            assert_eq!(outcomes, ["failed", "failed", "ok", "ok"], "{what}: {after:#}");
            assert_eq!(
                (&after["log"][0][1], &after["log"][1][1]),
                (&Value::Null, &json!("ok")),
                "{what}"
            );
            for row in [0, 1] {
                let telling = after["log"][row][4].as_str().unwrap_or_default();
                assert!(telling.contains(language.telling), "{what}: {telling:?}");
            }
            assert!(before["pending"].as_u64() > Some(0), "{what}: {before:#}");
            assert_eq!((&after["pending"], &after["sessions"]), (&json!(0), &json!(2)), "{what}");
            assert_eq!(after["failures"].as_array().map(Vec::len), Some(2), "{what}");
            project.annals(["rebuild", "--check"]).code(0);
            found.push((before, after));
        }
        assert_eq!(found[0], found[1], "{}", language.check);
    }
}
