//! What was judged of a branch, before the operation that uses it.

use super::ImportanceItem;
use crate::event::Importance;

/// What a model judged of a branch's keys, outside of any transaction: a model takes its time, and
/// nobody waits for it. It holds for keys whose value is the same still.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    pub(crate) branch: String,
    /// As they were judged.
    pub(crate) items: Vec<ImportanceItem>,
    pub(crate) scores: Vec<Importance>,
    /// Why nothing was judged.
    pub(crate) failed: Option<String>,
}

impl Judged {
    /// The judgements that hold for what is there now; the rest keeps what is stored. In the order of
    /// the items.
    pub(crate) fn of(&self, now: &[ImportanceItem]) -> Vec<Importance> {
        let stored = |item: &ImportanceItem| Importance {
            key: item.key.clone(),
            score: item.importance,
            reason: "as stored".to_owned(),
        };
        let is_same = |item: &ImportanceItem| {
            self.items.iter().any(|known| known.key == item.key && known.value == item.value)
        };
        now.iter()
            .map(|item| {
                let score = self.scores.iter().find(|score| score.key == item.key);
                score.filter(|_| is_same(item)).cloned().unwrap_or_else(|| stored(item))
            })
            .map(|score| Importance { score: score.score.clamp(1, 5), ..score })
            .collect()
    }
}
