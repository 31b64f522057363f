//! Older recall events become summaries: nothing of their texts is lost.

use super::Result;
use super::limits::MOVED_EVENTS_MAX;
use super::operation::Operation;
use super::results::Consolidated;
use super::summary::parts;
use super::texts::part_tag;
use crate::event::{
    Body, InheritedConsolidated, InheritedGroup, MemoryDoor, RecallConsolidated, RecallGroup,
};
use crate::memory::query::{self as memory, RecallEvent};

/// What inherited events, and what own ones came to.
pub(super) type Relieved = (Option<Consolidated>, Option<Consolidated>);

impl Operation<'_> {
    /// Puts what a branch sees beyond the window of events of its own into the archive as summaries, by
    /// kind. `None` where there are none.
    pub fn consolidate_recall_events(&mut self, branch: &str) -> Result<Option<Consolidated>> {
        let branch = self.branch(branch)?;
        let (_, own) = self.beyond(&branch)?;
        self.consolidate_own(&branch, own)
    }

    /// Puts what a branch sees beyond the window of inherited events into summaries of its own, by
    /// kind: its ancestors keep them, and it no longer sees them. `None` where there are none.
    pub fn consolidate_inherited_memory(&mut self, branch: &str) -> Result<Option<Consolidated>> {
        let branch = self.branch(branch)?;
        let (inherited, _) = self.beyond(&branch)?;
        self.consolidate_inherited(&branch, inherited)
    }

    /// Both, where the branch sees more events than the factor allows: what happens by itself.
    pub(super) fn relieve(&mut self, branch: &str) -> Result<Relieved> {
        let (_, threshold) = self.window();
        if memory::recall_counts(&self.view()?, branch)?.visible <= threshold {
            return Ok((None, None));
        }
        self.settle(branch)
    }

    /// Both, down to the window, where somebody asks for it: what it came to together.
    pub(super) fn consolidate_beyond(&mut self, branch: &str) -> Result<Consolidated> {
        let (inherited, own) = self.settle(branch)?;
        let mut done = own.unwrap_or_default();
        if let Some(inherited) = inherited {
            done.total += inherited.total;
            done.kept += inherited.kept;
            done.events += inherited.events;
            done.groups += inherited.groups;
        }
        Ok(done)
    }

    /// Both, down to the window.
    fn settle(&mut self, branch: &str) -> Result<Relieved> {
        let (inherited, own) = self.beyond(branch)?;
        let inherited = self.consolidate_inherited(branch, inherited)?;
        Ok((inherited, self.consolidate_own(branch, own)?))
    }

    /// The events that a branch sees beyond the window, inherited and own, newest first.
    fn beyond(&mut self, branch: &str) -> Result<(Vec<RecallEvent>, Vec<RecallEvent>)> {
        let (window, _) = self.window();
        let view = self.view()?;
        if memory::recall_counts(&view, branch)?.visible <= window {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut older = memory::recall(&view, branch, taken(window))?.events;
        older.drain(..older.len().min(window as usize));
        Ok(older.into_iter().partition(|event| event.branch != branch))
    }

    fn consolidate_own(
        &mut self,
        branch: &str,
        older: Vec<RecallEvent>,
    ) -> Result<Option<Consolidated>> {
        if older.is_empty() {
            return Ok(None);
        }
        let total = memory::recall_counts(&self.view()?, branch)?.own;
        let mut done =
            Consolidated { total, events: older.len() as u64, ..Consolidated::default() };
        done.kept = total.saturating_sub(done.events);
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
                let record = match part {
                    None => self.archive_itself(branch, &text, tags)?,
                    Some(part) => {
                        tags.push(part);
                        self.archive_part(branch, &text, tags)?
                    }
                };
                done.records.push(record);
                groups.push(RecallGroup { kind: kind.clone(), ids, record });
            }
        }
        let (branch, kept, origin) = (branch.to_owned(), done.kept, self.internal());
        let body = RecallConsolidated { branch, total, kept, groups, origin };
        self.record(Body::RecallConsolidated(body))?;
        Ok(Some(done))
    }

    /// Archives one of several parts of a summary. It says what stands between its neighbours, so it
    /// is written even where another summary has a part of the very same words.
    fn archive_part(&mut self, branch: &str, text: &str, tags: Vec<String>) -> Result<u64> {
        let text = self.redacted(text);
        let id = self.view()?.last_ids()?.archival + 1;
        let event = self.by(MemoryDoor::Internal, |it| it.written(id, branch, &text, tags))?;
        self.push(event)?;
        Ok(id)
    }

    fn consolidate_inherited(
        &mut self,
        branch: &str,
        older: Vec<RecallEvent>,
    ) -> Result<Option<Consolidated>> {
        if older.is_empty() {
            return Ok(None);
        }
        let view = self.view()?;
        let total = memory::recall_counts(&view, branch)?.inherited;
        let ancestors = (memory::chain(&view, branch)?.len() as u64).saturating_sub(1);
        let mut summary_id = view.last_ids()?.inherited_summaries;
        let mut done =
            Consolidated { total, events: older.len() as u64, ..Consolidated::default() };
        done.kept = total.saturating_sub(done.events);
        let mut groups = Vec::new();
        for (kind, events) in by_kind(older) {
            done.groups += 1;
            for (summary, ids, _) in self.summaries(&kind, "earlier inherited events", &events) {
                summary_id += 1;
                done.records.push(summary_id);
                groups.push(InheritedGroup { kind: kind.clone(), ids, summary_id, summary });
            }
        }
        let (branch, kept, origin) = (branch.to_owned(), done.kept, self.internal());
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
        events: &[RecallEvent],
    ) -> Vec<(String, Vec<u64>, Option<String>)> {
        let chars = usize::try_from(self.config().archival_max_chars).unwrap_or(usize::MAX);
        let parts = parts(kind, what, events, chars);
        let count = parts.len();
        let tag = |number: usize| (count > 1).then(|| part_tag(number, count));
        (1..).zip(parts).map(|(number, part)| (part.text, part.ids, tag(number))).collect()
    }
}

/// Events that are looked at: the window, and those beyond it that one commit takes.
fn taken(window: u64) -> usize {
    usize::try_from(window).unwrap_or(usize::MAX).saturating_add(MOVED_EVENTS_MAX)
}

/// Events by kind, the kinds in order of their first.
fn by_kind(events: Vec<RecallEvent>) -> Vec<(String, Vec<RecallEvent>)> {
    let mut groups: Vec<(String, Vec<RecallEvent>)> = Vec::new();
    for event in events {
        match groups.iter_mut().find(|(known, _)| *known == event.kind) {
            Some((_, group)) => group.push(event),
            None => groups.push((event.kind.clone(), vec![event])),
        }
    }
    groups
}
