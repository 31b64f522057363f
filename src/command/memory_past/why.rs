//! Why a key has the value that a branch sees.

use super::{MemoryPastError, Told, told};
use crate::command::feed::Feed;
use crate::event::Body;
use crate::query::Stores;
use crate::query::memory::{self, CoreValue, MemoryChange, MemoryView, chain};

/// Events that are told of one branch, at most: the newest.
const STEPS_MAX: usize = 1_000;

/// Why a key has the value that a branch sees.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct WhyStep {
    pub told: Told,
    /// Whether it is of the branch that decides what is seen, or a fork on the way from there; the
    /// others happened above and are hidden.
    pub decides: bool,
}

/// Tells why a branch sees what it sees under a key.
///
/// # Errors
/// Where a store or the journal cannot be read.
pub fn why(
    stores: &Stores,
    feed: &dyn Feed,
    view: &MemoryView<'_>,
    (branch, key): (&str, &str),
    now_ms: u64,
) -> Result<Why, MemoryPastError> {
    let chain = chain(view, branch)?;
    let mut steps = Vec::new();
    let mut decider = None;
    let mut forks = Vec::new();
    for link in &chain {
        let history = stores.memory_history(&link.branch, MemoryChange::Key(key), STEPS_MAX)?;
        let is_decider = decider.is_none() && !history.is_empty();
        if is_decider {
            decider = Some((link.branch.clone(), told(feed, history[0].clone())?));
        }
        let has_any = !history.is_empty();
        for op in history {
            steps.push(WhyStep { told: told(feed, op)?, decides: is_decider });
        }
        // What lies above a branch comes through its fork.
        if has_any {
            for fork in forks.drain(..) {
                let decides = is_decider;
                steps.push(WhyStep { told: told(feed, fork)?, decides });
            }
        }
        forks.extend(stores.memory_fork(&link.branch)?);
    }
    steps.sort_by_key(|step| step.told.op.sequence);
    let seen = memory::core(view, branch, now_ms)?.remove(key);
    let value = match (seen, decider) {
        (Some(value), _) => WhyValue::Seen(value),
        (None, None) => WhyValue::Never,
        (None, Some((on, last))) => unseen(on, &last),
    };
    Ok(Why { branch: branch.to_owned(), key: key.to_owned(), value, steps })
}

/// Why nothing is seen, where something happened on this branch last.
fn unseen(on: String, last: &Told) -> WhyValue {
    match (last.op.kind.as_str(), last.op.record, &last.body) {
        ("CoreDeleted", ..) => WhyValue::Deleted { on },
        ("CoreEvicted", Some(record), _) => WhyValue::Evicted { on, record },
        (_, _, Some(Body::CoreEvicted(evicted))) => {
            WhyValue::Evicted { on, record: evicted.record }
        }
        _ => WhyValue::Over { on },
    }
}
