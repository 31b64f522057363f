//! Content that the journal holds already is not kept twice: it refers to the event that has it
//! (R9).
//!
//! A reference is made only to what was read back from the journal at or below its watermark, so
//! that none can outlive what it refers to.

use std::collections::{HashMap, HashSet};

use super::RecordError;
use super::facts::Facts;
use crate::event::limits::{INLINE_BYTES_MAX, REPEATED_BYTES_MIN};
use crate::event::{Content, Event, Sequence};
use crate::journal::{JournalReader, Project, ReplayItem};

/// Contents remembered, of either sort: 3 MiB of them. What comes later is looked up in the index
/// alone.
const CONTENTS_MAX: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Repeats {
    held: HashMap<[u8; 32], Sequence>,
    /// Handed to the journal, by this recorder, since it was last read.
    handed: HashSet<[u8; 32]>,
    /// How far it was read; `None` before the first content.
    read: Option<Sequence>,
}

impl Repeats {
    pub fn refer(
        &mut self,
        event: &mut Event,
        project: &Project,
        facts: &Facts,
    ) -> Result<(), RecordError> {
        for content in event.body.contents_mut() {
            let Content::Inline(bytes) = &*content else { continue };
            if !(REPEATED_BYTES_MIN..INLINE_BYTES_MAX).contains(&bytes.len()) {
                continue;
            }
            let hash = *blake3::hash(bytes).as_bytes();
            let len = bytes.len() as u64;
            if let Some(at) = self.find(hash, project, facts)? {
                *content = Content::Repeated { sequence: at.0, hash, len };
            }
        }
        Ok(())
    }

    fn find(
        &mut self,
        hash: [u8; 32],
        project: &Project,
        facts: &Facts,
    ) -> Result<Option<Sequence>, RecordError> {
        if self.read.is_none() {
            let through = project.journal()?.watermark().sequence;
            self.read = Some(through);
            // What the index does not know yet is read, where that is little.
            if facts.indexed() < through && !facts.is_far_ahead() {
                self.read_on(project, facts.indexed(), through)?;
            }
        }
        if let Some(at) = self.known(&hash, project)? {
            return Ok(Some(at));
        }
        if self.handed.contains(&hash) {
            let through = project.journal()?.sync()?.sequence;
            self.read_on(project, self.read.unwrap_or_default(), through)?;
            return self.known(&hash, project);
        }
        if let Some(at) = facts.content(&hash)?
            && at <= project.journal()?.watermark().sequence
            && project.reader()?.inline(at, &hash)?.is_some()
        {
            self.hold(hash, at);
            return Ok(Some(at));
        }
        if self.handed.len() < CONTENTS_MAX {
            self.handed.insert(hash);
        }
        Ok(None)
    }

    /// The event that holds a content, and still does: it may have been redacted since.
    fn known(
        &mut self,
        hash: &[u8; 32],
        project: &Project,
    ) -> Result<Option<Sequence>, RecordError> {
        let Some(at) = self.held.get(hash).copied() else { return Ok(None) };
        let is_there = project.reader()?.inline(at, hash)?.is_some();
        if !is_there {
            self.held.remove(hash);
        }
        Ok(is_there.then_some(at))
    }

    fn hold(&mut self, hash: [u8; 32], at: Sequence) {
        if self.held.len() < CONTENTS_MAX {
            self.held.entry(hash).or_insert(at);
        }
    }

    /// Holds the contents of what lies behind an event.
    fn read_on(
        &mut self,
        project: &Project,
        read: Sequence,
        through: Sequence,
    ) -> Result<(), RecordError> {
        let reader: JournalReader = project.reader()?;
        for item in reader.replay(Sequence(read.0 + 1), Some(through)) {
            let ReplayItem::Event(recorded) = item? else { continue };
            for content in recorded.event.body.contents() {
                if let Content::Inline(bytes) = content
                    && bytes.len() >= REPEATED_BYTES_MIN
                {
                    self.hold(*blake3::hash(bytes).as_bytes(), recorded.sequence);
                }
            }
        }
        self.handed.clear();
        self.read = Some(through);
        Ok(())
    }
}
