//! What the history says about an action, an error, a file, a symbol (spec 000).

use std::time::Duration;

use serde::Serialize;

use crate::cli::query::json;
use crate::cli::trace::json::link;
use crate::event::ExecutionId;
use crate::execution::query::{
    Action, After, CodeGraph, ExecutionChain, FileTouch, ResolutionQuery,
};
use crate::journal::clock;
use crate::output::wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const TOOL: Argument =
    Argument::needed("tool", "text", "the contract's name of it, or the agent's")
        .or(&["tool_name"]);
const LIMIT: Argument = Argument::maybe("limit", "number", "at most so many; else 20");
const BEFORE: Argument =
    Argument::maybe("before", "text", "what comes after: what `next` said of the last answer");
const CODE: Argument = Argument::needed("code", "text", "of a diagnostic without one, its level");
const FILE: Argument = Argument::maybe("file", "text", "only where it was in this file");
const REPOSITORY: Argument = Argument::maybe("repository", "text", "only what ran in this folder");
const SESSION: Argument =
    Argument::maybe("session", "text", "its id, the beginning of it, or its name");

pub const OPS: &[Op] = &[
    Op {
        name: "pattern_match",
        about: "how often the same was tried – the tool on the target – and how often it failed",
        args: &[
            TOOL,
            Argument::maybe("target", "text", "a command, a path, a symbol"),
            Argument::maybe("arguments", "object", "instead of the target"),
            Argument::maybe("threshold", "number", "only what failed at least so often: 0 to 1"),
            LIMIT,
            BEFORE,
        ],
        run: Run::Do(pattern_match),
    },
    Op {
        name: "has_failed_recently",
        about: "whether the newest call of the tool with these arguments failed, and its failures",
        args: &[
            TOOL,
            Argument::maybe("arguments", "object", "what it is to be called with"),
            Argument::maybe("within_s", "number", "not longer ago than that; else 7 days"),
        ],
        run: Run::Do(has_failed_recently),
    },
    Op {
        name: "executions_resolving_error",
        about: "checks after which a diagnostic was gone, with what changed before them",
        args: &[CODE, FILE, REPOSITORY, SESSION, LIMIT, BEFORE],
        run: Run::Do(resolving),
    },
    Op {
        name: "successful_resolutions_for_error",
        about: "the same where the check succeeded",
        args: &[CODE, FILE, REPOSITORY, SESSION, LIMIT, BEFORE],
        run: Run::Do(successful),
    },
    Op {
        name: "recurring_diagnostics",
        about: "diagnostics that come again and again",
        args: &[SESSION, LIMIT, BEFORE],
        run: Run::Do(recurring),
    },
    Op {
        name: "latest_outcome_for_file",
        about: "how the last thing went that had to do with a file",
        args: &[Argument::needed("path", "text", "its path or the end of it")],
        run: Run::Do(latest),
    },
    Op {
        name: "files_touched_by_execution",
        about: "the files that an execution is linked to in the graph",
        args: &[Argument::needed("execution", "text", "its id, a UUID").or(&["execution_id"])],
        run: Run::Do(files_touched),
    },
    Op {
        name: "execution_chain_affecting_symbol",
        about: "the executions that are linked to a symbol in the graph, in order of time",
        args: &[Argument::needed("symbol", "text", "its name"), LIMIT, BEFORE],
        run: Run::Do(chain_of_symbol),
    },
    Op {
        name: "execution_chain_of_file",
        about: "the executions that are linked to a file in the graph, in order of time",
        args: &[Argument::needed("path", "text", "from the project's root"), LIMIT, BEFORE],
        run: Run::Do(chain_of_file),
    },
];

/// Where the last page ended.
pub fn cursor(args: &mut Args) -> Result<Option<After>, PipeError> {
    match args.take::<String>("before")? {
        None => Ok(None),
        Some(text) => Ok(Some(text.parse()?)),
    }
}

/// An execution of the graph, with what it is linked to.
#[derive(Serialize)]
struct Step<'a> {
    execution: String,
    tool: &'a str,
    /// Unix milliseconds.
    timestamp: u64,
    success: bool,
    links: Vec<wire::Link>,
    links_more: bool,
}

/// A file that an execution is linked to.
#[derive(Serialize)]
struct Touched<'a> {
    path: &'a str,
    /// How it ran on it: `edit`, `read`, …; `null` where it did not.
    operation: Option<&'a str>,
    /// How it changed it: `patched`, `created`, …
    change_type: Option<&'a str>,
}

/// A page of a list, and where the next one begins.
fn page<T: Serialize>(items: &[T], next: Option<After>) -> Result<Told, PipeError> {
    let next = next.map(|next| next.to_string());
    Told::of(&serde_json::json!({ "items": items, "next": next }))
}

fn pattern_match(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let tool: String = args.need("tool")?;
    let action = match (args.take::<String>("target")?, args.has("arguments")) {
        (Some(target), false) => Action::on(tool, target).seen_from(pipe.project.root()),
        (None, true) => Action::with(tool, &args.object("arguments")?)?,
        _ => return Err(PipeError::argument("target", "give it, or arguments: one of the two")),
    };
    let threshold: f64 = args.take("threshold")?.unwrap_or(0.0);
    let (before, limit) = (cursor(&mut args)?, args.rows("limit", 20)?);
    let query = pipe.stores()?.pattern_match(&action);
    let found = query.filter_failure_rate_threshold(threshold).page(limit, before).fetch()?;
    let told: Vec<_> = found.items.iter().map(|one| json::pattern(&None, one)).collect();
    page(&told, found.next)
}

fn has_failed_recently(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    const WEEK_S: u64 = 7 * 24 * 3_600;
    let tool: String = args.need("tool")?;
    let action = Action::with(tool, &args.object("arguments")?)?;
    let within = Duration::from_secs(args.take("within_s")?.unwrap_or(WEEK_S));
    let found = pipe.stores()?.recent_failures(&action, within, clock::now_ms())?;
    Told::of(&json::recent(&None, found.as_ref()))
}

fn resolving(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let code: String = args.need("code")?;
    resolutions(pipe.stores()?.executions_resolving_error(code), args)
}

fn successful(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let code: String = args.need("code")?;
    resolutions(pipe.stores()?.successful_resolutions_for_error(code), args)
}

fn resolutions(mut query: ResolutionQuery<'_>, mut args: Args) -> Result<Told, PipeError> {
    if let Some(file) = args.take::<String>("file")? {
        query = query.with_file(file);
    }
    if let Some(folder) = args.take::<String>("repository")? {
        query = query.in_repository(folder);
    }
    if let Some(session) = args.take::<String>("session")? {
        query = query.with_session(session);
    }
    let before = cursor(&mut args)?;
    let found = query.page(args.rows("limit", 20)?, before).fetch()?;
    let told: Vec<_> = found.items.iter().map(|one| json::resolution(&None, one)).collect();
    page(&told, found.next)
}

fn recurring(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let mut query = pipe.stores()?.recurring_diagnostics();
    if let Some(session) = args.take::<String>("session")? {
        query = query.with_session(session);
    }
    let before = cursor(&mut args)?;
    let found = query.page(args.rows("limit", 20)?, before).fetch()?;
    let told: Vec<_> = found.items.iter().map(|one| json::recurring(&None, one)).collect();
    page(&told, found.next)
}

fn latest(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let path: String = args.need("path")?;
    let found = pipe.stores()?.latest_outcome_for_file(&path)?;
    let told: Vec<_> = found.iter().map(|one| json::file(&None, one)).collect();
    Told::of(&told)
}

fn files_touched(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let text: String = args.need("execution")?;
    let execution = ExecutionId::parse(&text)
        .ok_or_else(|| PipeError::argument("execution", "must be a UUID, v4 or v7"))?;
    let found = graph(pipe)?.files_touched_by_execution(execution)?;
    let touched = |one: &'_ FileTouch| {
        serde_json::json!(Touched {
            path: &one.path,
            operation: one.operation.as_deref(),
            change_type: one.change_type.as_deref(),
        })
    };
    Told::of(&found.iter().map(touched).collect::<Vec<_>>())
}

fn chain_of_symbol(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let symbol: String = args.need("symbol")?;
    chain(graph(pipe)?.execution_chain_affecting_symbol(&symbol), args)
}

fn chain_of_file(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let path: String = args.need("path")?;
    chain(graph(pipe)?.execution_chain_of_file(&path), args)
}

fn chain(query: ExecutionChain<'_>, mut args: Args) -> Result<Told, PipeError> {
    let before = cursor(&mut args)?;
    let found = query.page(args.rows("limit", 20)?, before).fetch()?;
    let steps = found.items.iter().map(|step| Step {
        execution: step.execution.execution_id.to_string(),
        tool: &step.execution.tool,
        timestamp: step.execution.timestamp,
        success: step.execution.success,
        links: step.links.iter().map(link).collect(),
        links_more: step.links_more,
    });
    page(&steps.collect::<Vec<_>>(), found.next)
}

/// The graph, where there is one: with the first execution.
fn graph<'s>(pipe: &'s mut Pipe<'_>) -> Result<&'s CodeGraph, PipeError> {
    let graph = pipe.all_stores()?.graph();
    graph.map_err(|error| PipeError::new("not_found", error.to_string()))
}
