//! An operation on branch memory that is being decided.

use super::bench::{Begun, Bench};
use super::state::State;
use super::{MemoryError, Result, limits, names};
use crate::config::MemoryConfig;
use crate::event::{
    Body, BranchForked, Content, Envelope, Event, MemoryDoor, MemoryOrigin, MemoryQuery,
    MemoryRead, Recorded, Sequence, SessionId, Source,
};
use crate::journal::recorder::shape::{self, ShapeError};
use crate::journal::{Project, RecordMode, clock};
use crate::memory::store::MemoryView;

/// Who asks for an operation on branch memory: what its events say of their session and origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The session its events belong to; `None` for nobody's.
    pub session: Option<SessionId>,
    /// Run, node, phase and execution; the door.
    pub origin: MemoryOrigin,
}

impl Asker {
    /// Somebody of whom nothing is known but the session.
    pub fn of(session: Option<SessionId>) -> Self {
        Self { session, origin: MemoryOrigin::by(MemoryDoor::Api) }
    }
}

impl Default for Asker {
    fn default() -> Self {
        Self::of(None)
    }
}

/// An operation on branch memory that is being decided: each function decides on what the ones
/// before it did. All of them are one commit, or nothing.
pub struct Operation<'o> {
    pub(super) bench: &'o mut Bench,
    pub(super) project: &'o Project,
    pub(super) asker: Asker,
    /// Decided so far, of this commit.
    pub(super) events: &'o mut Vec<Event>,
    /// About what they take in the journal.
    pub(super) bytes: &'o mut usize,
    /// Where the journal ends.
    pub(super) after: Sequence,
    pub(super) begun: Begun,
    pub(super) now_ms: u64,
    /// When it happens: behind every operation before.
    pub(super) at_ms: u64,
}

impl Operation<'_> {
    pub fn config(&self) -> &MemoryConfig {
        &self.project.config().memory
    }

    /// When it happens, Unix milliseconds.
    pub fn at_ms(&self) -> u64 {
        self.at_ms
    }

    /// The last event that the commit will have, as far as it is decided; what came before it, where
    /// nothing is.
    pub fn through(&self) -> Sequence {
        Sequence(self.after.0 + self.events.len() as u64)
    }

    /// What memory holds now, what was decided so far included.
    pub fn view(&mut self) -> Result<MemoryView<'_>> {
        Ok(self.bench.store()?.view())
    }

    /// As [`Self::view`], with the words that the index keeps of the archive.
    pub(super) fn view_with_words(&mut self) -> Result<MemoryView<'_>> {
        self.bench.view_with_words(self.after, self.events)
    }

    /// What frameworks keep, what was decided so far included.
    pub(super) fn state(&mut self) -> Result<&mut State> {
        let (after, recorded_ms) = (self.after.0, self.now_ms);
        let decided = self.events.iter().zip(after + 1..).map(|(event, sequence)| Recorded {
            sequence: Sequence(sequence),
            recorded_ms,
            event: event.clone(),
        });
        self.bench.state(self.project, self.begun, decided)
    }

    /// Records an event in the same commit: redacted, within its sizes, applied.
    ///
    /// What it decides is the caller's: the functions of this type do that for memory's own.
    pub fn record(&mut self, body: Body) -> Result<()> {
        let event = self.prepared(body)?;
        self.push(event)
    }

    /// As [`Self::record`], of what happened at another time: a copy, an import.
    pub fn record_at(&mut self, body: Body, at_ms: u64) -> Result<()> {
        let mut event = self.prepared(body)?;
        event.envelope.at_ms = at_ms;
        self.push(event)
    }

    /// Records that a branch was asked, and how much was found.
    pub(super) fn record_read(
        &mut self,
        branch: &str,
        query: MemoryQuery,
        results: usize,
    ) -> Result<()> {
        let (branch, results, origin) = (branch.to_owned(), results as u64, self.origin());
        self.record(Body::MemoryRead(MemoryRead { branch, query, results, origin }))
    }

    /// What the clock says, Unix milliseconds.
    pub(super) fn now(&self) -> u64 {
        clock::now_ms()
    }

    /// Does something by another door than the asker's; an import stays one.
    pub(super) fn by<T>(&mut self, door: MemoryDoor, act: impl FnOnce(&mut Self) -> T) -> T {
        let asked = self.asker.origin.by;
        if asked != MemoryDoor::Import {
            self.asker.origin.by = door;
        }
        let done = act(self);
        self.asker.origin.by = asked;
        done
    }

    /// What is done beneath the public functions.
    pub fn primitive<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.by(MemoryDoor::Primitive, act)
    }

    pub(super) fn origin(&self) -> MemoryOrigin {
        self.asker.origin.clone()
    }

    /// As [`Self::origin`], of what memory does by itself.
    pub(super) fn internal(&mut self) -> MemoryOrigin {
        self.by(MemoryDoor::Internal, |operation| operation.origin())
    }

    /// As [`Self::origin`], in another phase, where one is named.
    pub(super) fn origin_in(&self, phase: Option<&str>) -> MemoryOrigin {
        let mut origin = self.origin();
        origin.phase = phase.map(str::to_owned).or(origin.phase);
        origin
    }

    /// An event without its secrets and within its sizes: what is decided is decided on that.
    pub(super) fn prepared(&self, body: Body) -> Result<Event> {
        let envelope = Envelope::new(self.asker.session, Source::Live, self.at_ms);
        let mut event = Event { envelope, body };
        if let Body::BranchForked(BranchForked { branch, node, .. }) = &event.body {
            self.no_secret("branch", branch)?;
            node.iter().try_for_each(|node| self.no_secret("node", node))?;
        }
        self.bench.redactor.redact(&mut event);
        let name = event.body.name();
        shape::shape(&mut event, RecordMode::Live).map_err(|error| of_shape(error, name))?;
        Ok(event)
    }

    /// Refuses a name that is a secret: what things are found by is never redacted.
    pub(super) fn no_secret(&self, what: &'static str, name: &str) -> Result<()> {
        match self.redacted(name) == name {
            true => Ok(()),
            false => Err(MemoryError::SecretName { what }),
        }
    }

    /// Applies an event and takes it into the commit.
    pub(super) fn push(&mut self, mut event: Event) -> Result<()> {
        shape::store_blobs(&mut event, &self.project.journal()?.blobs())?;
        *self.bytes += weight(&event.body);
        let sequence = Sequence(self.after.0 + self.events.len() as u64 + 1);
        let recorded = Recorded { sequence, recorded_ms: self.now_ms, event };
        self.bench.apply(&recorded)?;
        self.events.push(recorded.event);
        Ok(())
    }

    pub(super) fn redacted_value(&self, key: &str, value: &str) -> String {
        self.bench.redactor.redact_named(key, value)
    }

    /// A text without its secrets, to look for what was stored without them.
    pub(super) fn redacted(&self, text: &str) -> String {
        self.bench.redactor.redact_text(text)
    }

    /// The branch of this name, or of the node of this name.
    pub fn branch(&mut self, name: &str) -> Result<String> {
        names::check("branch or node", name)?;
        let found = crate::memory::query::branch_of(&self.view()?, name)?;
        found.ok_or_else(|| MemoryError::NoBranch { name: name.to_owned() })
    }
}

/// Refuses a text that is too long to be taken at all.
pub(super) fn check_text(what: &'static str, text: &str) -> Result<()> {
    names::check_len(what, text.len(), limits::TEXT_BYTES_MAX)
}

/// About the bytes of an event's texts.
fn weight(body: &Body) -> usize {
    let texts = match body {
        Body::CoreSet(b) => b.key.len() + b.value.len(),
        Body::RecallAppended(b) => b.text.len() + b.tags.iter().map(String::len).sum::<usize>(),
        Body::ArchivalWritten(b) => b.text.len() + b.tags.iter().map(String::len).sum::<usize>(),
        Body::ArchivalUpdated(b) => b.text.as_ref().map_or(0, String::len),
        Body::InheritedConsolidated(b) => b.groups.iter().map(|group| group.summary.len()).sum(),
        Body::UpdatesApplied(b) => b.operations.0.len(),
        Body::KvPut(b) => b.key.len() + b.value.0.len(),
        Body::MessageAppended(b) => b.content.0.len(),
        _ => 0,
    };
    let contents = body.contents().map(|content| match content {
        Content::Inline(bytes) => bytes.len(),
        Content::Truncated { head, tail, .. } => head.len() + tail.len(),
        Content::Blob { .. } | Content::Repeated { .. } => 0,
    });
    256 + texts + contents.sum::<usize>()
}

fn of_shape(error: ShapeError, name: &'static str) -> MemoryError {
    match error {
        ShapeError::Event(source) => MemoryError::Event { name, source },
        ShapeError::NotAnObject => MemoryError::Empty { what: name },
    }
}
