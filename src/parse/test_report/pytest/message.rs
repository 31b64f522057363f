//! What a message of Python's says.

use crate::event::ErrorType;
use crate::parse::test_report::error_kind::{by_message, by_name, named};

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

/// An exception's class at a message's beginning, whatever it is called: `pkg.E: no`.
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
