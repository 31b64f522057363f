//! What putting older recall events together came to.

/// What putting older recall events together came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consolidated {
    /// Events there were.
    pub total: u64,
    /// Events that stay.
    pub kept: u64,
    /// Events that went into summaries.
    pub events: u64,
    /// Kinds they were of.
    pub groups: u64,
    /// The archival records, or, of inherited events, the summaries that have them.
    pub records: Vec<u64>,
}
