//! Why a key has the value that a branch sees.

use super::{CoreValue, MemoryChange, MemoryOp, chain, core};
use crate::execution::query::{QueryError, Stores};
use crate::memory::store::MemoryView;

/// Why a key has the value that a branch sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub branch: String,
    pub key: String,
    pub value: WhyValue,
    /// What happened to the key on the branch and its ancestors, and the forks that it came through,
    /// in the order of the journal.
    pub steps: Vec<WhyStep>,
}

/// What a branch sees under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyValue {
    Seen(CoreValue),
    /// It was deleted, on this branch.
    Deleted {
        on: String,
    },
    /// It had to go, on this branch; its value lies in this record of the archive.
    Evicted {
        on: String,
        record: u64,
    },
    /// Its time is over; this branch had set it.
    Over {
        on: String,
    },
    /// Nobody that it can be seen from ever set it.
    Never,
}

/// An event that has to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyStep {
    pub op: MemoryOp,
    /// Whether it is of the branch that decides what is seen, or a fork on the way from there; the
    /// others happened above and are hidden.
    pub decides: bool,
}

impl Stores {
    /// Why a branch sees what it sees under a key, by the newest `limit` events of each branch.
    pub fn memory_why(
        &self,
        view: &MemoryView<'_>,
        (branch, key): (&str, &str),
        now_ms: u64,
        limit: usize,
    ) -> Result<Why, QueryError> {
        let mut steps = Vec::new();
        let mut decider: Option<MemoryOp> = None;
        let mut forks = Vec::new();
        for link in chain(view, branch)? {
            let history = self.memory_history(&link.branch, MemoryChange::Key(key), limit)?;
            if let Some(last) = history.first() {
                let decides = decider.is_none();
                decider.get_or_insert_with(|| last.clone());
                // What lies above a branch comes through its fork.
                let through = history.into_iter().chain(forks.drain(..));
                steps.extend(through.map(|op| WhyStep { op, decides }));
            }
            forks.extend(self.memory_fork(&link.branch)?);
        }
        steps.sort_by_key(|step| step.op.sequence);
        let value = match (core(view, branch, now_ms)?.remove(key), decider) {
            (Some(value), _) => WhyValue::Seen(value),
            (None, None) => WhyValue::Never,
            (None, Some(last)) => unseen(last),
        };
        Ok(Why { branch: branch.to_owned(), key: key.to_owned(), value, steps })
    }
}

/// Why nothing is seen where this happened last.
fn unseen(last: MemoryOp) -> WhyValue {
    let on = last.branch;
    match (last.kind.as_str(), last.record) {
        ("CoreDeleted", _) => WhyValue::Deleted { on },
        ("CoreEvicted", Some(record)) => WhyValue::Evicted { on, record },
        _ => WhyValue::Over { on },
    }
}
