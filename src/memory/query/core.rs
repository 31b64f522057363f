//! Core memory: the value of a key is the nearest branch's.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{chain, ms};
use crate::event::wire;
use crate::execution::query::QueryError;
use crate::memory::store::{MemoryView, StoredCore};

/// What a value is worth where nobody said.
const IMPORTANCE: u8 = 3;

/// A value as a branch sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoreValue {
    pub key: String,
    pub value: String,
    /// 1 (goes first) to 5.
    pub importance: u8,
    /// As it was given; decimal seconds count, anything else is for ever.
    pub ttl: Option<String>,
    /// Unix milliseconds.
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
) -> Result<BTreeMap<String, CoreValue>, QueryError> {
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
) -> Result<BTreeMap<String, CoreValue>, QueryError> {
    let rows = view.core(branch)?.into_iter().filter_map(|row| live(row, branch, now_ms));
    Ok(rows.map(|value| (value.key.clone(), value)).collect())
}

fn live(row: StoredCore, branch: &str, now_ms: u64) -> Option<CoreValue> {
    let updated_ms = ms(row.updated_at);
    let value = row.value?;
    if crate::memory::query::is_over(row.ttl.as_deref(), updated_ms, now_ms) {
        return None;
    }
    let importance = row.importance.and_then(|importance| u8::try_from(importance).ok());
    Some(CoreValue {
        key: row.key,
        value,
        importance: importance.unwrap_or(IMPORTANCE).clamp(1, 5),
        ttl: row.ttl,
        updated_ms,
        branch: branch.to_owned(),
    })
}
