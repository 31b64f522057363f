//! What two branches see differently.

use serde::Serialize;

use super::{CoreValue, RecallEvent, RecallSummary, Record};
use crate::memory::query;
use crate::output::time;

/// What two branches see differently, as `memory diff` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryDiff {
    pub a: String,
    pub b: String,
    pub core: Difference<CoreValue>,
    /// The newest first, like the others.
    pub recall: Difference<RecallEvent>,
    pub summaries: Difference<RecallSummary>,
    pub archival: Difference<Record>,
    /// Since when events, and records, are compared, where there are too many for all; UTC.
    pub recall_since: Option<String>,
    pub archival_since: Option<String>,
}

/// What one side has and the other has not.
#[derive(Clone, Debug, Serialize)]
pub struct Difference<T> {
    pub only_a: Vec<T>,
    pub only_b: Vec<T>,
    /// What both have, but not alike.
    pub different: Vec<Pair<T>>,
    /// How many both have alike.
    pub same: u64,
}

/// What both have, but not alike.
#[derive(Clone, Debug, Serialize)]
pub struct Pair<T> {
    pub a: T,
    pub b: T,
}

impl MemoryDiff {
    /// Whether both see the same.
    pub fn is_empty(&self) -> bool {
        let empty = [
            self.core.is_empty(),
            self.recall.is_empty(),
            self.summaries.is_empty(),
            self.archival.is_empty(),
        ];
        empty.into_iter().all(|it| it)
    }

    pub fn of(a: &str, b: &str, found: &query::MemoryDiff) -> Self {
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            core: difference(&found.core, CoreValue::of),
            recall: difference(&found.recall, RecallEvent::of),
            summaries: difference(&found.summaries, RecallSummary::of),
            archival: difference(&found.archival, Record::of),
            recall_since: found.recall_since_ms.and_then(time::utc),
            archival_since: found.archival_since_ms.and_then(time::utc),
        }
    }
}

impl<T> Difference<T> {
    fn is_empty(&self) -> bool {
        self.only_a.is_empty() && self.only_b.is_empty() && self.different.is_empty()
    }
}

fn difference<T, U>(found: &query::Difference<T>, told: impl Fn(&T) -> U) -> Difference<U> {
    let pairs = found.different.iter();
    Difference {
        only_a: found.only_a.iter().map(&told).collect(),
        only_b: found.only_b.iter().map(&told).collect(),
        different: pairs.map(|(a, b)| Pair { a: told(a), b: told(b) }).collect(),
        same: found.same,
    }
}
