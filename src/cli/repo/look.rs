//! A look at what repositories remember: as it is, as it was, in a copy, in several journals.

use crate::cli::{CliError, Context, feed};
use crate::event::RepoHash;
use crate::execution::query::QueryError;
use crate::journal::{Project, Source};
use crate::repo::query::RepoView;
use crate::repo::{RepoIdentity, identify};

/// One journal's repositories, to be looked at.
pub struct Look<'v> {
    /// The journal's name, where there are several.
    pub journal: Option<&'v str>,
    pub view: RepoView<'v>,
    /// The repository that the project lies in, as it stands now; `None` of a copy, which lies
    /// elsewhere.
    pub current: Option<RepoIdentity>,
}

/// Looks at every journal that was asked about, as of `--at` where that was given.
///
/// # Errors
/// The look's own, and where a store can be neither read nor built.
pub fn each<T>(
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let currents = context.sources()?.iter().map(current).collect::<Result<Vec<_>, _>>()?;
    let opened = feed::open_all(context)?;
    let mut found = Vec::with_capacity(opened.len());
    for (one, current) in opened.iter().zip(currents) {
        let (journal, view) = (one.name.as_deref(), one.stores.repos());
        found.push(look(&Look { journal, view, current })?);
    }
    Ok(found)
}

/// Looks at one repository of every journal: the one that was named, the one that the project lies in,
/// or, of a copy, the one that was worked on last. With `None` the journal remembers nothing.
///
/// # Errors
/// As [`each`]; and where no journal has the one that was named.
pub fn repo<T>(
    named: Option<&str>,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, RepoHash) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let mut missing = None;
    let found = each(context, |one| match one.repo(named) {
        Err(CliError::Query(error @ QueryError::NoRepository { .. })) => {
            missing = Some(error);
            Ok(None)
        }
        found => found?.map(|repo| look(one, repo)).transpose(),
    })?;
    let found: Vec<T> = found.into_iter().flatten().collect();
    match missing {
        Some(error) if found.is_empty() => Err(error.into()),
        _ => Ok(found),
    }
}

impl Look<'_> {
    fn repo(&self, named: Option<&str>) -> Result<Option<RepoHash>, CliError> {
        let current = self.current.as_ref();
        match named {
            Some(prefix) => match self.view.find(prefix) {
                Err(QueryError::NoRepository { .. })
                    if current.is_some_and(|it| it.begins(prefix)) =>
                {
                    Ok(current.map(|it| it.hash))
                }
                found => Ok(Some(found?)),
            },
            None => match current {
                Some(identity) => Ok(Some(identity.hash)),
                None => Ok(self.view.repos()?.first().map(|identity| identity.repo)),
            },
        }
    }
}

/// The repository that a source lies in, where it is a project that was made here.
fn current(source: &Source) -> Result<Option<RepoIdentity>, CliError> {
    let Some(root) = source.root.as_deref() else { return Ok(None) };
    // One that cannot be opened is read as a copy is.
    match Project::open(root).is_ok_and(|project| project.is_at_home()) {
        true => Ok(Some(identify(root)?)),
        false => Ok(None),
    }
}
