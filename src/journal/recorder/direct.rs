//! Records what an agent's hook tells, without asking what is on record: redact, canonicalise,
//! limit, keep the session's times in order, one append.
//!
//! A hook is on the way of every call of an agent: it can wait neither for a store nor for a
//! journal to be read. What it needs to know it brings along, from the session's own small file;
//! what slips through twice all the same the folds pass over.

use super::shape::{self, ShapeError};
use super::{RecordError, RecordMode};
use crate::config::Contract;
use crate::event::target::{CallDigest, arguments_digest};
use crate::event::{Body, Envelope, Event, Recorded, Sequence, ToolsDeclared, tool};
use crate::journal::boot_clock::BootClock;
use crate::journal::{Project, clock, time_guard};

/// Who declares the tools that hooks meet.
const BY: &str = "hook";

/// Records events of one project as they are told, all of a call's in one durable commit.
pub struct DirectRecorder<'p> {
    project: &'p Project,
}

impl<'p> DirectRecorder<'p> {
    pub fn new(project: &'p Project) -> Self {
        Self { project }
    }

    /// The name under which one stands that an agent gave: another, where it is a secret.
    pub fn recorded_name(&self, mut name: String) -> String {
        self.project.redactor().conceal(&mut name);
        name
    }

    /// The digest of a call's arguments as the journal would have them.
    pub fn recorded_arguments(&self, mut call: Event) -> Result<Option<CallDigest>, RecordError> {
        self.put_in_shape(&mut call, 0)?;
        Ok(match &call.body {
            Body::ExecutionStarted(started) => Some(arguments_digest(&started.arguments.0)),
            _ => None,
        })
    }

    fn put_in_shape(&self, event: &mut Event, at: usize) -> Result<(), RecordError> {
        let name = event.body.name();
        let redactor = self.project.redactor();
        shape::conceal(event, &redactor);
        redactor.redact(event);
        shape::shape(event, RecordMode::Import).map_err(|error| match error {
            ShapeError::Event(source) => RecordError::Event { at, name, source },
            ShapeError::NotAnObject => RecordError::NotAnObject { at, name },
        })?;
        Ok(())
    }

    /// Appends events as one durable commit, and gives them as the journal has them.
    ///
    /// `last_ms` is the newest time of their session: none is recorded behind it. `after` is the
    /// journal's last event that they were decided by, where they may be on record behind it. What a
    /// tool's name would break is declared first, as `is_declared` tells.
    pub fn record(
        &self,
        events: Vec<Event>,
        last_ms: u64,
        after: Option<Sequence>,
        is_declared: impl Fn(&str) -> bool,
    ) -> Result<Vec<Recorded>, RecordError> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let mut clock = BootClock::new(self.project);
        let read_ms = clock::now_ms();
        let now_ms = time_guard::judge_reading(read_ms, Some(last_ms), &mut clock);
        if last_ms == 0 && now_ms == read_ms {
            clock.note(read_ms);
        }
        let (mut ready, mut last_ms) = (Vec::with_capacity(events.len() + 1), last_ms);
        let mut declared: Vec<String> = Vec::new();
        for (at, mut event) in events.into_iter().enumerate() {
            self.put_in_shape(&mut event, at)?;
            if self.project.secrets().is_withheld(&event, self.project) {
                continue;
            }
            clamp(&mut event.envelope, last_ms, &mut clock);
            last_ms = event.envelope.at_ms;
            if let Some(tool) = tool_of(&mut event.body) {
                *tool = tool::made_valid(tool);
                let open = self.project.config().contract == Contract::Open;
                if open && !is_declared(tool) && !declared.contains(tool) {
                    declared.push(tool.clone());
                    ready.push(declaration(tool, &event.envelope));
                }
            }
            shape::store_blobs(&mut event, &self.project.journal()?.blobs())?;
            ready.push(event);
        }
        if ready.is_empty() {
            return Ok(Vec::new());
        }
        let journal = self.project.journal()?;
        let appended = match after {
            Some(last) => journal.append_after(last, &ready, now_ms)?,
            None => journal.append(&ready, now_ms)?,
        };
        // The events are safe; what was mended on the way is in `quarantine/` even where this
        // cannot be said as well.
        drop(self.project.note_recoveries());
        let sequences = (appended.first.0..).map(Sequence);
        let recorded = |(sequence, event)| Recorded { sequence, recorded_ms: now_ms, event };
        Ok(sequences.zip(ready).map(recorded).collect())
    }
}

fn clamp(envelope: &mut Envelope, last_ms: u64, clock: &mut BootClock<'_>) {
    let at_ms = time_guard::judge_reading(envelope.at_ms, Some(last_ms), clock);
    if at_ms != envelope.at_ms {
        envelope.raw_at_ms.get_or_insert(envelope.at_ms);
        envelope.at_ms = at_ms;
    }
}

fn tool_of(body: &mut Body) -> Option<&mut String> {
    match body {
        Body::ExecutionStarted(b) => Some(&mut b.tool),
        Body::ExecutionFinished(b) => Some(&mut b.tool),
        Body::ExecutionInterrupted(b) => Some(&mut b.tool),
        Body::ExecutionCorrected(b) => Some(&mut b.tool),
        _ => None,
    }
}

fn declaration(tool: &str, of: &Envelope) -> Event {
    let (tools, by) = (vec![tool.to_owned()], BY.to_owned());
    let envelope = Envelope::new(None, of.source, of.at_ms);
    Event { envelope, body: Body::ToolsDeclared(ToolsDeclared { tools, by }) }
}
