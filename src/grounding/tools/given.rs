//! What a tool gave back.

use serde_json::Value;

use crate::event::{Body, Change};
use crate::parse::diagnostics::Diagnostic;

/// What a tool gave back. A tool that ran and found fault (a check) gave something as well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// For a model: what was read, found, or done.
    pub text: String,
    /// What is said beside it: that there is more, and how to get it.
    pub note: Option<String>,
    /// The same for a program; null where the text is all there is.
    pub data: Value,
    /// Why it is no success; `None` where it is one.
    pub failed: Option<String>,
    /// Of the program that the tool ran, where it ran one.
    pub exit_code: Option<i32>,
    /// What that program printed on standard error.
    pub stderr: Option<Vec<u8>>,
    pub diagnostics: Vec<Diagnostic>,
    /// Files it turned out to be about, besides those that the arguments name.
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub changed: Vec<Change>,
    /// Facts besides: that the timeline was read.
    pub events: Vec<Body>,
}

impl Given {
    /// A success of which a text is all there is.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same with what a program wants of it.
    pub fn with(text: impl Into<String>, data: Value) -> Self {
        Self { text: text.into(), data, ..Self::default() }
    }
}
