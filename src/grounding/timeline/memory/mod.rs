//! `memory_query`: spec 001's one question with many parameters.

mod answer;
mod fetch;
mod notation;
#[cfg(test)]
mod tests;
mod topic;

pub use answer::MemoryAnswer;
pub use topic::MemoryTopic;

/// A memory query; the default asks for the newest executions. Every parameter narrows.
///
/// ```
/// use annals::grounding::timeline::MemoryQuery;
///
/// let query = MemoryQuery::parse(r#"memory_query(tool="lsp_check", success=true, after_id=142)"#)?;
/// assert_eq!(query.tool.as_deref(), Some("lsp_check"));
/// assert_eq!(query.to_string(), r#"memory_query(tool="lsp_check", success=true, after_id=142)"#);
/// # Ok::<(), annals::execution::query::QueryError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryQuery {
    pub topic: MemoryTopic,
    /// The contract's name of a tool, or the agent's.
    pub tool: Option<String>,
    /// Only what succeeded, or only what failed: refused is neither.
    pub success: Option<bool>,
    /// Only what came after this execution, by its ordinal.
    pub after_id: Option<u64>,
    /// Only what came before this execution, by its ordinal.
    pub before_id: Option<u64>,
    /// How many, the newest.
    pub last: Option<usize>,
    /// A file, or a folder.
    pub path: Option<String>,
    pub symbol: Option<String>,
    /// A session other than the one that asks: its id, the beginning of it, or the agent's name for
    /// it.
    pub session: Option<String>,
    /// A diagnostic's code; of one without a code, its level.
    pub diagnostic: Option<String>,
    /// Ask the whole project.
    pub project: bool,
}
