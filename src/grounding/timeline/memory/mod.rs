//! `memory_query`: spec 001's one question with many parameters.

mod notation;
#[cfg(test)]
mod tests;

use crate::execution::query::{After, PAGE_ITEMS_MAX, QueryError, Stores};
use crate::grounding::timeline::{
    FailureLoop, FailureRecord, TIMELINE_ITEMS, TimelineEntry, TimelinePosition, TimelineScope,
};

/// A memory query; the default asks for the newest executions. Every parameter narrows.
///
/// ```
/// use annals::grounding::timeline::MemoryQuery;
///
/// let query = MemoryQuery::parse(r#"memory_query(tool="lsp_check", success=true, after_id=142)"#)?;
/// assert_eq!(query.tool.as_deref(), Some("lsp_check"));
/// assert_eq!(query.to_string(), r#"memory_query(tool="lsp_check", success=true, after_id=142)"#);
/// # Ok::<(), annals::execution::query::QueryError>(())
/// ```
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
    /// How many, the newest.
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
    pub fn memory_query(
        &self,
        query: &MemoryQuery,
        scope: TimelineScope,
    ) -> Result<MemoryAnswer, QueryError> {
        let scope = match &query.session {
            _ if query.project => TimelineScope::Project,
            Some(name) => TimelineScope::Session(self.session_named(name)?),
            None => scope,
        };
        let mut answer = MemoryAnswer {
            query: query.to_string(),
            through_sequence: self.through()?,
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
    ) -> Result<(Vec<TimelineEntry>, bool), QueryError> {
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
    /// Whether a failure is one that the parameters let through, as far as its entry tells.
    fn is_about(&self, entry: &TimelineEntry) -> bool {
        let target = entry.affected_path.as_deref().unwrap_or_default();
        let on = |path: &Option<String>| {
            path.as_ref().is_none_or(|path| target.contains(path.trim_start_matches("./")))
        };
        let tool = self.tool.as_ref().is_none_or(|tool| *tool == entry.tool_name);
        tool && on(&self.path) && on(&self.symbol)
    }
}

/// What a memory query is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryTopic {
    /// The executions that the parameters let through.
    #[default]
    Executions,
    /// Where one stands, what happened last, and what is still broken.
    TimelineSummary,
    Position,
    Recent,
    /// What led up to `before_id`.
    Preceding,
    PendingFailures,
    FailureLoops,
}

impl MemoryTopic {
    /// Names that say so; the first is the one that is written.
    const NAMES: [(Self, &[&str]); 6] = [
        (Self::TimelineSummary, &["timeline_summary", "timeline"]),
        (Self::Position, &["get_timeline_position", "timeline_position", "position"]),
        (Self::Recent, &["get_recent_timeline", "recent_timeline", "last_n_executions"]),
        (Self::Preceding, &["get_preceding_context", "preceding_context"]),
        (Self::PendingFailures, &["get_pending_failures", "pending_failures"]),
        (Self::FailureLoops, &["failure_loops"]),
    ];

    /// The topic of a name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, names)| names.contains(&name));
        found.map(|(topic, _)| *topic)
    }

    /// The name it is asked by; `None` where only parameters ask.
    pub fn name(self) -> Option<&'static str> {
        let found = Self::NAMES.iter().find(|(topic, _)| *topic == self);
        found.and_then(|(_, names)| names.first().copied())
    }
}

/// What a memory query answers; what was not asked for is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryAnswer {
    /// The query as it was understood, in spec 001's notation.
    pub query: String,
    /// The last event that this knows of.
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

impl MemoryAnswer {
    /// How many rows it has.
    pub fn returned(&self) -> u64 {
        let rows = self.executions.len() + self.pending.len() + self.loops.len();
        rows as u64 + u64::from(self.position.is_some())
    }
}
