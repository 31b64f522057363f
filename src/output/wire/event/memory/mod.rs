//! Events of branch memory in JSON.

mod archival;
mod branch;
mod care;
mod core;
mod model;
mod origin;
mod read;
mod recall;

use serde::Serialize;

pub use archival::Archival;
pub use branch::Branch;
pub use care::Care;
pub use core::Core;
pub use model::{Experiment, Model, PromptPlace};
pub use origin::Origin;
pub use read::Read;
pub use recall::Recall;

use crate::event::Body;
use crate::execution::replay::Contents;

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
        Body::BranchForked(b) => Memory::Branch(branch::forked(b)),
        Body::CoreSet(b) => Memory::Core(core::set(b)),
        Body::CoreDeleted(b) => Memory::Core(core::deleted(b)),
        Body::CoreEvicted(b) => Memory::Core(core::evicted(b)),
        Body::RecallAppended(b) => Memory::Recall(recall::appended(b)),
        Body::RecallEvicted(b) => Memory::Recall(recall::evicted(b)),
        Body::RecallConsolidated(b) => Memory::Recall(recall::consolidated(b)),
        Body::InheritedConsolidated(b) => Memory::Recall(recall::inherited(b)),
        Body::ArchivalWritten(b) => Memory::Archival(archival::written(b, contents)),
        Body::ArchivalUpdated(b) => Memory::Archival(archival::updated(b, contents)),
        Body::MemoryRead(b) => Memory::Read(read::read(b)),
        Body::UpdatesApplied(b) => Memory::Model(Box::new(model::applied(b))),
        Body::PromptRendered(b) => Memory::Model(Box::new(model::rendered(b, contents))),
        Body::PressureChecked(b) => Memory::Care(Box::new(care::checked(b))),
        Body::ImportanceEvaluated(b) => Memory::Care(Box::new(care::evaluated(b))),
        Body::MemoryConsolidated(b) => Memory::Care(Box::new(care::consolidated(b))),
        _ => return None,
    })
}
