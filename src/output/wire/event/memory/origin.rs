//! Who asked for an operation on branch memory, in JSON.

use serde::Serialize;

use crate::event::MemoryOrigin;

/// Who asked, and during what.
#[derive(Debug, Serialize)]
pub struct Origin<'a> {
    /// `primitive`, `api`, `model`, `internal` or `import`.
    pub by: &'static str,
    pub run: Option<&'a str>,
    pub node: Option<&'a str>,
    pub phase: Option<&'a str>,
    pub execution: Option<String>,
}

impl<'a> Origin<'a> {
    pub fn of(origin: &'a MemoryOrigin) -> Self {
        Self {
            by: origin.by.as_str(),
            run: origin.run.as_deref(),
            node: origin.node.as_deref(),
            phase: origin.phase.as_deref(),
            execution: origin.execution.map(|id| id.to_string()),
        }
    }
}
