//! Debug memory (spec 002).

pub mod looks;
pub mod observation;
pub mod sessions;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::debug::query::DebugView;
use crate::debug::{DebugError, DebugExpired, DebugWriter, OfFile, given_json, validate};
use crate::event::{DebugSessionId, Sequence};
use crate::execution::query::QueryError;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

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

// Documents of debug memory: taken in, given out, checked, let go of.

const TEXT: Argument = Argument::needed(
    "documents",
    "text",
    "JSON or YAML: one document, a list, or the schema's file with its examples",
);
/// What documents of a request are called.
const WHAT: &str = "documents";

pub const OPS: &[Op] = &[
    Op {
        name: "debug_import",
        about: "take documents in: all of them, or none",
        args: &[
            TEXT,
            Argument::maybe(
                "replace",
                "true or false",
                "whether one that is here and reads otherwise is replaced",
            ),
        ],
        run: Run::Do(debug_import),
    },
    Op {
        name: "debug_export",
        about: "a debug session with everything that it rests on",
        args: &[SESSION],
        run: Run::Do(debug_export),
    },
    Op {
        name: "debug_validate",
        about: "whether documents are as the schema has them",
        args: &[
            TEXT,
            Argument::maybe("strict", "true or false", "whether ids are UUIDs and times are times"),
        ],
        run: Run::Do(debug_validate),
    },
    Op {
        name: "debug_expire",
        about: "let go of the sessions that were kept as long as the settings say",
        args: &[Argument::maybe("dry_run", "true or false", "only tell which")],
        run: Run::Do(debug_expire),
    },
];

fn debug_import(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let text: String = args.need(WHAT)?;
    let replace = args.take("replace")?.unwrap_or(false);
    operate(
        pipe,
        caller,
        |writer| writer.import(WHAT, text.as_bytes(), replace),
        |it| it.sequence,
        |it| OfFile { file: WHAT.to_owned(), it },
    )
}

fn debug_export(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let session = session(pipe, &mut args)?;
    operate(pipe, caller, |writer| writer.export(session), |_| None, |it| it)
}

fn debug_validate(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let text: String = args.need(WHAT)?;
    let strict = args.take("strict")?.unwrap_or(false);
    let checked = validate(WHAT, text.as_bytes(), strict)?;
    let told = checked.into_iter().map(|it| OfFile { file: WHAT.to_owned(), it });
    Told::of(&told.collect::<Vec<_>>())
}

fn debug_expire(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let dry_run = args.take("dry_run")?.unwrap_or(false);
    let act = |writer: &mut DebugWriter<'_, '_>| writer.expire(dry_run);
    let told = operate(
        pipe,
        caller,
        act,
        |_| None,
        |it| {
            let told = it.into_iter().map(|it| DebugExpired { it, expired: !dry_run });
            told.collect::<Vec<_>>()
        },
    )?;
    if !dry_run {
        pipe.project.journal()?.sync()?;
        pipe.recorded(1);
    }
    Ok(told)
}
