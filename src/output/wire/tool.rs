//! A tool that there is, as `tool list` prints it.

use serde::Serialize;

use crate::event::tool::is_mutation;
use crate::grounding::tools::{Parameter, ToolSpec};

/// A tool that there is.
#[derive(Debug, Serialize)]
pub struct Tool {
    pub tool: &'static str,
    pub about: &'static str,
    /// It changes files: the gate wants a read of the timeline before it.
    pub mutation: bool,
    /// Whether the program that it needs is here.
    pub available: bool,
    /// That program; `null` where it needs none.
    pub program: Option<&'static str>,
    pub parameters: Vec<ToolParameter>,
}

/// What a tool may be told.
#[derive(Debug, Serialize)]
pub struct ToolParameter {
    pub name: &'static str,
    /// `string`, `array` (one string goes as well), `integer`, `boolean` or `object`.
    pub kind: &'static str,
    pub required: bool,
    pub about: &'static str,
}

impl Tool {
    pub fn of(spec: &ToolSpec, available: bool) -> Self {
        Self {
            tool: spec.name,
            about: spec.about,
            mutation: is_mutation(spec.name),
            available,
            program: spec.program,
            parameters: spec.parameters.iter().map(ToolParameter::of).collect(),
        }
    }
}

impl ToolParameter {
    fn of(parameter: &Parameter) -> Self {
        let Parameter { name, kind, required, about } = *parameter;
        Self { name, kind: kind.as_str(), required, about }
    }
}
