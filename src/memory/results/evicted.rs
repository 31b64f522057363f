//! What an eviction of recall events came to.

/// What an eviction of recall events came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evicted {
    /// The events that went, and the records that have their texts (of a long one the first), in the
    /// same order.
    pub ids: Vec<u64>,
    pub records: Vec<u64>,
    /// Asked for, and not the branch's own.
    pub refused: Vec<NotEvicted>,
}

/// An event that was asked for, and is none of the branch's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEvicted {
    pub id: u64,
    /// The branch it is of, where it stays; `None` where there is no such event.
    pub owner: Option<String>,
}

impl NotEvicted {
    /// Why it did not go, for whoever asked.
    pub fn why(&self) -> String {
        match &self.owner {
            Some(owner) => format!("event {} belongs to branch {owner}: it stays", self.id),
            None => format!("event {} is not there", self.id),
        }
    }
}
