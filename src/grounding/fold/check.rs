//! Which calls are checks and mutations by a project's settings, and whether a check passed.

use super::{CheckKind, Hex, Unproven};
use crate::event::{Closing, Outcome, tool};
use crate::parse::content;
use crate::parse::diagnostics::Diagnostic;
use crate::parse::shell::Script;

/// What a fold must be told of a project's settings: another set of rules is another fold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundingRules {
    /// Beginnings of shell commands that are checks, besides the known ones.
    pub checks: Vec<String>,
    pub shell_mutations: bool,
}

impl GroundingRules {
    /// Whether a call changes files. `command` is its command line, where it has one.
    pub fn is_mutation(&self, tool: &str, command: Option<&str>) -> bool {
        let writes = |command| self.shell_mutations && Script::of(command).writes();
        tool::is_mutation(tool) || command.is_some_and(writes)
    }

    pub fn check(&self, tool: &str, command: Option<&str>) -> CheckKind {
        match command {
            // Whatever it is called as: `--tool lsp_check -- true` checks nothing.
            Some(command) => Script::of(command).check(&self.checks),
            None if tool == CHECK => CheckKind::Plain,
            None => CheckKind::None,
        }
    }

    /// How a check ended of which only what it printed is known; `None` where that does not tell, and of
    /// what is no check.
    pub fn ended(&self, tool: &str, command: Option<&str>, printed: &str) -> Option<Outcome> {
        ended(self.check(tool, command), printed)
    }

    pub fn digest(&self) -> Hex {
        let mut text = format!("{FOLD_VERSION} {}", self.shell_mutations);
        for check in &self.checks {
            text.push('\0');
            text.push_str(check);
        }
        Hex::of_text("grounding rules", &text)
    }
}

const CHECK: &str = "lsp_check";
/// Another number where the fold of the same events became another.
const FOLD_VERSION: u32 = 8;

/// Of each output, the bytes that are read: half of them from its beginning, half from its end.
const OUTPUT_BYTES_MAX: usize = 128 << 10;

/// What failing checks print. A passing one that prints it has to be run alone.
const SIGNS: [&str; 13] = [
    "test result: FAILED",
    "error: could not compile",
    "error: test failed",
    "error[E",
    "npm ERR!",
    "--- FAIL",
    "\nFAIL",
    "FAILED",
    "error TS",
    "panicked at",
    "Traceback (most recent call last)",
    "AssertionError",
    "make: ***",
];

/// What a failing runner prints at a line's beginning: no exit code outweighs it.
const VERDICTS: [&str; 4] =
    ["\ntest result: FAILED", "\nerror: test failed", "\n--- FAIL", "\nFAILED ("];

/// What passing checks print, besides counts.
const PASSES: [&str; 14] = [
    "test result: ok",
    "Finished",
    "\nok  \t",
    "\nPASS",
    "\nOK",
    "BUILD SUCCESS",
    "Build succeeded",
    "no issues found",
    "All checks passed",
    "0 issues",
    "0 errors",
    "0 problems",
    "ompiled successfully",
    "built in",
];

/// What a test runner prints that found no test to run.
const NOTHING: [&str; 14] = [
    "running 0 tests",
    "Ran 0 tests",
    "collected 0 items",
    "no tests ran",
    "no tests to run",
    "[no test files]",
    "No tests found",
    "No test files found",
    "No test is available",
    "Tests run: 0,",
    "0 passing",
    "0 passed",
    "# tests 0\n",
    "\u{2139} tests 0\n",
];

/// Whether a check that ended well passed. Where something behind it had the last word, what it printed must be here
/// to be read and say so; one that found nothing to check has not passed.
pub fn passed(kind: CheckKind, closing: &Closing, found: &[Diagnostic]) -> Result<(), Unproven> {
    if closing.exit_code.is_some_and(|code| code != 0) {
        return Err(Unproven::Failed);
    }
    let printed = [&closing.stdout, &closing.stderr];
    let printed = printed.into_iter().flatten().map(|it| content::text(it, OUTPUT_BYTES_MAX));
    let texts: Vec<_> = printed.collect();
    // Line ends before it let a sign stand at a line's beginning.
    let text = texts.iter().flatten().fold(String::new(), |text, it| text + "\n" + it);
    let is_here = texts.iter().all(Option::is_some);
    said(kind, &text, is_here, found.iter().any(|one| one.level == "error"))
}

fn ended(kind: CheckKind, printed: &str) -> Option<Outcome> {
    let told = match kind {
        CheckKind::None => return None,
        CheckKind::Plain => CheckKind::Masked,
        kind => kind,
    };
    match said(told, &format!("\n{printed}"), true, false) {
        Err(Unproven::Unknown) => None,
        Err(Unproven::Failed) if kind == CheckKind::Plain => Some(Outcome::Failed),
        // What has the last word behind a check ended well.
        _ => Some(Outcome::Ok),
    }
}

/// What a check's output says of it. `is_here`: all of it can be read; `errs`: an error is found in it.
fn said(kind: CheckKind, text: &str, is_here: bool, errs: bool) -> Result<(), Unproven> {
    if VERDICTS.iter().any(|verdict| text.contains(verdict)) {
        return Err(Unproven::Failed);
    }
    let is_end = kind == CheckKind::End && is_last_block_alone(text);
    if NOTHING.iter().any(|sign| text.contains(sign)) && !counts_passes(text) && !is_end {
        return Err(Unproven::RanNothing);
    }
    if kind == CheckKind::Plain {
        return Ok(());
    }
    let fails = errs || SIGNS.iter().any(|sign| text.contains(sign)) || counts_failures(text);
    let says = PASSES.iter().any(|sign| text.contains(sign)) || counts_passes(text);
    let is_silent = kind == CheckKind::Quiet && text.trim().is_empty();
    match fails {
        true => Err(Unproven::Failed),
        false if is_here && (says || is_silent) => Ok(()),
        false => Err(Unproven::Unknown),
    }
}

/// Whether only the last block of `cargo test` is to be seen, a library's examples: the blocks before it
/// were cut away, and had one of them failed it would not have come to this one.
fn is_last_block_alone(text: &str) -> bool {
    let Some((before, block)) = text.split_once("running 0 tests") else { return false };
    let is_heading = |line: &str| line.is_empty() || line.starts_with("Doc-tests ");
    before.lines().map(str::trim).all(is_heading)
        && block.matches("test result: ok").count() == 1
        && !block.contains("running ")
        && !counts(block, &[" filtered out"])
}

/// `3 passed`, `ok  \tpackage\t0.1s`: that a test was run and passed.
fn counts_passes(text: &str) -> bool {
    let went = |line: &str| line.starts_with("ok  \t") && !line.contains("[no tests to run]");
    counts(text, &[" passed", " passing"])
        || text.lines().any(went)
        || counted(text, &["running ", "Ran ", "Tests run: ", "# pass ", "\u{2139} pass "])
}

/// `3 failed`, `1 failing`: a number above 0 before the word.
fn counts_failures(text: &str) -> bool {
    counts(text, &[" failed", " failing", " failures", " errors"])
        || counted(text, &["# fail ", "\u{2139} fail "])
}

/// A number above 0 behind the word.
fn counted(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let rest = text[at + word.len()..].trim_start_matches('0');
            rest.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

fn counts(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let mut digits = text[..at].bytes().rev().take_while(u8::is_ascii_digit);
            digits.any(|digit| digit != b'0')
        })
    })
}
