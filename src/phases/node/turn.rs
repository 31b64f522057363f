//! One process runs a node, and one begins one, at a time.

use std::path::Path;
use std::time::Duration;

use super::PhasesError;
use crate::journal::owner::Held;
use crate::phases::NodeStory;

/// How long whoever begins a node is waited for.
const BEGIN: Duration = Duration::from_secs(30);
/// A look at the lock takes it for a moment.
const LOOK: Duration = Duration::from_millis(200);

/// Keeps every other process from running a node.
///
/// # Errors
/// Where another one runs it, or the lock cannot be taken.
pub fn own(owners: &Path, run: &str, node: &str) -> Result<Held, PhasesError> {
    let running = || PhasesError::Running { node: node.to_owned(), run: run.to_owned() };
    take(owners, &name(run, node), LOOK)?.ok_or_else(running)
}

/// Keeps every other process from beginning a node: two that are begun at once are not given one
/// branch.
///
/// # Errors
/// Where another one takes too long, or the lock cannot be taken.
pub fn begin(owners: &Path) -> Result<Held, PhasesError> {
    take(owners, "nodes", BEGIN)?.ok_or(PhasesError::Beginning)
}

/// Whether somebody runs a node now.
pub fn is_running(owners: &Path, story: &NodeStory) -> bool {
    Held::is_held(owners, &name(&story.place.experiment.run, &story.place.node))
}

fn take(owners: &Path, name: &str, within: Duration) -> Result<Option<Held>, PhasesError> {
    let failed = |source| PhasesError::Lock { path: owners.to_owned(), source };
    Held::take(owners, name, within).map_err(failed)
}

/// No two nodes have one.
fn name(run: &str, node: &str) -> String {
    let both = format!("{}/{run}{node}", run.len());
    format!("node-{}", &blake3::hash(both.as_bytes()).to_hex()[..32])
}
