//! One step of an audit replay: what happened, and the stores after it; and what its contents are brought with.

use std::error::Error;
use std::rc::Rc;

use crate::event::{Body, Brought, Content, Kind, ReadsContents, Recorded, Sequence, WithContents};
use crate::execution::tally::{Added, TallyCounts};
use crate::journal::{Finding, JournalError, JournalReader};
use crate::store::feed::CONTENT_BYTES_MAX;

#[derive(Debug)]
pub struct Step {
    /// Its number among the steps shown, from 1.
    pub number: u64,
    pub what: What,
    pub added: Added,
    pub stores: TallyCounts,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly all are events")]
pub enum What {
    Event(Recorded),
    /// An event of a kind that this build does not know, and that no store needs.
    Unknown {
        sequence: Sequence,
        kind: Kind,
    },
    /// An event whose payload was destroyed on purpose; its place still verifies.
    Redacted {
        sequence: Sequence,
        kind: Kind,
    },
    /// An event that this build cannot read.
    /// `problem` says why, causes included; it is not escaped.
    Undecodable {
        sequence: Sequence,
        kind: Kind,
        problem: String,
    },
    /// Bytes that are not what was written.
    Lost(Finding),
}

impl Step {
    /// The event's place; of lost ones the first, where that is known.
    pub fn sequence(&self) -> Option<Sequence> {
        match &self.what {
            What::Event(recorded) => Some(recorded.sequence),
            What::Unknown { sequence, .. }
            | What::Redacted { sequence, .. }
            | What::Undecodable { sequence, .. } => Some(*sequence),
            What::Lost(finding) => finding.lost.map(|(first, _)| Sequence(first.0)),
        }
    }

    /// When it happened, Unix milliseconds; `None` where no event can be read.
    pub fn at_ms(&self) -> Option<u64> {
        match &self.what {
            What::Event(recorded) => Some(recorded.event.envelope.at_ms),
            _ => None,
        }
    }
}

/// The contents of one journal's events. Reads, and nothing else.
#[derive(Clone)]
pub struct Contents {
    reader: Rc<JournalReader>,
}

impl ReadsContents for JournalReader {
    fn read(&self, content: &Content) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(self.bytes(content)?)
    }
}

impl Contents {
    pub(super) fn of(reader: Rc<JournalReader>) -> Self {
        Self { reader }
    }

    /// A content's bytes. At most [`crate::event::limits::CONTENT_BYTES_MAX`] are read.
    pub fn bring<'a>(&self, content: &'a Content) -> Brought<'a> {
        content.bring(|content| self.reader.read(content))
    }

    /// An event, or what holds some, to be written as JSON with its contents.
    pub fn with<'a, T>(&self, it: &'a T) -> WithContents<'a, T> {
        WithContents { it, reader: Rc::clone(&self.reader) as Rc<dyn ReadsContents> }
    }

    /// Why contents of an event cannot be brought: the first that cannot. `None` where all can.
    pub fn missing(&self, body: &Body) -> Option<JournalError> {
        let elsewhere =
            |content: &&Content| matches!(content, Content::Blob { .. } | Content::Repeated { .. });
        body.contents().filter(elsewhere).find_map(|content| self.reader.bytes(content).err())
    }

    /// Whether a store has the content: what a catch-up would find of it.
    pub fn has(&self, content: &Content) -> bool {
        match content {
            Content::Blob { hash, len } if *len > CONTENT_BYTES_MAX => {
                // Of a larger one stores read the two ends.
                let path = self.reader.blobs().path(hash);
                path.symlink_metadata().is_ok_and(|about| about.is_file())
            }
            Content::Blob { .. } | Content::Repeated { .. } => self.reader.bytes(content).is_ok(),
            Content::Inline(_) | Content::Truncated { .. } => true,
        }
    }
}
