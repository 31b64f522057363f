//! What the history says about an action, an error, a file, a symbol (spec 000).

use std::time::Duration;

use serde::Serialize;

use super::executions::{SESSION, TOOL, narrow};
use crate::cli::query::list::{FailedRecently, resolution};
use crate::event::{ExecutionId, Json};
use crate::execution::query::{
    Action, After, CodeGraph, ExecutionChain, FileTouch, Link, ResolutionQuery,
};
use crate::journal::clock;
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Answered, Page, Pipe, PipeError, arguments, operations};

operations! { OPS:
    act pattern_match(Pattern)
        = "how often the same was tried – the tool on the target – and how often it failed";
    act has_failed_recently(Recent)
        = "whether the newest call of the tool with these arguments failed, and its failures";
    act executions_resolving_error(Resolved)
        = "checks after which a diagnostic was gone, with what changed before them";
    act successful_resolutions_for_error(Resolved) = "the same where the check succeeded";
    act recurring_diagnostics(Recurring) = "diagnostics that come again and again";
    act latest_outcome_for_file(OfFile) = "how the last thing went that had to do with a file";
    act files_touched_by_execution(OfExecution)
        = "the files that an execution is linked to in the graph";
    act execution_chain_affecting_symbol(ChainOfSymbol)
        = "the executions that are linked to a symbol in the graph, in order of time";
    act execution_chain_of_file(ChainOfFile)
        = "the executions that are linked to a file in the graph, in order of time";
}

arguments! {
    struct Pattern {
        tool | tool_name: String = TOOL,
        target: Option<String> = "a command, a path, a symbol",
        arguments: Option<Json> = "instead of the target",
        threshold: Option<f64> = "only what failed at least so often: 0 to 1",
        page: Page,
    }

    struct Recent {
        tool | tool_name: String = TOOL,
        arguments: Json = "what it is to be called with",
        within_s: Option<u64> = "not longer ago than that; else 7 days",
    }

    struct Resolved {
        code: String = "of a diagnostic without one, its level",
        file: Option<String> = "only where it was in this file",
        repository: Option<String> = "only what ran in this folder",
        session: Option<String> = SESSION,
        page: Page,
    }

    struct Recurring {
        session: Option<String> = SESSION,
        page: Page,
    }

    struct OfFile {
        path: String = "its path or the end of it",
    }

    struct OfExecution {
        execution | execution_id: ExecutionId = "its id, a UUID",
    }

    struct ChainOfSymbol {
        symbol: String = "its name",
        page: Page,
    }

    struct ChainOfFile {
        path: String = "from the project's root",
        page: Page,
    }
}

/// A page of a list, and where the next one begins.
fn page<T: Serialize>(items: impl IntoIterator<Item = T>, next: Option<After>) -> Answered {
    let items: Vec<T> = items.into_iter().collect();
    let next = next.map(|next| next.to_string());
    Answer::of(&serde_json::json!({ "items": items, "next": next }))
}

fn pattern_match(pipe: &mut Pipe<'_>, asked: Pattern) -> Answered {
    let action = match (asked.target, asked.arguments) {
        (Some(target), None) => Action::on(asked.tool, target).seen_from(pipe.project.root()),
        (None, Some(arguments)) => Action::with(asked.tool, &arguments.0)?,
        _ => return Err(PipeError::argument("target", "give it, or arguments: one of the two")),
    };
    let query = pipe.stores()?.pattern_match(&action);
    let query = query.filter_failure_rate_threshold(asked.threshold.unwrap_or(0.0));
    let found = query.page(asked.page.limit.0, asked.page.before).fetch()?;
    page(found.items.into_iter().map(OfJournal::only), found.next)
}

fn has_failed_recently(pipe: &mut Pipe<'_>, asked: Recent) -> Answered {
    const WEEK_S: u64 = 7 * 24 * 3_600;
    let action = Action::with(asked.tool, &asked.arguments.0)?;
    let within = Duration::from_secs(asked.within_s.unwrap_or(WEEK_S));
    let found = pipe.stores()?.recent_failures(&action, within, clock::now_ms())?;
    Answer::of(&FailedRecently::of(None, found.as_ref()))
}

fn executions_resolving_error(pipe: &mut Pipe<'_>, asked: Resolved) -> Answered {
    let query = pipe.stores()?.executions_resolving_error(&asked.code);
    asked.list(query)
}

fn successful_resolutions_for_error(pipe: &mut Pipe<'_>, asked: Resolved) -> Answered {
    let query = pipe.stores()?.successful_resolutions_for_error(&asked.code);
    asked.list(query)
}

impl Resolved {
    fn list(self, query: ResolutionQuery<'_>) -> Answered {
        let query = narrow(query, self.file, ResolutionQuery::with_file);
        let query = narrow(query, self.repository, ResolutionQuery::in_repository);
        let query = narrow(query, self.session, ResolutionQuery::with_session);
        let found = query.page(self.page.limit.0, self.page.before).fetch()?;
        page(found.items.iter().map(resolution), found.next)
    }
}

fn recurring_diagnostics(pipe: &mut Pipe<'_>, asked: Recurring) -> Answered {
    let query = pipe.stores()?.recurring_diagnostics();
    let query = narrow(query, asked.session, |query, session| query.with_session(session));
    let found = query.page(asked.page.limit.0, asked.page.before).fetch()?;
    page(found.items.into_iter().map(OfJournal::only), found.next)
}

fn latest_outcome_for_file(pipe: &mut Pipe<'_>, of: OfFile) -> Answered {
    let found = pipe.stores()?.latest_outcome_for_file(&of.path)?;
    Answer::list(found.into_iter().map(OfJournal::only))
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

fn files_touched_by_execution(pipe: &mut Pipe<'_>, of: OfExecution) -> Answered {
    let found = graph(pipe)?.files_touched_by_execution(of.execution)?;
    let touched = |one: &'_ FileTouch| {
        serde_json::json!(Touched {
            path: &one.path,
            operation: one.operation.as_deref(),
            change_type: one.change_type.as_deref(),
        })
    };
    Answer::list(found.iter().map(touched))
}

fn execution_chain_affecting_symbol(pipe: &mut Pipe<'_>, of: ChainOfSymbol) -> Answered {
    chain(graph(pipe)?.execution_chain_affecting_symbol(&of.symbol), of.page)
}

fn execution_chain_of_file(pipe: &mut Pipe<'_>, of: ChainOfFile) -> Answered {
    chain(graph(pipe)?.execution_chain_of_file(&of.path), of.page)
}

/// An execution of the graph, with what it is linked to.
#[derive(Serialize)]
struct Step<'a> {
    execution: String,
    tool: &'a str,
    /// Unix milliseconds.
    timestamp: u64,
    success: bool,
    links: &'a [Link],
    links_more: bool,
}

fn chain(query: ExecutionChain<'_>, of: Page) -> Answered {
    let found = query.page(of.limit.0, of.before).fetch()?;
    let steps = found.items.iter().map(|step| Step {
        execution: step.execution.execution_id.to_string(),
        tool: &step.execution.tool,
        timestamp: step.execution.timestamp,
        success: step.execution.success,
        links: &step.links,
        links_more: step.links_more,
    });
    page(steps, found.next)
}

/// The graph, where there is one: with the first execution.
fn graph<'s>(pipe: &'s mut Pipe<'_>) -> Result<&'s CodeGraph, PipeError> {
    let graph = pipe.all_stores()?.graph();
    graph.map_err(|error| PipeError::new("not_found", error.to_string()))
}
