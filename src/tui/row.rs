//! An execution in a list, and whose it is.

use crate::execution::query::ExecutionSummary;

/// An execution in a list, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The journal's place in the feed.
    pub journal: usize,
    /// What the journal is called, where there are several.
    pub name: Option<String>,
    pub execution: ExecutionSummary,
}

impl Row {
    /// `#142`; `@4711` where it has no ordinal.
    pub fn no(&self) -> String {
        match self.execution.ordinal {
            Some(ordinal) => format!("#{ordinal}"),
            None => format!("@{}", self.execution.sequence),
        }
    }

    /// As `annals show` takes it.
    pub fn reference(&self) -> String {
        self.no().trim_start_matches('#').to_owned()
    }

    pub fn is_same(&self, other: &Self) -> bool {
        self.journal == other.journal && self.execution.id == other.execution.id
    }
}
