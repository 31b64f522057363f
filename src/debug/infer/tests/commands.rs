//! What command lines say: where they run, which tests, and what they change.

use std::path::Path;

use crate::debug::infer::edit::CommandLine;
use crate::debug::infer::run::Selection;
use crate::debug::infer::{is_file, is_inside, placed as placed_in};
use crate::event::{ExecutionId, ExecutionStarted, Json};

fn line(command: &str) -> CommandLine {
    let arguments = serde_json::json!({ "command": command }).to_string();
    let started = ExecutionStarted {
        execution: ExecutionId([1; 16]),
        tool: "bash_exec".to_owned(),
        native_tool: None,
        call: None,
        actor: None,
        parent: None,
        arguments: Json(arguments),
        paths: Vec::new(),
        symbols: Vec::new(),
        cwd: None,
        branch: None,
    };
    CommandLine::of(&started).expect("a command")
}

#[test]
fn a_command_says_where_it_runs() {
    for (command, folder, is_whole) in [
        ("cargo test", "/w", false),
        ("cd rs && cargo test", "/w/rs", false),
        ("cd /p/q; cd ../r && cargo test", "/p/r", true),
        ("cd 'a b' && pytest", "/w/a b", false),
        ("(cd rs && cargo test)", "/w/rs", false),
        ("bash -lc cd rs && cargo test", "/w/rs", false),
        ("cd ~/x && cargo test", "/w", false),
        ("cd", "/w", false),
        ("cd 'open", "/w/'open", false),
    ] {
        let (found, whole) = line(command).folder(Path::new("/w"));
        assert_eq!((found.as_path(), whole), (Path::new(folder), is_whole), "{command}");
    }
}

#[test]
fn a_command_says_whether_it_runs_tests() {
    for (command, runs) in [
        ("/opt/venv/bin/python3.12 -B -m pytest -q", true),
        ("python -m pytest tests", true),
        ("python -m http.server", false),
        ("pip install pytest", false),
        ("mise run test", true),
        ("cat test.log", false),
        ("cargo test", true),
    ] {
        assert_eq!(line(command).runs_tests, runs, "{command}");
    }
}

#[test]
fn a_shell_that_changes_files_made_an_edit() {
    for (command, files) in [
        ("sed -i s/a/b/ src/a.py", Some(&["src/a.py"][..])),
        ("sed -i 's/a.b/c/' a.py && pytest -q", Some(&["a.py"])),
        ("git checkout HEAD~1", Some(&[])),
        ("sed -n 1p src/a.py", None),
        ("pytest tests/test_a.py > out.txt", None),
        ("mkdir -p target", None),
        ("cat a.py > /tmp/b.py", None),
    ] {
        let found = line(command).edit(7).map(|edit| edit.files);
        let files = files.map(|them| them.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        assert_eq!(found, files, "{command}");
    }
}

#[test]
fn paths_are_told_from_the_projects_root() {
    let root = Path::new("/w/proj");
    for (path, folder, placed) in [
        ("src/lib.rs", "/w/proj", "src/lib.rs"),
        ("src/lib.rs", "/w/proj/rs", "rs/src/lib.rs"),
        ("rs/src/lib.rs", "/w/proj/rs", "rs/src/lib.rs"),
        ("/w/proj/rs/a.rs", "/w/proj/rs", "rs/a.rs"),
        ("../a.py", "/w/proj/rs", "a.py"),
        ("/tmp/x.py", "/w/proj", "/tmp/x.py"),
        ("../x.py", "/w/proj", "../x.py"),
        ("src/a.rs", "/elsewhere", "src/a.rs"),
        ("/elsewhere/src/a.rs", "/elsewhere", "src/a.rs"),
    ] {
        assert_eq!(placed_in(root, path, Path::new(folder)), placed, "{path} in {folder}");
    }
    for (path, inside) in
        [("a.py", true), ("/tmp/a.py", false), ("../a", false), ("x/node_modules/y.js", false)]
    {
        assert_eq!(is_inside(path), inside, "{path}");
    }
    for (word, file) in
        [("a.py", true), ("src/a.rs", true), ("-q.py", false), ("s/a.b/c", false), ("1.0", false)]
    {
        assert_eq!(is_file(word), file, "{word}");
    }
}

/// Whether the second command's tests hold one that failed under the first.
#[test]
fn a_run_is_of_the_same_tests_whatever_else_it_is_told() {
    let (python, rust) = ("tests/test_a.py::test_x", "a::tests::sums");
    for (failed, passed, test, covers) in [
        ("pytest tests/test_a.py::test_x", "pytest -q tests/test_a.py::test_x", python, true),
        ("pytest tests/test_a.py::test_x", "pytest", python, true),
        ("python -m pytest tests", "pytest tests/test_a.py", python, true),
        ("python -m pytest tests", "pytest tests/test_b.py", python, false),
        ("pytest tests", "pytest -p no:cacheprovider --tb=short .", python, true),
        ("pytest", "cd tests", python, false),
        ("cd tests && pytest test_a.py", "pytest test_a.py", python, true),
        ("pytest", "pytest -k test_x", python, true),
        ("pytest", "pytest -k test_y", python, false),
        ("pytest -k 'x and y'", "pytest -q -k 'x and y'", python, true),
        ("pytest --lf", "pytest", python, true),
        ("pytest", "pytest --lf", python, false),
        ("cargo test", "cargo test sums -- --nocapture", rust, true),
        ("cargo test sums", "cargo test", rust, true),
        ("cargo test", "cargo test waits", rust, false),
        ("cargo test -p a", "cargo test -p a --lib", rust, false),
        ("cargo test --lib", "cargo test --lib sums", rust, true),
        ("go test ./a -run TestX", "go test ./...", "TestX", true),
        ("go test ./...", "go test -run TestY ./...", "TestX", false),
        ("mise run test", "mise run test", python, true),
        ("pytest", "mise run test", python, false),
    ] {
        let (failed_by, by) = (Selection::of(failed), Selection::of(passed));
        assert_eq!(by.covers(test, None, &failed_by), covers, "{failed} / {passed}");
    }
}
