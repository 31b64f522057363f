//! A tool that there is.

use super::{Bench, Given, Parameter, ToolError};

/// A tool that there is.
#[derive(Clone, Copy)]
pub struct ToolSpec {
    /// The contract's name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    pub parameters: &'static [Parameter],
    /// Runs it with a JSON object of arguments.
    pub(super) run: fn(&str, &Bench<'_>) -> Result<Given, ToolError>,
    /// The program it needs, where it needs one.
    pub program: Option<&'static str>,
}

impl ToolSpec {
    /// Runs it with a JSON object of arguments, without a log and without a gate.
    ///
    /// # Errors
    /// Where it gave nothing.
    pub fn call(&self, arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
        (self.run)(arguments, bench)
    }
}

impl std::fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolSpec").field("name", &self.name).finish_non_exhaustive()
    }
}
