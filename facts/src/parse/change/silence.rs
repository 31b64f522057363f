//! Changes that keep a check from saying what is wrong, and mend nothing.

use super::Hunk;
use super::files::{ending_of, is_of_runner};
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
            "pytest_collection",
            "pytest_ignore_collect",
            "pytest_runtest",
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

pub fn has_mark(line: &str, mark: &str) -> bool {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    let begins_word = mark.starts_with(is_of_word);
    line.match_indices(mark).any(|(at, _)| !begins_word || !line[..at].ends_with(is_of_word))
}
