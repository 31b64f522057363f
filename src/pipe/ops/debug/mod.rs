//! Debug memory (spec 002).

pub mod documents;
pub mod looks;
pub mod sessions;
pub mod told;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::debug::query::DebugView;
use crate::debug::{DebugError, DebugWriter, given_json};
use crate::event::{DebugSessionId, Sequence};
use crate::execution::query::QueryError;
use crate::pipe::{Args, Argument, Caller, Pipe, PipeError, Told};

const SESSION: Argument = Argument::maybe(
    "session_id",
    "text",
    "the debug session: its id, four digits or more of its beginning, or last; else the last",
);
const ATTEMPT: Argument =
    Argument::maybe("attempt", "number", "the attempt that is meant; else the last");

/// Carries an operation out: one durable commit, or two where hooks run.
fn operate<T, U: Serialize>(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    operation: impl FnOnce(&mut DebugWriter<'_, '_>) -> Result<T, DebugError>,
    sequence: impl FnOnce(&T) -> Option<Sequence>,
    told: impl FnOnce(T) -> U,
) -> Result<Told, PipeError> {
    let session = caller.session.as_ref().map(|_| caller.id());
    if session.is_some() {
        pipe.introduce(caller)?;
    }
    let project = pipe.project;
    let done = operation(&mut DebugWriter::new(project, pipe.recorder(), session))?;
    let sequence = sequence(&done);
    if sequence.is_some() {
        project.journal()?.sync()?;
        pipe.recorded(1);
    }
    Ok(Told::of(&told(done))?.at(sequence.map(|sequence| sequence.0)))
}

/// Looks at debug memory as it is.
fn look<T>(
    pipe: &mut Pipe<'_>,
    look: impl FnOnce(DebugView<'_>) -> Result<T, QueryError>,
) -> Result<T, PipeError> {
    Ok(look(pipe.stores()?.debug())?)
}

/// The session that is meant.
fn session(pipe: &mut Pipe<'_>, args: &mut Args) -> Result<DebugSessionId, PipeError> {
    let named: Option<String> = args.take("session_id")?;
    let named = named.as_deref().unwrap_or("last");
    match DebugSessionId::parse(named) {
        Some(session) => Ok(session),
        None => look(pipe, |view| view.resolve(named)),
    }
}

/// A session of which there is a document.
fn known(pipe: &mut Pipe<'_>, args: &mut Args) -> Result<DebugSessionId, PipeError> {
    let session = session(pipe, args)?;
    let none = || QueryError::NoDebugSession { text: session.to_string() };
    look(pipe, |view| view.session(session)?.map(|it| it.id).ok_or_else(none))
}

/// One of the schema's words.
fn word<T>(
    args: &mut Args,
    name: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, PipeError> {
    let Some(text) = args.take::<String>(name)? else { return Ok(None) };
    let wrong = || PipeError::argument(name, "must be one of the schema's words");
    parse(&text).map(Some).ok_or_else(wrong)
}

/// JSON in the schema's shape; `None` where it is not given.
fn given<T: DeserializeOwned>(args: &mut Args, name: &str) -> Result<Option<T>, PipeError> {
    let Some(raw) = args.take_raw(name) else { return Ok(None) };
    Ok(Some(given_json(name, raw.get())?))
}

/// The same of one that must be there.
fn need_given<T: DeserializeOwned>(args: &mut Args, name: &str) -> Result<T, PipeError> {
    given(args, name)?.ok_or_else(|| PipeError::argument(name, "is missing"))
}
