//! Joins the memories of two repositories.

use std::collections::BTreeSet;

use super::{RepoDone, RepoError, RepoWriter, fields};
use crate::event::{Body, RepoHash, RepoLinked};
use crate::repo::query::RepoView;

impl RepoWriter<'_, '_> {
    /// Joins the memories of two repositories: whoever asks for either is given both from now on. Gives
    /// all that are one then, with which each is a hash on its own.
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
        let common = common_ids(view, repo, with)?;
        if !common.is_empty() {
            let why = format!("has ids that are here too: {}; rename one first", common.join(", "));
            return fields::refused("with", &why);
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

/// Entries of one id: of two the memory of both would tell one alone.
fn common_ids(
    view: RepoView<'_>,
    repo: RepoHash,
    with: RepoHash,
) -> Result<Vec<String>, RepoError> {
    let named = |repo| -> Result<BTreeSet<String>, RepoError> {
        let (conventions, decisions, notes) =
            (view.conventions(repo)?, view.decisions(repo)?, view.notes(repo)?);
        let conventions = conventions.iter().map(|it| format!("convention {}", it.id));
        let decisions = decisions.iter().map(|it| format!("decision {}", it.id));
        let notes = notes.iter().map(|it| format!("note {}", it.id));
        Ok(conventions.chain(decisions).chain(notes).collect())
    };
    Ok(named(repo)?.intersection(&named(with)?).cloned().collect())
}
