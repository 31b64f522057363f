//! Which executions a transaction has seen, while it fills a graph that had none of ours.

use std::collections::HashSet;

/// Every id that was inserted, 16 bytes each: none is looked up.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// `None` where the graph had executions before: every one is looked up.
    ids: Option<HashSet<u128>>,
}

impl Seen {
    /// Of a graph without any execution.
    pub fn nothing() -> Self {
        Self { ids: Some(HashSet::new()) }
    }

    /// Notes a UUID; whether it was there before, where that is known.
    pub fn note(&mut self, id: &str) -> Option<bool> {
        self.ids.as_mut().map(|ids| !ids.insert(number(id)))
    }
}

fn number(id: &str) -> u128 {
    let digits = id.bytes().filter_map(|byte| char::from(byte).to_digit(16));
    digits.fold(0, |number, digit| number << 4 | u128::from(digit))
}
