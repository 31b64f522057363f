//! Keys that hide what is inherited, without a value of their own.

use serde::Serialize;

use super::{branches, ms};
use crate::execution::query::QueryError;
use crate::memory::store::MemoryView;

/// Of keys that are gone so many are named.
pub const NAMED_MAX: usize = 20;

/// Keys that hide what is inherited, without a value of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CoreGone {
    /// How many, and the first of them, by branch.
    #[serde(rename = "deletions_left_out")]
    pub deleted: u64,
    pub deleted_keys: Vec<GoneKey>,
    /// Their time is over: how many, and the first of them, by branch.
    pub expired: u64,
    pub expired_keys: Vec<GoneKey>,
}

/// A key that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GoneKey {
    pub branch: String,
    pub key: String,
}

/// The keys of every branch that were deleted, and those whose time is over at `now_ms`.
pub fn core_gone(view: &MemoryView<'_>, now_ms: u64) -> Result<CoreGone, QueryError> {
    let mut gone = CoreGone::default();
    for branch in branches(view)? {
        for row in view.core(&branch.branch)? {
            let (count, keys) = match row.value {
                None => (&mut gone.deleted, &mut gone.deleted_keys),
                Some(_)
                    if crate::memory::query::is_over(
                        row.ttl.as_deref(),
                        ms(row.updated_at),
                        now_ms,
                    ) =>
                {
                    (&mut gone.expired, &mut gone.expired_keys)
                }
                Some(_) => continue,
            };
            *count += 1;
            if keys.len() < NAMED_MAX {
                keys.push(GoneKey { branch: branch.branch.clone(), key: row.key });
            }
        }
    }
    Ok(gone)
}
