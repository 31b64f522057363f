//! Joins the memories of two repositories.

use super::{RepoDone, RepoError, RepoWriter, fields};
use crate::event::{Body, RepoHash, RepoLinked};
use crate::query::repo::RepoView;

impl RepoWriter<'_, '_> {
    /// Joins the memories of two repositories: whoever asks for either is given both from now on. Gives
    /// all that are one then, with which each is a hash on its own.
    ///
    /// # Errors
    /// Where one is not known, or both are the same.
    pub fn link(
        &mut self,
        repo: Option<RepoHash>,
        with: RepoHash,
    ) -> Result<RepoDone<Vec<RepoHash>>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let other = self.whose(Some(with), view)?;
        let repo = whose.repo;
        if repo == other.repo {
            return fields::refused("with", "is the repository itself: name another one");
        }
        let family = view.family(repo)?;
        if family.contains(&with) {
            return Ok(RepoDone { done: family, repo, sequence: None });
        }
        drop(index);
        let told = [whose.identified, other.identified].into_iter().flatten();
        let linked = Body::RepoLinked(RepoLinked { repo, with });
        let sequence = self.commit(told.chain([linked]).collect())?;
        let found = self.index().and_then(|index| Ok(RepoView::of(&index).family(repo)?));
        let done = found.map_err(|source| RepoError::Unread {
            sequence: sequence.map_or(0, |sequence| sequence.0),
            source: Box::new(source),
        })?;
        Ok(RepoDone { done, repo, sequence })
    }
}
