//! The harness's list of the tests that failed.

use std::collections::BTreeSet;

use super::names::NAMES_MAX;
use crate::parse::test_report::kept::KeptText;
use crate::parse::test_report::limits::STACK_BYTES;

/// What follows `failures:`, as long as it may be the harness's list of the tests that failed: their names,
/// a blank line, and then the totals.
#[derive(Debug)]
pub struct List {
    names: Vec<String>,
    count: u64,
    is_closed: bool,
    /// As it was printed: it may be a test's own.
    text: KeptText,
}

impl Default for List {
    fn default() -> Self {
        let mut text = KeptText::new(STACK_BYTES);
        text.line("failures:");
        Self { names: Vec::new(), count: 0, is_closed: false, text }
    }
}

impl List {
    /// Takes the next line; false where it is none of a list's.
    pub fn line(&mut self, line: &str) -> bool {
        if self.is_closed {
            return false;
        }
        if let Some(name) = line.strip_prefix("    ") {
            self.count += 1;
            if self.names.len() < NAMES_MAX {
                self.names.push(name.trim().to_owned());
            }
        } else if line.is_empty() && self.count > 0 {
            self.is_closed = true;
        } else {
            return false;
        }
        self.text.line(line);
        true
    }

    /// Whether it names so many, and is at its end.
    pub fn has(&self, failed: u64) -> bool {
        self.is_closed && self.count == failed
    }

    /// Whether these are all names that it has.
    pub fn is_among(&self, names: &BTreeSet<String>) -> bool {
        self.names.iter().all(|it| names.contains(it))
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The names, where all were kept.
    pub fn into_names(self) -> Option<Vec<String>> {
        (self.names.len() as u64 == self.count).then_some(self.names)
    }

    /// What was printed.
    pub fn into_text(self) -> String {
        self.text.finish().unwrap_or_default()
    }
}
