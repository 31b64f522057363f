//! Facts about branch memory (spec 003): what was written, read, moved and shown, and by whom.
//!
//! What was decided is in the event: which keys had to go, which events became one summary, under
//! which number a record lies. A projector applies; it never decides.

mod archival;
mod branch;
mod care;
mod core;
mod door;
mod model;
mod of_body;
mod origin;
mod place;
mod query;
mod recall;

pub use archival::{ArchivalUpdated, ArchivalWritten};
pub use branch::{BranchForked, CopiedFrom};
pub use care::{
    Importance, ImportanceEvaluated, MemoryConsolidated, PressureChecked, PressureLevel,
};
pub use core::{CoreDeleted, CoreEvicted, CoreSet, EvictionCause};
pub use door::MemoryDoor;
pub use model::{PromptRendered, UpdatesApplied};
pub use origin::MemoryOrigin;
pub use place::{Experiment, PromptPlace};
pub use query::{MemoryQuery, MemoryRead};
pub use recall::{
    InheritedConsolidated, InheritedGroup, RecallAppended, RecallConsolidated, RecallEvicted,
    RecallGroup,
};
