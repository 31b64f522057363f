//! A row of the index's `executions`, as it begins and as it ends.

/// What is known of an execution when its row is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecutionRow<'a> {
    /// The event that makes the row.
    pub seq: u64,
    pub id: &'a str,
    pub call_key: Option<&'a str>,
    pub session: Option<u64>,
    pub source: &'a str,
    pub tool: &'a str,
    pub native_tool: Option<&'a str>,
    pub actor: Option<&'a str>,
    pub parent: Option<&'a str>,
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub target: Option<&'a str>,
    /// `None` where the start was lost.
    pub target_key: Option<[u8; 16]>,
    pub arguments_digest: Option<[u8; 16]>,
    /// `None` where the start was lost.
    pub started_seq: Option<u64>,
    pub started_ms: Option<i64>,
    pub at_ms: i64,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingRow<'a> {
    /// `None` where `execution_log.db` could not take it.
    pub ordinal: Option<u64>,
    /// What the closing event calls it: a write may turn out to have made its file.
    pub tool: &'a str,
    pub outcome: &'a str,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
    pub error: Option<&'a str>,
    pub diagnostic: Option<&'a str>,
    /// The digest of what a failure said.
    pub said: Option<[u8; 16]>,
    pub closed_seq: u64,
    pub closed_ms: i64,
    pub corrects: Option<&'a str>,
}

/// What a fold asks of an execution that has a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRow {
    pub seq: u64,
    pub id: String,
    pub ordinal: Option<u64>,
    pub tool: String,
    pub outcome: Option<String>,
    pub started_seq: Option<u64>,
    pub native_tool: Option<String>,
    pub session: Option<u64>,
    pub target_key: Option<[u8; 16]>,
    /// Of its end; of its start while it is open.
    pub at_ms: i64,
    pub at_seq: u64,
    /// A correction counts instead.
    pub corrected: bool,
}
