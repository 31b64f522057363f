//! Records events: redact → canonicalise → validate → limit → judge the time → append.
//!
//! Recording is idempotent by execution id and by call key: what the journal holds already is
//! counted as a duplicate and not appended again. Live, one call of [`Recorder::record`] is one
//! commit, all or nothing; an import is staged and becomes commits of up to 256 KiB.

mod checks;
mod direct;
mod facts;
mod groups;
mod known;
mod listener;
mod repeats;
mod report;
pub(crate) mod shape;
mod sweep;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::boot_clock::BootClock;
use super::project::KnownSecrets;
use super::{Mark, Project, clock, time_guard};
use crate::config::Contract;
use crate::event::{Body, Envelope, Event, ExecutionId, SessionId, Source, ToolsDeclared, tool};
use crate::redact::Redactor;
use facts::Facts;
use groups::Time;
use known::Known;
use listener::Heard;
use shape::ShapeError;

pub use direct::DirectRecorder;
pub use facts::{
    Called, Compared, Ended, ExecutionFact, MessageFact, OpenPast, Past, PastFault, SessionFact,
    State, TurnFact,
};
pub use groups::Group;
pub use report::{RecordError, RecordReport, Rounds};
pub use sweep::{AGENT_GONE, has_dead_owners, is_left, is_unseen};

pub struct Recorder<'p> {
    project: &'p Project,
    mode: RecordMode,
    open_past: OpenPast,
    secrets: KnownSecrets,
    /// `None` where they must be read (again) before they are used.
    facts: Option<Facts>,
    /// Executions that are known under another id, by their call key.
    aliases: HashMap<ExecutionId, ExecutionId>,
    /// `None` where nobody listens.
    heard: Option<Heard>,
    clock: BootClock<'p>,
    /// Of the event before, where that was a prompt which was not taken.
    untaken: Option<SessionId>,
    /// What the clock was last believed to read; 0 before.
    believed_ms: u64,
}

impl<'p> Recorder<'p> {
    /// What is on record already it asks of what `open_past` opens, and of the journal from there on.
    pub fn new(project: &'p Project, mode: RecordMode, open_past: OpenPast) -> Self {
        let (secrets, clock) = (project.secrets(), BootClock::new(project));
        let (aliases, facts, heard, untaken) = (HashMap::new(), None, None, None);
        let believed_ms = 0;
        Self {
            project,
            mode,
            open_past,
            secrets,
            facts,
            aliases,
            heard,
            clock,
            untaken,
            believed_ms,
        }
    }

    /// What takes secrets out of what it records.
    pub(crate) fn redactor(&self) -> &Redactor {
        &self.secrets.redactor
    }

    /// Records events, in order. Live: one durable commit, or an error and nothing.
    pub fn record(&mut self, events: Vec<Event>) -> Result<RecordReport, RecordError> {
        let mut reports = self.record_groups(vec![events.into()])?;
        Ok(reports.pop().unwrap_or_default())
    }

    pub fn declare(&mut self, tools: &[String], by: &str) -> Result<RecordReport, RecordError> {
        if let (Contract::Locked, Some(tool)) = (self.project.config().contract, tools.first()) {
            return Err(RecordError::Locked { tool: tool.clone() });
        }
        let body = Body::ToolsDeclared(ToolsDeclared { tools: tools.to_vec(), by: by.to_owned() });
        let envelope = Envelope::new(None, self.mode.source(), clock::now_ms());
        self.record(vec![Event { envelope, body }])
    }

    /// Writes and syncs what was staged; stores may be fed up to the mark.
    pub fn finish(self) -> Result<Mark, RecordError> {
        Ok(self.project.journal()?.sync()?)
    }

    /// Whether what is known had to be read from so much of the journal that the stores should be caught up
    /// before the next recording.
    pub fn stores_are_due(&self) -> bool {
        self.facts.as_ref().is_some_and(Facts::is_far_ahead)
    }

    fn facts(&mut self) -> Result<&mut Facts, RecordError> {
        let facts = match self.facts.take() {
            Some(facts) => facts,
            None => Facts::load(self.project, self.open_past, self.mode)?,
        };
        Ok(self.facts.insert(facts))
    }

    /// Makes one event ready to be appended, or finds that it need not be.
    fn prepare(
        &mut self,
        at: usize,
        mut event: Event,
        time: Time,
        ready: &mut Vec<Event>,
        report: &mut RecordReport,
    ) -> Result<(), RecordError> {
        if self.mode == RecordMode::Import {
            shape::conceal(&mut event, &self.secrets.redactor);
        }
        let is_untaken = self.begins_untaken(&event);
        self.rename(&mut event);
        match self.known(&event)? {
            Known::New if !is_untaken => (),
            Known::New | Known::Duplicate => {
                self.check_same(&event)?;
                report.duplicates += 1;
                return Ok(());
            }
            Known::Late { corrects } => {
                correct(&mut event, corrects);
                report.corrected += 1;
            }
        }
        report.redacted += self.secrets.redactor.redact(&mut event);
        if self.secrets.is_withheld(&event, self.project) {
            report.withheld += 1;
            return Ok(());
        }
        if !self.tells_news(&event)? {
            report.duplicates += 1;
            return Ok(());
        }
        let name = event.body.name();
        if self.mode == RecordMode::Live
            && let Some(what) = shape::secret(&mut event, &self.secrets.redactor)
        {
            return Err(RecordError::SecretName { at, name, what });
        }
        report.truncated += shape::shape(&mut event, self.mode).map_err(|error| match error {
            ShapeError::Event(source) => RecordError::Event { at, name, source },
            ShapeError::NotAnObject => RecordError::NotAnObject { at, name },
        })?;
        self.clamp(at, &mut event, time, report)?;
        if let Some(declared) = self.allow_tool(&mut event, report)? {
            self.facts()?.take(&declared)?;
            self.hear(&declared);
            ready.push(declared);
        }
        self.hear(&event);
        shape::store_blobs(&mut event, &self.project.journal()?.blobs())?;
        let project = self.project;
        let facts = self.facts()?;
        facts.refer(&mut event, ready.len(), project)?;
        facts.take(&event)?;
        ready.push(event);
        self.untaken = None;
        Ok(())
    }

    fn clamp(
        &mut self,
        at: usize,
        event: &mut Event,
        time: Time,
        report: &mut RecordReport,
    ) -> Result<(), RecordError> {
        let name = event.body.name();
        let session = match event.envelope.session {
            Some(session) => self.facts()?.session(session)?,
            None => None,
        };
        let envelope = &mut event.envelope;
        let last_ms = session.map(|session| session.last_ms);
        let at_ms = match time {
            Time::Read => time_guard::judge_reading(envelope.at_ms, last_ms, &mut self.clock),
            Time::Told { now_ms } => time_guard::judge_told(envelope.at_ms, last_ms, now_ms)
                .map_err(|source| RecordError::Time { at, name, source })?,
            Time::Past { now_ms } => time_guard::judge_past(envelope.at_ms, last_ms, now_ms),
        };
        if at_ms != envelope.at_ms {
            report.clamped += 1;
            envelope.raw_at_ms.get_or_insert(envelope.at_ms);
            envelope.at_ms = at_ms;
        }
        Ok(())
    }

    /// Judges the tool of an execution that begins; gives the declaration it needs, if any.
    fn allow_tool(
        &mut self,
        event: &mut Event,
        report: &mut RecordReport,
    ) -> Result<Option<Event>, RecordError> {
        let (mode, contract) = (self.mode, self.project.config().contract);
        let name = match &mut event.body {
            Body::ToolsDeclared(declared) => {
                let invalid = declared.tools.iter().find(|tool| !tool::is_valid(tool));
                return match invalid {
                    Some(tool) => Err(RecordError::ToolName { tool: tool.clone() }),
                    None => {
                        report.declared.extend_from_slice(&declared.tools);
                        Ok(None)
                    }
                };
            }
            Body::ChecksDeclared(declared) => return checks::judge(&declared.list).map(|()| None),
            Body::ExecutionStarted(started) => &mut started.tool,
            Body::ExecutionFinished(finished) => &mut finished.tool,
            Body::ExecutionInterrupted(interrupted) => &mut interrupted.tool,
            Body::ExecutionCorrected(corrected) => &mut corrected.tool,
            _ => return Ok(None),
        };
        let facts = self.facts()?;
        if facts.has_tool(name) {
            return Ok(None);
        }
        match mode {
            RecordMode::Live if !tool::is_valid(name) => {
                Err(RecordError::ToolName { tool: name.clone() })
            }
            RecordMode::Live => {
                let declared = facts.tools().join(", ");
                // What declared it may be what is lost: then that is why.
                self.project.journal()?;
                Err(RecordError::Undeclared { tool: name.clone(), declared })
            }
            RecordMode::Import => {
                *name = tool::made_valid(name);
                if contract == Contract::Locked || facts.has_tool(name) {
                    return Ok(None);
                }
                report.declared.push(name.clone());
                let (tools, by) = (vec![name.clone()], "import".to_owned());
                let envelope = Envelope {
                    session: None,
                    raw_at_ms: None,
                    redactions: Vec::new(),
                    ..event.envelope
                };
                let body = Body::ToolsDeclared(ToolsDeclared { tools, by });
                Ok(Some(Event { envelope, body }))
            }
        }
    }
}

/// Turns a result that came after its execution was given up into a correction (ruling 2).
fn correct(event: &mut Event, corrects: ExecutionId) {
    if let Body::ExecutionFinished(finished) = &event.body {
        let execution = crate::journal::id::correction(event.envelope.at_ms, corrects);
        event.body = Body::ExecutionCorrected(crate::event::ExecutionCorrected {
            execution,
            corrects,
            tool: finished.tool.clone(),
            reason: "its result was seen after it was recorded as interrupted".to_owned(),
            closing: finished.closing.clone(),
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordMode {
    /// As it happens: what breaks the contract is refused, and each call is one durable commit.
    Live,
    /// What has happened: nothing is refused for its time or its tool, and commits are batches.
    Import,
}

impl RecordMode {
    /// The door that its own events come by.
    fn source(self) -> Source {
        match self {
            Self::Live => Source::Live,
            Self::Import => Source::Import,
        }
    }
}
