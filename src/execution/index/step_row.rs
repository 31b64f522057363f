//! How a step ended, as the index keeps it.

/// How a step ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepRow<'a> {
    /// The event that ended it.
    pub seq: u64,
    pub session: Option<u64>,
    pub at_ms: i64,
    /// The event that began it.
    pub began: Option<u64>,
    pub executions: u64,
    pub failed: u64,
    pub refused: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    /// A JSON array of texts.
    pub changed: &'a str,
    /// A JSON array of texts.
    pub follow_up: &'a str,
    pub summary: &'a str,
}
