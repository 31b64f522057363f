//! What `index.db` has of branch memory and of phases: who did what to which branch, and what it changed.

use super::words::{Said, rows};
use crate::event::{ArchivalUpdated, Body, MemoryOrigin, NodePlace, PhaseName, Recorded};
use crate::execution::closed::signed;
use crate::execution::index::{Index, IndexPart};
use crate::store::Result;
use crate::store::columns::insert;

const CORE: &str = "core";
const RECALL: &str = "recall";
const ARCHIVAL: &str = "archival";
const INHERITED: &str = "inherited";

/// The rows of branch memory and of phases in the index.
#[derive(Clone, Copy, Debug)]
pub struct MemoryRows;

impl IndexPart for MemoryRows {
    fn apply(
        &mut self,
        index: &mut Index,
        recorded: &Recorded,
        session: Option<u64>,
    ) -> Result<()> {
        let body = &recorded.event.body;
        match (body.memory_branch(), body.memory_origin(), body.node_place()) {
            (Some(branch), Some(origin), _) => {
                memory_row(index, recorded, branch, origin, session)?;
                Changes { index, branch, seq: recorded.sequence.0 }.of(body)?;
                words_row(index, recorded)
            }
            (_, _, Some(place)) => phase_row(index, recorded, place, session),
            _ => Ok(()),
        }
    }
}

fn memory_row(
    index: &Index,
    recorded: &Recorded,
    branch: &str,
    origin: &MemoryOrigin,
    session: Option<u64>,
) -> Result<()> {
    let body = &recorded.event.body;
    let (key, record) = match body {
        Body::CoreSet(set) => (Some(set.key.as_str()), None),
        Body::CoreDeleted(deleted) => (Some(deleted.key.as_str()), None),
        Body::CoreEvicted(evicted) => (Some(evicted.key.as_str()), Some(evicted.record)),
        Body::KvPut(put) => (Some(put.key.as_str()), None),
        Body::KvDeleted(deleted) => (Some(deleted.key.as_str()), None),
        Body::MessageAppended(appended) => (Some(appended.thread.as_str()), None),
        Body::MessagePopped(popped) => (Some(popped.thread.as_str()), None),
        Body::ThreadCleared(cleared) => (Some(cleared.thread.as_str()), None),
        Body::ArchivalWritten(written) => (None, Some(written.id)),
        Body::ArchivalUpdated(updated) => (None, Some(updated.id)),
        Body::MemoryEmbedded(embedded) => (None, Some(embedded.record)),
        _ => (None, None),
    };
    // Whether it leaves a file below `experiments/`.
    let has_place = match body {
        Body::UpdatesApplied(applied) => applied.prompt.is_some(),
        Body::PromptRendered(rendered) => rendered.prompt.is_some(),
        _ => false,
    };
    insert!(
        index,
        memory_ops {
            seq: recorded.sequence.0,
            at_ms: signed(recorded.event.envelope.at_ms),
            session,
            kind: body.name(),
            branch,
            key,
            record: record.map(signed),
            node: origin.node,
            run: origin.run,
            phase: origin.phase,
            door: origin.by.as_str(),
            execution: origin.execution.map(|id| id.to_string()),
            has_place,
        }
    )
    .map(drop)
}

/// Keeps the words of a record that was written or changed. What is refused of it by memory itself is found by
/// nobody: what a search finds is read there.
fn words_row(index: &Index, recorded: &Recorded) -> Result<()> {
    match &recorded.event.body {
        Body::ArchivalWritten(written) => {
            let said = Said::of(&written.text, &written.tags);
            let entry = said.entry(written.id, recorded.event.envelope.at_ms);
            rows::add(index, &written.branch, &entry)
        }
        Body::ArchivalUpdated(updated) => {
            let ArchivalUpdated { id, branch, text, tags, .. } = updated;
            rows::change(index, branch, *id, |said| {
                text.iter().for_each(|text| said.set_text(text));
                tags.iter().for_each(|tags| said.set_tags(tags));
            })?;
            match text {
                // It has another meaning now.
                Some(_) => rows::forget_vector(index, *id),
                None => Ok(()),
            }
        }
        Body::MemoryEmbedded(embedded) => rows::keep_vector(index, embedded),
        _ => Ok(()),
    }
}

/// The row of an event of a phase: it came by no door.
fn phase_row(
    index: &Index,
    recorded: &Recorded,
    place: &NodePlace,
    session: Option<u64>,
) -> Result<()> {
    let body = &recorded.event.body;
    insert!(
        index,
        memory_ops {
            seq: recorded.sequence.0,
            at_ms: signed(recorded.event.envelope.at_ms),
            session,
            kind: body.name(),
            branch: place.branch,
            node: place.node,
            run: place.experiment.run,
            phase: body.phase().map(PhaseName::as_str),
            has_place: true,
        }
    )
    .map(drop)
}

/// What an event changed: keys, or what has a number.
struct Changes<'a> {
    index: &'a Index,
    branch: &'a str,
    seq: u64,
}

impl Changes<'_> {
    fn of(&self, body: &Body) -> Result<()> {
        match body {
            Body::CoreSet(set) => self.add(CORE, &set.key),
            Body::CoreDeleted(deleted) => self.add(CORE, &deleted.key),
            Body::CoreEvicted(evicted) => {
                self.add(CORE, &evicted.key)?;
                self.numbers(ARCHIVAL, &[evicted.record])
            }
            Body::ImportanceEvaluated(evaluated) => {
                evaluated.items.iter().try_for_each(|item| self.add(CORE, &item.key))
            }
            Body::RecallAppended(appended) => self.numbers(RECALL, &[appended.id]),
            Body::RecallEvicted(evicted) => {
                self.numbers(RECALL, &evicted.ids)?;
                self.numbers(ARCHIVAL, &evicted.records)
            }
            Body::RecallConsolidated(consolidated) => {
                consolidated.groups.iter().try_for_each(|group| {
                    self.numbers(RECALL, &group.ids)?;
                    self.numbers(ARCHIVAL, &[group.record])
                })
            }
            Body::InheritedConsolidated(consolidated) => {
                consolidated.groups.iter().try_for_each(|group| {
                    self.numbers(RECALL, &group.ids)?;
                    self.numbers(INHERITED, &[group.summary_id])
                })
            }
            Body::ArchivalWritten(written) => self.numbers(ARCHIVAL, &[written.id]),
            Body::ArchivalUpdated(updated) => self.numbers(ARCHIVAL, &[updated.id]),
            _ => Ok(()),
        }
    }

    fn numbers(&self, layer: &str, numbers: &[u64]) -> Result<()> {
        numbers.iter().try_for_each(|number| self.add(layer, &number.to_string()))
    }

    fn add(&self, layer: &str, name: &str) -> Result<()> {
        let Self { index, branch, seq } = self;
        insert!(index, "INSERT OR IGNORE INTO", memory_changes { layer, name, branch, seq })
            .map(drop)
    }
}
