//! What an agent wants done.

use serde::Serialize;

/// What an agent wants done: a tool, and what it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The contract's name of the tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
}

impl Step {
    /// A step of this tool with these arguments.
    ///
    /// # Errors
    /// Where they cannot be written as JSON.
    pub fn new(
        tool: &str,
        arguments: &(impl Serialize + ?Sized),
    ) -> Result<Self, serde_json::Error> {
        let arguments = serde_json::to_string(arguments)?;
        Ok(Self { tool: tool.to_owned(), arguments })
    }
}
