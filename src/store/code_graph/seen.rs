//! Which executions a transaction has seen, while it fills a graph that had none of ours.

use std::collections::HashSet;

/// Half of each id that was inserted, 8 bytes: who is not in it is new, and needs no look-up.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// `None` where the graph had executions before: every one is looked up.
    ids: Option<HashSet<u64>>,
}

impl Seen {
    /// Of a graph without any execution.
    pub fn nothing() -> Self {
        Self { ids: Some(HashSet::new()) }
    }

    /// Notes an id; `false` where it is certain that it is new.
    pub fn may_know(&mut self, id: &str) -> bool {
        match &mut self.ids {
            Some(ids) => !ids.insert(half(id)),
            None => true,
        }
    }
}

/// The last sixteen digits of a UUID, its random half; of what is none, something of it.
fn half(id: &str) -> u64 {
    let digits = id.bytes().rev().filter_map(|byte| char::from(byte).to_digit(16)).take(16);
    digits.fold(0, |half, digit| half << 4 | u64::from(digit))
}
