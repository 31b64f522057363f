//! What several callers want recorded, as one commit.

use super::{Facts, RecordError, RecordMode, RecordReport, Recorder};
use crate::command::clock;
use crate::event::{Event, ExecutionId, Sequence, SessionId};
use crate::journal::Appended;

impl Recorder<'_> {
    /// Records groups of events, in order. Live: all groups are one durable commit, or an error and
    /// nothing of any. Gives what became of each; where it lies is the group's own part.
    ///
    /// # Errors
    /// As [`Self::record`], for whichever group is refused.
    pub fn record_groups(
        &mut self,
        groups: Vec<Vec<Event>>,
    ) -> Result<Vec<RecordReport>, RecordError> {
        // Kept only where an index, which may turn out broken half-way, has a say.
        let again = self.facts()?.has_index().then(|| groups.clone());
        let recorded = match (self.try_record(groups), again) {
            (Err(RecordError::Index(_)), Some(groups)) => {
                self.facts = Some(Facts::load_without_index(self.project)?);
                self.try_record(groups)
            }
            (recorded, _) => recorded,
        };
        if recorded.is_err() {
            // What was learnt on the way to a refusal never happened.
            self.facts = None;
        }
        recorded
    }

    /// Reads anew what there is to know before anything else is recorded: somebody else of this
    /// process recorded meanwhile, or nothing is recorded for a while, and the index that was asked
    /// may be replaced.
    pub fn forget(&mut self) {
        self.facts = None;
    }

    /// Notes a commit of this process that says nothing a recorder must know: memory's.
    pub fn pass_over(&mut self, appended: Appended) {
        match self.last {
            Some(last) if appended.first.0 == last.0 + 1 => self.last = Some(appended.last),
            // Somebody else recorded in between.
            _ => self.facts = None,
        }
    }

    /// The tool of an execution that the journal knows, and the session that it began in.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn known_execution(
        &mut self,
        execution: ExecutionId,
    ) -> Result<Option<(String, Option<SessionId>)>, RecordError> {
        let known = self.facts()?.execution(execution)?;
        Ok(known.map(|known| (known.tool.to_string(), known.session)))
    }

    fn try_record(&mut self, groups: Vec<Vec<Event>>) -> Result<Vec<RecordReport>, RecordError> {
        let mut reports = Vec::with_capacity(groups.len());
        let mut ready = Vec::new();
        let now_ms = clock::now_ms();
        for group in groups {
            let mut report = RecordReport::default();
            let before = ready.len();
            for (at, event) in group.into_iter().enumerate() {
                self.prepare(at, event, now_ms, &mut ready, &mut report)?;
            }
            report.recorded = (ready.len() - before) as u64;
            reports.push(report);
        }
        if ready.is_empty() {
            return Ok(reports);
        }
        let journal = self.project.journal()?;
        match self.mode {
            RecordMode::Import => journal.stage(&ready, now_ms)?,
            RecordMode::Live => {
                let appended = journal.append(&ready, now_ms)?;
                if self.last.is_some_and(|last| appended.first.0 != last.0 + 1) {
                    self.facts = None;
                }
                self.last = Some(appended.last);
                place(&mut reports, appended);
                // The events are safe; what was mended on the way is in `quarantine/` even
                // where this cannot be said as well.
                drop(self.project.note_recoveries());
            }
        }
        Ok(reports)
    }
}

/// Gives each group that recorded something its own part of the commit.
fn place(reports: &mut [RecordReport], appended: Appended) {
    let mut next = appended.first.0;
    for report in reports.iter_mut().filter(|report| report.recorded > 0) {
        let (first, last) = (Sequence(next), Sequence(next + report.recorded - 1));
        report.appended = Some(Appended { first, last, mark: appended.mark });
        next = last.0 + 1;
    }
}
