//! Changes that keep a check from saying what is wrong, and mend nothing.

use std::collections::BTreeMap;

use super::Hunk;
use super::code::code_of;
use super::files::{ending_of, is_of_runner, is_of_tests};
use crate::parse::has_word;

/// What silences in files of these endings.
const MARKS: [(&str, &[&str]); 5] = [
    (
        "go",
        &["t.Skip", "b.Skip", "f.Skip", "testing.Short()", "//go:build never", "//go:build ignore"],
    ),
    (
        "py",
        &[
            "mark.skip",
            "mark.xfail",
            "pytest.skip(",
            "pytest.xfail(",
            "unittest.skip",
            "expectedFailure",
            ".skipTest(",
            "collect_ignore",
            "except AssertionError",
            "# noqa",
            "#noqa",
            "type: ignore",
            "pylint: disable",
            "pyright: ignore",
        ],
    ),
    ("rs", &["#[ignore", "allow(", "expect("]),
    (
        "js jsx ts tsx mjs cjs mts cts",
        &[
            "test.skip(",
            "it.skip(",
            "describe.skip(",
            "test.only(",
            "it.only(",
            "describe.only(",
            "test.todo(",
            "xit(",
            "xtest(",
            "xdescribe(",
            "fit(",
            "fdescribe(",
            "skip: true",
            "only: true",
            "eslint-disable",
            "@ts-ignore",
            "@ts-nocheck",
            "@ts-expect-error",
        ],
    ),
    ("java kt", &["@Disabled", "@Ignore", "@SuppressWarnings", "@Suppress("]),
];
/// What silences in files that run programs.
const RUN: [&str; 5] = ["|| true", "|| :", "|| exit 0", "--deselect", "--ignore"];
/// Programs that take a file away, and others that write what the line does not say.
const TAKING: &str = "rm unlink mv git truncate trash";
const WRITING: &str = "sed perl tee python python3 awk";

/// Whether a change only silences: a line of it tells a check to look away. What a `//nolint` gives a reason for is a
/// decision, and stays.
pub fn silences(hunk: &Hunk) -> bool {
    let ending = ending_of(&hunk.file);
    let marks = MARKS.iter().find(|(endings, _)| !ending.is_empty() && has_word(endings, &ending));
    let marks = marks.map_or(&[][..], |(_, marks)| marks);
    let runs = is_of_runner(&hunk.file) || has_word("sh bash yml yaml", &ending);
    let is_silent = |line: &str| {
        // `#[allow(…)]` is one, a call of that name is none.
        let is_of_rust = ending != "rs" || line.trim_start().starts_with("#");
        marks.iter().any(|it| has_mark(line, it)) && is_of_rust
            || runs && RUN.iter().any(|it| line.contains(it))
            || is_nolint_without_reason(line)
    };
    hunk.new_lines().any(is_silent)
}

fn is_nolint_without_reason(line: &str) -> bool {
    let Some((_, behind)) = line.split_once("nolint") else { return false };
    line.contains("//nolint") && !behind.contains("//")
}

fn has_mark(line: &str, mark: &str) -> bool {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    let begins_word = mark.starts_with(is_of_word);
    line.match_indices(mark).any(|(at, _)| !begins_word || !line[..at].ends_with(is_of_word))
}

/// Whether a command takes the file of a test away.
pub fn takes_tests(command: &str) -> bool {
    touches_tests(TAKING, command)
}

fn touches_tests(programs: &str, command: &str) -> bool {
    let mut words = command.split(|it: char| it.is_whitespace() || ";&|'\"".contains(it));
    words.clone().any(|it| has_word(programs, it)) && words.any(is_of_tests)
}

/// Whether, by what changed, the tests that failed may not have run again: one was taken away, switched off or
/// renamed, or a shell touched the file of one.
pub fn hides_tests(hunks: &[Hunk]) -> bool {
    let mut names: BTreeMap<String, i64> = BTreeMap::new();
    for hunk in hunks {
        let is_touched = |it: &String| takes_tests(it) || touches_tests(WRITING, it);
        let is_gone = hunk.removed.is_empty() && hunk.added.is_empty();
        let is_file_gone = is_gone && hunk.command.is_none() && is_of_tests(&hunk.file);
        if is_file_gone || hunk.command.as_ref().is_some_and(is_touched) {
            return true;
        }
        if (is_of_tests(&hunk.file) || is_of_runner(&hunk.file) || ending_of(&hunk.file) == "rs")
            && silences(hunk)
        {
            return true;
        }
        // What a test asks for became another: nobody knows whether by the code or by that it passes.
        let is_of_rust = ending_of(&hunk.file) == "rs";
        if (is_of_tests(&hunk.file) || is_of_rust)
            && hunk.old_lines().any(|it| asserts(it, is_of_rust))
        {
            return true;
        }
        for (lines, count) in [(&hunk.removed, 1), (&hunk.added, -1)] {
            let code = code_of(&hunk.file, lines.iter().map(String::as_str));
            for name in code.iter().filter_map(|line| declared(&hunk.file, line)) {
                *names.entry(name).or_default() += count;
            }
        }
    }
    names.values().any(|it| *it > 0)
}

/// What asks for something in a test; and of these what does in code that has its tests in it.
const ASSERTING: [&str; 11] = [
    "assert", "expect", "require", "should", "t.Error", "t.Fatal", "b.Fatal", "want", "!=", "==",
    "raises",
];
const ASSERTING_OF_RUST: [&str; 2] = ["assert!", "assert_"];

fn asserts(line: &str, is_of_rust: bool) -> bool {
    let words = if is_of_rust { &ASSERTING_OF_RUST[..] } else { &ASSERTING[..] };
    words.iter().any(|it| has_mark(line, it))
}

/// The test that a line of code declares: its name, or how such a line is written.
fn declared(file: &str, line: &str) -> Option<String> {
    let behind = |words: &[&str]| words.iter().find_map(|it| line.trim_start().strip_prefix(*it));
    let name = |rest: &str| rest.split(['(', '<', ':']).next().unwrap_or_default().to_owned();
    match ending_of(file).as_str() {
        "go" => behind(&["func Test", "func Fuzz", "func Example"]).map(name),
        "py" => behind(&["def test", "async def test"]).map(name),
        "rs" => ["test]", "#[cfg(test)]"]
            .into_iter()
            .find(|it| line.starts_with("#[") && line.ends_with(it))
            .map(str::to_owned),
        "java" | "kt" => line.starts_with("@Test").then(|| "@Test".to_owned()),
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" => {
            behind(&["test(", "it("]).map(|it| it.split(',').next().unwrap_or(it).to_owned())
        }
        _ => None,
    }
}
