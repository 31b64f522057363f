//! What power loss may leave.

/// What power loss leaves of bytes that were written and never synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tail {
    /// Nothing: the file is as it was synced.
    Nothing,
    /// Everything.
    All,
    /// The first bytes in the order of writing, cut at a multiple of 8.
    PrefixBytes,
    /// The first bytes in the order of writing, cut at a sector.
    PrefixSectors,
    /// The new length, and zeros in it.
    Zeros,
    /// Any subset of the sectors written.
    Subset,
    /// The new length; in sectors that the file never had before, what the disk held there.
    Stale,
}

impl Tail {
    pub const ALL: [Self; 7] = [
        Self::Nothing,
        Self::All,
        Self::PrefixBytes,
        Self::PrefixSectors,
        Self::Zeros,
        Self::Subset,
        Self::Stale,
    ];
}

/// What power loss leaves of names (creations, renames, removals) whose folder was never synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NamesLeft {
    Nothing,
    All,
    /// The first changes, in order, as a journaling file system leaves them.
    Prefix,
    /// Any subset of the changes.
    Subset,
}

impl NamesLeft {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::All, Self::Prefix, Self::Subset];
}

/// One power loss: the same values make the same image of the same disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    pub tail: Tail,
    pub names: NamesLeft,
    pub seed: u64,
}
