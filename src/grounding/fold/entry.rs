//! One execution of a session, in a line.

use serde::{Deserialize, Serialize};

use super::{CheckKind, Hex, Moment, Unproven};
use crate::event::{ExecutionId, Outcome};

/// One execution of a session that has ended, in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundingEntry {
    /// The `142` of `#142`; `None` where its tool is undeclared.
    pub ordinal: Option<u64>,
    pub execution: Hex,
    /// Of the closing event.
    pub moment: Moment,
    pub tool: String,
    pub outcome: Outcome,
    /// What it was about: a path, a symbol, a command.
    pub target: Option<String>,
    /// Its first diagnostic in one line, else its error.
    pub error: Option<String>,
    /// What makes two calls ones on the same target; zeros where its start was not seen.
    pub key: Hex,
    /// Its tool changes files.
    pub mutation: bool,
    pub check: CheckKind,
    /// Of a check that ended well and bears nothing out: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven: Option<Unproven>,
}

impl GroundingEntry {
    pub fn id(&self) -> ExecutionId {
        self.execution.execution()
    }

    /// `#142`, or `@4711` where it has no ordinal.
    pub fn name(&self) -> String {
        match self.ordinal {
            Some(ordinal) => format!("#{ordinal}"),
            None => format!("@{}", self.moment.sequence),
        }
    }
}
