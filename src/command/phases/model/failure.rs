//! A model that gave no answer.

/// A model that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model gave no answer: {why}")]
pub struct ModelFailure {
    pub why: String,
    /// What it printed all the same, its beginning.
    pub printed: String,
    /// Nobody wanted the answer any more.
    pub unwanted: bool,
}

impl ModelFailure {
    /// One that printed nothing.
    pub fn silent(why: impl Into<String>) -> Self {
        Self { why: why.into(), printed: String::new(), unwanted: false }
    }
}
