//! The one line of a failure's text that says most.

use super::diagnostic::cut;
use super::lines::plain;
use super::outcome::TELLING_BYTES_MAX;

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
/// What stands before a stack, whose last line says what happened.
const TRACEBACK: &str = "Traceback (most recent call last)";

/// Of a text the line that tells of the error, else the first that says anything.
pub fn line_of(text: &str) -> Option<String> {
    let lines = || text.lines().take(LINES_MAX).map(str::trim).filter(|it| says_something(it));
    let raised = || {
        let after = text.split_once(TRACEBACK)?.1;
        let is_name = |it: &str| it.split(['.', ':']).all(|part| !part.is_empty());
        let of_error = |line: &&str| {
            let name = line.split(':').next().unwrap_or_default();
            is_name(name) && !name.contains(' ') && name.starts_with(char::is_alphabetic)
        };
        after.lines().take(LINES_MAX).filter(|it| !it.starts_with(' ')).filter(of_error).last()
    };
    let told = || lines().find(|line| WORDS.iter().any(|word| line.contains(word)));
    let found = raised().or_else(told).or_else(|| lines().next())?;
    Some(cut(plain(found.as_bytes()).trim(), TELLING_BYTES_MAX).to_owned())
}

/// Whether a line is more than a rule, a bare verdict or an exit code.
fn says_something(line: &str) -> bool {
    let is_code = |it: &str| {
        let digits = it.strip_prefix("Exit code ").or_else(|| it.strip_prefix("exit code "));
        digits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    line.chars().any(char::is_alphanumeric) && !SAYS_NOTHING.contains(&line) && !is_code(line)
}

#[cfg(test)]
mod tests {
    use super::line_of;

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
                Some("NameError: name 'x' is not defined"),
            ),
            ("one\ntwo", Some("one")),
            ("Exit code 1", None),
            ("====\n----", None),
            ("", None),
        ];
        for (text, wanted) in table {
            assert_eq!(line_of(text).as_deref(), *wanted, "{text}");
        }
    }
}
