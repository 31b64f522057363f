//! What a repository remembers, as it is.

use super::{RepoError, RepoWriter, identify};
use crate::event::RepoHash;
use crate::execution::AskedStores;
use crate::repo::query::{RepoMemory, Summary};
use crate::store::evidence::Cache;

impl RepoWriter<'_, '_> {
    /// What a repository remembers; of the project's own it may be nothing.
    pub fn memory(&self, repo: Option<RepoHash>) -> Result<RepoMemory, RepoError> {
        let stores = AskedStores::of(self.project, &Cache::of_user())?;
        let view = stores.repos();
        let repo = self.whose(repo, view)?.repo;
        match view.memory(repo)? {
            Some(memory) => Ok(memory),
            None => Ok(identify(self.project.root())?.remembers_nothing()),
        }
    }

    /// The newest summaries of a repository, the oldest of them first.
    pub fn summaries(
        &self,
        repo: Option<RepoHash>,
        newest: usize,
    ) -> Result<Vec<Summary>, RepoError> {
        let stores = AskedStores::of(self.project, &Cache::of_user())?;
        let view = stores.repos();
        let repo = self.whose(repo, view)?.repo;
        Ok(view.summaries(repo, newest)?)
    }
}
