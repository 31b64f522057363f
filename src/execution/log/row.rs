//! A row of `executions`.

/// A row of `executions`; its rowid is the execution's ordinal and is given by the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionRow<'a> {
    /// A hyphenated UUID.
    pub id: &'a str,
    pub tool_name: &'a str,
    /// A JSON object.
    pub arguments_json: &'a str,
    /// Unix milliseconds of the closing event.
    pub timestamp: i64,
    pub success: bool,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
    pub error_message: Option<&'a str>,
}
