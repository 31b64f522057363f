//! A real project in Python, broken and mended through the command line.
//!
//! It needs pytest from PyPI; where that cannot be installed the test says so and is passed over, except
//! under `CI=true`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::json;

use super::crates::run;
use super::{last, project};
use crate::skipped::skipped;

/// A Python that has pytest; made once under `target/`, by whoever asks first.
fn python() -> Option<PathBuf> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    MADE.get_or_init(make_python).clone()
}

fn make_python() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target"));
    let folder = target.join("pytest-venv");
    let python = folder.join("bin/python");
    let runs = |program: &Path, args: &[&str]| {
        let quiet = Command::new(program).args(args).stdout(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    let ready = || runs(&python, &["-c", "import pytest"]);
    let made = ready()
        || (runs(Path::new("python3"), &["-m", "venv", "--clear", &folder.to_string_lossy()])
            && runs(&python, &["-m", "pip", "install", "--quiet", "pytest"])
            && ready());
    if !made {
        let ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!ci, "no Python with pytest could be made in {}", folder.display());
        skipped(&format!("no Python with pytest in {}", folder.display()));
    }
    made.then_some(python)
}

#[test]
fn a_python_project_is_mended_in_three_attempts() {
    let Some(python) = python() else { return };
    let python = python.to_str().expect("text");
    let project = project();
    project.write(
        "test_a.py",
        "from a import size\n\ndef test_nothing():\n    assert size(None) == 0\n",
    );
    let tests = [python, "-m", "pytest", "-p", "no:cacheprovider"];
    let mut statuses = Vec::new();
    for (body, code) in
        [("len(it)", 1), ("1 if it is None else len(it)", 1), ("0 if it is None else len(it)", 0)]
    {
        project.write("a.py", &format!("def size(it):\n    return {body}\n"));
        statuses.push(run(&project, "a.py", &tests, code)["status"].clone());
    }
    assert_eq!(statuses, [json!("in_progress"), json!("in_progress"), json!("passed")]);
    let document = last(&project);
    let failure = |at: usize| &document["executions"][at]["failures"][0];
    assert_eq!(
        (&failure(0)["error_type"], &failure(1)["error_type"]),
        (&json!("TypeError"), &json!("AssertionError"))
    );
    assert_eq!(failure(0)["source_location"]["file"], json!("a.py"));
}
