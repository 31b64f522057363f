//! Context packs of a project: its tree is looked at first, and a pack that was made of the same is
//! told again.
//!
//! What is kept between two packs lies in `.annals/packs/` and is derived: it may be deleted at any
//! time, and nothing of it is believed that does not say whose it is.

mod error;
mod kept;
mod key;
mod refresh;

#[cfg(test)]
mod tests;

use crate::execution::AskedStores;
use crate::journal::Project;
use crate::repo::pack::{PackAsked, PackSession, PackTold};
use crate::store::evidence::Cache;

pub use error::ContextError;
pub use kept::KeptPacks;
pub use key::PackKey;
pub use refresh::{TreeSeen, refresh_tree};

/// What a caller of the library asks a pack for; what is not said is as the settings have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextAsked {
    /// Of the text, Unicode scalar values.
    pub chars_max: Option<usize>,
    /// From the repository's top.
    pub paths: Vec<String>,
    /// Another repository: its hash, or the beginning of it.
    pub repo: Option<String>,
    /// Its id, the beginning of it, or the agent's own name; else the newest.
    pub session: Option<String>,
    pub summaries_max: Option<usize>,
    /// The map of the tree is neither looked at nor told.
    pub no_map: bool,
}

/// The context pack of a project, as it stands: its tree is looked at, and what has changed in it is
/// recorded, before anything is told. `build` tells one build of the program from another.
///
/// # Errors
/// Where the project cannot be asked, or its journal came with a clone and was not allowed. That its tree could not be looked at is no error: the pack has
/// the map as it was recorded last.
pub fn context(
    project: &Project,
    asked: &ContextAsked,
    build: &str,
) -> Result<PackTold, ContextError> {
    project.must_be_believed()?;
    let session = match &asked.session {
        Some(name) => PackSession::Named(name.clone()),
        None => PackSession::Newest,
    };
    let at_home = project.is_at_home();
    let settings = &project.config().repo;
    let most = |given: Option<usize>, set: u64| {
        given.unwrap_or_else(|| usize::try_from(set).unwrap_or(usize::MAX))
    };
    let current = at_home.then(|| crate::repo::identify(project.root())).transpose()?;
    let asked = PackAsked {
        repo: asked.repo.clone(),
        current: current.map(|current| current.hash),
        session,
        chars_max: most(asked.chars_max, settings.context_max_chars),
        paths: asked.paths.clone(),
        summaries_max: most(asked.summaries_max, settings.context_summaries),
        map: !asked.no_map,
    };
    if !at_home {
        return Ok(stores(project)?.context(&asked)?);
    }
    // Where it cannot be looked at, what was recorded last is told.
    let seen = asked.map.then(|| refresh_tree(project).ok()).flatten();
    let seen = seen.map(|seen| seen.inputs);
    let kept = KeptPacks::of(project);
    let key = PackKey::of(project, &asked, seen, build)?;
    if let Some(told) = kept.find(&key) {
        return Ok(told);
    }
    let told = stores(project)?.context(&asked)?;
    kept.keep(&key, &told);
    Ok(told)
}

/// The stores, caught up. One that lags tells what it knows: why it does, `status` says.
fn stores(project: &Project) -> Result<AskedStores, ContextError> {
    Ok(AskedStores::of(project, &Cache::of_user())?)
}
