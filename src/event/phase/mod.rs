//! Facts about the phases of a node (spec 003): what a model was asked, what was run, what came out.

mod name;
mod node;
mod of_body;
mod outcome;
mod place;

pub use name::PhaseName;
pub use node::{
    ArtifactsAccepted, ModelQueried, NodeCreated, NodeResultRecorded, VlmAnalysisCompleted,
};
pub use outcome::{PhaseCompleted, PhaseFailed};
pub use place::NodePlace;
