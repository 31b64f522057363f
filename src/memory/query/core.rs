//! Core memory: the value of a key is the nearest branch's; what is gone hides what is inherited.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Result, branches, chain, is_over};
use crate::event::wire;
use crate::memory::store::{MemoryView, StoredCore};

/// What a value is worth where nobody said.
pub const IMPORTANCE: u8 = 3;

/// A value as a branch sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoreValue {
    pub key: String,
    pub value: String,
    /// 1 (goes first) to 5.
    pub importance: u8,
    /// As it was given; decimal seconds count, anything else is for ever.
    pub ttl: Option<String>,
    #[serde(rename = "updated", serialize_with = "wire::utc")]
    pub updated_ms: u64,
    /// The branch that wrote it.
    pub branch: String,
}

impl CoreValue {
    /// The line it takes of a branch's budget.
    pub fn line_chars(&self) -> u64 {
        let chars = self.key.chars().count() + ": ".len() + self.value.chars().count();
        chars as u64
    }
}

/// The values that a branch sees, by key.
///
/// The nearest branch that has anything under a key decides: where that is a deletion, or a value
/// whose time is over, the key is not seen, whatever the branches above have.
pub fn core(
    view: &MemoryView<'_>,
    branch: &str,
    now_ms: u64,
) -> Result<BTreeMap<String, CoreValue>> {
    let mut nearest: BTreeMap<String, Option<CoreValue>> = BTreeMap::new();
    for link in chain(view, branch)? {
        for row in view.core(&link.branch)? {
            if !nearest.contains_key(&row.key) {
                nearest.insert(row.key.clone(), live(row, &link.branch, now_ms));
            }
        }
    }
    Ok(nearest.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
}

/// The values that are a branch's own, by key: what counts towards its budget.
pub fn own_core(
    view: &MemoryView<'_>,
    branch: &str,
    now_ms: u64,
) -> Result<BTreeMap<String, CoreValue>> {
    let rows = view.core(branch)?.into_iter().filter_map(|row| live(row, branch, now_ms));
    Ok(rows.map(|value| (value.key.clone(), value)).collect())
}

fn live(row: StoredCore, branch: &str, now_ms: u64) -> Option<CoreValue> {
    let value = row.value?;
    if is_over(row.ttl.as_deref(), row.updated_ms, now_ms) {
        return None;
    }
    let importance = row.importance.and_then(|importance| u8::try_from(importance).ok());
    Some(CoreValue {
        key: row.key,
        value,
        importance: importance.unwrap_or(IMPORTANCE).clamp(1, 5),
        ttl: row.ttl,
        updated_ms: row.updated_ms,
        branch: branch.to_owned(),
    })
}

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

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GoneKey {
    pub branch: String,
    pub key: String,
}

/// The keys of every branch that were deleted, and those whose time is over at `now_ms`.
pub fn core_gone(view: &MemoryView<'_>, now_ms: u64) -> Result<CoreGone> {
    let mut gone = CoreGone::default();
    for branch in branches(view)? {
        for row in view.core(&branch.branch)? {
            let (count, keys) = match row.value {
                None => (&mut gone.deleted, &mut gone.deleted_keys),
                Some(_) if is_over(row.ttl.as_deref(), row.updated_ms, now_ms) => {
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
