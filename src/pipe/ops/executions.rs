//! Executions: lists of them, and one whole (spec 000).

use crate::cli::query::json;
use crate::cli::readings::Readings;
use crate::cli::rows;
use crate::execution::query::{ExecutionQuery, LogFilter, Reference};
use crate::journal::Reading;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const LIMIT: Argument = Argument::maybe("limit", "number", "at most so many, the newest; else 20");
const SESSION: Argument =
    Argument::maybe("session", "text", "its id, the beginning of it, or its name");
const TOOL: Argument =
    Argument::maybe("tool", "text", "the contract's name of it, or the agent's").or(&["tool_name"]);
const SYMBOL: Argument = Argument::maybe("symbol", "text", "only what was about this symbol");
const FILE: Argument =
    Argument::maybe("file", "text", "only what had to do with it: its path or the end of it");
const PATH: Argument = Argument::maybe("path", "text", "a file or a folder");
const SINCE: Argument =
    Argument::maybe("since", "time", "Unix milliseconds or RFC 3339").or(&["after_timestamp"]);
const UNTIL: Argument =
    Argument::maybe("until", "time", "Unix milliseconds or RFC 3339").or(&["before_timestamp"]);
const BEFORE: Argument =
    Argument::maybe("before", "text", "earlier ones: what `next` said of the last answer");

pub const OPS: &[Op] = &[
    Op {
        name: "query_executions",
        about: "executions that a filter lets through, in order of time; not those that were corrected",
        args: &[
            Argument::maybe("last", "number", "at most so many, the newest; else 20"),
            SESSION,
            TOOL,
            PATH,
            Argument::maybe("failed", "true or false", "only what ran and failed"),
            Argument::maybe("grep", "text", "a text in target, arguments, output or error"),
            SINCE,
            UNTIL,
        ],
        run: Run::Do(query_executions),
    },
    Op {
        name: "execution",
        about: "one execution whole: arguments, output, diagnostics, paths",
        args: &[Argument::needed("reference", "text or number", "142, @4711, a UUID, last")],
        run: Run::Do(execution),
    },
    Op {
        name: "failed_executions",
        about: "executions that ran and failed, the newest first",
        args: &[TOOL, SYMBOL, FILE, PATH, SESSION, SINCE, UNTIL, LIMIT, BEFORE],
        run: Run::Do(failed),
    },
    Op {
        name: "executions_producing_diagnostic",
        about: "executions with a diagnostic of this code, of those without a code of this level",
        args: &[
            Argument::needed("code", "text", "E0425, unused_variables, error, …"),
            TOOL,
            SYMBOL,
            FILE,
            PATH,
            SESSION,
            SINCE,
            UNTIL,
            LIMIT,
            BEFORE,
        ],
        run: Run::Do(producing),
    },
];

fn query_executions(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let filter = LogFilter {
        last: args.rows("last", 20)?,
        session: args.take("session")?,
        tool: args.take("tool")?,
        path: args.take("path")?,
        failed: args.take("failed")?.unwrap_or(false),
        grep: args.take("grep")?,
        since_ms: args.time("since")?,
        until_ms: args.time("until")?,
        ..LogFilter::default()
    };
    let page = pipe.stores()?.log(&filter)?;
    let executions: Vec<_> = page.executions.iter().map(rows::execution).collect();
    Told::of(&serde_json::json!({ "executions": executions, "more": page.more }))
}

fn execution(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let raw = args.take_raw("reference");
    let raw = raw.as_deref().map_or("", |raw| raw.get());
    // A number is its ordinal, as in a text.
    let text = serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned());
    let found = pipe.stores()?.show(&Reference::parse(&text)?)?;
    let readings = Readings::of(&pipe.project.journal_dir(), Reading::Live, &found);
    Told::of(&rows::detail(&found, &readings)?)
}

fn failed(pipe: &mut Pipe<'_>, _: &Caller, args: Args) -> Result<Told, PipeError> {
    let query = pipe.stores()?.all_failed_executions();
    list(query, args)
}

fn producing(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let code: String = args.need("code")?;
    let query = pipe.stores()?.executions_producing_diagnostic(code);
    list(query, args)
}

/// A page of what the arguments narrow a question to.
fn list(mut query: ExecutionQuery<'_>, mut args: Args) -> Result<Told, PipeError> {
    if let Some(tool) = args.take::<String>("tool")? {
        query = query.with_tool(tool);
    }
    if let Some(symbol) = args.take::<String>("symbol")? {
        query = query.with_symbol(symbol);
    }
    if let Some(file) = args.take::<String>("file")? {
        query = query.with_file(file);
    }
    if let Some(path) = args.take::<String>("path")? {
        query = query.with_path(path);
    }
    if let Some(session) = args.take::<String>("session")? {
        query = query.with_session(session);
    }
    if let Some(at_ms) = args.time("since")? {
        query = query.after_timestamp(at_ms);
    }
    if let Some(at_ms) = args.time("until")? {
        query = query.before_timestamp(at_ms);
    }
    let before = super::history::cursor(&mut args)?;
    let page = query.page(args.rows("limit", 20)?, before).fetch()?;
    let items: Vec<_> = page.items.iter().map(|row| json::execution(&None, row)).collect();
    let next = page.next.map(|next| next.to_string());
    Told::of(&serde_json::json!({ "executions": items, "next": next }))
}
