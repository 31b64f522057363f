//! Who judges what is important in memory.

mod command;
mod error;
mod judged;
mod stored;

pub use command::CommandImportance;
pub use error::ImportanceError;
pub use judged::Judged;
pub use stored::StoredImportance;

use crate::event::Importance;

/// A key that is to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportanceItem {
    pub key: String,
    pub value: String,
    /// What is stored: 1 to 5.
    pub importance: u8,
}

/// Who judges what is important: a model, or a rule.
pub trait ImportanceModel {
    /// Judges items for a task; what is not in the answer keeps what is stored.
    ///
    /// # Errors
    /// Where there is no answer: then everything keeps what is stored.
    fn evaluate(
        &mut self,
        items: &[ImportanceItem],
        task_hint: Option<&str>,
    ) -> Result<Vec<Importance>, ImportanceError>;
}
