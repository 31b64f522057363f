//! Which branch of memory a node has: of its own name, or `RUN/NODE` where another run's node has that.

use super::{NodeGiven, PhasesError};
use crate::command::phases::Stories;

/// The branch of a node that is to be run; the one it has, where it was begun before.
///
/// # Errors
/// Where both names are other nodes' branches, or the longer one is too long.
pub fn branch_of(stories: &Stories, given: &NodeGiven) -> Result<String, PhasesError> {
    let (node, run) = (&given.node, &given.experiment.run);
    if let Some(story) = stories.find(Some(run), node) {
        return Ok(story.place.branch.clone());
    }
    let is_taken = |branch: &str| stories.nodes().iter().any(|it| it.place.branch == branch);
    if !is_taken(node) {
        return Ok(node.clone());
    }
    let branch = format!("{run}/{node}");
    if branch.len() > 256 || is_taken(&branch) {
        return Err(PhasesError::BranchTaken { node: node.clone(), branch });
    }
    Ok(branch)
}

/// The branch of a node of the same run; a name that is none of its nodes is a branch's own.
pub fn branch_named(stories: &Stories, run: &str, name: &str) -> String {
    let story = stories.find(Some(run), name);
    story.map_or_else(|| name.to_owned(), |story| story.place.branch.clone())
}
