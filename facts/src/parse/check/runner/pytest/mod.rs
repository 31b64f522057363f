//! What pytest prints.

mod block;
mod report;

use crate::event::{ErrorType, TestResults};
use crate::parse::check::runner::failures::{by_message, by_name, named};
use crate::parse::check::runner::text::{counts, milliseconds};
use crate::parse::check::runner::total;

pub use block::Block;
pub use report::Pytest;

/// A line of pytest's short summary: `FAILED tests/a.py::TestB::test_c[2] - AssertionError: …`,
/// `SUBFAILED(i=1) tests/a.py::test_d - …`, `ERROR tests/a.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary<'a> {
    pub id: &'a str,
    pub file: &'a str,
    pub message: &'a str,
    pub is_error: bool,
    /// `(i=1)`, of a subtest.
    pub sub: Option<&'a str>,
}

impl<'a> Summary<'a> {
    pub fn of(line: &'a str) -> Option<Self> {
        let (word, rest) = line.split_once(' ')?;
        let is_error = word == "ERROR";
        let (sub, rest) = match line.strip_prefix("SUBFAILED") {
            Some(after) => {
                // What tells the subtest may have blanks: `[a message] (i=1)`.
                let end = after.find(['/', ':']).map_or(after.len(), |it| it);
                let at = after[..end].rfind(' ')?;
                (Some(after[..at].trim()).filter(|it| !it.is_empty()), &after[at + 1..])
            }
            None if is_error || word == "FAILED" => (None, rest),
            None => return None,
        };
        let (id, message) = id_and_message(rest);
        let file = id.split_once("::").map_or(id, |(file, _)| file);
        Some(Self { id, file, message, is_error, sub })
    }

    /// As a block's title has it: `TestB.test_c[2]`.
    pub fn title(&self) -> String {
        let name = self.id.split_once("::").map_or("", |(_, name)| name);
        let (name, given) = name.split_at(name.find('[').unwrap_or(name.len()));
        let title = format!("{}{given}", name.replace("::", "."));
        match self.sub {
            Some(sub) => format!("{title} {sub}"),
            None => title,
        }
    }

    pub fn name(&self) -> String {
        match self.sub {
            Some(sub) => format!("{} {sub}", self.id),
            None => self.id.to_owned(),
        }
    }
}

/// The first ` - ` that is not in the test's parameters parts them.
fn id_and_message(text: &str) -> (&str, &str) {
    let parted = text.split_once(" - ");
    let in_id = |(id, _): &(&str, &str)| id.contains('[') && !id.ends_with(']');
    if parted.as_ref().is_some_and(in_id) {
        return match text.find("] - ") {
            Some(at) => (&text[..=at], &text[at + 4..]),
            None if text.ends_with(']') => (text, ""),
            None => parted.unwrap_or((text, "")),
        };
    }
    parted.unwrap_or((text, ""))
}

/// The path below the root, where it is.
pub fn below(root: Option<&str>, file: &str) -> String {
    let rest = root.and_then(|root| file.strip_prefix(root)).and_then(|it| it.strip_prefix('/'));
    rest.unwrap_or(file).to_owned()
}

/// `pkg.E: no` → `pkg.E`.
pub fn exception(line: &str) -> Option<&str> {
    let name = line.split(':').next().unwrap_or(line);
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

pub fn class(message: &str) -> Option<&str> {
    let (name, _) = message.split_once(": ")?;
    let last = name.rsplit('.').next()?;
    exception(name).filter(|_| last.starts_with(|it: char| it.is_uppercase()))
}

/// The error's type, by the exception's name and what it says.
pub fn kind(exception: Option<&str>, message: &str) -> ErrorType {
    let first = message.lines().next().unwrap_or("");
    match exception {
        _ if first.starts_with("assert ") || first.starts_with("[XPASS(strict)]") => {
            ErrorType::AssertionError
        }
        Some("Failed") => by_message(first).unwrap_or_else(|| {
            let is_late = first.contains("Timeout");
            if is_late { ErrorType::TimeoutError } else { ErrorType::AssertionError }
        }),
        Some(name) => match by_name(name) {
            ErrorType::RuntimeError => by_message(first).unwrap_or(ErrorType::RuntimeError),
            known => known,
        },
        None => by_message(first).unwrap_or(ErrorType::Other),
    }
}

/// A syntax error's own line stands last, below the code: it comes first.
pub fn error_first(message: String) -> String {
    let mut lines: Vec<&str> = message.lines().collect();
    if !message.trim_start().starts_with("File \"") {
        return message;
    }
    let Some(at) = lines.iter().rposition(|line| named(line).is_some()) else { return message };
    let error = lines.remove(at);
    lines.insert(0, error);
    lines.join("\n")
}

/// Without the blank space that every line begins with.
pub fn dedent(message: &str) -> String {
    let indents = message.lines().filter(|it| !it.trim().is_empty());
    let least = indents.map(|it| it.len() - it.trim_start_matches(' ').len()).min().unwrap_or(0);
    let lines: Vec<&str> =
        message.lines().map(|it| it.get(least..).unwrap_or("").trim_end()).collect();
    lines.join("\n")
}

/// Reads `==== 8 failed, 2 passed, 1 error in 1.18s ====`, with its rules or without.
pub fn totals(line: &str) -> Option<TestResults> {
    let line = line.trim_matches('=').trim();
    let (told, took) = line.rsplit_once(" in ")?;
    let took = took.split(' ').next().unwrap_or(took); // ` (0:01:02)` may follow
    let took = took.ends_with('s').then(|| milliseconds(took)).flatten()?;
    let told = if told == "no tests ran" { Vec::new() } else { counts(told).unwrap_or_default() };
    if told.is_empty() && !line.starts_with("no tests ran") {
        return None;
    }
    let mut results = TestResults { duration_ms: Some(took), ..TestResults::default() };
    let mut skipped = 0_u64;
    for (word, count) in told {
        let sum = match word {
            "passed" | "xpassed" => &mut results.passed,
            "failed" => &mut results.failed,
            "error" | "errors" => results.errors.get_or_insert(0),
            // One that is known to fail is no failure, and has not passed.
            "skipped" | "xfailed" => &mut skipped,
            "deselected" | "warning" | "warnings" | "rerun" | "reruns" => continue,
            _ if word.starts_with("subtests") => continue,
            _ => return None,
        };
        *sum = sum.saturating_add(count);
    }
    results.skipped = Some(skipped).filter(|it| *it > 0);
    results.total = total(&results);
    Some(results)
}
