//! How much of everything the stores hold.

/// How much of everything the stores hold. A corrected execution counts by its correction alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TallyCounts {
    /// Events folded.
    pub events: u64,
    pub sessions: u64,
    pub prompts: u64,
    /// Executions, open ones included.
    pub calls: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    /// Executions that count by their correction.
    pub corrected: u64,
    /// Rows of `execution_log.db`: the last ordinal.
    pub rows: u64,
    /// Artifacts of those rows.
    pub artifacts: u64,
    /// Distinct diagnostics that edges of the graph lead to, and edges, as far as the journal alone
    /// tells: a symbol that the graph knows more than once has more.
    pub diagnostics: u64,
    pub edges: u64,
    /// Distinct paths that executions named or changed.
    pub files: u64,
    /// Distinct symbols that executions named.
    pub symbols: u64,
    /// Failures without a later success of the same tool on the same target in their session.
    pub pending: u64,
    /// Transcript lines that could not become executions.
    pub flaws: u64,
    /// Tools declared besides the contract's.
    pub tools: u64,
}
