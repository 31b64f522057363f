//! What a file gives, recorded one by one.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{Inherited, Item};
use super::{CORE, DELETED, EVENT, INHERITED, Known, MemoryImport, RECORD};
use crate::event::{
    ArchivalWritten, Body, BranchForked, CoreDeleted, CoreSet, InheritedConsolidated,
    InheritedGroup, RecallAppended,
};
use crate::memory::core::clamped;
use crate::memory::limits::ROW_BYTES_MAX;
use crate::memory::operation::Operation;
use crate::memory::query::chain;
use crate::memory::store::foreign::ForeignCore;
use crate::memory::store::{ArchivalRecord, Branch, RecallEvent, StoredCore};
use crate::memory::texts::{beginning, fits, part_tag, pieces, referring};
use crate::memory::{Result, tags};

/// The highest number that is kept: above, a file could use all there are.
const NUMBER_MAX: u64 = 1 << 40;

pub(super) struct Moving {
    known: Known,
    /// The numbers of events here, by those in the file.
    events: BTreeMap<u64, u64>,
    /// The numbers of what this import recorded: a file's own rows are never each other's doubles.
    made: BTreeSet<(&'static str, u64)>,
    pub done: MemoryImport,
}

impl Moving {
    pub fn new(known: Known) -> Self {
        let (events, made) = (BTreeMap::new(), BTreeSet::new());
        Self { known, events, made, done: MemoryImport::default() }
    }

    /// Records an item, unless it is here.
    pub fn take(&mut self, operation: &mut Operation<'_>, item: Item) -> Result<()> {
        let is_new = match item {
            Item::Branch { branch, auto_created } => {
                self.branch(operation, branch, auto_created)?
            }
            Item::Record(record) => self.record(operation, record)?,
            Item::Core(core) => self.core(operation, core)?,
            Item::Event(event) => self.event(operation, event)?,
            Item::Inherited(inherited) => self.inherited(operation, inherited)?,
        };
        self.done.known += u64::from(!is_new);
        Ok(())
    }

    fn branch(
        &mut self,
        operation: &mut Operation<'_>,
        branch: Branch,
        auto_created: bool,
    ) -> Result<bool> {
        if operation.view()?.branch(&branch.branch)?.is_some() {
            return Ok(false);
        }
        let Branch { branch, parent, node, created_ms: at_ms } = branch;
        let origin = operation.origin();
        let forked = BranchForked { branch, parent, node, auto_created, copied_from: None, origin };
        operation.record_at(Body::BranchForked(forked), at_ms)?;
        self.done.branches += 1;
        Ok(true)
    }

    fn record(&mut self, operation: &mut Operation<'_>, given: ArchivalRecord) -> Result<bool> {
        let ArchivalRecord { branch, text, tags, at_ms, .. } = given;
        tags::check(&tags)?;
        let same = operation.view()?.same_record(&branch, &text, &tags)?;
        let same = same.filter(|id| !self.made.contains(&(RECORD, *id)));
        if self.known.take(&branch, RECORD, at_ms) || same.is_some() {
            self.take_pieces(operation, &branch, &text, at_ms, 1);
            return Ok(false);
        }
        let id = self.number(given.id, operation.view()?.last_ids()?.archival);
        archive(operation, id, &branch, text, tags, at_ms)?;
        self.made.insert((RECORD, id));
        self.done.records += 1;
        Ok(true)
    }

    fn core(&mut self, operation: &mut Operation<'_>, given: ForeignCore) -> Result<bool> {
        let ForeignCore { branch, key, value, importance, ttl, at_ms } = given;
        let kind = if value.is_some() { CORE } else { DELETED };
        let rows = operation.view()?.core(&branch)?;
        // What was written here since is newer.
        let newer = |row: &StoredCore| row.key == key && row.updated_ms >= at_ms;
        if self.known.take(&branch, kind, at_ms) || rows.iter().any(newer) {
            self.take_pieces(operation, &branch, value.as_deref().unwrap_or_default(), at_ms, 0);
            return Ok(false);
        }
        let origin = operation.origin();
        let body = match value {
            None => {
                let reason = "imported".to_owned();
                Body::CoreDeleted(CoreDeleted { branch, key, reason, origin })
            }
            Some(value) => {
                let tags = vec!["CORE_WHOLE".to_owned(), format!("core_key:{key}")];
                let value = within(operation, &branch, value, tags, at_ms)?;
                let importance = clamped(importance);
                let ttl = ttl.map(|ttl| beginning(&ttl, 64, 64).to_owned());
                Body::CoreSet(CoreSet { branch, key, value, importance, ttl, origin })
            }
        };
        operation.record_at(body, at_ms)?;
        self.done.core += 1;
        Ok(true)
    }

    fn event(&mut self, operation: &mut Operation<'_>, given: RecallEvent) -> Result<bool> {
        tags::check(&given.tags)?;
        let kind = if given.kind.is_empty() { "event".to_owned() } else { given.kind };
        let RecallEvent { branch, text, tags, at_ms, task_hint, memory_size, .. } = given;
        let same = operation.view()?.same_event(&branch, &kind, &text, &tags)?;
        let same = same.filter(|id| !self.made.contains(&(EVENT, *id)));
        let was_imported = self.known.take(&branch, EVENT, at_ms);
        if let Some(same) = same {
            self.events.insert(given.id, same);
        }
        if was_imported || same.is_some() {
            self.take_pieces(operation, &branch, &text, at_ms, 0);
            return Ok(false);
        }
        let whole = [vec!["RECALL_WHOLE".to_owned()], tags.clone()].concat();
        let text = within(operation, &branch, text, whole, at_ms)?;
        let id = self.number(given.id, operation.view()?.last_ids()?.events);
        self.events.insert(given.id, id);
        self.made.insert((EVENT, id));
        let task_hint = task_hint.map(|hint| beginning(&hint, 256, 256).to_owned());
        let origin = operation.origin();
        let appended =
            RecallAppended { id, branch, kind, text, tags, task_hint, memory_size, origin };
        operation.record_at(Body::RecallAppended(appended), at_ms)?;
        self.done.events += 1;
        Ok(true)
    }

    fn inherited(&mut self, operation: &mut Operation<'_>, given: Inherited) -> Result<bool> {
        let Inherited { branch, at_ms, groups } = given;
        if self.known.take(&branch, INHERITED, at_ms) {
            return Ok(false);
        }
        let mut last = operation.view()?.last_ids()?.inherited_summaries;
        let mut moved = Vec::with_capacity(groups.len());
        for group in groups {
            let summary_id = match group.id {
                Some(id) => self.number(id, last),
                None => last + 1,
            };
            last = summary_id;
            let tags = vec!["INHERITED_WHOLE".to_owned()];
            let summary = within(operation, &branch, group.text, tags, at_ms)?;
            // Events that are not in the file hide nothing.
            let ids = group.ids.iter().filter_map(|id| self.events.get(id).copied()).collect();
            moved.push(InheritedGroup { kind: group.kind, ids, summary_id, summary });
        }
        let total = moved.iter().map(|group| group.ids.len() as u64).sum();
        let ancestors = chain(&operation.view()?, &branch)?.len().saturating_sub(1) as u64;
        self.done.summaries += moved.len() as u64;
        let (groups, origin) = (moved, operation.origin());
        let consolidated =
            InheritedConsolidated { branch, total, kept: 0, ancestors, groups, origin };
        operation.record_at(Body::InheritedConsolidated(consolidated), at_ms)?;
        Ok(true)
    }

    /// Of a text that no row takes the archive got several records, of which the file knows nothing;
    /// `counted` of them are.
    fn take_pieces(
        &mut self,
        operation: &Operation<'_>,
        branch: &str,
        text: &str,
        at_ms: u64,
        counted: usize,
    ) {
        let text = operation.redacted(text);
        if !fits(&text, ROW_BYTES_MAX, ROW_BYTES_MAX) {
            for _ in counted..pieces(&text, ROW_BYTES_MAX as u64).len() {
                self.known.take(branch, RECORD, at_ms);
            }
        }
    }

    /// A row's own number where nothing here has one as high, else the next.
    fn number(&mut self, given: u64, last: u64) -> u64 {
        let number = if given > last && given <= NUMBER_MAX { given } else { last + 1 };
        self.done.renumbered += u64::from(number != given);
        number
    }
}

/// A text as a row holds it: of one too long the beginning, and all of it in the archive.
fn within(
    operation: &mut Operation<'_>,
    branch: &str,
    text: String,
    tags: Vec<String>,
    at_ms: u64,
) -> Result<String> {
    let redacted = operation.redacted(&text);
    if fits(&redacted, ROW_BYTES_MAX, ROW_BYTES_MAX) {
        return Ok(text);
    }
    let id = operation.view()?.last_ids()?.archival + 1;
    archive(operation, id, branch, text, tags, at_ms)?;
    Ok(referring(&redacted, id, ROW_BYTES_MAX, ROW_BYTES_MAX))
}

fn archive(
    operation: &mut Operation<'_>,
    id: u64,
    branch: &str,
    text: String,
    tags: Vec<String>,
    at_ms: u64,
) -> Result<()> {
    let text = operation.redacted(&text);
    let pieces = pieces(&text, ROW_BYTES_MAX as u64);
    for (number, (id, piece)) in (1..).zip((id..).zip(&pieces)) {
        let part = (pieces.len() > 1).then(|| part_tag(number, pieces.len()));
        let (branch, text) = (branch.to_owned(), (*piece).to_owned());
        let tags = tags.iter().cloned().chain(part).collect();
        let origin = operation.origin();
        let written = ArchivalWritten { id, branch, text, tags, whole: None, origin };
        operation.record_at(Body::ArchivalWritten(written), at_ms)?;
    }
    Ok(())
}
