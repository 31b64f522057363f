//! A branch forked from the past: a root that holds copies of what another saw then.

use super::core::clamped;
use super::limits::{COPIED_BYTES_MAX, COPIED_RECORDS_MAX};
use super::operation::Operation;
use super::results::Forked;
use super::{MemoryError, Result, names};
use crate::config::MemoryConfig;
use crate::event::{
    ArchivalWritten, Body, BranchForked, CopiedFrom, CoreSet, Event, InheritedConsolidated,
    InheritedGroup, RecallAppended, Sequence,
};
use crate::journal::ReplayItem;
use crate::memory::query::{self as memory, ArchivalSearch};
use crate::memory::store::MemoryView;

impl Operation<'_> {
    /// Makes a branch from what another saw in the past: a root with copies of its keys, events,
    /// summaries and records, under new numbers, at their own times.
    ///
    /// The same once more, of the same branch at the same moment, changes nothing.
    ///
    /// `then` is memory as it was when `through` had just been recorded.
    pub fn fork_at(
        &mut self,
        branch: &str,
        node: Option<&str>,
        from: &str,
        then: &MemoryView<'_>,
        through: Sequence,
    ) -> Result<Forked> {
        names::check("branch", branch)?;
        if let Some(node) = node {
            names::check("node", node)?;
        }
        let known = self.view()?.branch(branch)?;
        let missing = || MemoryError::NoBranch { name: from.to_owned() };
        let from = memory::branch_of(then, from)?.ok_or_else(missing)?;
        let copied_from = CopiedFrom { branch: from.clone(), through_sequence: through.0 };
        if let Some(known) = known {
            let branch = known.branch;
            return match self.was_copied(&branch, &copied_from)? {
                true => Ok(Forked { branch, ..Forked::default() }),
                false => Err(MemoryError::BranchExists { branch }),
            };
        }
        let seen = self.seen_then(branch, &from, then)?;
        let copied = seen.len() as u64;
        let forked = BranchForked {
            branch: branch.to_owned(),
            parent: None,
            node: node.map(str::to_owned),
            auto_created: false,
            copied_from: Some(copied_from),
            origin: self.origin(),
        };
        self.record(Body::BranchForked(forked))?;
        seen.into_iter().try_for_each(|(body, at_ms)| self.record_at(body, at_ms))?;
        // What several branches had within a budget each is one branch's own now.
        self.enforce_core_budget(branch, None)?;
        let branch = branch.to_owned();
        Ok(Forked { branch, parent: None, created: true, auto_created: Vec::new(), copied })
    }

    /// Whether a branch that is there began as this very copy. The journal alone knows: it is read
    /// from the moment that was copied to the fork.
    fn was_copied(&self, branch: &str, from: &CopiedFrom) -> Result<bool> {
        let is_it = |event: &Event| match &event.body {
            Body::BranchForked(forked) if forked.branch == branch => {
                Some(forked.copied_from.as_ref() == Some(from))
            }
            _ => None,
        };
        if let Some(said) = self.events.iter().find_map(is_it) {
            return Ok(said);
        }
        let reader = self.project.reader()?;
        for item in reader.replay(Sequence(from.through_sequence.saturating_add(1)), None) {
            if let ReplayItem::Event(recorded) = item?
                && let Some(said) = is_it(&recorded.event)
            {
                return Ok(said);
            }
        }
        Ok(false)
    }

    /// What another branch saw, as it is copied, each at its own time.
    fn seen_then(
        &mut self,
        branch: &str,
        from: &str,
        then: &MemoryView<'_>,
    ) -> Result<Vec<(Body, u64)>> {
        let at_ms = then.last_ms()?;
        let core = memory::core(then, from, at_ms)?;
        let no_limit =
            MemoryConfig { core_max_chars: 0, recall_max_events: 0, ..MemoryConfig::default() };
        let sizes = memory::pressure(then, from, &no_limit, at_ms)?;
        let count = core.len() as u64 + sizes.recall_count + sizes.archival_count;
        if count > COPIED_RECORDS_MAX {
            let branch = from.to_owned();
            return Err(MemoryError::TooMuchToCopy { branch, count });
        }
        let last = self.view()?.last_ids()?;
        let origin = self.origin();
        let (mut seen, mut bytes) = (Vec::new(), 0);
        let mut add = |body: Body, at_ms: u64, len: usize| {
            seen.push((body, at_ms));
            bytes += len;
        };
        for value in core.into_values() {
            let at_ms = value.updated_ms;
            let bytes = value.key.len() + value.value.len();
            let set = CoreSet {
                branch: branch.to_owned(),
                key: value.key,
                value: value.value,
                importance: clamped(Some(i64::from(value.importance))),
                ttl: value.ttl,
                origin: origin.clone(),
            };
            add(Body::CoreSet(set), at_ms, bytes);
        }
        let recall = memory::recall(then, from, usize::MAX)?;
        for (event, id) in recall.events.into_iter().rev().zip(last.events + 1..) {
            let bytes = event.text.len();
            let appended = RecallAppended {
                id,
                branch: branch.to_owned(),
                kind: event.kind,
                text: event.text,
                tags: event.tags,
                task_hint: event.task_hint,
                memory_size: event.memory_size,
                origin: origin.clone(),
            };
            add(Body::RecallAppended(appended), event.at_ms, bytes);
        }
        for (it, id) in recall.summaries.into_iter().rev().zip(last.inherited_summaries + 1..) {
            let (bytes, at_ms) = (it.text.len(), it.at_ms);
            let (kind, summary) = (it.kind, it.text);
            // The events it stands for are another's: there is nothing to hide of them here.
            let group = InheritedGroup { kind, ids: Vec::new(), summary_id: id, summary };
            let summarized = InheritedConsolidated {
                branch: branch.to_owned(),
                total: 0,
                kept: 0,
                ancestors: 0,
                groups: vec![group],
                origin: origin.clone(),
            };
            add(Body::InheritedConsolidated(summarized), at_ms, bytes);
        }
        let everything = ArchivalSearch::newest(from, COPIED_RECORDS_MAX as usize);
        let records = memory::search(then, &everything)?;
        for (record, id) in records.into_iter().rev().zip(last.archival + 1..) {
            let bytes = record.text.len();
            let written = ArchivalWritten {
                id,
                branch: branch.to_owned(),
                text: record.text,
                tags: record.tags,
                whole: None,
                origin: origin.clone(),
            };
            add(Body::ArchivalWritten(written), record.at_ms, bytes);
        }
        names::check_len("what the branch saw then", bytes, COPIED_BYTES_MAX)?;
        Ok(seen)
    }
}
