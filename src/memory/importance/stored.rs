//! The built-in rule: everything is worth what is stored.

use super::{ImportanceError, ImportanceItem, ImportanceModel};
use crate::event::Importance;

/// The built-in rule: everything is worth what is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredImportance;

impl ImportanceModel for StoredImportance {
    fn evaluate(
        &mut self,
        items: &[ImportanceItem],
        _task_hint: Option<&str>,
    ) -> Result<Vec<Importance>, ImportanceError> {
        let stored = |item: &ImportanceItem| Importance {
            key: item.key.clone(),
            score: item.importance,
            reason: "as stored".to_owned(),
        };
        Ok(items.iter().map(stored).collect())
    }
}
