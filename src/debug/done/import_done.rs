//! What an import came to.

use super::ImportedSession;
use crate::event::Sequence;

/// What an import came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportDone {
    /// In the order of the file.
    pub sessions: Vec<ImportedSession>,
    /// The last event; `None` where everything was there already.
    pub sequence: Option<Sequence>,
}
