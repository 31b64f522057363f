//! What is wrong with one line given to `annals record`.

/// What is wrong with one line, and in which field.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("the line has more than {bytes_max} bytes")]
    TooLong { bytes_max: usize },
    #[error("not a JSON object: {source}")]
    NotObject { source: serde_json::Error },
    #[error("{field}: {source}")]
    Value { field: String, source: serde_json::Error },
    #[error("{field}: {expected}")]
    Meaning { field: &'static str, expected: &'static str },
    #[error("{field}: is missing")]
    Missing { field: &'static str },
    #[error("{field}: no such field; fields are {}", super::fields::NAMES.join(", "))]
    Unknown { field: String },
}

impl LineError {
    /// The field at fault, where it is one.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::TooLong { .. } | Self::NotObject { .. } => None,
            Self::Value { field, .. } | Self::Unknown { field } => Some(field),
            Self::Meaning { field, .. } | Self::Missing { field } => Some(field),
        }
    }
}
