//! Executions: lists of them, and one whole (spec 000).

use crate::cli::journals::Readings;
use crate::cli::rows;
use crate::execution::query::{After, ExecutionQuery, LogFilter, Reference};
use crate::journal::Reading;
use crate::pipe::{Answer, Answered, Rows, Time, arguments, operations};

pub const TOOL: &str = "the contract's name of it, or the agent's";
pub const SESSION: &str = "its id, the beginning of it, or its name";
const TIME: &str = "Unix milliseconds or RFC 3339";

operations! { OPS:
    act query_executions
        = "executions that a filter lets through, in order of time; not those that were corrected"
    {
        last: Rows<20> = "at most so many, the newest; else 20",
        session: Option<String> = SESSION,
        tool | tool_name: Option<String> = TOOL,
        path: Option<String> = "a file or a folder",
        failed: bool = "only what ran and failed",
        grep: Option<String> = "a text in target, arguments, output or error",
        since | after_timestamp: Option<Time> = TIME,
        until | before_timestamp: Option<Time> = TIME,
    } => |pipe| {
        let (since_ms, until_ms) = (since.map(|it| it.0), until.map(|it| it.0));
        let narrowed = LogFilter { session, tool, path, failed, grep, ..LogFilter::default() };
        let filter = LogFilter { last: last.0, since_ms, until_ms, ..narrowed };
        let page = pipe.stores()?.log(&filter)?;
        Answer::of(&serde_json::json!({ "executions": page.executions, "more": page.more }))
    };

    act execution = "one execution whole: arguments, output, diagnostics, paths" {
        reference: serde_json::Value as "text or number" = "142, @4711, a UUID, last",
    } => |pipe| {
        // A number is its ordinal, as in a text.
        let text = reference.as_str().map_or_else(|| reference.to_string(), str::to_owned);
        let found = pipe.stores()?.show(&Reference::parse(&text)?)?;
        let readings = Readings::of(&pipe.project.journal_dir(), Reading::Live, &found);
        Answer::of(&rows::Detail::of(&found, &readings)?)
    };

    act failed_executions = "executions that ran and failed, the newest first"
        (Narrowed) => |asked, pipe| asked.list(pipe.stores()?.all_failed_executions());

    act executions_producing_diagnostic
        = "executions with a diagnostic of this code, of those without a code of this level"
    {
        code: String = "E0425, unused_variables, error, …",
        narrowed: Narrowed,
    } => |pipe| narrowed.list(pipe.stores()?.executions_producing_diagnostic(code));
}

arguments! {
    struct Narrowed {
        tool | tool_name: Option<String> = TOOL,
        symbol: Option<String> = "only what was about this symbol",
        file: Option<String> = "only what had to do with it: its path or the end of it",
        path: Option<String> = "a file or a folder",
        session: Option<String> = SESSION,
        since | after_timestamp: Option<Time> = TIME,
        until | before_timestamp: Option<Time> = TIME,
        limit: Rows<20> = "at most so many, the newest; else 20",
        before: Option<After> = "earlier ones: what `next` said of the last answer",
    }
}

impl Narrowed {
    /// A page of what they narrow a question to.
    fn list(self, query: ExecutionQuery<'_>) -> Answered {
        let query = narrow(query, self.tool, ExecutionQuery::with_tool);
        let query = narrow(query, self.symbol, ExecutionQuery::with_symbol);
        let query = narrow(query, self.file, ExecutionQuery::with_file);
        let query = narrow(query, self.path, ExecutionQuery::with_path);
        let query = narrow(query, self.session, ExecutionQuery::with_session);
        let query = narrow(query, self.since.map(|it| it.0), ExecutionQuery::after_timestamp);
        let query = narrow(query, self.until.map(|it| it.0), ExecutionQuery::before_timestamp);
        let page = query.page(self.limit.0, self.before).fetch()?;
        let next = page.next.map(|next| next.to_string());
        Answer::of(&serde_json::json!({ "executions": page.items, "next": next }))
    }
}

/// Narrows a question, where it is to be.
pub fn narrow<Q, T>(query: Q, to: Option<T>, by: impl FnOnce(Q, T) -> Q) -> Q {
    match to {
        Some(to) => by(query, to),
        None => query,
    }
}
