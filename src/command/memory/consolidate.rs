//! Older recall events become summaries: nothing of their texts is lost.

use super::MemoryError;
use super::limits::MOVED_EVENTS_MAX;
use super::operation::Operation;
use super::results::Consolidated;
use super::summary::{Told, parts};
use crate::event::{
    Body, InheritedConsolidated, InheritedGroup, MemoryDoor, RecallConsolidated, RecallGroup,
};
use crate::query::memory::{self, RecallEvent};

impl Operation<'_> {
    /// Puts a branch's own older events into the archive as summaries, by kind, where it has more than
    /// the window and its factor allow. `None` where it has not.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn consolidate_recall_events(
        &mut self,
        branch: &str,
    ) -> Result<Option<Consolidated>, MemoryError> {
        let branch = self.branch(branch)?;
        self.consolidate_own(&branch)
    }

    /// Puts what a branch inherits of older events into summaries of its own, by kind: its ancestors
    /// keep them, and it no longer sees them. `None` where there are not too many.
    ///
    /// # Errors
    /// Where there is no such branch.
    pub fn consolidate_inherited_memory(
        &mut self,
        branch: &str,
    ) -> Result<Option<Consolidated>, MemoryError> {
        let branch = self.branch(branch)?;
        self.consolidate_inherited(&branch)
    }

    /// Both, where the branch sees too many events.
    pub(super) fn relieve(
        &mut self,
        branch: &str,
    ) -> Result<(Option<Consolidated>, Option<Consolidated>), MemoryError> {
        let (_, threshold) = self.window();
        if memory::recall_counts(&self.view()?, branch)?.visible <= threshold {
            return Ok((None, None));
        }
        let inherited = self.consolidate_inherited(branch)?;
        Ok((inherited, self.consolidate_own(branch)?))
    }

    pub(super) fn consolidate_own(
        &mut self,
        branch: &str,
    ) -> Result<Option<Consolidated>, MemoryError> {
        let (window, threshold) = self.window();
        let total = memory::recall_counts(&self.view()?, branch)?.own;
        if total <= threshold {
            return Ok(None);
        }
        let mut older = memory::own_events(&self.view()?, branch, taken(window))?;
        older.drain(..older.len().min(window as usize));
        let mut done =
            Consolidated { total, events: older.len() as u64, ..Consolidated::default() };
        done.kept = total - done.events;
        let mut groups = Vec::new();
        for (kind, events) in by_kind(older) {
            done.groups += 1;
            let count = events.len();
            for (text, ids, part) in self.summaries(&kind, "earlier events", &events) {
                let mut tags = vec![
                    "RECALL_CONSOLIDATED".to_owned(),
                    "AUTO_CONSOLIDATE".to_owned(),
                    format!("kind:{kind}"),
                    format!("event_count:{count}"),
                ];
                tags.extend(part);
                let record = self.archive(MemoryDoor::Internal, branch, &text, tags)?.id;
                done.records.push(record);
                groups.push(RecallGroup { kind: kind.clone(), ids, record });
            }
        }
        let (branch, origin) = (branch.to_owned(), self.origin(MemoryDoor::Internal));
        let kept = done.kept;
        let body = RecallConsolidated { branch, total, kept, groups, origin };
        self.record(Body::RecallConsolidated(body))?;
        Ok(Some(done))
    }

    pub(super) fn consolidate_inherited(
        &mut self,
        branch: &str,
    ) -> Result<Option<Consolidated>, MemoryError> {
        let (window, threshold) = self.window();
        let total = memory::recall_counts(&self.view()?, branch)?.inherited;
        if total <= threshold {
            return Ok(None);
        }
        let view = self.view()?;
        let ancestors = (memory::chain(&view, branch)?.len() as u64).saturating_sub(1);
        let mut older = memory::inherited_events(&view, branch, taken(window))?;
        older.drain(..older.len().min(window as usize));
        let mut summary_id = view.last_ids()?.inherited_summaries;
        let mut done =
            Consolidated { total, events: older.len() as u64, ..Consolidated::default() };
        done.kept = total - done.events;
        let mut groups = Vec::new();
        for (kind, events) in by_kind(older) {
            done.groups += 1;
            for (summary, ids, _) in self.summaries(&kind, "earlier inherited events", &events) {
                summary_id += 1;
                done.records.push(summary_id);
                groups.push(InheritedGroup { kind: kind.clone(), ids, summary_id, summary });
            }
        }
        let (branch, origin) = (branch.to_owned(), self.origin(MemoryDoor::Internal));
        let kept = done.kept;
        let body = InheritedConsolidated { branch, total, kept, ancestors, groups, origin };
        self.record(Body::InheritedConsolidated(body))?;
        Ok(Some(done))
    }

    /// The window, and the number of events above which older ones are put together.
    pub(super) fn window(&self) -> (u64, u64) {
        let window = self.config().recall_max_events;
        if window == 0 {
            // A size of 0 is no limit.
            return (u64::MAX, u64::MAX);
        }
        let threshold = window as f64 * self.config().consolidation_factor;
        // A factor below 1 would put together what the window shows.
        (window, if threshold >= window as f64 { threshold as u64 } else { window })
    }

    /// The texts of one kind's events, each with the events that begin in it, and a tag where there
    /// are several.
    fn summaries(
        &self,
        kind: &str,
        what: &str,
        events: &[Told],
    ) -> Vec<(String, Vec<u64>, Option<String>)> {
        let chars = usize::try_from(self.config().archival_max_chars).unwrap_or(usize::MAX);
        let parts = parts(kind, what, events, chars);
        let count = parts.len();
        let tag = |number: usize| (count > 1).then(|| format!("part:{number}/{count}"));
        (1..).zip(parts).map(|(number, part)| (part.text, part.ids, tag(number))).collect()
    }
}

/// Events that are looked at: the window, and those beyond it that one commit takes.
fn taken(window: u64) -> usize {
    usize::try_from(window).unwrap_or(usize::MAX).saturating_add(MOVED_EVENTS_MAX)
}

/// Events by kind, the kinds in order of their first.
fn by_kind(events: Vec<RecallEvent>) -> Vec<(String, Vec<Told>)> {
    let mut groups: Vec<(String, Vec<Told>)> = Vec::new();
    for event in events {
        let RecallEvent { id, kind, text, tags, at_ms, .. } = event;
        let told = Told { id, at_ms, text, tags };
        match groups.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, group)) => group.push(told),
            None => groups.push((kind, vec![told])),
        }
    }
    groups
}
