//! What a record refers to, under the numbers that it has in the journal that it goes into.

use std::cell::OnceCell;
use std::collections::HashSet;

use annals_journal_format::frame::Carried;

use super::{Input, MergeError};
use crate::event::limits::INLINE_BYTES_MAX;
use crate::event::{self, Body, Content, Event, Kind};
use crate::journal::{Blobs, JournalReader, id};

/// Payloads of at least so many bytes are compressed where it pays.
const COMPRESS_BYTES_MIN: usize = 256;

/// The numbers that records of a source have in the journal that they go into, in order.
#[derive(Debug, Default)]
pub(super) struct Numbers(Vec<(u64, u64)>);

impl Numbers {
    pub fn note(&mut self, local: u64, there: u64) {
        self.0.push((local, there));
    }

    fn of(&self, local: u64) -> Option<u64> {
        let at = self.0.binary_search_by_key(&local, |it| it.0);
        at.ok().map(|at| self.0[at].1) // none: it was not taken over
    }

    /// The number of the last one up to there: 0 where none is.
    fn up_to(&self, local: u64) -> u64 {
        let count = self.0.partition_point(|it| it.0 <= local);
        self.0[..count].iter().map(|it| it.1).next_back().unwrap_or_default()
    }
}

/// Brings what records of one source name along.
pub(super) struct Bringer {
    input: Input,
    /// The others: one may have beside it what an order took out of this one.
    others: Vec<Input>,
    reader: OnceCell<JournalReader>,
    blobs: Blobs,
    pub numbers: Numbers,
    /// Records that go over without what they hold: who refers to it keeps it.
    pub withheld: HashSet<u64>,
    /// Contents that it does not have.
    pub missing: u64,
}

impl Bringer {
    pub fn of(input: &Input, others: Vec<Input>, into: &std::path::Path) -> Self {
        let (reader, blobs) = (OnceCell::new(), Blobs::beside(into));
        let (numbers, withheld) = (Numbers::default(), HashSet::new());
        Self { input: input.clone(), others, reader, blobs, numbers, withheld, missing: 0 }
    }

    fn reader(&self) -> Result<&JournalReader, MergeError> {
        if let Some(reader) = self.reader.get() {
            return Ok(reader);
        }
        let reader = JournalReader::reading(&self.input.journal, self.input.reading)?;
        Ok(self.reader.get_or_init(|| reader))
    }

    /// The record as it goes into the other journal. Its contents are there then.
    pub fn bring(&mut self, carried: Carried) -> Result<Carried, MergeError> {
        // What cannot be read refers to nothing that is known.
        let decoded = carried.payload().ok().and_then(|payload| {
            event::decode(Kind(carried.kind), carried.version, &payload).ok() // as above
        });
        let Some(mut event) = decoded else { return Ok(carried) };
        let mut is_changed = self.renumber(&mut event.body);
        for content in event.body.contents_mut() {
            is_changed |= self.content(content)?;
        }
        if !is_changed {
            return Ok(carried);
        }
        encoded(&event, &carried)
    }

    /// A content that this source has lost with the record that held it, from beside another one.
    fn elsewhere(&self, repeated: &Content, hash: &[u8; 32], len: u64) -> Option<Vec<u8>> {
        if self.reader().ok()?.bytes(repeated).is_ok() {
            return None;
        }
        self.others.iter().find_map(|it| {
            let reader = JournalReader::reading(&it.journal, it.reading).ok()?; // it is told by its own lane
            reader.blobs().get(hash, len).ok() // another may have it
        })
    }

    fn renumber(&self, body: &mut Body) -> bool {
        let through = match body {
            Body::TimelineQueried(it) => &mut it.through_sequence,
            Body::TimelineCheckpoint(it) => &mut it.through_sequence,
            Body::BranchForked(it) => match &mut it.copied_from {
                Some(copied) => &mut copied.through_sequence,
                None => return false,
            },
            _ => return false,
        };
        let there = self.numbers.up_to(*through);
        let is_changed = there != *through;
        *through = there;
        is_changed
    }

    fn content(&mut self, content: &mut Content) -> Result<bool, MergeError> {
        match content {
            Content::Inline(_) | Content::Truncated { .. } => Ok(false),
            Content::Blob { hash, len } => {
                match self.reader()?.blobs().get(hash, *len) {
                    Ok(bytes) => drop(self.blobs.put(&bytes)?),
                    Err(_) => self.missing += 1,
                }
                Ok(false)
            }
            Content::Repeated { sequence, hash, len } => {
                let (at, len) = (*sequence, *len);
                let repeated = Content::Repeated { sequence: at, hash: *hash, len };
                // Lifted out of what was redacted; where it was not, the event that it repeats has it.
                let lifted = match self.reader()?.blobs().get(hash, len) {
                    Err(_) if self.withheld.contains(&at) => self.reader()?.bytes(&repeated),
                    lifted => lifted,
                };
                let lifted = lifted.ok().or_else(|| self.elsewhere(&repeated, hash, len));
                if let Some(bytes) = &lifted {
                    self.blobs.put(bytes)?;
                }
                let is_there = lifted.is_some() || self.reader()?.bytes(&repeated).is_ok();
                if let Some(there) = self.numbers.of(at).filter(|_| is_there) {
                    *sequence = there;
                    return Ok(there != at);
                }
                // The one that it repeats was not taken over: it says it itself.
                *content = match self.reader()?.bytes(&repeated) {
                    Ok(bytes) if bytes.len() < INLINE_BYTES_MAX => Content::Inline(bytes),
                    Ok(bytes) => self.blobs.put(&bytes)?,
                    Err(_) => {
                        self.missing += 1;
                        Content::Truncated { head: Vec::new(), tail: Vec::new(), len }
                    }
                };
                Ok(true)
            }
        }
    }
}

fn encoded(event: &Event, carried: &Carried) -> Result<Carried, MergeError> {
    let mut payload = Vec::new();
    let name = event.body.name();
    event::encode(event, &mut payload).map_err(|source| crate::journal::JournalError::Event {
        at: 0,
        name,
        source,
    })?;
    let mut salt = [0; 16];
    salt.copy_from_slice(&id::entropy()[..16]);
    let mut anew = carried.with_payload(&payload, salt, COMPRESS_BYTES_MIN);
    anew.version = event.body.schema();
    Ok(anew)
}
