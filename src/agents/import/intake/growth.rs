//! What a hook imports of a transcript that grows.

use std::path::Path;

use indicatif::ProgressBar;

use super::files::{name, readable};
use super::{ImportRequest, Run};
use crate::agents::Agent;
use crate::agents::import::growth::Growth;
use crate::agents::import::limits::GROWTH_BYTES_MAX;
use crate::agents::import::report::ImportReport;
use crate::agents::import::stream::Feed;
use crate::agents::import::{ImportError, Result};
use crate::journal::{Project, id};

/// Imports what exactly this transcript, by an agent that is known, says of a session, from where the last hook
/// of it stopped and no further than an agent can wait for: what a hook does when its agent stops, or its
/// session ends. Gives how many bytes are left for the next one.
pub fn import_growth(
    project: &Project,
    agent: Agent,
    path: &Path,
    native_session: &str,
    ongoing: bool,
) -> Result<(ImportReport, u64)> {
    import_part(project, agent, path, native_session, (ongoing, GROWTH_BYTES_MAX))
}

/// As [`import_growth`], of about so many bytes.
pub(super) fn import_part(
    project: &Project,
    agent: Agent,
    path: &Path,
    native_session: &str,
    (ongoing, bytes_max): (bool, u64),
) -> Result<(ImportReport, u64)> {
    let (paths, session) = (vec![path.to_owned()], Some(native_session.to_owned()));
    let format = Some(agent.source());
    let request = ImportRequest { format, paths, ongoing, session, ..Default::default() };
    let mut report = ImportReport::default();
    let files = readable(&request, &mut report)?;
    let Some(file) = files.first() else { return Ok((report, 0)) };
    let session = id::session(agent.as_str(), native_session);
    let growth = Growth::of(project, session, path, (ongoing, bytes_max));
    let model = growth.mark.model.clone();
    let read = |source| ImportError::Read { path: path.to_owned(), source };
    let mut feed = Feed::grown(&files, growth).map_err(read)?;
    let mut run = Run::of(project, &request, report)?;
    run.turn_to(file.agent());
    run.ledger().resume(native_session, model);
    let names = [name(file)];
    let progress = ProgressBar::hidden();
    let ended = feed.ahead(|fed| run.take_all(fed, &files, &names, &progress))?;
    run.fed(&feed, &names, 1)?;
    ended.map_err(|it| read(it.source))?;
    let model = run.ledger().model_of(native_session);
    let growth = feed.growth();
    let is_left = growth.as_ref().is_some_and(|growth| growth.is_left);
    run.ongoing = ongoing || is_left;
    let (report, mark) = run.close()?;
    let Some(mut growth) = growth else { return Ok((report, 0)) };
    growth.mark.model = model;
    let left = if is_left { growth.left_bytes() } else { 0 };
    let journal =
        project.reader().map_err(|source| ImportError::Finish { source: source.into() })?;
    // Where it cannot be kept, the next hook reads from the beginning.
    drop(growth.save(project, session, journal.id(), mark.sequence));
    Ok((report, left))
}
