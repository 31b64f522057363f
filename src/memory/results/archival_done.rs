//! What archiving a text came to.

/// What archiving a text came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchivalDone {
    /// Its number, or that of the equal record there was.
    pub id: u64,
    pub branch: String,
    /// `false` where the branch had an equal one.
    pub written: bool,
    /// The text was too long for one record: it goes on in the next.
    pub cut: bool,
    /// Every record that has a piece of it, in its order.
    pub records: Vec<u64>,
}
