//! What narrows an answer, whatever was asked.

/// What narrows an answer. Every field left empty lets everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub symbol: Option<String>,
    /// A file; nothing below it.
    pub file: Option<String>,
    /// A file or a folder.
    pub path: Option<String>,
    pub tool: Option<String>,
    pub session: Option<String>,
    pub success: Option<bool>,
    /// Unix milliseconds, inclusive.
    pub since_ms: Option<u64>,
    /// Unix milliseconds, inclusive.
    pub until_ms: Option<u64>,
    pub repository: Option<String>,
}

/// The methods that narrow, for a builder with a `filter`, a `limit` and an `after`.
macro_rules! narrowing {
    () => {
        /// Only this tool, by the contract's name or the agent's.
        pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
            self.filter.tool = Some(tool.into());
            self
        }

        /// Only this session: its id, the beginning of it, or the agent's own name for it.
        pub fn with_session(mut self, session: impl Into<String>) -> Self {
            self.filter.session = Some(session.into());
            self
        }

        /// Only those that succeeded, or only those that failed: refused is neither.
        pub fn with_success(mut self, success: bool) -> Self {
            self.filter.success = Some(success);
            self
        }

        /// Not before this time, Unix milliseconds.
        pub fn after_timestamp(mut self, at_ms: u64) -> Self {
            self.filter.since_ms = Some(at_ms);
            self
        }

        /// Not after this time, Unix milliseconds.
        pub fn before_timestamp(mut self, at_ms: u64) -> Self {
            self.filter.until_ms = Some(at_ms);
            self
        }

        /// Only what ran in this folder or below it.
        pub fn in_repository(mut self, path: impl AsRef<std::path::Path>) -> Self {
            self.filter.repository = Some(path.as_ref().to_string_lossy().into_owned());
            self
        }

        /// At most this many items, after the place where the last page ended.
        pub fn page(
            mut self,
            limit: usize,
            after: Option<$crate::execution::query::After>,
        ) -> Self {
            self.limit = limit.clamp(1, $crate::execution::query::PAGE_ITEMS_MAX);
            self.after = after;
            self
        }
    };
}
pub(crate) use narrowing;
