//! An operation on debug memory that is recorded.

use std::path::{Component, Path, PathBuf};

use super::Result;
use crate::cli::recorded::{self, settled};
use crate::cli::{CliError, Context, Exit, catch_up};
use crate::debug::{DebugDone, DebugError, DebugWriter};
use crate::event::DebugSessionId;
use crate::execution::live_recorder;
use crate::execution::query::QueryError;
use crate::journal::Project;
use crate::output::escape;

/// The word for the session that was worked on last.
pub const LAST: &str = "last";

/// Carries an operation out, and catches the stores up.
pub fn operate<T>(
    context: &mut Context,
    operation: impl FnOnce(&mut DebugWriter<'_, '_>) -> Result<T, DebugError>,
) -> Result<T> {
    let project = context.project()?;
    operate_on(&project, context, operation)
}

/// As [`operate`], on a session: its id, the beginning of it, or `last`.
pub fn on<T>(
    session: &str,
    context: &mut Context,
    operation: impl FnOnce(&mut DebugWriter<'_, '_>, DebugSessionId) -> Result<T, DebugError>,
) -> Result<T> {
    let project = context.project()?;
    let session = find(&project, session, context)?;
    operate_on(&project, context, |writer| operation(writer, session))
}

/// As [`operate`], of a project that was opened already.
pub fn operate_on<T>(
    project: &Project,
    context: &mut Context,
    operation: impl FnOnce(&mut DebugWriter<'_, '_>) -> Result<T, DebugError>,
) -> Result<T> {
    let session = context.named_session();
    let done = {
        let mut recorder = live_recorder(project);
        operation(&mut DebugWriter::new(project, &mut recorder, session))?
    };
    settled(project, context)?;
    Ok(done)
}

/// The session that is meant: its id, the beginning of it, or `last`.
pub fn find(project: &Project, session: &str, context: &mut Context) -> Result<DebugSessionId> {
    if let Some(session) = DebugSessionId::parse(session) {
        return Ok(session);
    }
    catch_up::catch_up(project, context);
    catch_up::stores(project, context)?.debug().resolve(session).map_err(missing)
}

/// What to say of a session that is not there: nothing is the last of none.
pub fn missing(error: QueryError) -> CliError {
    match error {
        QueryError::NoDebugSession { text } if text == LAST => CliError::Refused {
            what: "there is no debug session yet: `annals debug run FILE -- COMMAND` begins one",
        },
        error => error.into(),
    }
}

/// Where a file is that was named: as it is from here where that lies in the project, else from the
/// project's root, as debug memory takes it.
pub fn place(project: &Project, given: &Path) -> PathBuf {
    let named = file(project, given);
    let goes_up = given.components().any(|part| part == Component::ParentDir);
    match Path::new(&named) == given && goes_up {
        true => given.to_owned(),
        false => project.root().join(named),
    }
}

/// The same, for a file that must be one: not a folder.
pub fn code_file(project: &Project, given: &Path) -> Result<String> {
    if !place(project, given).is_dir() {
        return Ok(file(project, given));
    }
    let field = "file_path".to_owned();
    let why = format!("is a folder, {}: name the file that is under repair", given.display());
    Err(DebugError::Field { field, why }.into())
}

/// A file as debug memory names it: from the project's root, where it lies below it.
pub fn file(project: &Project, given: &Path) -> String {
    // Without a working folder there is nothing that it could be relative to.
    let cwd = std::env::current_dir().unwrap_or_default();
    let mut whole = PathBuf::new();
    for part in cwd.join(given).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    // Either may be told through a link.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = real(project.root());
    let found = whole.strip_prefix(project.root()).or_else(|_| whole.strip_prefix(&root));
    match found
        .map(Path::to_owned)
        .or_else(|_| real(&whole).strip_prefix(&root).map(Path::to_owned))
    {
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => given.to_string_lossy().into_owned(),
    }
}

/// Prints what an operation came to: a document, or a sentence, its event and what is next.
pub fn tell(done: DebugDone, sentence: &str, next: &str, context: &mut Context) -> Result<Exit> {
    let was_done = if done.sequence.is_none() { ": nothing was changed" } else { "" };
    let at = done.sequence;
    let exit = recorded::tell(&done, &format!("{sentence}{was_done}"), at, context)?;
    if !context.output.is_json() {
        context.output.line(escape::line(&format!("Next: {next}")))?;
    }
    Ok(exit)
}
