//! What of a change is a fix, and what a fix is tried by again.

mod own_test;

use proptest::prelude::*;

use super::lines::replaced;
use super::tree::{Turned, turned_by};
use super::*;
use crate::parse::check::cause::Cause;

fn edit(file: &str, old: &str, new: &str) -> Hunk {
    Hunk::of(file, &replaced(old, new))
}

fn of_test() -> FailedBy<'static> {
    FailedBy { kind: FailureKind::OfTest, said: "a_test.go:5: got 1, want 2 TestA", names: "" }
}

fn told() -> FailedBy<'static> {
    FailedBy { kind: FailureKind::Told, said: "go undefined: total a.go", names: " total" }
}

/// The lines of what is left.
fn left(hunks: &[Hunk], of: FailedBy<'_>) -> String {
    let told = |it: &Hunk| {
        let lines = it.lines();
        lines.iter().map(|(sign, line)| format!("{sign}{}|", line.trim())).collect::<String>()
    };
    remedy(hunks.to_vec(), of).iter().map(told).collect()
}

#[test]
fn of_a_test_that_failed_code_alone_is_the_fix() {
    let good = || edit("a.go", "return 1", "return 2");
    let test = |old: &str, new: &str| edit("a_test.go", old, new);
    assert_eq!(left(&[good()], of_test()), "-return 1|+return 2|");
    // A test came with it: what of the code did is shown.
    let both = [test("}", "want(2)\n}"), good()];
    assert_eq!(left(&both, of_test()), "-return 1|+return 2|");
    for (name, hunks) in [
        // By what the test asks for now, or by the code: nobody knows.
        ("asked for something else", vec![test("if A() != 2 {", "if A() == 0 {"), good()]),
        (
            "of Rust, asked for something else in the code's own file",
            vec![
                edit("src/a.rs", "fn a() { assert_eq!(f(), 2) }", "fn a() { assert_eq!(f(), 1) }"),
                edit("src/a.rs", "1", "2"),
            ],
        ),
        (
            "of Rust, not built",
            vec![
                edit("src/a.rs", "#[cfg(test)]\nmod tests {", "#[cfg(any())]\nmod tests {"),
                edit("src/a.rs", "1", "2"),
            ],
        ),
        ("skipped", vec![test("if A()", "t.Skip(\"later\")\nif A()"), good()]),
        ("taken away", vec![test("func TestA(t *testing.T) {\n}", ""), good()]),
        ("renamed", vec![test("func TestA(t)", "func testA(t)"), good()]),
        ("commented out", vec![test("func TestA(t) {}", "/*\nfunc TestA(t) {}\n*/"), good()]),
        ("by a tag", vec![test("package x", "//go:build never\n\npackage x"), good()]),
        ("emptied", vec![Hunk { is_whole: true, ..edit("a_test.go", "", "") }, good()]),
        ("removed by a shell", vec![Hunk::of_command("", "rm a_test.go"), good()]),
        ("moved by a shell", vec![Hunk::of_command("", "mv a_test.go a_test.go.bak"), good()]),
        (
            "skipped by a shell",
            vec![
                Hunk::of_command("a_test.go", "sed -i 's/{ if/{ t.Skip(); if/' a_test.go"),
                good(),
            ],
        ),
        (
            "of Python, skipped",
            vec![
                edit("test_a.py", "def test_a():", "@pytest.mark.skip\ndef test_a():"),
                edit("a.py", "return 1", "return 2"),
            ],
        ),
        (
            "of Python, left out",
            vec![
                edit("pyproject.toml", "x = 1", "addopts = \"--deselect test_a.py::test_a\""),
                edit("a.py", "return 1", "return 2"),
            ],
        ),
        ("of Rust, ignored", vec![edit("src/lib.rs", "fn a() {", "#[ignore]\nfn a() {")]),
        ("of Rust, taken away", vec![edit("src/lib.rs", "#[test]\nfn a() {\n}", "")]),
        (
            "of Rust, another value",
            vec![edit("src/lib.rs", "assert_eq!(a, 2);", "assert_eq!(a, 1);")],
        ),
        (
            "of jest, another alone",
            vec![edit("a.test.js", "test('b', f)", "test.only('b', f)"), edit("a.js", "1", "2")],
        ),
        ("nothing but the test", vec![test("want(2)", "want(1)")]),
        ("the runner", vec![edit("Makefile", "go test", "true")]),
        ("the runner's script", vec![edit("package.json", "jest", "echo ok")]),
        ("a comment", vec![edit("a.go", "func A() int {", "// A is one\nfunc A() int {")]),
        ("blanks", vec![edit("a.go", "return 1 }", "return 1  }")]),
        ("there and back", vec![good(), edit("a.go", "return 2", "return 1")]),
        (
            "a new file that nothing names",
            vec![Hunk { is_new: true, ..edit("b.go", "", "package x") }],
        ),
        ("another tree", vec![Hunk::of_command("", "git stash"), good()]),
        (
            "other packages",
            vec![Hunk::of_command("", "npm install left-pad"), edit("b.go", "1", "2")],
        ),
        ("written anew", vec![Hunk { is_whole: true, ..test("", "func TestA(t) {}") }, good()]),
        ("left early", vec![test("func TestA(t) {", "func TestA(t) {\nreturn"), good()]),
        ("of other words", vec![test("sum := A()", "sum := 2"), good()]),
        ("built elsewhere", vec![test("package x", "//go:build other\n\npackage x"), good()]),
        ("compared with something else", vec![edit("testdata/a.golden", "2", "1"), good()]),
        (
            "of Python, by what collects them",
            vec![edit("conftest.py", "", "def pytest_collection_modifyitems(items):"), good()],
        ),
    ] {
        assert_eq!(left(&hunks, of_test()), "", "{name}");
    }
}

#[test]
fn what_changes_no_code_mends_no_code() {
    let of_code = || FailedBy { kind: FailureKind::OfCode, ..told() };
    for (old, new, is_fix) in [
        ("total := 1", "total := 1 // the sum", false),
        ("total := 1", "total  :=  1", false),
        ("", "// total\n", false),
        ("totl := 1", "total := 1", true),
    ] {
        assert_eq!(!left(&[edit("a.go", old, new)], of_code()).is_empty(), is_fix, "{new}");
    }
}

#[test]
fn what_a_compiler_or_a_linter_told_is_ended_by_anything_that_does_not_silence_it() {
    for (old, new, file, is_fix) in [
        ("totl", "total", "a_test.go", true),
        ("total", "total //nolint:errcheck // best effort", "a.go", true),
        ("total", "total //nolint:errcheck", "a.go", false),
        ("import os", "import os  # noqa", "a.py", false),
        ("x = f()", "x = f()  # type: ignore", "a.py", false),
        ("pub fn f() {}", "#![allow(unused)]\npub fn f() {}", "src/lib.rs", false),
        ("let a = 1;", "let a = allow(1);", "src/lib.rs", true),
        ("let a = 1;", "// eslint-disable-next-line\nlet a = 1;", "a.ts", false),
        ("f(1)", "f(1).iter().skip(2)", "src/lib.rs", true),
        ("ruff check", "ruff check || true", "Makefile", false),
        ("type A int", "// A is one.\ntype A int", "a.go", true),
    ] {
        assert_eq!(!left(&[edit(file, old, new)], told()).is_empty(), is_fix, "{new}");
    }
    // A new file is a fix where the failure names it, or what it brings.
    for (file, text, is_fix) in
        [("b.go", "var total = 1", true), ("b.go", "var other = 1", false), ("total.go", "x", true)]
    {
        let hunk = Hunk { is_new: true, ..edit(file, "", text) };
        assert_eq!(!left(&[hunk], told()).is_empty(), is_fix, "{file} {text}");
    }
}

#[test]
fn edits_one_after_the_other_come_to_one() {
    let twice = [edit("a.go", "one\ntwo", "one\n2"), edit("a.go", "2\nthree", "two\n3")];
    assert_eq!(left(&twice, told()), "-three|+3|");
    let over = [edit("a.go", "total", "sum\nof"), edit("a.go", "of", "off")];
    assert_eq!(left(&over, told()), "-total|+sum|+off|");
    let elsewhere = [edit("a.go", "total", "sum"), edit("b.go", "sum", "total")];
    assert_eq!(left(&elsewhere, told()), "-total|+sum|-sum|+total|");
}

#[test]
fn a_fix_is_tried_again_where_half_of_what_it_brings_is_brought() {
    let fix = [edit("a.go", "x", "one()\ntwo()")];
    for (trial, is_again) in [
        (edit("a.go", "x", "one()\ntwo()"), true),
        (edit("b.go", "y", "  one()\nother()"), true),
        (edit("a.go", "x", "other()"), false),
        (Hunk { is_whole: true, ..edit("a.go", "", "package x\none()\ntwo()\n") }, true),
        (Hunk::of_command("a.go", "sed -i s/x/y/ a.go"), true),
        (Hunk::of_command("b.go", "sed -i s/x/y/ b.go"), false),
    ] {
        assert_eq!(is_alike(&fix, std::slice::from_ref(&trial)), is_again, "{trial:?}");
    }
    let gone = [edit("a.go", "one()\ntwo()", "")];
    // Of what says nothing it is known as itself.
    let bracket = [edit("a.go", "}", "")];
    assert!(is_alike(&bracket, &bracket));
    assert!(is_alike(&gone, &gone) && !is_alike(&gone, &fix));
}

#[test]
fn of_several_changes_those_for_the_cause_are_told() {
    let cause = |place: &str, names: &str| Cause {
        kind: String::new(),
        place: Some(place.to_owned()),
        is_general: true,
        names: names.to_owned(),
        ..Cause::default()
    };
    let hunks = vec![
        edit("c.go", "one", "other"),
        edit("b.go", "isUnused()", ""),
        edit("a.go", "x", "y"),
        edit("d.go", "total", "sum"),
    ];
    let files = |others: &[Cause]| -> String {
        let own = cause("a.go", " total");
        let found = of_cause(hunks.clone(), &own, others);
        found.iter().map(|it| it.file[..1].to_owned()).collect()
    };
    assert_eq!(files(&[cause("b.go", " isUnused")]), "dac");
    assert_eq!(files(&[]), "dacb");
}

#[test]
fn a_command_that_changes_the_tree_is_told_from_one_that_looks() {
    for (command, turned) in [
        ("git stash", Some(Turned::Tree)),
        ("cd x && git pull --rebase", Some(Turned::Tree)),
        ("git checkout -- a.go", Some(Turned::Tree)),
        ("git checkout -b new", None),
        ("git -C . checkout a.go", Some(Turned::Tree)),
        ("git co -- a.go", Some(Turned::Tree)),
        ("git mv a.go b.go", None),
        ("go mod tidy", Some(Turned::Restored)),
        ("go get example.com/x", Some(Turned::Surroundings)),
        ("npm install", Some(Turned::Restored)),
        ("npm install left-pad", Some(Turned::Surroundings)),
        ("git reset HEAD a.go", None),
        ("git reset --hard", Some(Turned::Tree)),
        ("git status", None),
        ("git stash list", None),
        ("docker compose up -d", Some(Turned::Surroundings)),
        ("npm install && git pull", Some(Turned::Tree)),
        ("npm test", None),
        ("go test ./...", None),
    ] {
        assert_eq!(turned_by(command), turned, "{command}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_went_and_what_came_make_the_new_text(old in "([ab]\n){0,6}", new in "([ab]\n){0,6}") {
        let change = replaced(&old, &new);
        let (before, after) = (old.lines().count(), new.lines().count());
        prop_assert_eq!(before - change.removed.len(), after - change.added.len());
        prop_assert_eq!(old == new, change.removed.is_empty() && change.added.is_empty());
    }

    #[test]
    fn any_lines_are_read(diff in "([-+ $]?.{0,20}\n){0,8}", file in "[a-z]{0,3}\\.(go|py|rs|js)") {
        let mut hunks = of_diff(&diff);
        hunks.iter_mut().for_each(|it| it.file.clone_from(&file));
        for of in [of_test(), told()] {
            prop_assert!(remedy(hunks.clone(), of).len() <= hunks.len());
        }
    }
}
