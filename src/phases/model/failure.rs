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
    /// What was given to answer from is at fault: a script.
    pub of_script: bool,
}

impl ModelFailure {
    /// One of a script.
    pub fn of_script(why: impl Into<String>) -> Self {
        Self { of_script: true, ..Self::silent(why) }
    }

    /// One that printed nothing.
    pub fn silent(why: impl Into<String>) -> Self {
        Self { why: why.into(), printed: String::new(), unwanted: false, of_script: false }
    }
}
