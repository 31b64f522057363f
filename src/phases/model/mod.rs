//! The model: whatever answers a prompt.

mod command;
mod failure;
mod question;
mod script;
#[cfg(test)]
mod tests;

pub use command::CommandModel;
pub use failure::ModelFailure;
pub use question::Question;
pub use script::{ScriptError, ScriptModel, ScriptedReply};

/// Whatever answers a prompt.
pub trait Model {
    /// Its answer, as it came.
    ///
    /// # Errors
    /// Where it gave none. A fault in the answer is none of these.
    fn ask(&mut self, question: &Question<'_>) -> Result<String, ModelFailure>;
}
