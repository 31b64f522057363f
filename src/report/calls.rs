//! The calls of a span, as the stores have them, in order of time.

use super::gather::Subject;
use super::limits::LINE_CHARS_MAX;
use super::text::line;
use super::turn::Call;
use crate::event::{Outcome, Sequence};
use crate::execution::query::{ExecutionSummary, LogFilter, QueryError};

/// Rows that are asked for at a time.
const PAGE: usize = 4_000;

/// Gives every call of the span, the oldest first.
pub fn each(
    subject: &Subject<'_>,
    through: Option<Sequence>,
    mut take: impl FnMut(ExecutionSummary),
) -> Result<(), QueryError> {
    let window = &subject.window;
    let only = window.sessions.as_deref().and_then(|it| match it {
        [one] => Some(one.to_string()),
        _ => None,
    });
    let filter = LogFilter {
        session: only,
        since_ms: window.from_ms,
        until_ms: window.through_ms,
        through,
        after: window.from.map(|from| Sequence(from.0.saturating_sub(1))),
        ..LogFilter::default()
    };
    let count = usize::try_from(subject.stores.log_count(&filter)?).unwrap_or(usize::MAX);
    let is_theirs = |call: &ExecutionSummary| {
        let sessions = window.sessions.as_ref();
        sessions.is_none_or(|them| call.session.is_some_and(|it| them.contains(&it)))
    };
    for page in (0..count.div_ceil(PAGE)).rev() {
        let filter = LogFilter { last: PAGE, skip: page * PAGE, ..filter.clone() };
        let found = subject.stores.log(&filter)?;
        found.executions.into_iter().filter(is_theirs).for_each(&mut take);
    }
    Ok(())
}

impl Call {
    pub fn of(call: &ExecutionSummary, files: Vec<String>) -> Self {
        let (duration_ms, is_bound) = call.took().map_or((None, false), |(ms, is)| (Some(ms), is));
        let is_well = call.outcome == Some(Outcome::Ok);
        let why = call.why().filter(|_| !is_well);
        Self {
            call: call.reference(),
            sequence: call.sequence,
            at_ms: call.at_ms,
            tool: call.tool.clone(),
            target: call.target.as_deref().map(|it| line(it, LINE_CHARS_MAX)),
            outcome: match call.is_redacted() {
                true => "redacted",
                false => call.outcome.map_or("open", Outcome::as_str),
            },
            behind_a_pipe: call.outcome == Some(Outcome::Failed) && call.told == Some(Outcome::Ok),
            why: why.map(|it| line(it, LINE_CHARS_MAX)),
            exit_code: call.exit_code,
            duration_ms,
            is_bound,
            actor: call.actor.clone(),
            files,
        }
    }
}
