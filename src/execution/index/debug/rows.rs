//! Rows of debug memory, as they are written.

/// A session as it is stored. Times are Unix milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct DebugSessionRow<'a> {
    pub number: u64,
    pub id: &'a str,
    pub native_id: Option<&'a str>,
    pub file_path: &'a str,
    pub status: &'a str,
    pub created_ms: i64,
    pub updated_ms: i64,
    pub attempts: usize,
    pub attempts_failed: usize,
    pub agent: Option<&'a str>,
    pub task_id: Option<&'a str>,
    pub last_seq: u64,
    /// JSON, as the document.
    pub beside: &'a str,
    pub document: &'a str,
}

/// One of a session's distinct failures.
#[derive(Clone, Debug)]
pub struct DebugFailureRow<'a> {
    pub attempt: u32,
    pub place: usize,
    pub error_type: &'a str,
    pub message: String,
    pub test_name: String,
    pub file: Option<String>,
    pub function: Option<String>,
}

/// A pattern that was learnt.
#[derive(Clone, Debug)]
pub struct DebugPatternRow<'a> {
    pub pattern: String,
    pub category: Option<String>,
    pub frequency: i64,
    pub fix_template: Option<&'a str>,
    pub effectiveness: Option<f64>,
    pub successes: Option<i64>,
    pub trials: Option<i64>,
}

/// What is stored of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugStored {
    Absent,
    Expired,
    /// JSON both.
    Held {
        document: String,
        beside: String,
    },
}
