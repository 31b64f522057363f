//! What several callers want recorded, as one commit.

use super::listener::Heard;
use super::{Facts, RecordError, RecordMode, RecordReport, Recorder, Rounds};
use crate::event::{Event, ExecutionId, Sequence, SessionId};
use crate::journal::{Appended, clock, time_guard, turn};

#[derive(Clone, Debug)]
pub struct Group {
    pub events: Vec<Event>,
    /// The caller says when it happened; else our clock was read.
    pub is_timed: bool,
}

/// Whose word a time is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Time {
    /// The clock was read by us.
    Read,
    /// A caller's: refused where it cannot be.
    Told { now_ms: u64 },
    /// A transcript's: moved to where it can be.
    Past { now_ms: u64 },
}

impl From<Vec<Event>> for Group {
    fn from(events: Vec<Event>) -> Self {
        Self { events, is_timed: false }
    }
}

impl Recorder<'_> {
    /// Records groups of events, in order. Live: all groups are one durable commit, or an error and
    /// nothing of any. Gives what became of each; where it lies is the group's own part.
    ///
    /// What is known is judged by the journal up to its end: where others appended since it was read,
    /// nothing is written, what they did is read, and everything judged anew; at last while nobody
    /// else can append.
    pub fn record_groups(&mut self, groups: Vec<Group>) -> Result<Vec<RecordReport>, RecordError> {
        let mut rounds = Rounds::of(self.project);
        loop {
            let error = match self.try_record(groups.clone()) {
                Ok(reports) => return Ok(reports),
                Err(error) => error,
            };
            let read = match (error.overtaken(), &mut self.facts) {
                (Some(last), Some(facts)) => {
                    rounds.another().and_then(|()| facts.read_on(self.project, last))
                }
                _ => Err(error),
            };
            let has_past = self.facts.as_ref().is_some_and(Facts::has_past);
            match read {
                Ok(()) => {}
                Err(RecordError::Past(_)) if has_past => {
                    let (project, open_past) = (self.project, self.open_past);
                    self.facts = Some(Facts::load_alone(project, open_past, self.mode)?);
                }
                Err(error) => {
                    // What was learnt on the way to a refusal never happened.
                    self.facts = None;
                    return Err(error);
                }
            }
        }
    }

    /// Reads anew what there is to know before anything else is recorded: nothing is recorded for a
    /// while, and the index that was asked may be replaced.
    pub fn forget(&mut self) {
        self.facts = None;
    }

    /// Notes a commit of this process that says nothing a recorder must know: memory's.
    pub fn pass_over(&mut self, appended: Appended) {
        // Where somebody else recorded in between, the next append finds it out.
        if let Some(facts) = &mut self.facts
            && appended.first.0 == facts.through().0 + 1
        {
            facts.settle(appended.last);
        }
    }

    pub fn known_execution(
        &mut self,
        execution: ExecutionId,
    ) -> Result<Option<(String, Option<SessionId>)>, RecordError> {
        let known = self.facts()?.execution(execution)?;
        Ok(known.map(|known| (known.tool.to_string(), known.session)))
    }

    fn try_record(&mut self, groups: Vec<Group>) -> Result<Vec<RecordReport>, RecordError> {
        let mut reports = Vec::with_capacity(groups.len());
        let mut ready = Vec::new();
        // In this order: a redaction behind what is known is what the append is overtaken by.
        self.facts()?;
        self.secrets = self.project.secrets();
        self.heard.iter_mut().for_each(Heard::begin);
        let now_ms = self.now_ms();
        if let Some(event) = self.settings_checks()? {
            let time =
                if self.mode == RecordMode::Import { Time::Past { now_ms } } else { Time::Read };
            self.prepare(0, event, time, &mut ready, &mut RecordReport::default())?;
        }
        let added = ready.len() as u64;
        for Group { events, is_timed } in groups {
            let mut report = RecordReport::default();
            let before = ready.len();
            let time = match (self.mode, is_timed) {
                (RecordMode::Import, _) => Time::Past { now_ms },
                (RecordMode::Live, true) => Time::Told { now_ms },
                (RecordMode::Live, false) => Time::Read,
            };
            for (at, event) in events.into_iter().enumerate() {
                self.prepare(at, event, time, &mut ready, &mut report)?;
            }
            report.recorded = (ready.len() - before) as u64;
            reports.push(report);
        }
        if ready.is_empty() {
            return Ok(reports);
        }
        let through = self.facts()?.through();
        let journal = self.project.journal()?;
        turn::pass();
        let appended = match self.mode {
            RecordMode::Import => journal.write_after(through, &ready, now_ms)?,
            RecordMode::Live => journal.append_after(through, &ready, now_ms)?,
        };
        turn::pass();
        let facts = self.facts()?;
        facts.settle(appended.last);
        facts.repeats.settle(Sequence(appended.last.0 + 1 - ready.len() as u64));
        self.heard.iter_mut().for_each(|heard| heard.settle(appended, now_ms));
        if self.mode == RecordMode::Live {
            place(&mut reports, appended, added);
            // The events are safe; what was mended on the way is in `quarantine/` even where this
            // cannot be said as well.
            drop(self.project.note_recoveries());
        }
        Ok(reports)
    }

    /// What the clock reads, where that can be.
    fn now_ms(&mut self) -> u64 {
        let read_ms = clock::now_ms();
        let last_ms = Some(self.believed_ms);
        self.believed_ms = time_guard::judge_reading(read_ms, last_ms, &mut self.clock);
        if self.believed_ms == read_ms {
            self.clock.note(read_ms);
        }
        self.believed_ms
    }
}

/// Gives each group that recorded something its own part of the commit, behind what was added before them.
fn place(reports: &mut [RecordReport], appended: Appended, added: u64) {
    let mut next = appended.first.0 + added;
    for report in reports.iter_mut().filter(|report| report.recorded > 0) {
        let (first, last) = (Sequence(next), Sequence(next + report.recorded - 1));
        report.appended = Some(Appended { first, last, mark: appended.mark });
        next = last.0 + 1;
    }
}
