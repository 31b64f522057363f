//! What a key asks of the feed.

/// What a key asks of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Nothing,
    /// The history, by another filter, of another session, or more of it.
    History,
    Sessions,
    /// The chosen execution, whole.
    Detail,
    /// What lies around the chosen execution.
    Around,
    /// The whole chain of a file.
    File {
        journal: usize,
        path: String,
    },
    Leave,
}
