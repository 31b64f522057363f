//! Events of branch memory and of phases: who did what to which branch, and what it changed.

use super::IndexProjector;
use crate::event::{Body, MemoryOrigin, NodePlace, PhaseName, Recorded};
use crate::execution::closed::signed;
use crate::execution::index::OperationRow;
use crate::store::StoreError;

const CORE: &str = "core";
const RECALL: &str = "recall";
const ARCHIVAL: &str = "archival";
const INHERITED: &str = "inherited";

impl IndexProjector {
    /// The row of an event of branch memory.
    pub(super) fn memory(
        &mut self,
        recorded: &Recorded,
        branch: &str,
        origin: &MemoryOrigin,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let body = &recorded.event.body;
        let (key, record) = match body {
            Body::CoreSet(set) => (Some(set.key.as_str()), None),
            Body::CoreDeleted(deleted) => (Some(deleted.key.as_str()), None),
            Body::CoreEvicted(evicted) => (Some(evicted.key.as_str()), Some(evicted.record)),
            Body::ArchivalWritten(written) => (None, Some(written.id)),
            Body::ArchivalUpdated(updated) => (None, Some(updated.id)),
            _ => (None, None),
        };
        let has_place = match body {
            Body::UpdatesApplied(applied) => applied.prompt.is_some(),
            Body::PromptRendered(rendered) => rendered.prompt.is_some(),
            _ => false,
        };
        let execution = origin.execution.map(|id| id.to_string());
        self.store.add_operation(&OperationRow {
            seq: recorded.sequence.0,
            at_ms: signed(recorded.event.envelope.at_ms),
            session,
            kind: body.name(),
            branch,
            key,
            record: record.map(signed),
            node: origin.node.as_deref(),
            run: origin.run.as_deref(),
            phase: origin.phase.as_deref(),
            door: Some(origin.by.as_str()),
            execution: execution.as_deref(),
            has_place,
        })?;
        self.changes(recorded, branch)
    }

    fn changes(&mut self, recorded: &Recorded, branch: &str) -> Result<(), StoreError> {
        let seq = recorded.sequence.0;
        let mut key = |name: &str| self.store.add_change(CORE, name, branch, seq);
        match &recorded.event.body {
            Body::CoreSet(set) => key(&set.key),
            Body::CoreDeleted(deleted) => key(&deleted.key),
            Body::CoreEvicted(evicted) => {
                key(&evicted.key)?;
                self.numbers(ARCHIVAL, &[evicted.record], branch, seq)
            }
            Body::ImportanceEvaluated(evaluated) => {
                evaluated.items.iter().try_for_each(|item| key(&item.key))
            }
            Body::RecallAppended(appended) => self.numbers(RECALL, &[appended.id], branch, seq),
            Body::RecallEvicted(evicted) => {
                self.numbers(RECALL, &evicted.ids, branch, seq)?;
                self.numbers(ARCHIVAL, &evicted.records, branch, seq)
            }
            Body::RecallConsolidated(consolidated) => {
                for group in &consolidated.groups {
                    self.numbers(RECALL, &group.ids, branch, seq)?;
                    self.numbers(ARCHIVAL, &[group.record], branch, seq)?;
                }
                Ok(())
            }
            Body::InheritedConsolidated(consolidated) => {
                for group in &consolidated.groups {
                    self.numbers(RECALL, &group.ids, branch, seq)?;
                    self.numbers(INHERITED, &[group.summary_id], branch, seq)?;
                }
                Ok(())
            }
            Body::ArchivalWritten(written) => self.numbers(ARCHIVAL, &[written.id], branch, seq),
            Body::ArchivalUpdated(updated) => self.numbers(ARCHIVAL, &[updated.id], branch, seq),
            _ => Ok(()),
        }
    }

    fn numbers(
        &mut self,
        layer: &str,
        numbers: &[u64],
        branch: &str,
        seq: u64,
    ) -> Result<(), StoreError> {
        numbers
            .iter()
            .try_for_each(|number| self.store.add_change(layer, &number.to_string(), branch, seq))
    }

    /// The row of an event of a phase.
    pub(super) fn phase(
        &mut self,
        recorded: &Recorded,
        place: &NodePlace,
        phase: Option<PhaseName>,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        self.store.add_operation(&OperationRow {
            seq: recorded.sequence.0,
            at_ms: signed(recorded.event.envelope.at_ms),
            session,
            kind: recorded.event.body.name(),
            branch: &place.branch,
            key: None,
            record: None,
            node: Some(&place.node),
            run: Some(&place.experiment.run),
            phase: phase.map(PhaseName::as_str),
            door: None,
            execution: None,
            has_place: true,
        })
    }
}
