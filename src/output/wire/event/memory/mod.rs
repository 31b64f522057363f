//! Events of branch memory in JSON.

mod care;
mod model;
mod read;
mod recall;

use serde::Serialize;

use super::Content;
use crate::event;
use crate::event::{Body, MemoryOrigin};
use crate::execution::replay::Contents;

pub use care::Care;
pub use model::{Experiment, Model, PromptPlace};
pub use read::Read;
pub use recall::Recall;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Memory<'a> {
    Branch(Branch<'a>),
    Core(Core<'a>),
    Recall(Recall<'a>),
    Archival(Archival<'a>),
    Read(Read<'a>),
    Model(Box<Model<'a>>),
    Care(Box<Care<'a>>),
}

/// The document of an event of branch memory; `None` of any other.
pub fn of<'a>(body: &'a Body, contents: &Contents) -> Option<Memory<'a>> {
    Some(match body {
        Body::BranchForked(b) => Memory::Branch(forked(b)),
        Body::CoreSet(b) => Memory::Core(set(b)),
        Body::CoreDeleted(b) => Memory::Core(deleted(b)),
        Body::CoreEvicted(b) => Memory::Core(evicted(b)),
        Body::RecallAppended(b) => Memory::Recall(recall::appended(b)),
        Body::RecallEvicted(b) => Memory::Recall(recall::evicted(b)),
        Body::RecallConsolidated(b) => Memory::Recall(recall::consolidated(b)),
        Body::InheritedConsolidated(b) => Memory::Recall(recall::inherited(b)),
        Body::ArchivalWritten(b) => Memory::Archival(written(b, contents)),
        Body::ArchivalUpdated(b) => Memory::Archival(updated(b, contents)),
        Body::MemoryRead(b) => Memory::Read(read::read(b)),
        Body::UpdatesApplied(b) => Memory::Model(Box::new(model::applied(b))),
        Body::PromptRendered(b) => Memory::Model(Box::new(model::rendered(b, contents))),
        Body::PressureChecked(b) => Memory::Care(Box::new(care::checked(b))),
        Body::ImportanceEvaluated(b) => Memory::Care(Box::new(care::evaluated(b))),
        Body::MemoryConsolidated(b) => Memory::Care(Box::new(care::consolidated(b))),
        _ => return None,
    })
}

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

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Archival<'a> {
    /// `whole`: all of the text, where it had to be cut.
    Written {
        id: u64,
        branch: &'a str,
        text: &'a str,
        tags: &'a [String],
        whole: Option<Content>,
        origin: Origin<'a>,
    },
    /// What is `null` stays as it was.
    Updated {
        id: u64,
        branch: &'a str,
        text: Option<&'a str>,
        tags: Option<&'a [String]>,
        whole: Option<Content>,
        origin: Origin<'a>,
    },
}

pub fn written<'a>(b: &'a event::ArchivalWritten, contents: &Contents) -> Archival<'a> {
    Archival::Written {
        id: b.id,
        branch: &b.branch,
        text: &b.text,
        tags: &b.tags,
        whole: b.whole.as_ref().map(|whole| Content::of(whole, contents)),
        origin: Origin::of(&b.origin),
    }
}

pub fn updated<'a>(b: &'a event::ArchivalUpdated, contents: &Contents) -> Archival<'a> {
    Archival::Updated {
        id: b.id,
        branch: &b.branch,
        text: b.text.as_deref(),
        tags: b.tags.as_deref(),
        whole: b.whole.as_ref().map(|whole| Content::of(whole, contents)),
        origin: Origin::of(&b.origin),
    }
}

/// A branch began.
#[derive(Debug, Serialize)]
pub struct Branch<'a> {
    pub branch: &'a str,
    pub parent: Option<&'a str>,
    pub node: Option<&'a str>,
    pub auto_created: bool,
    pub copied_from: Option<CopiedFrom<'a>>,
    pub origin: Origin<'a>,
}

/// A branch as it was seen after one event.
#[derive(Debug, Serialize)]
pub struct CopiedFrom<'a> {
    pub branch: &'a str,
    pub through_sequence: u64,
}

pub fn forked(b: &event::BranchForked) -> Branch<'_> {
    Branch {
        branch: &b.branch,
        parent: b.parent.as_deref(),
        node: b.node.as_deref(),
        auto_created: b.auto_created,
        copied_from: b.copied_from.as_ref().map(|from| CopiedFrom {
            branch: &from.branch,
            through_sequence: from.through_sequence,
        }),
        origin: Origin::of(&b.origin),
    }
}

/// Who asked, and during what.
#[derive(Debug, Serialize)]
pub struct Origin<'a> {
    /// `primitive`, `api`, `model`, `internal` or `import`.
    pub by: &'static str,
    pub run: Option<&'a str>,
    pub node: Option<&'a str>,
    pub phase: Option<&'a str>,
    pub execution: Option<String>,
}

impl<'a> Origin<'a> {
    pub fn of(origin: &'a MemoryOrigin) -> Self {
        Self {
            by: origin.by.as_str(),
            run: origin.run.as_deref(),
            node: origin.node.as_deref(),
            phase: origin.phase.as_deref(),
            execution: origin.execution.map(|id| id.to_string()),
        }
    }
}
