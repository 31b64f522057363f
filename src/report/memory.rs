//! What was done with memory: branches, repositories, failures and their fixes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::limits::{LINE_CHARS_MAX, MEMORY_OPS_MAX};
use super::{Bounded, Text};
use crate::event::{Body, wire};

#[derive(Clone, Debug, Default, Serialize)]
pub struct MemoryUse {
    /// How often each kind of event was recorded.
    pub counts: BTreeMap<&'static str, u64>,
    /// What was written, in order.
    pub written: Bounded<MemoryOp>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MemoryOp {
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub kind: &'static str,
    /// The branch of memory; `null` where it is a repository's or a debug session's.
    pub branch: Option<String>,
    pub text: Text,
}

/// The families of kinds that are memory's: debug, branches, repositories.
const FAMILIES: [u16; 3] = [0x07, 0x08, 0x0a];

impl MemoryUse {
    pub fn note(&mut self, sequence: u64, at_ms: u64, body: &Body) {
        if !FAMILIES.contains(&(body.kind().0 >> 8)) {
            return;
        }
        let kind = body.name();
        *self.counts.entry(kind).or_default() += 1;
        let Some(text) = written(body) else { return };
        let branch = body.memory_branch().map(str::to_owned);
        let text = Text::of(&text, LINE_CHARS_MAX);
        self.written.push(MemoryOp { sequence, at_ms, kind, branch, text }, MEMORY_OPS_MAX);
    }
}

/// What an event wrote or took away; `None` where it only looked, or moved what was there.
fn written(body: &Body) -> Option<String> {
    Some(match body {
        Body::BranchForked(it) => match &it.parent {
            Some(parent) => format!("from {parent}"),
            None => String::new(),
        },
        Body::CoreSet(it) => format!("{} = {}", it.key, it.value),
        Body::CoreDeleted(it) => format!("{}: {}", it.key, it.reason),
        Body::CoreEvicted(it) => format!("{}: {}", it.key, it.cause.as_str()),
        Body::RecallAppended(it) => format!("{}: {}", it.kind, it.text),
        Body::ArchivalWritten(it) => it.text.clone(),
        Body::ArchivalUpdated(it) => it.text.clone()?,
        Body::KvPut(it) => it.key.clone(),
        Body::KvDeleted(it) => it.key.clone(),
        Body::RepoLinked(_) | Body::RepoIdentified(_) | Body::IndexStored(_) => return None,
        Body::ConventionUpserted(_)
        | Body::ConventionRemoved(_)
        | Body::DecisionRecorded(_)
        | Body::DecisionRemoved(_)
        | Body::NoteAdded(_)
        | Body::NoteRemoved(_)
        | Body::SummaryAppended(_)
        | Body::FixApplied(_)
        | Body::FixVerified(_)
        | Body::LearningExtracted(_) => fields(body),
        _ => return None,
    })
}

/// The texts of an event of a kind that has no words of its own here.
fn fields(body: &Body) -> String {
    // Serialising what was just decoded cannot fail; if it did, the kind would still be told.
    let value = serde_json::to_value(body).unwrap_or_default();
    let mut texts = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let is_name = name.ends_with("id") || name == "repo" || name.ends_with("digest");
        if let Some(text) = value.as_str().filter(|it| !it.is_empty() && !is_name) {
            texts.push(format!("{name}: {text}"));
        }
    }
    texts.join(" · ")
}
