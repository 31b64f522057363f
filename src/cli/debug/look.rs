//! A look at debug memory: as it is, as it was, in a copy, in several journals.

use crate::cli::{CliError, Context, feed};
use crate::debug::query::DebugView;
use crate::event::DebugSessionId;
use crate::execution::query::QueryError;

/// One journal's debug memory.
pub struct Look<'v> {
    /// The journal's name, where there are several.
    pub journal: Option<&'v str>,
    pub view: DebugView<'v>,
}

/// Looks at every journal that was asked about, as of `--at` where that was given.
///
/// # Errors
/// The look's own, and where a store can be neither read nor built.
pub fn each<T>(
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>) -> Result<Vec<T>, CliError>,
) -> Result<Vec<T>, CliError> {
    let opened = feed::open_all(context)?;
    let mut found = Vec::new();
    for one in &opened {
        found.extend(look(&Look { journal: one.name.as_deref(), view: one.stores.debug() })?);
    }
    Ok(found)
}

/// Looks at one session in every journal that has it.
///
/// # Errors
/// As [`each`]; and where no journal has it.
pub fn session<T>(
    named: &str,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, DebugSessionId) -> Result<Vec<T>, CliError>,
) -> Result<Vec<T>, CliError> {
    let (mut missing, mut is_there) = (None, false);
    let found = each(context, |one| match one.find(named) {
        Err(error @ QueryError::NoDebugSession { .. }) => {
            missing = Some(error);
            Ok(Vec::new())
        }
        found => {
            let found = found?;
            is_there = true;
            look(one, found)
        }
    })?;
    match missing {
        Some(error) if !is_there => Err(super::work::missing(error)),
        _ => Ok(found),
    }
}

impl Look<'_> {
    fn find(&self, named: &str) -> Result<DebugSessionId, QueryError> {
        let found = self.view.resolve(named)?;
        // An id that was given whole may be of no session.
        match self.view.session(found)? {
            Some(_) => Ok(found),
            None => Err(QueryError::NoDebugSession { text: named.to_owned() }),
        }
    }
}
