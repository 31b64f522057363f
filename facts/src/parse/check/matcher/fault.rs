//! What is wrong with a pattern, and where in it.

use regex::{Error, Regex, RegexBuilder};

/// What a project's own pattern may cost, compiled, bytes.
pub const PROGRAM_BYTES_MAX: usize = 1 << 20;

/// A project's own pattern; else why it is none, and at which of its characters, from 1.
pub fn compiled(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern).size_limit(PROGRAM_BYTES_MAX).build().map_err(|error| match error {
        Error::Syntax(told) => placed(&told),
        Error::CompiledTooBig(_) => "it is too large once compiled".to_owned(),
        _ => "it is no regular expression".to_owned(),
    })
}

/// What is wrong with a pattern of these; `None` where each can be one, and they tell something.
pub fn pattern_fault(lines: &[String]) -> Option<String> {
    let mut tells = false;
    for (line, number) in lines.iter().zip(1..) {
        match compiled(line) {
            Ok(made) => {
                let mut groups = made.capture_names().flatten();
                tells |= groups.any(|it| matches!(it, "file" | "message"));
            }
            Err(reason) => return Some(format!("pattern {number}: {reason}")),
        }
    }
    (!tells).then(|| "no pattern has a group `file` or `message`: (?<file>…)".to_owned())
}

/// The parser's own account in one line: it marks the place by carets below the pattern.
fn placed(told: &str) -> String {
    let reason = told.lines().find_map(|line| line.strip_prefix("error: "));
    let reason = reason.unwrap_or("it is no regular expression");
    let marks =
        told.lines().find(|line| !line.is_empty() && line.trim_matches([' ', '^']).is_empty());
    match marks.and_then(|line| line.find('^')) {
        // The pattern stands four columns in.
        Some(at) => format!("{reason}, at character {}", at.saturating_sub(4) + 1),
        None => reason.to_owned(),
    }
}
