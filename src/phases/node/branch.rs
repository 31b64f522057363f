//! Which branch of memory a node has: of its own name, or `RUN/NODE` where another run's node has that;
//! with `/2` and so on where it was begun before.

use super::{NodeGiven, PhasesError};
use crate::phases::Stories;

/// The branch of a node that is to be run. An attempt that was cut short keeps what it remembered on
/// its own branch: nothing of it is carried into the next.
///
/// # Errors
/// Where both names are other nodes' branches, or the longer one is too long.
pub fn branch_of(stories: &Stories, given: &NodeGiven) -> Result<String, PhasesError> {
    let (node, run) = (&given.node, &given.experiment.run);
    let is_taken = |branch: &str| stories.nodes().iter().any(|it| it.place.branch == branch);
    let long = format!("{run}/{node}");
    let branch = match stories.find(Some(run), node) {
        Some(before) => {
            let first = if before.place.branch.starts_with(&long) { &long } else { node };
            let is_free = |branch: &String| !is_taken(branch) && !stories.has_branch(branch);
            let next = (2_u64..).map(|attempt| format!("{first}/{attempt}")).find(is_free);
            next.unwrap_or_default()
        }
        None if !is_taken(node) => return Ok(node.clone()),
        None if is_taken(&long) => {
            return Err(PhasesError::BranchTaken { node: node.clone(), branch: long });
        }
        None => long,
    };
    if branch.len() > 256 {
        return Err(PhasesError::BranchTaken { node: node.clone(), branch });
    }
    Ok(branch)
}

/// The branch of a node of the same run; a name that is none of its nodes is a branch's own.
pub fn branch_named(stories: &Stories, run: &str, name: &str) -> String {
    let story = stories.find(Some(run), name);
    story.map_or_else(|| name.to_owned(), |story| story.place.branch.clone())
}
