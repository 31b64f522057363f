//! What is in debug memory; the contract's own queries.

use super::{SESSION, known, look, word};
use crate::debug::InJournal;
use crate::debug::query::{DebugFilter, DebugSession, SimilarAsked};
use crate::event::{DebugStatus, ErrorType, RootCause};
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const ERROR_TYPE: Argument =
    Argument::maybe("error_type", "text", "AssertionError, TypeError … of a failure");
const CATEGORY: Argument =
    Argument::maybe("category", "text", "null_undefined_access, off_by_one … of an analysis");
const LIMIT: Argument = Argument::maybe("limit", "number", "so many at most");

pub const OPS: &[Op] = &[
    Op {
        name: "debug_list",
        about: "debug sessions, those changed last first",
        args: &[
            Argument::maybe("status", "text", "in_progress, passed, failed or escalated"),
            Argument::maybe("file_path", "text", "the session's file"),
            ERROR_TYPE,
            CATEGORY,
            Argument::maybe("pattern", "text", "the name of a pattern that was learnt"),
            Argument::maybe("since", "number or text", "changed then or later"),
            Argument::maybe("skip", "number", "so many are left out first"),
            LIMIT,
        ],
        run: Run::Do(debug_list),
    },
    Op {
        name: "debug_show",
        about: "a debug session's document, as the schema has it",
        args: &[SESSION],
        run: Run::Do(debug_show),
    },
    Op {
        name: "debug_similar",
        about: "failures of other sessions that look like a session's last ones, or like one described",
        args: &[
            ERROR_TYPE,
            Argument::maybe("error_message", "text", "as it was printed"),
            Argument::maybe("test_name", "text", "the test"),
            Argument::maybe("file", "text", "the source file that it comes from"),
            Argument::maybe("function", "text", "the function in it"),
            SESSION,
            LIMIT,
        ],
        run: Run::Do(debug_similar),
    },
    Op {
        name: "find_similar_failures",
        about: "the ten sessions changed last with a failure of a type in files like a pattern",
        args: &[
            Argument::needed("error_type", "text", "AssertionError, TypeError …"),
            Argument::maybe("file_pattern", "text", "% any letters, _ one; else any file"),
        ],
        run: Run::Do(find_similar_failures),
    },
    Op {
        name: "get_fix_templates",
        about: "patterns of a category whose templates helped in more than seven of ten trials",
        args: &[Argument::needed("category", "text", "the patterns' category"), LIMIT],
        run: Run::Do(get_fix_templates),
    },
    Op {
        name: "recent_escalations",
        about: "escalated sessions that were changed after a time",
        args: &[
            Argument::maybe("since", "number or text", "Unix milliseconds or RFC 3339; else ever"),
            LIMIT,
        ],
        run: Run::Do(recent_escalations),
    },
];

fn debug_list(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let skip: Option<u32> = args.take("skip")?;
    let filter = DebugFilter {
        limit: args.rows("limit", 20)?,
        skip: skip.unwrap_or(0) as usize,
        status: word(&mut args, "status", DebugStatus::parse)?,
        file_path: args.take("file_path")?,
        error_type: word(&mut args, "error_type", ErrorType::parse)?,
        category: word(&mut args, "category", RootCause::parse)?,
        pattern: args.take("pattern")?,
        since_ms: args.time("since")?,
    };
    sessions(look(pipe, |view| view.list(&filter))?)
}

fn debug_show(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let session = known(pipe, &mut args)?;
    Told::of(&look(pipe, |view| view.document(session))?)
}

fn debug_similar(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let described = SimilarAsked {
        error_type: word(&mut args, "error_type", ErrorType::parse)?,
        error_message: args.take("error_message")?,
        test_name: args.take("test_name")?,
        file: args.take("file")?,
        function: args.take("function")?,
    };
    let limit = args.rows("limit", 10)?;
    let found = if described == SimilarAsked::default() {
        let session = known(pipe, &mut args)?;
        look(pipe, |view| {
            let Some(document) = view.document(session)? else { return Ok(Vec::new()) };
            let mut failed = document.executions.iter().rev().filter_map(|it| it.failures.as_ref());
            let asked: Vec<_> =
                failed.next().into_iter().flatten().map(SimilarAsked::from).collect();
            view.similar(&asked, Some(session), limit)
        })?
    } else {
        let exclude = if args.has("session_id") { Some(known(pipe, &mut args)?) } else { None };
        look(pipe, |view| view.similar(&[described], exclude, limit))?
    };
    let told = found.into_iter().map(|it| InJournal::of(it, None));
    Told::of(&told.collect::<Vec<_>>())
}

fn find_similar_failures(
    pipe: &mut Pipe<'_>,
    _: &Caller,
    mut args: Args,
) -> Result<Told, PipeError> {
    let missing = || PipeError::argument("error_type", "is missing");
    let error_type = word(&mut args, "error_type", ErrorType::parse)?.ok_or_else(missing)?;
    let pattern: Option<String> = args.take("file_pattern")?;
    let pattern = pattern.as_deref().unwrap_or("%");
    sessions(look(pipe, |view| view.find_similar_failures(error_type, pattern))?)
}

fn get_fix_templates(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let category: String = args.need("category")?;
    let limit = args.rows("limit", 20)?;
    let found = look(pipe, |view| view.get_fix_templates(&category, limit))?;
    let told = found.into_iter().map(|it| InJournal::of(it, None));
    Told::of(&told.collect::<Vec<_>>())
}

fn recent_escalations(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let since = args.time("since")?.unwrap_or(0);
    let limit = args.rows("limit", 20)?;
    sessions(look(pipe, |view| view.recent_escalations(since, limit))?)
}

fn sessions(found: Vec<DebugSession>) -> Result<Told, PipeError> {
    let told = found.into_iter().map(|it| InJournal::of(it, None));
    Told::of(&told.collect::<Vec<_>>())
}
