//! What setting a key came to.

/// What setting a key came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreDone {
    /// The record that has the whole value, where it was too long for core.
    pub archived_as: Option<u64>,
    /// The keys that had to go for it.
    pub evicted: Vec<CoreGone>,
}

/// A key that had to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreGone {
    pub key: String,
    /// The archival record that has its value.
    pub record: u64,
}
