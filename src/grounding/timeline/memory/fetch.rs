//! Answering a memory query.

use super::{MemoryAnswer, MemoryQuery, MemoryTopic};
use crate::execution::query::{After, PAGE_ITEMS_MAX, QueryError, Stores};
use crate::grounding::timeline::{TIMELINE_ITEMS, TimelineEntry, TimelineScope};

/// Pages that are looked through for one answer.
const PAGES_MAX: usize = 4;

impl Stores {
    /// Answers a memory query; `scope` holds where the query does not say whose timeline it means.
    ///
    /// # Errors
    /// Where it names an execution or a session that does not exist, leaves `before_id` out where it
    /// is needed, or a store cannot be read.
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
