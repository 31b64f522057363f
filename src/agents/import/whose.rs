//! Whose records are taken where a hook names a transcript: its own session's.

use super::item::Item;

/// Lets through what a transcript says of one session and of those that it began. A hook believes
/// nobody else's: the sessions of another file may still run, and are none of its project's.
#[derive(Clone, Debug)]
pub struct Whose {
    /// The agent's own name for the session.
    session: String,
    /// The records that are read now are another session's.
    is_foreign: bool,
}

impl Whose {
    pub fn new(session: &str) -> Self {
        Self { session: session.to_owned(), is_foreign: false }
    }

    /// What follows is another file's.
    pub fn read_on(&mut self) {
        self.is_foreign = false;
    }

    /// Whether an item is the session's. One that names none belongs to the one before it.
    pub fn takes(&mut self, item: &Item) -> bool {
        if let Item::Record(record) = item
            && let Some(session) = &record.head.session
        {
            let own = |name: &String| *name == self.session;
            let parent = record.head.parent_session.as_ref();
            self.is_foreign = !own(session) && !parent.is_some_and(own);
        }
        !self.is_foreign
    }
}
