//! A read of branch memory in JSON.

use serde::Serialize;

use super::Origin;
use crate::event::{MemoryQuery, MemoryRead};

/// Memory was read.
#[derive(Debug, Serialize)]
pub struct Read<'a> {
    pub branch: &'a str,
    pub query: Query<'a>,
    pub results: u64,
    pub origin: Origin<'a>,
}

/// What was asked for.
#[derive(Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Query<'a> {
    Core { keys: &'a [String] },
    Recall { query: &'a str, k: u64 },
    Archival { query: &'a str, k: u64, tags: &'a [String], include_ancestors: bool },
    Record { id: u64 },
    Node { scope: &'a str },
}

pub fn read(b: &MemoryRead) -> Read<'_> {
    let query = match &b.query {
        MemoryQuery::Core { keys } => Query::Core { keys },
        MemoryQuery::Recall { query, k } => Query::Recall { query, k: *k },
        MemoryQuery::Archival { query, k, tags, include_ancestors } => {
            Query::Archival { query, k: *k, tags, include_ancestors: *include_ancestors }
        }
        MemoryQuery::Record { id } => Query::Record { id: *id },
        MemoryQuery::Node { scope } => Query::Node { scope },
    };
    Read { branch: &b.branch, query, results: b.results, origin: Origin::of(&b.origin) }
}
