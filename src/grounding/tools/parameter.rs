//! What a tool may be told.

use super::ParameterKind;

/// What a tool may be told: a member of its arguments, and a flag on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub required: bool,
    /// One line.
    pub about: &'static str,
}

impl Parameter {
    /// One that must be told.
    pub const fn required(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { name, kind, required: true, about }
    }

    /// One that may be left out.
    pub const fn optional(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { name, kind, required: false, about }
    }
}
