//! The examples over the Python client, by the interfaces of langgraph and openai-agents.
//!
//! Both come from PyPI, and to import them takes seconds: this runs with `ANNALS_LONG=1`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::clients::{root, run};
use crate::project::Project;
use crate::skipped::skipped;

const EXAMPLES: [&str; 2] = ["langgraph_store.py", "openai_session.py"];

#[test]
fn an_example_has_forty_lines() {
    for file in EXAMPLES {
        let text = std::fs::read_to_string(root().join("clients/python/examples").join(file));
        let lines = text.expect(file).lines().count();
        assert!(lines <= 40, "{file} has {lines} lines");
    }
}

#[test]
fn a_store_of_langgraph_and_a_session_of_openai_agents_lose_nothing() {
    if std::env::var_os("ANNALS_LONG").is_none() {
        return skipped("ANNALS_LONG=1 runs the examples for langgraph and openai-agents");
    }
    let Some(python) = python() else {
        return skipped("langgraph and openai-agents cannot be installed");
    };
    let project = Project::new();
    let mut python = Command::new(python);
    python
        .arg(root().join("tests/fixtures/clients/frameworks.py"))
        .arg(root().join("clients/python"));
    python.arg(env!("CARGO_BIN_EXE_annals"));
    let ran = run(&mut python, &project);
    let said = [&ran.stdout, &ran.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    assert!(ran.status.success() && said[0].ends_with("kept\n"), "{}\n{}", said[0], said[1]);
    project.annals(["rebuild", "state", "--check"]).code(0);
}

/// A Python that has both, made once under `target/`.
fn python() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let folder = target.unwrap_or_else(|| root().join("target")).join("frameworks-venv");
    let python = folder.join("bin/python");
    let runs = |program: &Path, args: &[&str]| {
        let mut quiet = Command::new(program);
        quiet.args(args).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    };
    let ready = || runs(&python, &["-c", "import agents, langgraph.store.memory"]);
    let made = ready()
        || (runs(Path::new("python3"), &["-m", "venv", "--clear", &folder.to_string_lossy()])
            && runs(&python, &["-m", "pip", "install", "--quiet", "langgraph", "openai-agents"])
            && ready());
    made.then_some(python)
}
