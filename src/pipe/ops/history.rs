//! What the history says about an action, an error, a file, a symbol (spec 000).

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::executions::{SESSION, TOOL, narrow};
use crate::cli::query::list::{FailedRecently, resolution};
use crate::event::{ExecutionId, Json};
use crate::execution::query::{
    Action, After, CodeGraph, ExecutionChain, FileTouch, ResolutionQuery,
};
use crate::journal::clock;
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Answered, Page, Pipe, PipeError, arguments, operations};

operations! { OPS:
    act pattern_match
        = "how often the same was tried – the tool on the target – and how often it failed"
    {
        tool | tool_name: String = TOOL,
        target: Option<String> = "a command, a path, a symbol",
        arguments: Option<Json> = "instead of the target",
        threshold: Option<f64> = "only what failed at least so often: 0 to 1",
        page: Page,
    } => |pipe| {
        let action = match (target, arguments) {
            (Some(target), None) => Action::on(tool, target).seen_from(pipe.project.root()),
            (None, Some(arguments)) => Action::with(tool, &arguments.0)?,
            _ => {
                let what = "give it, or arguments: one of the two";
                return Err(PipeError::argument("target", what));
            }
        };
        let query = pipe.stores()?.pattern_match(&action);
        let query = query.filter_failure_rate_threshold(threshold.unwrap_or(0.0));
        let found = query.page(page.limit.0, page.before).fetch()?;
        paged(found.items.into_iter().map(OfJournal::only), found.next)
    };

    act has_failed_recently
        = "whether the newest call of the tool with these arguments failed, and its failures"
    {
        tool | tool_name: String = TOOL,
        arguments: Json = "what it is to be called with",
        within_s: Option<u64> = "not longer ago than that; else 7 days",
    } => |pipe| {
        let action = Action::with(tool, &arguments.0)?;
        let within = Duration::from_secs(within_s.unwrap_or(WEEK_S));
        let found = pipe.stores()?.recent_failures(&action, within, clock::now_ms())?;
        Answer::of(&FailedRecently::of(None, found.as_ref()))
    };

    act executions_resolving_error
        = "checks after which a diagnostic was gone, with what changed before them"
        (Resolved) => |asked, pipe| {
            let query = pipe.stores()?.executions_resolving_error(&asked.code);
            asked.list(query)
        };

    act successful_resolutions_for_error = "the same where the check succeeded"
        (Resolved) => |asked, pipe| {
            let query = pipe.stores()?.successful_resolutions_for_error(&asked.code);
            asked.list(query)
        };

    act recurring_diagnostics = "diagnostics that come again and again" {
        session: Option<String> = SESSION,
        page: Page,
    } => |pipe| {
        let query = pipe.stores()?.recurring_diagnostics();
        let query = narrow(query, session, |query, session| query.with_session(session));
        let found = query.page(page.limit.0, page.before).fetch()?;
        paged(found.items.into_iter().map(OfJournal::only), found.next)
    };

    act latest_outcome_for_file = "how the last thing went that had to do with a file" {
        path: String = "its path or the end of it",
    } => |pipe| {
        let found = pipe.stores()?.latest_outcome_for_file(&path)?;
        Answer::list(found.into_iter().map(OfJournal::only))
    };

    act files_touched_by_execution
        = "the files that an execution is linked to in the graph"
    {
        execution | execution_id: ExecutionId = "its id, a UUID",
    } => |pipe| {
        // How it ran on it, `null` where it did not; how it changed it.
        let touched = |it: &FileTouch| {
            let (operation, change_type) = (&it.operation, &it.change_type);
            json!({ "path": it.path, "operation": operation, "change_type": change_type })
        };
        let found = graph(pipe)?.files_touched_by_execution(execution)?;
        Answer::list(found.iter().map(touched))
    };

    act execution_chain_affecting_symbol
        = "the executions that are linked to a symbol in the graph, in order of time"
    {
        symbol: String = "its name",
        page: Page,
    } => |pipe| chain(graph(pipe)?.execution_chain_affecting_symbol(&symbol), page);

    act execution_chain_of_file
        = "the executions that are linked to a file in the graph, in order of time"
    {
        path: String = "from the project's root",
        page: Page,
    } => |pipe| chain(graph(pipe)?.execution_chain_of_file(&path), page);
}

const WEEK_S: u64 = 7 * 24 * 3_600;

arguments! {
    struct Resolved {
        code: String = "of a diagnostic without one, its level",
        file: Option<String> = "only where it was in this file",
        repository: Option<String> = "only what ran in this folder",
        session: Option<String> = SESSION,
        page: Page,
    }
}

impl Resolved {
    fn list(self, query: ResolutionQuery<'_>) -> Answered {
        let query = narrow(query, self.file, ResolutionQuery::with_file);
        let query = narrow(query, self.repository, ResolutionQuery::in_repository);
        let query = narrow(query, self.session, ResolutionQuery::with_session);
        let found = query.page(self.page.limit.0, self.page.before).fetch()?;
        paged(found.items.iter().map(resolution), found.next)
    }
}

/// A page of a list, and where the next one begins.
fn paged<T: Serialize>(items: impl IntoIterator<Item = T>, next: Option<After>) -> Answered {
    let items: Vec<T> = items.into_iter().collect();
    let next = next.map(|next| next.to_string());
    Answer::of(&json!({ "items": items, "next": next }))
}

/// Executions of the graph, each with what it is linked to.
fn chain(query: ExecutionChain<'_>, of: Page) -> Answered {
    let found = query.page(of.limit.0, of.before).fetch()?;
    let steps = found.items.iter().map(|step| {
        let one = &step.execution;
        json!({
            "execution": one.execution_id.to_string(),
            "tool": one.tool,
            "timestamp": one.timestamp,
            "success": one.success,
            "links": step.links,
            "links_more": step.links_more,
        })
    });
    paged(steps, found.next)
}

/// The graph, where there is one: with the first execution.
fn graph<'s>(pipe: &'s mut Pipe<'_>) -> Result<&'s CodeGraph, PipeError> {
    let graph = pipe.all_stores()?.graph();
    graph.map_err(|error| PipeError::new("not_found", error.to_string()))
}
