//! What an eviction of recall events came to.

/// What an eviction of recall events came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evicted {
    /// The events that went, and the records that have their texts, in the same order.
    pub ids: Vec<u64>,
    pub records: Vec<u64>,
    /// Asked for, and not the branch's own: they stay.
    pub refused: Vec<u64>,
}
