//! What is given of a session that is opened.

use crate::event::DebugSessionId;

/// What is given of a session that is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenGiven {
    /// `None`: a new one.
    pub session: Option<DebugSessionId>,
    /// The primary file: relative to the project's root with `/` where it lies below it; kept as it
    /// is given where it does not.
    pub file_path: String,
    /// `None`: as the settings have it. 1 at least.
    pub attempts_max: Option<u32>,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    pub ralph_iteration: Option<i64>,
}
