//! Memory as a prompt has it.

use serde::Serialize;

use crate::memory::query;

/// A branch's memory as text, and what of it found room there.
#[derive(Clone, Debug, Serialize)]
pub struct Rendered {
    pub text: String,
    pub rendered_chars: u64,
    pub core_count: u64,
    pub recall_count: u64,
    pub archival_count: u64,
    /// What is in it: the keys, and the numbers of events, of summaries and of records.
    pub core_keys: Vec<String>,
    pub recall_ids: Vec<u64>,
    pub summary_ids: Vec<u64>,
    pub archival_ids: Vec<u64>,
}

impl Rendered {
    pub fn of(found: &query::Rendered) -> Self {
        Self {
            text: found.text.clone(),
            rendered_chars: found.chars as u64,
            core_count: found.core.len() as u64,
            recall_count: (found.recall.len() + found.summaries.len()) as u64,
            archival_count: found.archival.len() as u64,
            core_keys: found.core.iter().map(|it| it.key.clone()).collect(),
            recall_ids: found.recall.iter().map(|it| it.id).collect(),
            summary_ids: found.summaries.iter().map(|it| it.id).collect(),
            archival_ids: found.archival.iter().map(|it| it.id).collect(),
        }
    }
}
