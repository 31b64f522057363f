//! Why a model's reply cannot be used, and what to tell the model.

use super::MissingMemoryUpdateError;

/// Why a model's reply cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    #[error(transparent)]
    MissingMemoryUpdate(#[from] MissingMemoryUpdateError),
    #[error("the <memory_update> block is not closed: end it with </memory_update>")]
    UnclosedMemoryUpdate,
    #[error("the {what} is no JSON object: {why}")]
    MalformedMemoryUpdate { what: &'static str, why: String },
    #[error(
        "it asks for nothing: {} means nothing in a <memory_update>, whose keys are {known}",
        quoted(keys)
    )]
    UnknownKeys { keys: Vec<String>, known: String },
    #[error(
        "the reply only reads memory, and there is no round left to answer in: write what you know \
         now, and give the answer"
    )]
    ReadOnly,
    #[error("`{at}` is {is}; it must be {wants}")]
    WrongType { at: String, is: &'static str, wants: &'static str },
    #[error("`{at}` is missing: it must be {wants}")]
    MissingField { at: String, wants: &'static str },
    #[error("`{at}` {why}")]
    Invalid { at: String, why: String },
    #[error(
        "the key `{begins}…` has {bytes} bytes; at most {bytes_max} are taken: give a shorter key, and \
         the rest as its value"
    )]
    LongKey { begins: String, bytes: usize, bytes_max: usize },
    #[error("`{first}` and `{second}` name one operation: give it once")]
    TwoNames { first: String, second: String },
    #[error("`{at}` has {count} {of}; at most {max} are taken")]
    TooMany { at: String, count: usize, of: &'static str, max: usize },
    #[error("memory did not take it: {why}")]
    Refused { why: String },
    #[error("the {what} has {bytes} bytes; at most {bytes_max} are read")]
    TooLarge { what: &'static str, bytes: usize, bytes_max: usize },
    #[error("the reply has no JSON object with {wants}")]
    MissingAnswer { wants: &'static str },
    #[error("the JSON object with {wants} cannot be read: {why}")]
    MalformedAnswer { wants: &'static str, why: String },
}

impl ReplyError {
    /// A word for JSON and logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MissingMemoryUpdate(_) => "missing_memory_update",
            Self::UnclosedMemoryUpdate => "unclosed_memory_update",
            Self::MalformedMemoryUpdate { .. } => "malformed_memory_update",
            Self::UnknownKeys { .. } => "unknown_keys",
            Self::ReadOnly => "read_only",
            Self::WrongType { .. } | Self::MissingField { .. } | Self::Invalid { .. } => "invalid",
            Self::Refused { .. } => "refused",
            Self::TwoNames { .. } => "two_names",
            Self::TooMany { .. } | Self::TooLarge { .. } | Self::LongKey { .. } => "too_large",
            Self::MissingAnswer { .. } => "missing_answer",
            Self::MalformedAnswer { .. } => "malformed_answer",
        }
    }

    /// What to send back to the model, so that its next reply can be used.
    pub fn feedback(&self) -> String {
        format!(
            "Your last reply could not be used: {self}.\nNothing of it was applied. Answer again, in \
             full, in the response format."
        )
    }
}

fn quoted(keys: &[String]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}
