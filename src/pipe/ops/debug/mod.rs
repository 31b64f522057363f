//! Debug memory (spec 002): its documents, and looks at it with the contract's own queries.

pub mod sessions;

use serde::Serialize;

use crate::debug::query::{DebugFilter, DebugView, SimilarAsked};
use crate::debug::{DebugError, DebugExpired, DebugWriter, OfFile, validate};
use crate::event::{DebugSessionId, DebugStatus, ErrorType, RootCause, Sequence};
use crate::execution::query::QueryError;
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Answered, Pipe, PipeError, Rows, Time, arguments, operations};

/// What documents of a request are called.
const WHAT: &str = "documents";
const DOCUMENTS: &str =
    "JSON or YAML: one document, a list, or the schema's file with its examples";

operations! { DOCUMENTS_OPS:
    act debug_import = "take documents in: all of them, or none" {
        documents: String = DOCUMENTS,
        replace: bool = "whether one that is here and reads otherwise is replaced",
    } => |pipe| operate(
        pipe,
        |writer| writer.import(WHAT, documents.as_bytes(), replace),
        |it| it.sequence,
        |it| OfFile { file: WHAT.to_owned(), it },
    );

    act debug_export = "a debug session with everything that it rests on"
        (Session) => |session, pipe| {
            let session = session.id(pipe)?;
            operate(pipe, |writer| writer.export(session), |_| None, |it| it)
        };

    act debug_validate = "whether documents are as the schema has them" {
        documents: String = DOCUMENTS,
        strict: bool = "whether ids are UUIDs and times are times",
    } => |_pipe| {
        let checked = validate(WHAT, documents.as_bytes(), strict)?;
        Answer::list(checked.into_iter().map(|it| OfFile { file: WHAT.to_owned(), it }))
    };

    act debug_expire = "let go of the sessions that were kept as long as the settings say" {
        dry_run: bool = "only tell which",
    } => |pipe| {
        let of = |it| DebugExpired { it, expired: !dry_run };
        let of = |it: Vec<_>| it.into_iter().map(of).collect::<Vec<_>>();
        let told = operate(pipe, |writer| writer.expire(dry_run), |_| None, of)?;
        if !dry_run {
            pipe.project.journal()?.sync()?;
            pipe.recorded(1);
        }
        Ok(told)
    };
}

const ERROR_TYPE: &str = "AssertionError, TypeError … of a failure";
const LIMIT: &str = "so many at most";

operations! { LOOKS:
    act debug_list = "debug sessions, those changed last first" {
        status: Option<DebugStatus> = "in_progress, passed, failed or escalated",
        file_path: Option<String> = "the session's file",
        error_type: Option<ErrorType> = ERROR_TYPE,
        category: Option<RootCause> = "null_undefined_access, off_by_one … of an analysis",
        pattern: Option<String> = "the name of a pattern that was learnt",
        since: Option<Time> as "number or text" = "changed then or later",
        skip: Option<u32> = "so many are left out first",
        limit: Rows<20> = LIMIT,
    } => |pipe| {
        let (limit, skip) = (limit.0, skip.unwrap_or(0) as usize);
        let since_ms = since.map(|it| it.0);
        let filter = DebugFilter {
            limit, skip, status, file_path, error_type, category, pattern, since_ms,
        };
        rows(look(pipe, |view| view.list(&filter))?)
    };

    act debug_show = "a debug session's document, as the schema has it"
        (Session) => |session, pipe| {
            let session = session.known(pipe)?;
            Answer::of(&look(pipe, |view| view.document(session))?)
        };

    act debug_similar
        = "failures of other sessions that look like a session's last ones, or like one described"
        ((SimilarAsked, Similar)) => |(described, Similar { session, limit }), pipe| {
            let is_described = described != SimilarAsked::default();
            let session = match is_described && session.session_id.is_none() {
                true => None,
                false => Some(session.known(pipe)?),
            };
            rows(look(pipe, |view| {
                let asked = match session {
                    Some(session) if !is_described => {
                        let document = view.document(session)?;
                        document.as_ref().map(SimilarAsked::last_of).unwrap_or_default()
                    }
                    _ => vec![described],
                };
                view.similar(&asked, session, limit.0)
            })?)
        };

    act find_similar_failures
        = "the ten sessions changed last with a failure of a type in files like a pattern"
    {
        error_type: ErrorType = "AssertionError, TypeError …",
        file_pattern: Option<String> = "% any letters, _ one; else any file",
    } => |pipe| {
        let pattern = file_pattern.as_deref().unwrap_or("%");
        rows(look(pipe, |view| view.find_similar_failures(error_type, pattern))?)
    };

    act get_fix_templates
        = "patterns of a category whose templates helped in more than seven of ten trials"
    {
        category: String = "the patterns' category",
        limit: Rows<20> = LIMIT,
    } => |pipe| rows(look(pipe, |view| view.get_fix_templates(&category, limit.0))?);

    act recent_escalations = "escalated sessions that were changed after a time" {
        since: Option<Time> as "number or text" = "Unix milliseconds or RFC 3339; else ever",
        limit: Rows<20> = LIMIT,
    } => |pipe| {
        let since_ms = since.map_or(0, |it| it.0);
        rows(look(pipe, |view| view.recent_escalations(since_ms, limit.0))?)
    };
}

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

    struct Similar {
        session: Session,
        limit: Rows<10> = LIMIT,
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

fn rows<T: Serialize>(found: Vec<T>) -> Answered {
    Answer::list(found.into_iter().map(OfJournal::only))
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
