//! Calls of a session that are under way, denied, or known to have failed.

use serde::{Deserialize, Serialize};

use super::{GroundingEntry, Hex, Moment};
use crate::event::ExecutionId;
use crate::parse::shell::CheckKind;

/// An execution that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCall {
    pub execution: Hex,
    /// The digest of the agent's call.
    pub call: Option<Hex>,
    pub tool: String,
    pub target: Option<String>,
    /// What makes two calls ones on the same target.
    pub key: Hex,
    /// The digest of its arguments.
    pub arguments: Hex,
    /// A hook told of them.
    pub is_hooked: bool,
    pub started: Moment,
    /// It changes files.
    pub mutation: bool,
    pub check: CheckKind,
    /// Files it names; of many, the first few.
    pub paths: Vec<String>,
}

impl OpenCall {
    pub fn id(&self) -> ExecutionId {
        self.execution.execution()
    }

    /// The beginning of what a hook told its arguments to be; 0 where none told.
    pub(crate) fn told(&self) -> u32 {
        if self.is_hooked { self.arguments.beginning() } else { 0 }
    }
}

/// A call that the gate denied, and that is not known to have run all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeniedCall {
    pub call: Hex,
    pub execution: Option<Hex>,
    /// Of the refusal.
    pub sequence: u64,
}

/// A call whose newest run failed, and nothing was changed since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCall {
    /// The digest of its arguments.
    pub arguments: Hex,
    pub entry: GroundingEntry,
}
