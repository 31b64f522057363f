//! Which debug sessions a list is of.

use crate::event::{DebugStatus, ErrorType, RootCause};

/// Which debug sessions a list is of. The default: the 20 that were changed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugFilter {
    /// At most this many.
    pub limit: usize,
    /// So many that come before these are left out.
    pub skip: usize,
    pub status: Option<DebugStatus>,
    /// The session's file, as it has it.
    pub file_path: Option<String>,
    /// Some test failed so.
    pub error_type: Option<ErrorType>,
    /// Some attempt's code was thought to be wrong so.
    pub category: Option<RootCause>,
    /// The name of a pattern that was learnt.
    pub pattern: Option<String>,
    /// Changed at this time or later, Unix milliseconds.
    pub since_ms: Option<u64>,
}

impl Default for DebugFilter {
    fn default() -> Self {
        Self {
            limit: 20,
            skip: 0,
            status: None,
            file_path: None,
            error_type: None,
            category: None,
            pattern: None,
            since_ms: None,
        }
    }
}
