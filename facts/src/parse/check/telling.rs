//! The one line of a failure's text that says most.

use super::diagnostic::cut;
use super::lines::plain;
use super::outcome::TELLING_BYTES_MAX;
use super::runner::is_own;

/// Lines that are looked at.
const LINES_MAX: usize = 400;
/// What a line has that tells of an error, as programs write it.
const WORDS: [&str; 12] = [
    "rror",
    "ERROR",
    "not found",
    "No such",
    "cannot ",
    "can't ",
    "could not",
    "denied",
    "fatal",
    "panic",
    "failed",
    "nvalid",
];
/// Lines that say that something failed, and not what.
const SAYS_NOTHING: [&str; 9] =
    ["FAIL", "FAILED", "ERROR", "Error", "Error:", "error:", "failed", "stderr:", "stdout:"];
/// Beginnings of lines that tell of what is well.
const PASSES: [&str; 6] = ["ok  \t", "PASS", "--- PASS", "test result: ok", "=== RUN", "\u{2713} "];
/// What stands before a stack, whose last line says what happened.
const TRACEBACK: &str = "Traceback (most recent call last)";

/// Of a text the line that tells of the error, else the first that says anything.
pub fn line_of(text: &str) -> Option<String> {
    error_in(text).or_else(|| lines(text).next().map(shown))
}

/// The same, of what a failed command printed: nothing where no line tells of an error.
pub fn error_in(text: &str) -> Option<String> {
    let tells = |line: &&str| is_placed(line) || WORDS.iter().any(|word| line.contains(word));
    let named = || lines(text).find(tells);
    traceback(text).or_else(|| stack(text)).or_else(|| named().map(shown))
}

/// What an assertion's message says in one line, without a heading that says only where (testify's `Error
/// Trace`).
pub fn assertion(message: &str) -> Option<String> {
    let mut lines = message.lines().map(str::trim).filter(|it| !it.is_empty());
    let first = lines.next()?;
    if let Some(values) =
        lines.clone().next().filter(|it| first.ends_with(" equal:") && !it.starts_with("+ actual"))
    {
        // Node: the values stand below.
        return Some(format!("{first} {values}"));
    }
    if !first.starts_with("Error Trace:") {
        return Some(first.to_owned());
    }
    let mut lines = lines.skip_while(|it| !it.starts_with("Error:"));
    let mut told = lines.next()?.strip_prefix("Error:")?.trim().to_owned();
    for (more, _) in lines.take_while(|it| !it.starts_with("Test:")).zip(0..2) {
        told.push(' ');
        told.push_str(more);
    }
    Some(told)
}

/// A line with how many others there are.
pub fn and_more(line: &str, others: u64) -> String {
    let line = cut(line, TELLING_BYTES_MAX);
    if others == 0 { line.to_owned() } else { format!("{line} (and {others} more)") }
}

/// The line without that.
pub fn without_more(line: &str) -> &str {
    match line.rsplit_once(" (and ") {
        Some((line, more)) if more.ends_with(" more)") => line,
        _ => line,
    }
}

/// The text with the paths below a folder told from there.
pub fn below(text: &str, folder: Option<&str>) -> String {
    let folder = folder.unwrap_or_default().trim_end_matches('/');
    let (mut told, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(folder).filter(|_| !folder.is_empty()) {
        let (before, from) = rest.split_at(at);
        let behind = &from[folder.len()..];
        told.push_str(before);
        let is_part = before.ends_with(|it: char| it.is_alphanumeric() || "_-./".contains(it));
        match behind.strip_prefix('/').filter(|_| !is_part) {
            Some(path) => rest = path,
            None => {
                told.push_str(folder);
                rest = behind;
            }
        }
    }
    told + rest
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(LINES_MAX).map(str::trim).filter(|it| says_something(it))
}

fn shown(line: &str) -> String {
    cut(plain(line.as_bytes()).trim(), TELLING_BYTES_MAX).to_owned()
}

/// `NameError: name 'x' is not defined (a.py:2)`, of Python's own.
fn traceback(text: &str) -> Option<String> {
    let after = text.split_once(TRACEBACK)?.1;
    let (mut place, mut found) = (None, None);
    for line in after.lines().take(LINES_MAX) {
        if let Some(at) = line.trim_start().strip_prefix("File \"") {
            let told = at.split_once("\", line ");
            let number = |rest: &str| rest.split(',').next().unwrap_or_default().to_owned();
            place = told.map(|(file, rest)| format!("{file}:{}", number(rest))).or(place);
        } else if !line.starts_with(' ') && is_exception(line) {
            found = Some((line, place.clone()));
        }
    }
    let (line, place) = found?;
    Some(placed(line, place.as_deref()))
}

/// Whether a line begins with an exception's name: `pkg.MyError: why`, `KeyboardInterrupt`.
fn is_exception(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default();
    let is_word = |it: &str| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || c == '_');
    name.starts_with(char::is_alphabetic) && name.split('.').all(is_word)
}

/// `Error: boom (app.js:3)`, of a stack in the manner of Node's and Java's, by the first frame that is the
/// project's own.
fn stack(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(LINES_MAX).collect();
    let is_frame =
        |line: &str| line.trim_start().starts_with("at ") && line.starts_with([' ', '\t']);
    let at = (1..lines.len()).find(|at| is_frame(lines[*at]) && !is_frame(lines[at - 1]))?;
    let said = lines[..at].iter().rev().take(4).find(|it| is_exception(bare(it)))?;
    let own = lines[at..].iter().take_while(|it| is_frame(it)).find(|it| is_own(it));
    let place = own.and_then(|frame| {
        let inner = frame.rsplit_once('(').map_or(*frame, |(_, it)| it.trim_end_matches(')'));
        let inner = inner.trim().trim_start_matches("at ").trim_start_matches("file://");
        super::runner::place(inner).map(|(file, line, _)| format!("{file}:{line}"))
    });
    Some(placed(bare(said), place.as_deref()))
}

/// Without what a program or a thread puts before: `Uncaught`, `Exception in thread "main"`.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    match line.strip_prefix("Exception in thread \"").and_then(|it| it.split_once("\" ")) {
        Some((_, rest)) => rest,
        None => line,
    }
}

/// `cmd/m.go:3:1: undefined: y`, as compilers tell of an error.
fn is_placed(line: &str) -> bool {
    super::runner::place(line).is_some_and(|(file, _, rest)| {
        let behind = rest.strip_prefix(':').map(|it| it.trim_start_matches(char::is_numeric));
        !file.contains(' ') && file.contains('.') && behind.is_some_and(|it| it.starts_with(": "))
    })
}

fn placed(line: &str, place: Option<&str>) -> String {
    let line = shown(line);
    match place {
        Some(place) => cut(&format!("{line} ({place})"), TELLING_BYTES_MAX).to_owned(),
        None => line,
    }
}

/// Whether a line is more than a rule, a bare verdict or an exit code.
fn says_something(line: &str) -> bool {
    let is_code = |it: &str| {
        let digits = it.strip_prefix("Exit code ").or_else(|| it.strip_prefix("exit code "));
        digits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_said = line.chars().any(char::is_alphanumeric) && !SAYS_NOTHING.contains(&line);
    is_said && !is_code(line) && !PASSES.iter().any(|it| line.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::{and_more, assertion, below, line_of, without_more};

    #[test]
    fn a_line_is_told_from_its_folder_and_with_how_many_others_there_are() {
        for (text, folder, wanted) in [
            ("error /w/x/src/a.rs:3: no", Some("/w/x"), "error src/a.rs:3: no"),
            ("t: no (/w/x/a.py:2) /w/x", Some("/w/x/"), "t: no (a.py:2) /w/x"),
            ("/v/w/x/a /w/xy/a", Some("/w/x"), "/v/w/x/a /w/xy/a"),
            ("/a /b", Some("/"), "/a /b"),
            ("/a", None, "/a"),
        ] {
            assert_eq!(below(text, folder), wanted);
        }
        for (others, wanted) in [(0, "no"), (3, "no (and 3 more)")] {
            assert_eq!(and_more("no", others), wanted);
            assert_eq!(without_more(wanted), "no");
        }
    }

    #[test]
    fn the_line_that_says_what_happened_is_told() {
        let table: &[(&str, Option<&str>)] = &[
            ("Exit code 1\n=====\nFAIL\nls: cannot access 'x': No such file", {
                Some("ls: cannot access 'x': No such file")
            }),
            ("Exit code 127\n/bin/bash: line 1: foo: command not found", {
                Some("/bin/bash: line 1: foo: command not found")
            }),
            (
                "working\nTraceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n    \
                 x\nNameError: name 'x' is not defined\n",
                Some("NameError: name 'x' is not defined (a.py:2)"),
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\nKeyError: 'a'\n\n\
                 During handling of the above exception, another exception occurred:\n\n\
                 Traceback (most recent call last):\n  File \"b.py\", line 9, in <module>\n    f()\n\
                 pkg.BadError: no\n",
                Some("pkg.BadError: no (b.py:9)"),
            ),
            (
                "/w/app.js:3\n  throw new Error(\"boom\");\n  ^\n\nError: boom\n    at f \
                 (node:internal/x:1:2)\n    at g (/w/app.js:3:9)\n\nNode.js v20\n",
                Some("Error: boom (/w/app.js:3)"),
            ),
            (
                "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat a.B.c(B.java:7)\n",
                Some("java.lang.IllegalStateException: no (B.java:7)"),
            ),
            ("Exit code 137\nok  \texample.com/a\t0.1s\nPASS", None),
            ("# cmd\ncmd/m.go:3:1: undefined: y", Some("cmd/m.go:3:1: undefined: y")),
            ("one\ntwo", Some("one")),
            ("Exit code 1", None),
            ("Exit code 1\nFAIL", None),
            ("====\n----", None),
            ("", None),
        ];
        for (text, wanted) in table {
            assert_eq!(line_of(text).as_deref(), *wanted, "{text}");
        }
    }

    #[test]
    fn an_assertion_says_what_differs() {
        let testify = "\n\tError Trace:\t/w/a_test.go:12\n\tError:      \tNot equal: \n\t            \t\
                       expected: 1\n\t            \tactual  : 2\n\tTest:       \tTestFoo\n";
        for (message, wanted) in [
            (testify, Some("Not equal: expected: 1 actual  : 2")),
            (
                "Expected values to be strictly equal:\n\n1 !== 2\n",
                Some("Expected values to be strictly equal: 1 !== 2"),
            ),
            (
                "Expected values to be strictly deep-equal:\n+ actual - expected\n\n+ 1\n- 2\n",
                Some("Expected values to be strictly deep-equal:"),
            ),
            ("Total() = 15, want 16", Some("Total() = 15, want 16")),
            ("", None),
        ] {
            assert_eq!(assertion(message).as_deref(), wanted, "{message}");
        }
    }
}
