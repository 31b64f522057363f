//! Ids of calls that a log uses again for another call: models count theirs from the start in each answer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::agents::import::limits::OPEN_CALLS_MAX;

/// Of each session and id, what used it first.
#[derive(Debug, Default)]
pub struct Once(HashMap<(String, String), String>);

impl Once {
    /// What a call is known by that something (a step, a message, a span) has under this id: the id, or, where something
    /// before had another call under it, both. Told twice by the same, it is the same.
    pub fn id(&mut self, session: &str, id: String, by: &str) -> String {
        let is_full = self.0.len() >= OPEN_CALLS_MAX;
        match self.0.entry((session.to_owned(), id)) {
            Entry::Occupied(first) if first.get() == by => first.key().1.clone(),
            Entry::Occupied(first) => format!("{}#{by}", first.key().1),
            // Of more than so many nothing is known.
            Entry::Vacant(free) if is_full => free.into_key().1,
            Entry::Vacant(free) => {
                let id = free.key().1.clone();
                free.insert(by.to_owned());
                id
            }
        }
    }
}
