//! The line that tells a failure, on screens of several widths: what failed, where, and how many more did.

use serde_json::json;

use crate::project::{Project, Ran};
use crate::terminal::Terminal;

const GO: &str = "--- FAIL: TestTotals (0.00s)\n    cart_test.go:12: Total() = 15, want 16\n--- FAIL: TestTax (0.00s)\n    \
                  cart_test.go:20: no\n--- FAIL: TestSum (0.00s)\n    cart_test.go:30: no\nFAIL\nFAIL\t\
                  example.com/cart\t0.1s\nFAIL\n";

fn record(project: &Project, command: &str, exit_code: i32, printed: &str) {
    let line = json!({
        "tool": "bash_exec", "arguments": { "command": command }, "exit_code": exit_code,
        "stdout": printed, "session": "s1", "cwd": project.root(),
    });
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
}

/// What the program shows on a terminal of this width, without colours.
fn shown(project: &Project, words: &[&str], columns: u16) -> String {
    let text = Terminal::wide(project, words, columns).finish(0);
    let mut plain = String::new();
    for (number, part) in text.split("\u{1b}[").enumerate() {
        let rest = if number == 0 { Some(part) } else { part.split_once('m').map(|it| it.1) };
        plain.push_str(rest.unwrap_or(part));
    }
    let plain = plain.replace('\r', "");
    let is_row = |it: &&str| it.trim_start().starts_with(|first: char| first.is_ascii_digit());
    for line in plain.lines().filter(is_row) {
        assert!(line.chars().count() <= columns.into(), "{columns}: {line}");
    }
    plain
}

/// Two failures: of a compiler that names its files whole, below a folder, and of tests, behind a pipe.
fn failed() -> Project {
    let project = Project::new();
    let root = project.root().display().to_string();
    let error = |at: u32| {
        format!(
            "error[E030{at}]: mismatched types\n --> {root}/crates/one/src/deep/file.rs:{at}:5\n\n"
        )
    };
    let errors: String = (1..=4).map(error).collect();
    record(&project, "cargo check", 101, &format!("{errors}error: could not compile `one`\n"));
    record(&project, "cd services/cart && go test ./... 2>&1 | tail -40", 0, GO);
    record(
        &project,
        "cd services/cart && go vet ./...",
        1,
        "# example.com/cart\n./deep/cart.go:9:2: undefined: x\n",
    );
    project
}

#[test]
fn what_failed_and_where_is_seen_on_any_width() {
    let project = failed();
    let error = "error[E0301] crates/one/src/deep/file.rs:1: mismatched types (and 3 more)";
    let test = "TestTotals: Total() = 15, want 16 (cart_test.go:12) (and 2 more)";
    let vet = "error services/cart/deep/cart.go:9: undefined: x";
    for words in [&["log"][..], &["failures"], &["timeline"]] {
        let whole = shown(&project, words, 240);
        for told in [error, test, vet] {
            assert!(whole.contains(told), "{words:?}: {whole}");
        }
        let middle = shown(&project, words, 80);
        for told in ["\u{2026}/file.rs:1", "(and 3 more)", "(and 2 more)", "TestTotals"] {
            assert!(middle.contains(told), "{words:?}: {middle}");
        }
        let narrow = shown(&project, words, 40);
        for told in
            ["cargo check: …/file.rs:1", "go test ./", "go vet ./...: …/cart.go:9", "failed"]
        {
            assert!(narrow.contains(told), "{words:?}: {narrow}");
        }
    }
}

#[test]
fn a_paths_front_gives_way_on_a_narrow_screen() {
    let project = Project::new();
    let path = "crates/one/src/very/deep/file.rs";
    let line = json!({
        "tool": "file_edit", "arguments": { "path": path }, "paths": [path], "session": "s1", "outcome": "failed",
        "error": "no such text",
    });
    Ran::of(project.command().arg("record").write_stdin(line.to_string())).code(0);
    for words in [&["log"][..], &["failures"], &["timeline"]] {
        let narrow = shown(&project, words, 40);
        assert!(narrow.contains("/file.rs: no such"), "{words:?}: {narrow}");
        assert!(
            shown(&project, words, 200).contains(&format!("{path}: no such text")),
            "{words:?}"
        );
    }
}

#[test]
fn a_step_and_a_hook_tell_the_same_line() {
    let project = failed();
    let told = "crates/one/src/deep/file.rs:1: mismatched types (and 3 more)";
    for words in [&["timeline", "--block"][..], &["context"], &["log", "--json"]] {
        let text = project.annals(words).out();
        assert!(text.contains(told), "{words:?}: {text}");
    }
}
