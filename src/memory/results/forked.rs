//! What a fork came to.

/// What a fork came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forked {
    pub branch: String,
    /// The branch it sees, `None` of a root.
    pub parent: Option<String>,
    /// `false` where there was this very branch already.
    pub created: bool,
    /// Ancestors that were made for it, the root first.
    pub auto_created: Vec<String>,
    /// Records that were copied, of a fork from the past.
    pub copied: u64,
}
