//! Branch memory (spec 003): the public functions, the primitives beneath, and what is above them.

pub mod archival;
pub mod care;
pub mod core;
mod event;
pub mod looks;
pub mod moves;
pub mod node;
pub mod recall;
pub mod system;

use crate::pipe::{Args, Argument, PipeError};

/// Which branch an operation is on.
const BRANCH: Argument =
    Argument::needed("branch", "text", "the branch, or a node's name").or(&["branch_id"]);
const K: Argument = Argument::maybe("k", "number", "at most so many");
const TAGS: Argument = Argument::maybe("tags", "list of texts", "tags");

fn branch(args: &mut Args) -> Result<String, PipeError> {
    args.need("branch")
}
