//! Failures of one place each: `--tb=line`.

use std::collections::VecDeque;

use crate::parse::test_report::limits::FAILURES_MAX;
use crate::parse::test_report::places::place;

/// Failures of which pytest prints the place and the error's first line: `--tb=line`. The names come
/// later, in the same order.
#[derive(Debug, Default)]
pub struct Lines {
    told: VecDeque<(String, i64, String)>,
}

impl Lines {
    /// Takes a line outside of any block.
    pub fn line(&mut self, line: &str) {
        let is_path = line.starts_with(|it: char| it.is_alphanumeric() || "/._".contains(it));
        let told = place(line).filter(|(file, _, _)| is_path && file.ends_with(".py"));
        if let Some((file, number, rest)) = told
            && let Some(message) = rest.strip_prefix(": ")
            && self.told.len() < FAILURES_MAX
        {
            self.told.push_back((file.to_owned(), number, message.to_owned()));
        }
    }

    /// The place of the failure with this message, which may be cut: `assert 1.0 ==...`. Those before it
    /// are gone.
    pub fn take(&mut self, message: &str) -> Option<(String, i64, String)> {
        let begins = message.trim_end_matches("...");
        let is_it = |(_, _, told): &(String, i64, String)| told.starts_with(begins);
        let at = self.told.iter().take(8).position(is_it).filter(|_| !begins.is_empty())?;
        self.told.drain(..=at).next_back()
    }
}
