//! `memory_query`: the timeline, read: what a mutation needs before it (spec 001).

use serde::Deserialize;
use serde_json::{Value, json};

use super::{lines, read};
use crate::execution::{AskedStores, Contradiction};
use crate::grounding::timeline::{
    MemoryAnswer, MemoryQuery, MemoryTopic, TimelineEntry, TimelinePosition, TimelineScope,
};
use crate::grounding::tools::{
    Bench, Given, Parameter, ParameterKind, Result, ToolError, ToolSpec,
};
use crate::journal::{Project, clock};
use crate::store::catch_up::catch_up;
use crate::store::doubt::settle_project;
use crate::store::evidence::Cache;
use crate::store::{JournalFeed, StorePlaces};

const NAME: &str = "memory_query";
const BLOCK_CHARS_MAX: usize = 16_000;

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Ask what happened: the read that every change needs before it",
    parameters: &[
        Parameter::optional(
            "query",
            ParameterKind::Text,
            "As spec 001 writes it: timeline_summary, last=10",
        ),
        Parameter::optional("timeline_summary", ParameterKind::Flag, "Where one stands"),
        Parameter::optional("tool", ParameterKind::Text, "Only executions of this tool"),
        Parameter::optional("success", ParameterKind::Flag, "Only what succeeded; =false: failed"),
        Parameter::optional("after_id", ParameterKind::Number, "Only after this execution"),
        Parameter::optional("before_id", ParameterKind::Number, "Only before this execution"),
        Parameter::optional("last", ParameterKind::Number, "How many, the newest"),
        Parameter::optional("path", ParameterKind::Text, "Only what was about this file"),
        Parameter::optional("symbol", ParameterKind::Text, "Only what was about this symbol"),
        Parameter::optional("diagnostic", ParameterKind::Text, "Only with this diagnostic: E0425"),
        Parameter::optional("session", ParameterKind::Text, "Of another session"),
        Parameter::optional("project", ParameterKind::Flag, "Of all sessions"),
    ],
    run,
    program: None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default, alias = "query_type", alias = "topic")]
    query: Option<String>,
    #[serde(default)]
    timeline_summary: bool,
    #[serde(default, alias = "tool_name")]
    tool: Option<String>,
    success: Option<bool>,
    after_id: Option<u64>,
    before_id: Option<u64>,
    #[serde(default, alias = "n", alias = "limit")]
    last: Option<usize>,
    #[serde(default, alias = "file", alias = "file_path")]
    path: Option<String>,
    symbol: Option<String>,
    #[serde(default, alias = "code")]
    diagnostic: Option<String>,
    session: Option<String>,
    #[serde(default)]
    project: bool,
}

impl Arguments {
    fn query(self) -> Result<MemoryQuery> {
        let mut query = match &self.query {
            Some(text) => MemoryQuery::parse(text)?,
            None => MemoryQuery::default(),
        };
        if self.timeline_summary {
            query.topic = MemoryTopic::TimelineSummary;
        }
        query.tool = self.tool.or(query.tool);
        query.success = self.success.or(query.success);
        query.after_id = self.after_id.or(query.after_id);
        query.before_id = self.before_id.or(query.before_id);
        query.last = self.last.or(query.last);
        query.path = self.path.or(query.path);
        query.symbol = self.symbol.or(query.symbol);
        query.diagnostic = self.diagnostic.or(query.diagnostic);
        query.session = self.session.or(query.session);
        query.project |= self.project;
        Ok(query)
    }
}

pub(crate) fn asks(arguments: &str) -> bool {
    read::<Arguments>(NAME, arguments).and_then(Arguments::query).is_ok()
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let query = read::<Arguments>(NAME, arguments)?.query()?;
    let project = bench.project.ok_or(ToolError::NoProject)?;
    let scope = bench.session.map_or(TimelineScope::Project, TimelineScope::Session);
    let stores = caught_up(project)?;
    let answer = stores.memory_query(&query, scope)?;
    let now_ms = clock::now_ms();
    let data = data(&answer, now_ms);
    let more = answer.more.then(|| "there is more: raise last, or narrow the question".to_owned());
    let notes: Vec<String> = stores.contradicts().map(kept).into_iter().chain(more).collect();
    let note = Some(notes.join("; ")).filter(|note| !note.is_empty());
    let events = answer.bodies(answer.position.as_ref());
    Ok(Given { note, events, ..Given::with(text(&answer, now_ms), data) })
}

/// The project's stores with all that the journal has: an answer that knows less is no read.
fn caught_up(project: &Project) -> Result<AskedStores> {
    let places = StorePlaces::of(project);
    let cache = Cache::of_user();
    settle_project(project, &cache);
    let feed = JournalFeed::of(project).map_err(|source| ToolError::Feed { source })?;
    let report = catch_up(&places, &feed);
    let stores = AskedStores::after(project, &report, &cache);
    match report.into_index() {
        Some(Err(source)) if source.evidence().is_none() => Err(ToolError::CatchUp { source }),
        _ => stores.map_err(|source| ToolError::Stores { source }),
    }
}

fn kept((store, reason): Contradiction) -> String {
    format!("{store} is kept as evidence until a repair sets it aside: {reason}")
}

/// The block of a summary; of anything else a line an execution.
fn text(answer: &MemoryAnswer, now_ms: u64) -> String {
    if answer.position.is_some() {
        return answer.block().text(now_ms, BLOCK_CHARS_MAX, None);
    }
    let pending = answer.pending.iter().map(|found| &found.execution);
    let loops = answer.loops.iter().map(|found| &found.execution);
    lines(answer.executions.iter().chain(pending).chain(loops).map(line)).0
}

fn line(entry: &TimelineEntry) -> String {
    let about = entry.affected_path.as_deref().unwrap_or_default();
    let why = entry.error_summary.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    format!("{} {} {about} {}{why}", entry.name(), entry.tool_name, entry.status())
}

fn data(answer: &MemoryAnswer, now_ms: u64) -> Value {
    let failed = |failures: u64, found: &TimelineEntry| {
        let mut row = row(found);
        row["failures"] = json!(failures);
        row
    };
    json!({
        "query": answer.query,
        "through_sequence": answer.through_sequence,
        "position": answer.position.as_ref().map(|position| place(position, now_ms)),
        "executions": answer.executions.iter().map(row).collect::<Vec<_>>(),
        "more": answer.more,
        "pending_failures": answer.pending.iter()
            .map(|found| failed(found.failures, &found.execution)).collect::<Vec<_>>(),
        "failure_loops": answer.loops.iter()
            .map(|found| failed(found.failures, &found.execution)).collect::<Vec<_>>(),
    })
}

/// An execution in spec 001's members.
fn row(entry: &TimelineEntry) -> Value {
    json!({
        "id": entry.execution_id,
        "execution": entry.id.to_string(),
        "timestamp": entry.timestamp,
        "tool": entry.tool_name,
        "path": entry.affected_path,
        "success": entry.success,
        "outcome": entry.outcome.map(|outcome| outcome.as_str()),
        "error": entry.error_summary,
    })
}

fn place(position: &TimelinePosition, now_ms: u64) -> Value {
    json!({
        "total_executions": position.total_executions,
        "last_execution_id": position.last_execution_id,
        "last_success": position.last_success,
        "last_failure": position.last_failure,
        "current_step": position.current_step,
        "last_execution": position.last_execution.as_ref().map(row),
        "time_since_last_query_ms": position.time_since_last_query_ms(now_ms),
    })
}
