//! Debug memory (spec 002): its documents, and looks at it with the contract's own queries.

pub mod sessions;

use serde::Serialize;

use crate::debug::query::{DebugFilter, DebugSession, DebugView, SimilarAsked};
use crate::debug::{DebugError, DebugExpired, DebugWriter, InJournal, OfFile, validate};
use crate::event::{DebugSessionId, DebugStatus, ErrorType, RootCause, Sequence};
use crate::execution::query::QueryError;
use crate::pipe::{Answer, Answered, Pipe, PipeError, Rows, Time, arguments, operations};

operations! { DOCUMENTS_OPS:
    act debug_import(Import) = "take documents in: all of them, or none";
    act debug_export(Session) = "a debug session with everything that it rests on";
    act debug_validate(Validate) = "whether documents are as the schema has them";
    act debug_expire(Expire)
        = "let go of the sessions that were kept as long as the settings say";
}

/// What documents of a request are called.
const WHAT: &str = "documents";
const DOCUMENTS: &str =
    "JSON or YAML: one document, a list, or the schema's file with its examples";

arguments! {
    /// The debug session that is meant.
    struct Session {
        session_id: Option<String>
            = "the debug session: its id, four digits or more of its beginning, or last; else the last",
    }

    /// An attempt of a session.
    struct OfAttempt {
        attempt: Option<u32> = "the attempt that is meant; else the last",
        session: Session,
    }

    struct Import {
        documents: String = DOCUMENTS,
        replace: bool = "whether one that is here and reads otherwise is replaced",
    }

    struct Validate {
        documents: String = DOCUMENTS,
        strict: bool = "whether ids are UUIDs and times are times",
    }

    struct Expire {
        dry_run: bool = "only tell which",
    }
}

/// Carries an operation out: one durable commit, or two where hooks run.
fn operate<T, U: Serialize>(
    pipe: &mut Pipe<'_>,
    operation: impl FnOnce(&mut DebugWriter<'_, '_>) -> Result<T, DebugError>,
    sequence: impl FnOnce(&T) -> Option<Sequence>,
    told: impl FnOnce(T) -> U,
) -> Answered {
    let session = pipe.caller.named();
    if session.is_some() {
        pipe.introduce()?;
    }
    let project = pipe.project;
    let done = operation(&mut DebugWriter::new(project, pipe.recorder(), session))?;
    let sequence = sequence(&done);
    if sequence.is_some() {
        project.journal()?.sync()?;
        pipe.recorded(1);
    }
    Ok(Answer::of(&told(done))?.at(sequence.map(|sequence| sequence.0)))
}

/// Looks at debug memory as it is.
fn look<T>(
    pipe: &mut Pipe<'_>,
    look: impl FnOnce(DebugView<'_>) -> Result<T, QueryError>,
) -> Result<T, PipeError> {
    Ok(look(pipe.stores()?.debug())?)
}

impl Session {
    fn id(&self, pipe: &mut Pipe<'_>) -> Result<DebugSessionId, PipeError> {
        let named = self.session_id.as_deref().unwrap_or("last");
        match DebugSessionId::parse(named) {
            Some(session) => Ok(session),
            None => look(pipe, |view| view.resolve(named)),
        }
    }

    /// The same where there is a document of it.
    fn known(&self, pipe: &mut Pipe<'_>) -> Result<DebugSessionId, PipeError> {
        let session = self.id(pipe)?;
        let none = || QueryError::NoDebugSession { text: session.to_string() };
        look(pipe, |view| view.session(session)?.map(|it| it.id).ok_or_else(none))
    }
}

fn debug_import(pipe: &mut Pipe<'_>, given: Import) -> Answered {
    operate(
        pipe,
        |writer| writer.import(WHAT, given.documents.as_bytes(), given.replace),
        |it| it.sequence,
        |it| OfFile { file: WHAT.to_owned(), it },
    )
}

fn debug_export(pipe: &mut Pipe<'_>, session: Session) -> Answered {
    let session = session.id(pipe)?;
    operate(pipe, |writer| writer.export(session), |_| None, |it| it)
}

fn debug_validate(_: &mut Pipe<'_>, given: Validate) -> Answered {
    let checked = validate(WHAT, given.documents.as_bytes(), given.strict)?;
    Answer::list(checked.into_iter().map(|it| OfFile { file: WHAT.to_owned(), it }))
}

fn debug_expire(pipe: &mut Pipe<'_>, Expire { dry_run }: Expire) -> Answered {
    let told = operate(
        pipe,
        |writer| writer.expire(dry_run),
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

const ERROR_TYPE: &str = "AssertionError, TypeError … of a failure";
const LIMIT: &str = "so many at most";

operations! { LOOKS:
    act debug_list(Filter) = "debug sessions, those changed last first";
    act debug_show(Session) = "a debug session's document, as the schema has it";
    act debug_similar((SimilarAsked, Similar))
        = "failures of other sessions that look like a session's last ones, or like one described";
    act find_similar_failures(Failures)
        = "the ten sessions changed last with a failure of a type in files like a pattern";
    act get_fix_templates(Templates)
        = "patterns of a category whose templates helped in more than seven of ten trials";
    act recent_escalations(Escalated) = "escalated sessions that were changed after a time";
}

arguments! {
    struct Filter {
        status: Option<DebugStatus> = "in_progress, passed, failed or escalated",
        file_path: Option<String> = "the session's file",
        error_type: Option<ErrorType> = ERROR_TYPE,
        category: Option<RootCause> = "null_undefined_access, off_by_one … of an analysis",
        pattern: Option<String> = "the name of a pattern that was learnt",
        since: Option<Time> as "number or text" = "changed then or later",
        skip: Option<u32> = "so many are left out first",
        limit: Rows<20> = LIMIT,
    }

    struct Similar {
        session: Session,
        limit: Rows<10> = LIMIT,
    }

    struct Failures {
        error_type: ErrorType = "AssertionError, TypeError …",
        file_pattern: Option<String> = "% any letters, _ one; else any file",
    }

    struct Templates {
        category: String = "the patterns' category",
        limit: Rows<20> = LIMIT,
    }

    struct Escalated {
        since: Option<Time> as "number or text" = "Unix milliseconds or RFC 3339; else ever",
        limit: Rows<20> = LIMIT,
    }
}

arguments! {
    for SimilarAsked {
        error_type: Option<ErrorType> = ERROR_TYPE,
        error_message: Option<String> = "as it was printed",
        test_name: Option<String> = "the test",
        file: Option<String> = "the source file that it comes from",
        function: Option<String> = "the function in it",
    }
}

fn debug_list(pipe: &mut Pipe<'_>, asked: Filter) -> Answered {
    let filter = DebugFilter {
        limit: asked.limit.0,
        skip: asked.skip.unwrap_or(0) as usize,
        status: asked.status,
        file_path: asked.file_path,
        error_type: asked.error_type,
        category: asked.category,
        pattern: asked.pattern,
        since_ms: asked.since.map(|it| it.0),
    };
    sessions(look(pipe, |view| view.list(&filter))?)
}

fn debug_show(pipe: &mut Pipe<'_>, session: Session) -> Answered {
    let session = session.known(pipe)?;
    Answer::of(&look(pipe, |view| view.document(session))?)
}

fn debug_similar(
    pipe: &mut Pipe<'_>,
    (described, Similar { session, limit }): (SimilarAsked, Similar),
) -> Answered {
    let is_described = described != SimilarAsked::default();
    let session = match is_described && session.session_id.is_none() {
        true => None,
        false => Some(session.known(pipe)?),
    };
    let found = look(pipe, |view| {
        let asked = match session {
            Some(session) if !is_described => {
                let Some(document) = view.document(session)? else { return Ok(Vec::new()) };
                let mut failed =
                    document.executions.iter().rev().filter_map(|it| it.failures.as_ref());
                failed.next().into_iter().flatten().map(SimilarAsked::from).collect()
            }
            _ => vec![described],
        };
        view.similar(&asked, session, limit.0)
    })?;
    Answer::list(found.into_iter().map(|it| InJournal::of(it, None)))
}

fn find_similar_failures(pipe: &mut Pipe<'_>, asked: Failures) -> Answered {
    let pattern = asked.file_pattern.as_deref().unwrap_or("%");
    sessions(look(pipe, |view| view.find_similar_failures(asked.error_type, pattern))?)
}

fn get_fix_templates(pipe: &mut Pipe<'_>, asked: Templates) -> Answered {
    let found = look(pipe, |view| view.get_fix_templates(&asked.category, asked.limit.0))?;
    Answer::list(found.into_iter().map(|it| InJournal::of(it, None)))
}

fn recent_escalations(pipe: &mut Pipe<'_>, asked: Escalated) -> Answered {
    let since_ms = asked.since.map_or(0, |it| it.0);
    sessions(look(pipe, |view| view.recent_escalations(since_ms, asked.limit.0))?)
}

fn sessions(found: Vec<DebugSession>) -> Answered {
    Answer::list(found.into_iter().map(|it| InJournal::of(it, None)))
}
