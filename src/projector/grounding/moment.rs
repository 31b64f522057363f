//! When something happened in a session, and where that is in the journal.

use serde::{Deserialize, Serialize};

/// When something happened, and where that is in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    pub sequence: u64,
    /// Unix milliseconds.
    pub at_ms: u64,
}
