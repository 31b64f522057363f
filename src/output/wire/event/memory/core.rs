//! Events of core memory in JSON.

use serde::Serialize;

use super::Origin;
use crate::event;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Core<'a> {
    Set {
        branch: &'a str,
        key: &'a str,
        value: &'a str,
        importance: u8,
        ttl: Option<&'a str>,
        origin: Origin<'a>,
    },
    Deleted {
        branch: &'a str,
        key: &'a str,
        reason: &'a str,
        origin: Origin<'a>,
    },
    /// `record`: the archival record that has the value; `cause`: `budget` or `consolidation`.
    Evicted {
        branch: &'a str,
        key: &'a str,
        record: u64,
        importance: u8,
        cause: &'static str,
        origin: Origin<'a>,
    },
}

pub fn set(b: &event::CoreSet) -> Core<'_> {
    Core::Set {
        branch: &b.branch,
        key: &b.key,
        value: &b.value,
        importance: b.importance,
        ttl: b.ttl.as_deref(),
        origin: Origin::of(&b.origin),
    }
}

pub fn deleted(b: &event::CoreDeleted) -> Core<'_> {
    Core::Deleted {
        branch: &b.branch,
        key: &b.key,
        reason: &b.reason,
        origin: Origin::of(&b.origin),
    }
}

pub fn evicted(b: &event::CoreEvicted) -> Core<'_> {
    Core::Evicted {
        branch: &b.branch,
        key: &b.key,
        record: b.record,
        importance: b.importance,
        cause: b.cause.as_str(),
        origin: Origin::of(&b.origin),
    }
}
