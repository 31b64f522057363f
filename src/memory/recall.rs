//! Recall memory: what happened, newest first, within a window.

use std::collections::BTreeSet;

use super::limits::{MOVED_EVENTS_MAX, RESULTS_MAX, ROW_BYTES_MAX};
use super::operation::{Operation, check_text};
use super::results::{Evicted, NotEvicted, RecallDone};
use super::texts::{beginning, fits, referring};
use super::{Result, names, tags};
use crate::event::{Body, MemoryQuery, Ordered, RecallAppended, RecallEvicted};
use crate::memory::query::{self as memory, RecallEvent};
use crate::parse::reply::RecallEvict;

/// What an event is called that does not say.
const KIND: &str = "event";
/// How many a search gives where it is not told.
pub(super) const SEARCH_K: u64 = 20;

/// An event as it is to be remembered.
struct Remembered {
    kind: String,
    text: String,
    tags: Vec<String>,
    task_hint: Option<String>,
    memory_size: Option<u64>,
}

/// An event that is to be remembered, as spec 003's "Event dict format" gives it.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecallGiven {
    /// When the caller says it happened, Unix seconds; recorded is when it is told, so that nothing
    /// comes before what was told earlier.
    pub ts: Option<f64>,
    pub run_id: Option<String>,
    pub node_id: Option<String>,
    /// Where it is none's, the branch of `node_id`, else the asked one.
    pub branch_id: Option<String>,
    pub phase: Option<String>,
    /// `event` where it is not given.
    pub kind: Option<String>,
    /// The text.
    #[serde(alias = "text", alias = "content")]
    pub summary: String,
    pub refs: Vec<String>,
    /// Besides those that the rest becomes.
    pub tags: Vec<String>,
    pub task_hint: Option<String>,
    pub memory_size: Option<u64>,
}

impl Operation<'_> {
    /// Remembers an event on a branch, or finds the equal one it has; then puts older ones together,
    /// where the branch sees too many.
    pub fn write_event(
        &mut self,
        branch: &str,
        kind: &str,
        text: &str,
        tags: &[String],
    ) -> Result<RecallDone> {
        let branch = self.branch(branch)?;
        let (kind, text, tags) = (kind.to_owned(), text.to_owned(), tags.to_vec());
        self.remember(&branch, Remembered { kind, text, tags, task_hint: None, memory_size: None })
    }

    /// As [`Self::write_event`], of an event as spec 003 has it. Its `branch_id`, or the branch of
    /// its `node_id`, counts before the one asked, where there is one.
    pub fn mem_recall_append(&mut self, branch: &str, given: &RecallGiven) -> Result<RecallDone> {
        let said = [given.branch_id.as_deref(), given.node_id.as_deref()];
        let branch = self.branch_said(said, branch)?;
        self.remember_given(&branch, given, KIND)
    }

    /// The first of these branches or nodes that is there; else the branch asked.
    pub(super) fn branch_said(&mut self, said: [Option<&str>; 2], asked: &str) -> Result<String> {
        for name in said.into_iter().flatten() {
            if let Some(branch) = memory::branch_of(&self.view()?, name)? {
                return Ok(branch);
            }
        }
        self.branch(asked)
    }

    /// The newest events of some branches; with a current one, as it sees them. Nothing is recorded.
    pub fn fetch_events(
        &mut self,
        branches: &[String],
        limit: u64,
        current: Option<&str>,
    ) -> Result<Vec<RecallEvent>> {
        let current = current.map(|current| self.branch(current)).transpose()?;
        let limit = usize::try_from(limit.min(RESULTS_MAX)).unwrap_or(usize::MAX);
        let view = self.view()?;
        let Some(current) = current else {
            let mut events = Vec::new();
            for branch in branches {
                events.extend(memory::own_events(&view, branch, limit)?);
            }
            events.order_by_key(|event| std::cmp::Reverse((event.at_ms, event.id)));
            events.truncate(limit);
            return Ok(events);
        };
        let mut looked_at = limit;
        loop {
            let mut events = memory::recall(&view, &current, looked_at)?.events;
            let is_all = events.len() < looked_at;
            events.retain(|event| branches.contains(&event.branch));
            if is_all || events.len() >= limit {
                events.truncate(limit);
                return Ok(events);
            }
            looked_at = looked_at.saturating_mul(4);
        }
    }

    /// Events that a branch sees, that have one of the words, the newest first.
    pub fn mem_recall_search(
        &mut self,
        branch: &str,
        query: &str,
        k: Option<u64>,
    ) -> Result<Vec<RecallEvent>> {
        let branch = self.branch(branch)?;
        let k = k.unwrap_or(SEARCH_K).clamp(1, RESULTS_MAX);
        let asked = self.redacted(query);
        let found = memory::recall_search(&self.view()?, &branch, &asked, k as usize)?;
        let query = MemoryQuery::Recall { query: beginning(query, 4_096, 16_384).to_owned(), k };
        self.record_read(&branch, query, found.len())?;
        Ok(found)
    }

    pub(super) fn remember_given(
        &mut self,
        branch: &str,
        given: &RecallGiven,
        otherwise: &str,
    ) -> Result<RecallDone> {
        let origin = &self.asker.origin;
        let mut given = given.clone();
        given.run_id = given.run_id.or_else(|| origin.run.clone());
        given.node_id = given.node_id.or_else(|| origin.node.clone());
        given.phase = given.phase.or_else(|| origin.phase.clone());
        let kind = given.kind.clone().unwrap_or_else(|| otherwise.to_owned());
        let tags = tags::of_recall(&given, &kind);
        let RecallGiven { summary: text, task_hint, memory_size, .. } = given;
        self.remember(branch, Remembered { kind, text, tags, task_hint, memory_size })
    }

    fn remember(&mut self, branch: &str, event: Remembered) -> Result<RecallDone> {
        let Remembered { kind, text, tags, task_hint, memory_size } = event;
        names::check("kind of event", &kind)?;
        check_text("the event's text", &text)?;
        tags::check(&tags)?;
        let whole = self.redacted(&text);
        let (text, archived_as) = match fits(&whole, ROW_BYTES_MAX, ROW_BYTES_MAX) {
            true => (text, None),
            false => {
                let archived = format!("Recall event [{kind}]:\n{text}");
                let mut tags = tags.clone();
                tags.insert(0, "RECALL_WHOLE".to_owned());
                let record = self.archive_itself(branch, &archived, tags)?;
                (referring(&whole, record, ROW_BYTES_MAX, ROW_BYTES_MAX), Some(record))
            }
        };
        let id = self.view()?.last_ids()?.events + 1;
        let (branch, origin) = (branch.to_owned(), self.origin());
        let appended = RecallAppended {
            id,
            branch: branch.clone(),
            kind,
            text,
            tags,
            task_hint,
            memory_size,
            origin,
        };
        let event = self.prepared(Body::RecallAppended(appended))?;
        if let Body::RecallAppended(b) = &event.body {
            let same = self.view()?.same_event(&branch, &b.kind, &b.text, &b.tags)?;
            if let Some(id) = same {
                return Ok(RecallDone { id, branch, archived_as, ..RecallDone::default() });
            }
        }
        self.push(event)?;
        let (inherited, own) = match self.config().auto_consolidate {
            true => self.relieve(&branch)?,
            false => (None, None),
        };
        Ok(RecallDone { id, branch, written: true, archived_as, inherited, own })
    }

    /// Moves events of a branch's own into the archive; those of others stay and are told.
    pub fn evict(&mut self, branch: &str, which: &RecallEvict) -> Result<Evicted> {
        let branch = self.branch(branch)?;
        let own = memory::own_events(&self.view()?, &branch, usize::MAX)?;
        let mut done = Evicted::default();
        let known: BTreeSet<u64> = own.iter().map(|event| event.id).collect();
        for id in which.ids.iter().copied().filter(|id| !known.contains(id)) {
            let owner = self.view()?.owner_of_event(id)?;
            done.refused.push(NotEvicted { id, owner });
        }
        let oldest = usize::try_from(which.oldest).unwrap_or(usize::MAX);
        let first_oldest = own.len().saturating_sub(oldest);
        let goes = |(at, event): &(usize, &RecallEvent)| {
            *at >= first_oldest
                || which.ids.contains(&event.id)
                || which.kind.as_ref().is_some_and(|kind| *kind == event.kind)
        };
        // The oldest first: what lies in the archive lies in the order in which it happened.
        let going: Vec<RecallEvent> =
            own.iter().enumerate().filter(goes).map(|(_, event)| event.clone()).rev().collect();
        names::check_count("events to evict", going.len(), MOVED_EVENTS_MAX)?;
        for event in going {
            let (text, tags) = archived(&event);
            done.ids.push(event.id);
            done.records.push(self.archive_itself(&branch, &text, tags)?);
        }
        if !done.ids.is_empty() {
            let (ids, records, origin) = (done.ids.clone(), done.records.clone(), self.origin());
            self.record(Body::RecallEvicted(RecallEvicted { branch, ids, records, origin }))?;
        }
        Ok(done)
    }
}

/// An event as a record: its text in full.
fn archived(event: &RecallEvent) -> (String, Vec<String>) {
    let (kind, seconds) = (&event.kind, event.at_ms / 1_000);
    let text = format!("Evicted recall event {} [{kind}] of {seconds}:\n{}", event.id, event.text);
    let mut tags = vec!["EVICTED_RECALL".to_owned(), format!("RECALL_{}", kind.to_uppercase())];
    tags.extend(event.tags.iter().filter(|tag| *tag != "RECALL_EVENT").cloned());
    (text, tags)
}
