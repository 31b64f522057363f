//! What the journal has of the nodes that were run.

mod branches;
mod node_story;
mod read;

pub use node_story::{NodeStory, PhaseTold, ResultTold};
pub use read::{Stories, StoryError, UNDONE};
