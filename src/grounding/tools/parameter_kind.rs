//! What a parameter's value is.

/// What a parameter's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Text,
    /// One text, or a list of them.
    Texts,
    Number,
    /// True where it is given without a value.
    Flag,
    /// Anything else, as JSON.
    Json,
}

impl ParameterKind {
    /// The word in JSON, where it can be JSON Schema's.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Texts => "array",
            Self::Number => "integer",
            Self::Flag => "boolean",
            Self::Json => "object",
        }
    }
}
