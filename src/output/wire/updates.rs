//! What a `<memory_update>` asks for, by the first names of spec 003's table: what
//! `apply_llm_memory_updates` takes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::parse::reply;

/// What a `<memory_update>` asks for; what it does not ask for is absent.
#[derive(Debug, Default, Serialize)]
pub struct Updates<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub core: BTreeMap<&'a str, Core<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub core_get: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub core_delete: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archival: Vec<Archival<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archival_update: Vec<Change<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archival_search: Option<Search<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recall: Vec<Recall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall_search: Option<Search<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall_evict: Option<Evict<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recall_summarize: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub consolidate: bool,
}

/// A value of core memory.
#[derive(Debug, Serialize)]
pub struct Core<'a> {
    pub value: &'a str,
    pub importance: Option<u8>,
    pub ttl: Option<&'a str>,
}

/// A record to write.
#[derive(Debug, Serialize)]
pub struct Archival<'a> {
    pub text: &'a str,
    pub tags: &'a [String],
    pub meta: BTreeMap<&'a str, Vec<&'a str>>,
}

/// A record to change.
#[derive(Debug, Serialize)]
pub struct Change<'a> {
    pub id: u64,
    pub text: Option<&'a str>,
    pub tags: Option<&'a [String]>,
    pub meta: BTreeMap<&'a str, Vec<&'a str>>,
}

/// A search.
#[derive(Debug, Serialize)]
pub struct Search<'a> {
    pub query: &'a str,
    pub k: Option<u64>,
    pub tags: Option<&'a [String]>,
}

/// An event to remember.
#[derive(Debug, Serialize)]
pub struct Recall<'a> {
    pub kind: Option<&'a str>,
    pub text: &'a str,
    pub tags: &'a [String],
    pub refs: &'a [String],
    pub meta: BTreeMap<&'a str, Vec<&'a str>>,
    pub phase: Option<&'a str>,
}

/// Events that are to go.
#[derive(Debug, Serialize)]
pub struct Evict<'a> {
    pub ids: &'a [u64],
    pub kind: Option<&'a str>,
    pub oldest: u64,
}

impl<'a> Updates<'a> {
    pub fn of(updates: &'a reply::Updates) -> Self {
        let core = updates.core.iter().map(|it| {
            let (value, ttl) = (it.value.as_str(), it.ttl.as_deref());
            (it.key.as_str(), Core { value, importance: it.importance, ttl })
        });
        let archival = updates.archival.iter();
        let change = |it: &'a reply::ArchivalChange| Change {
            id: it.id,
            text: it.text.as_deref(),
            tags: it.tags.as_deref(),
            meta: meta(&it.meta),
        };
        let recall = |it: &'a reply::RecallWrite| Recall {
            kind: it.kind.as_deref(),
            text: &it.text,
            tags: &it.tags,
            refs: &it.refs,
            meta: meta(&it.meta),
            phase: it.phase.as_deref(),
        };
        let evict = updates.recall_evict.as_ref();
        let (archived, recalled) = (&updates.archival_search, &updates.recall_search);
        Self {
            core: core.collect(),
            core_get: &updates.core_get,
            core_delete: &updates.core_delete,
            archival: archival
                .map(|it| Archival { text: &it.text, tags: &it.tags, meta: meta(&it.meta) })
                .collect(),
            archival_update: updates.archival_update.iter().map(change).collect(),
            archival_search: archived.as_ref().map(|it| Search {
                query: &it.query,
                k: it.k,
                tags: Some(&it.tags),
            }),
            recall: updates.recall.iter().map(recall).collect(),
            recall_search: recalled.as_ref().map(|it| Search {
                query: &it.query,
                k: it.k,
                tags: None,
            }),
            recall_evict: evict.map(|it| Evict {
                ids: &it.ids,
                kind: it.kind.as_deref(),
                oldest: it.oldest,
            }),
            recall_summarize: updates.recall_summarize,
            consolidate: updates.consolidate,
        }
    }
}

fn meta(entries: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut told: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in entries {
        told.entry(name).or_default().push(value);
    }
    told
}
