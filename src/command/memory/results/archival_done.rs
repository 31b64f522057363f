//! What archiving a text came to.

/// What archiving a text came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchivalDone {
    /// Its number, or that of the equal record there was.
    pub id: u64,
    pub branch: String,
    /// `false` where the branch had an equal one.
    pub written: bool,
    /// The text was too long: the record has its beginning, the journal all of it.
    pub cut: bool,
}
