//! Debug memory: each session's document, and what it is found by.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::IndexProjector;
use crate::debug::fold::{DebugState, Slot, SlotStore, subjects};
use crate::event::{
    Body, DebugDocument, DebugSessionId, DebugStatus, Recorded, TestFailure, normalised_message,
};
use crate::execution::closed::{plain, signed};
use crate::execution::index::{
    DebugFailureRow, DebugPatternRow, DebugSessionRow, DebugStored, Index,
};
use crate::store::StoreError;

impl IndexProjector {
    /// The rows of an event of debug memory; of any other, none.
    pub(super) fn debug(&mut self, recorded: &Recorded, body: &Body) -> Result<(), StoreError> {
        let Some(id) = subjects(body).first().copied() else { return Ok(()) };
        self.store.add_debug_op(recorded.sequence.0, &id.to_string(), body.name())?;
        let mut faults = Vec::new();
        self.debug.apply(recorded, &mut InIndex { index: &mut self.store }, &mut faults)?;
        faults.into_iter().try_for_each(|fault| self.keep(fault.at(recorded.sequence)))
    }

    /// Writes the debug sessions that were met.
    pub(super) fn settle_debug(&mut self) -> Result<(), StoreError> {
        self.debug.settle(&mut InIndex { index: &mut self.store })
    }
}

struct InIndex<'a> {
    index: &'a mut Index,
}

impl SlotStore for InIndex<'_> {
    fn load(&mut self, id: DebugSessionId) -> Result<Slot, StoreError> {
        let (document, beside) = match self.index.debug_session(&id.to_string())? {
            DebugStored::Absent => return Ok(Slot::Absent),
            DebugStored::Expired => return Ok(Slot::Expired),
            DebugStored::Held { document, beside } => (document, beside),
        };
        let unreadable = |source: serde_json::Error| self.index.unreadable_debug(&source);
        let document = serde_json::from_str(&document).map_err(unreadable)?;
        let beside = serde_json::from_str(&beside).map_err(unreadable)?;
        Ok(Slot::Held(Box::new(DebugState::of(document, beside))))
    }

    fn save(&mut self, id: DebugSessionId, slot: &Slot) -> Result<(), StoreError> {
        match slot {
            Slot::Absent => Ok(()),
            Slot::Expired => self.index.expire_debug_session(&id.to_string()),
            Slot::Held(state) => self.put(&id.to_string(), state),
        }
    }
}

impl InIndex<'_> {
    fn put(&mut self, id: &str, state: &DebugState) -> Result<(), StoreError> {
        let DebugState { document, beside, .. } = state;
        let unreadable = |source: serde_json::Error| self.index.unreadable_debug(&source);
        let written = serde_json::to_string(document).map_err(unreadable)?;
        let told = serde_json::to_string(beside).map_err(unreadable)?;
        let metadata = document.metadata.as_ref();
        let agent = metadata.and_then(|it| it.agent.as_deref()).map(plain);
        let task_id = metadata.and_then(|it| it.task_id.as_deref()).map(plain);
        let native_id = beside.native_id.as_deref().map(plain);
        let executions = &document.executions;
        let failed = executions.iter().filter(|execution| !execution.test_results.is_passed());
        let causes: BTreeSet<&str> = executions
            .iter()
            .filter_map(|execution| execution.analysis.as_ref()?.root_cause_category)
            .map(|category| category.as_str())
            .collect();
        let row = DebugSessionRow {
            number: beside.first_seq,
            id,
            native_id: native_id.as_deref(),
            file_path: &plain(&document.file_path),
            status: document.status.unwrap_or(DebugStatus::InProgress).as_str(),
            created_ms: signed(beside.created_ms),
            updated_ms: signed(beside.updated_ms),
            attempts: executions.len(),
            attempts_failed: failed.count(),
            agent: agent.as_deref(),
            task_id: task_id.as_deref(),
            last_seq: beside.last_seq,
            beside: &told,
            document: &written,
        };
        let causes: Vec<&str> = causes.into_iter().collect();
        self.index.put_debug_session(&row, &failures(document), &causes, &patterns(state))
    }
}

/// Each distinct failure once, as it was last.
fn failures(document: &DebugDocument) -> Vec<DebugFailureRow<'_>> {
    let mut met = BTreeSet::new();
    let mut rows = Vec::new();
    for execution in document.executions.iter().rev() {
        for (place, failure) in execution.failures.iter().flatten().enumerate() {
            let row = failure_row(execution.attempt, place, failure);
            let (file, function) = (row.file.clone(), row.function.clone());
            let key = (row.error_type, row.message.clone(), row.test_name.clone(), file, function);
            if met.insert(key) {
                rows.push(row);
            }
        }
    }
    rows
}

fn failure_row(attempt: u32, place: usize, failure: &TestFailure) -> DebugFailureRow<'_> {
    let at = failure.source_location.as_ref();
    let owned = |text: &str| plain(text).into_owned();
    DebugFailureRow {
        attempt,
        place,
        error_type: failure.error_type.as_str(),
        message: normalised_message(&failure.error_message),
        test_name: owned(&failure.test_name),
        file: at.and_then(|at| at.file.as_deref()).map(owned),
        function: at.and_then(|at| at.function.as_deref()).map(owned),
    }
}

fn patterns(state: &DebugState) -> Vec<DebugPatternRow<'_>> {
    let learnings = state.document.learnings.as_ref();
    let patterns = learnings.and_then(|it| it.patterns_identified.as_ref()).into_iter().flatten();
    patterns
        .map(|pattern| {
            let mut tallies = state.beside.tallies.iter();
            let tally = tallies.find(|tally| tally.pattern == pattern.pattern);
            DebugPatternRow {
                pattern: plain(&pattern.pattern).into_owned(),
                category: pattern.category.as_deref().map(plain).map(Cow::into_owned),
                frequency: signed(pattern.frequency),
                fix_template: pattern.fix_template.as_deref(),
                effectiveness: pattern.effectiveness,
                successes: tally.map(|tally| signed(tally.successes)),
                trials: tally.map(|tally| signed(tally.trials)),
            }
        })
        .collect()
}
