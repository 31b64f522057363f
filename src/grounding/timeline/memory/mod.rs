//! `memory_query`: spec 001's one question with many parameters.

mod notation;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::{
    FailureLoop, FailureRecord, PositionAt, Result, TIMELINE_ITEMS, TimelineBlock, TimelineEntry,
    TimelinePosition, TimelineScope,
};
use crate::event::{
    Body, Envelope, Event, ReadBy, SessionId, Source, TimelineCheckpoint, TimelineQueried, wire,
};
use crate::execution::live_recorder;
use crate::execution::query::{After, PAGE_ITEMS_MAX, QueryError, Stores};
use crate::journal::{Project, RecordError, RecordReport, clock};

pub use notation::MemoryTopic;

/// A memory query; the default asks for the newest executions. Every parameter narrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryQuery {
    pub topic: MemoryTopic,
    /// The contract's name of a tool, or the agent's.
    pub tool: Option<String>,
    /// Only what succeeded, or only what failed: refused is neither.
    pub success: Option<bool>,
    /// Only what came after this execution, by its ordinal.
    pub after_id: Option<u64>,
    /// Only what came before this execution, by its ordinal.
    pub before_id: Option<u64>,
    pub last: Option<usize>,
    /// A file, or a folder.
    pub path: Option<String>,
    pub symbol: Option<String>,
    /// A session other than the one that asks: its id, the beginning of it, or the agent's name for
    /// it.
    pub session: Option<String>,
    /// A diagnostic's code; of one without a code, its level.
    pub diagnostic: Option<String>,
    /// Ask the whole project.
    pub project: bool,
}

/// Pages that are looked through for one answer.
const PAGES_MAX: usize = 4;

impl Stores {
    /// Answers a memory query; `scope` holds where the query does not say whose timeline it means.
    pub fn memory_query(&self, query: &MemoryQuery, scope: TimelineScope) -> Result<MemoryAnswer> {
        let scope = match &query.session {
            _ if query.project => TimelineScope::Project,
            Some(name) => TimelineScope::Session(self.session_named(name)?),
            None => scope,
        };
        let mut answer = MemoryAnswer {
            query: query.to_string(),
            through_sequence: self.last_sequence()?,
            ..MemoryAnswer::default()
        };
        use MemoryTopic::{
            Executions, FailureLoops, PendingFailures, Position, Preceding, Recent, TimelineSummary,
        };
        if query.topic == Preceding && query.before_id.is_none() {
            let (text, why) = (answer.query, "it needs before_id=N");
            return Err(QueryError::NoMemoryQuery { text, why: why.to_owned() });
        }
        if matches!(query.topic, TimelineSummary | Position) {
            answer.position = Some(self.get_timeline_position(scope)?);
        }
        if matches!(query.topic, TimelineSummary | Executions | Recent | Preceding) {
            (answer.executions, answer.more) = self.matching(query, scope)?;
        }
        let about = |entry: &TimelineEntry| query.is_about(entry);
        if matches!(query.topic, TimelineSummary | PendingFailures) {
            answer.pending = self.get_pending_failures(scope)?;
            answer.pending.retain(|found| about(&found.execution));
        }
        if matches!(query.topic, TimelineSummary | FailureLoops) {
            answer.loops = self.failure_loops(scope)?;
            answer.loops.retain(|found| about(&found.execution));
        }
        // Of a summary, `last` is how much of what happened is told.
        if let Some(most) = query.last.filter(|_| query.topic != TimelineSummary) {
            answer.pending.truncate(most);
            answer.loops.truncate(most);
        }
        Ok(answer)
    }

    /// The executions that ended and that the parameters let through, the oldest first; and whether
    /// there are more.
    fn matching(
        &self,
        query: &MemoryQuery,
        scope: TimelineScope,
    ) -> Result<(Vec<TimelineEntry>, bool)> {
        let most = query.last.unwrap_or(TIMELINE_ITEMS).min(PAGE_ITEMS_MAX);
        let mut asked = self.executions();
        if let TimelineScope::Session(id) = scope {
            let id = id.to_string();
            if !self.knows_session(&id)? {
                return Ok((Vec::new(), false));
            }
            asked = asked.with_session(id);
        }
        if let Some(tool) = &query.tool {
            asked = asked.with_tool(tool);
        }
        if let Some(success) = query.success {
            asked = asked.with_success(success);
        }
        if let Some(path) = &query.path {
            asked = asked.with_path(path);
        }
        if let Some(symbol) = &query.symbol {
            asked = asked.with_symbol(symbol);
        }
        if let Some(label) = &query.diagnostic {
            asked = asked.with_diagnostic(label);
        }
        let mut since = None;
        if let Some(ordinal) = query.after_id {
            let place = self.place_of(ordinal)?;
            asked = asked.after_timestamp(place.at_ms);
            since = Some((place.at_ms, place.sequence));
        }
        let mut after = None;
        if let Some(ordinal) = query.before_id {
            let place = self.place_of(ordinal)?;
            after = Some(After { at_ms: place.at_ms, sequence: place.sequence });
        }
        let mut found: Vec<TimelineEntry> = Vec::new();
        let mut more = false;
        for _ in 0..PAGES_MAX {
            let page = asked.clone().page(most + 1 - found.len(), after).fetch()?;
            let ended = page.items.into_iter().filter(|row| row.outcome.is_some());
            let later = ended.filter(|row| since < Some((row.at_ms, row.sequence)));
            found.extend(later.map(TimelineEntry::from));
            after = page.next;
            more = found.len() > most || after.is_some();
            if found.len() > most || after.is_none() {
                break;
            }
        }
        found.truncate(most);
        found.reverse();
        Ok((found, more))
    }
}

impl MemoryQuery {
    fn is_about(&self, entry: &TimelineEntry) -> bool {
        let target = entry.affected_path.as_deref().unwrap_or_default();
        let on = |path: &Option<String>| {
            path.as_ref().is_none_or(|path| target.contains(path.trim_start_matches("./")))
        };
        let tool = self.tool.as_ref().is_none_or(|tool| *tool == entry.tool_name);
        tool && on(&self.path) && on(&self.symbol)
    }
}

/// What a memory query answers; what was not asked for is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryAnswer {
    /// The query as it was understood, in spec 001's notation.
    pub query: String,
    pub through_sequence: u64,
    pub position: Option<TimelinePosition>,
    /// The oldest first.
    pub executions: Vec<TimelineEntry>,
    /// There are more than were asked for, or looked through.
    pub more: bool,
    /// The newest first.
    pub pending: Vec<FailureRecord>,
    pub loops: Vec<FailureLoop>,
}

/// An answer as JSON has it, as of a moment; what was not asked for is `null` or empty.
#[derive(Debug, Serialize)]
pub struct AnswerAt<'a> {
    pub journal: Option<&'a str>,
    /// Whose it is; `null`: the whole project's.
    #[serde(serialize_with = "wire::text_or_null")]
    pub session: Option<SessionId>,
    pub query: &'a str,
    pub through_sequence: u64,
    pub position: Option<PositionAt<'a>>,
    pub executions: &'a [TimelineEntry],
    pub more: bool,
    pub pending_failures: &'a [FailureRecord],
    pub failure_loops: &'a [FailureLoop],
    /// Print the text block that a model gets, where it was asked for.
    pub block: Option<&'a str>,
}

impl MemoryAnswer {
    pub fn at(&self, scope: TimelineScope, now_ms: u64) -> AnswerAt<'_> {
        AnswerAt {
            journal: None,
            session: scope.session(),
            query: &self.query,
            through_sequence: self.through_sequence,
            position: self.position.as_ref().map(|position| position.at(now_ms)),
            executions: &self.executions,
            more: self.more,
            pending_failures: &self.pending,
            failure_loops: &self.loops,
            block: None,
        }
    }

    /// What the answer to a summary has, as a block.
    pub fn block(&self) -> TimelineBlock {
        TimelineBlock {
            position: self.position.clone().unwrap_or_default(),
            recent: self.executions.clone(),
            pending: self.pending.clone(),
            loops: self.loops.clone(),
        }
    }

    /// What is recorded of it: that the timeline was read; and, where the block of a position was given, that.
    pub fn bodies(&self, given: Option<&TimelinePosition>) -> Vec<Body> {
        let checkpoint = given.map(|position| {
            Body::TimelineCheckpoint(TimelineCheckpoint {
                through_sequence: position.through_sequence,
                total_executions: position.total_executions,
                current_step: position.current_step,
            })
        });
        let queried = Body::TimelineQueried(TimelineQueried {
            query: self.query.clone(),
            by: ReadBy::Asked,
            through_sequence: self.through_sequence,
            returned: self.returned(),
        });
        checkpoint.into_iter().chain([queried]).collect()
    }

    pub fn returned(&self) -> u64 {
        let rows = self.executions.len() + self.pending.len() + self.loops.len();
        rows as u64 + u64::from(self.position.is_some())
    }
}

/// Records, durably, that a session's agent asked and was answered: what a gate asks for.
pub fn record_timeline_read(
    project: &Project,
    session: SessionId,
    answer: &MemoryAnswer,
    given: Option<&TimelinePosition>,
) -> std::result::Result<RecordReport, RecordError> {
    let envelope = Envelope::new(Some(session), Source::Live, clock::now_ms());
    let event = |body| Event { envelope: envelope.clone(), body };
    let mut recorder = live_recorder(project);
    let report = recorder.record(answer.bodies(given).into_iter().map(event).collect())?;
    recorder.finish()?;
    Ok(report)
}
