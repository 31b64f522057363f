//! A call that wants to be made.

use super::Door;
use crate::event::target::Target;
use crate::event::{CallKey, SessionId};

/// A call that wants to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The contract's name of the tool.
    pub tool: String,
    /// The agent's own name of it, where it differs.
    pub native_tool: Option<String>,
    /// A JSON object.
    pub arguments: String,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub session: SessionId,
    pub call: Option<CallKey>,
    pub door: Door,
}

impl Proposal {
    /// A call of this tool with these arguments.
    pub fn new(tool: &str, arguments: &str, session: SessionId, door: Door) -> Self {
        Self {
            tool: tool.to_owned(),
            native_tool: None,
            arguments: arguments.to_owned(),
            paths: Vec::new(),
            symbols: Vec::new(),
            session,
            call: None,
            door,
        }
    }

    /// What it is about.
    pub fn target(&self) -> Option<Target> {
        Target::of(&self.arguments, &self.paths, &self.symbols)
    }
}
