//! What `index.db` has of debug memory (spec 002): each session's document, and what it is found by.

use std::collections::BTreeSet;
use std::io;

use crate::debug::fold::{DebugState, Slot, SlotStore, Slots, subjects, told_tally};
use crate::debug::query::{cause_of, is_taken_back};
use crate::event::{DebugDocument, DebugSessionId, DebugStatus, Recorded};
use crate::execution::closed::{plain, signed};
use crate::execution::index::{Index, IndexPart};
use crate::execution::query::Trials;
use crate::store::columns::insert;
use crate::store::{Projector, StoreError};

/// What is derived from a session's document, in the order in which it is taken away.
const DERIVED: [&str; 6] = [
    // Before the failures that it counts.
    "UPDATE debug_files SET sessions = sessions - 1 WHERE (error_type, file) IN \
     (SELECT error_type, file FROM debug_failures WHERE session = ?1 AND file IS NOT NULL)",
    "DELETE FROM debug_files WHERE sessions = 0 AND (error_type, file) IN \
     (SELECT error_type, file FROM debug_failures WHERE session = ?1 AND file IS NOT NULL)",
    "DELETE FROM debug_failures WHERE session = ?1",
    "DELETE FROM debug_causes WHERE session = ?1",
    "DELETE FROM debug_taken_back WHERE session = ?1",
    "DELETE FROM debug_patterns WHERE session = ?1",
];

/// The rows of debug memory in the index: each session is read and written once a transaction.
#[derive(Debug, Default)]
pub struct DebugRows {
    slots: Slots,
}

impl IndexPart for DebugRows {
    fn apply(
        &mut self,
        index: &mut Index,
        recorded: &Recorded,
        _session: Option<u64>,
    ) -> Result<(), StoreError> {
        let body = &recorded.event.body;
        let Some(id) = subjects(body).first().copied() else { return Ok(()) };
        let (seq, session) = (recorded.sequence.0, id.to_string());
        insert!(index, debug_ops { seq, session, kind: body.name() })?;
        let mut faults = Vec::new();
        self.slots.apply(recorded, &mut InIndex(index), &mut faults)?;
        faults.into_iter().try_for_each(|fault| index.note(fault.at(recorded.sequence)))
    }

    fn settle(&mut self, index: &mut Index) -> Result<(), StoreError> {
        self.slots.settle(&mut InIndex(index))
    }

    fn forget(&mut self) {
        self.slots.forget();
    }
}

struct InIndex<'a>(&'a mut Index);

impl SlotStore for InIndex<'_> {
    fn load(&mut self, id: DebugSessionId) -> Result<Slot, StoreError> {
        let doing = "looking a debug session up";
        let id = id.to_string();
        let sql = "SELECT document, beside FROM debug_sessions WHERE id = ?1";
        let held = self.0.find(doing, sql, [&id], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        let Some((document, beside)) = held else {
            let sql = "SELECT 1 FROM debug_expired WHERE id = ?1";
            let is_expired = self.0.find(doing, sql, [&id], |_| Ok(()))?.is_some();
            return Ok(if is_expired { Slot::Expired } else { Slot::Absent });
        };
        let document =
            serde_json::from_str(&document).map_err(|source| self.unreadable(&source))?;
        let beside = serde_json::from_str(&beside).map_err(|source| self.unreadable(&source))?;
        Ok(Slot::Held(Box::new(DebugState::of(document, beside))))
    }

    fn save(&mut self, id: DebugSessionId, slot: &Slot) -> Result<(), StoreError> {
        let id = id.to_string();
        match slot {
            Slot::Absent => Ok(()),
            Slot::Expired => {
                self.take(&id)?;
                insert!(self.0, debug_expired { id }).map(drop)
            }
            Slot::Held(state) => {
                self.take(&id)?;
                self.put(&id, state)
            }
        }
    }
}

impl InIndex<'_> {
    /// What stands there of a session is not what was written.
    fn unreadable(&self, source: &serde_json::Error) -> StoreError {
        let source =
            io::Error::new(io::ErrorKind::InvalidData, format!("debug_sessions: {source}"));
        StoreError::FilesDiffer { path: self.0.path().to_owned(), source }
    }

    /// Takes a session and what is derived from it away, where it is there.
    fn take(&mut self, id: &str) -> Result<(), StoreError> {
        let doing = "replacing a debug session";
        self.0.write(doing, "DELETE FROM debug_expired WHERE id = ?1", [id])?;
        let sql = "DELETE FROM debug_sessions WHERE id = ?1 RETURNING number";
        let found: Option<u64> = self.0.find(doing, sql, [id], |row| row.get(0))?;
        if let Some(number) = found {
            for sql in DERIVED {
                self.0.write(doing, sql, [number])?;
            }
        }
        Ok(())
    }

    fn put(&mut self, id: &str, state: &DebugState) -> Result<(), StoreError> {
        let DebugState { document, beside, .. } = state;
        let json = serde_json::to_string(document).map_err(|source| self.unreadable(&source))?;
        let told = serde_json::to_string(beside).map_err(|source| self.unreadable(&source))?;
        let metadata = document.metadata.as_ref();
        let executions = &document.executions;
        let failed = executions.iter().filter(|execution| !execution.test_results.is_passed());
        let learnings = document.learnings.as_ref();
        let patterns = learnings.and_then(|it| it.patterns_identified.as_deref());
        let (session, updated_ms) = (beside.first_seq, signed(beside.updated_ms));
        insert!(
            self.0,
            debug_sessions {
                number: session,
                id,
                native_id: beside.native_id.as_deref().map(plain),
                file_path: plain(&document.file_path),
                status: document.status.unwrap_or(DebugStatus::InProgress).as_str(),
                created_ms: signed(beside.created_ms),
                updated_ms,
                attempts: executions.len(),
                attempts_failed: failed.count(),
                patterns: patterns.map_or(0, <[_]>::len),
                agent: metadata.and_then(|it| it.agent.as_deref()).map(plain),
                task_id: metadata.and_then(|it| it.task_id.as_deref()).map(plain),
                last_seq: beside.last_seq,
                beside: told,
                document: json,
            }
        )?;
        self.put_failures(document, session, updated_ms)?;
        let causes: BTreeSet<&str> = executions
            .iter()
            .filter_map(|execution| execution.analysis.as_ref()?.root_cause_category)
            .map(|category| category.as_str())
            .collect();
        for root_cause_category in causes {
            insert!(
                self.0,
                "INSERT OR IGNORE INTO",
                debug_causes { root_cause_category, updated_ms, session }
            )?;
        }
        for (attempt, execution) in &beside.executions {
            if is_taken_back(document, beside, *attempt) {
                insert!(self.0, debug_taken_back { execution, session })?;
            }
        }
        for pattern in patterns.unwrap_or_default() {
            let mut tallies = beside.tallies.iter();
            let tally = tallies.find(|tally| tally.pattern == pattern.pattern);
            let counted = tally.cloned().unwrap_or_else(|| told_tally(pattern));
            let trials = Trials { helped: counted.successes, tried: counted.trials };
            insert!(
                self.0,
                "INSERT OR IGNORE INTO",
                debug_patterns {
                    session,
                    pattern: plain(&pattern.pattern),
                    category: pattern.category.as_deref().map(plain),
                    frequency: signed(pattern.frequency),
                    fix_template: pattern.fix_template,
                    effectiveness: pattern.effectiveness,
                    successes: tally.map(|tally| signed(tally.successes)),
                    trials: tally.map(|tally| signed(tally.trials)),
                    bound: trials.bound(),
                    updated_ms,
                }
            )?;
        }
        Ok(())
    }

    /// Each distinct failure once, as it was last.
    fn put_failures(
        &self,
        document: &DebugDocument,
        session: u64,
        updated_ms: i64,
    ) -> Result<(), StoreError> {
        let mut met = BTreeSet::new();
        for execution in document.executions.iter().rev() {
            for (place, failure) in execution.failures.iter().flatten().enumerate() {
                let at = failure.source_location.as_ref();
                let error_type = failure.error_type.as_str();
                let cause = cause_of(failure).key();
                let test_name = plain(&failure.test_name);
                let file = at.and_then(|at| at.file.as_deref()).map(plain);
                let function = at.and_then(|at| at.function.as_deref()).map(plain);
                if met.insert((
                    error_type,
                    cause,
                    test_name.clone(),
                    file.clone(),
                    function.clone(),
                )) {
                    insert!(
                        self.0,
                        debug_failures {
                            session,
                            attempt: execution.attempt,
                            place,
                            error_type,
                            cause,
                            test_name,
                            file,
                            function,
                            updated_ms,
                        }
                    )?;
                }
            }
        }
        let sql = "INSERT INTO debug_files (error_type, file, sessions) \
                   SELECT DISTINCT error_type, file, 1 FROM debug_failures \
                   WHERE session = ?1 AND file IS NOT NULL \
                   ON CONFLICT (error_type, file) DO UPDATE SET sessions = sessions + 1";
        self.0.write("counting a debug session's files", sql, [session]).map(drop)
    }
}
