//! Content that the journal holds already is not kept twice: it refers to the event that has it
//! (R9).
//!
//! A reference is made only to what lies at or below the journal's watermark, so that none can
//! outlive what it refers to.

use std::collections::HashMap;

use super::RecordError;
use super::facts::Facts;
use crate::event::limits::{INLINE_BYTES_MAX, REPEATED_BYTES_MIN};
use crate::event::{Content, Event, Recorded, Sequence};
use crate::journal::Project;

/// Contents remembered: 3 MiB of them. What comes later is looked up in the index alone.
const CONTENTS_MAX: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Repeats {
    held: HashMap<[u8; 32], Sequence>,
    /// By their event's place among those that are about to be appended.
    handed: HashMap<[u8; 32], u64>,
}

impl Facts {
    /// Puts references in the place of contents that the journal holds; `place` is the event's among those
    /// that are about to be appended.
    pub(super) fn refer(
        &mut self,
        event: &mut Event,
        place: usize,
        project: &Project,
    ) -> Result<(), RecordError> {
        for content in event.body.contents_mut() {
            let Content::Inline(bytes) = &*content else { continue };
            if !(REPEATED_BYTES_MIN..INLINE_BYTES_MAX).contains(&bytes.len()) {
                continue;
            }
            let hash = *blake3::hash(bytes).as_bytes();
            let len = bytes.len() as u64;
            match self.holder(&hash, project)? {
                Some(at) => *content = Content::Repeated { sequence: at.0, hash, len },
                None if self.repeats.handed.len() < CONTENTS_MAX => {
                    self.repeats.handed.entry(hash).or_insert(place as u64);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The event that holds a content.
    fn holder(
        &mut self,
        hash: &[u8; 32],
        project: &Project,
    ) -> Result<Option<Sequence>, RecordError> {
        let journal = project.journal()?;
        if let Some(at) = self.repeats.held.get(hash) {
            if *at > journal.watermark().sequence {
                journal.sync()?;
            }
            return Ok(Some(*at));
        }
        if let Some(at) = self.content(hash)?
            && at <= journal.watermark().sequence
            && project.reader()?.inline(at, hash)?.is_some()
        {
            self.repeats.hold(*hash, at);
            return Ok(Some(at));
        }
        Ok(None)
    }
}

impl Repeats {
    /// Holds the contents of an event that was read in the journal.
    pub(super) fn meet(&mut self, recorded: &Recorded) {
        for content in recorded.event.body.contents() {
            if let Content::Inline(bytes) = content
                && (REPEATED_BYTES_MIN..INLINE_BYTES_MAX).contains(&bytes.len())
            {
                self.hold(*blake3::hash(bytes).as_bytes(), recorded.sequence);
            }
        }
    }

    /// What was handed to the journal is in it, from this event on.
    pub(super) fn settle(&mut self, first: Sequence) {
        for (hash, place) in std::mem::take(&mut self.handed) {
            self.hold(hash, Sequence(first.0 + place));
        }
    }

    /// What was to be appended was not.
    pub(super) fn discard(&mut self) {
        self.handed.clear();
    }

    /// Forgets where contents stand: some were redacted, as the journal tells up to here. Whoever redacts
    /// afterwards overtakes what refers to them, which is then judged anew.
    pub(super) fn forget(&mut self) {
        self.held.clear();
    }

    fn hold(&mut self, hash: [u8; 32], at: Sequence) {
        if self.held.len() < CONTENTS_MAX {
            self.held.entry(hash).or_insert(at);
        }
    }
}
