//! What files defined when they were last read: kept between two scans, believed only where a file
//! stands as it did then, and safe to delete.
//!
//! A file: magic [8] · of whom [32] · entries, by key · blake3 of all before it [32]. An entry: key
//! [16] · stamp [32] · 0 for no text, else 1 · more u32 · length u32 · definitions, one a line.

use std::path::Path;

use super::outline::Outline;
use super::{CACHE_BYTES_MAX, Fact, Key, Reading, STAMP_BYTES, Stamp};
use crate::journal::derived_file;

const MAGIC: [u8; 8] = *b"annalsT1";
const HASH_BYTES: usize = 32;
const HEAD_BYTES: usize = MAGIC.len() + HASH_BYTES;

/// What is known of files from the last scan.
#[derive(Debug, Default)]
pub struct Known {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    key: Key,
    stamp: Stamp,
    outline: Option<Outline>,
}

impl Known {
    /// What a file knows that was kept for `of`: nothing where it is not there, was kept for
    /// somebody else, or is not whole.
    pub fn load(path: &Path, of: &[u8; 32]) -> Self {
        // It can always be made again.
        derived_file::read(path, CACHE_BYTES_MAX)
            .and_then(|bytes| Self::parse(&bytes, of))
            .unwrap_or_default()
    }

    fn parse(bytes: &[u8], of: &[u8; 32]) -> Option<Self> {
        let (body, hash) = bytes.split_at_checked(bytes.len().checked_sub(HASH_BYTES)?)?;
        let (head, mut rest) = body.split_at_checked(HEAD_BYTES)?;
        if head[..8] != MAGIC || head[8..] != *of || blake3::hash(body).as_bytes() != hash {
            return None;
        }
        let mut entries: Vec<Entry> = Vec::new();
        while !rest.is_empty() {
            let entry = Entry::parse(&mut rest)?;
            if entries.last().is_some_and(|last| last.key >= entry.key) {
                return None;
            }
            entries.push(entry);
        }
        Some(Self { entries })
    }

    /// What a file defined that stood so; `Some(None)` is one that is no text.
    pub fn find(&self, key: &Key, stamp: &Stamp) -> Option<Option<Outline>> {
        let at = self.entries.binary_search_by(|entry| entry.key.cmp(key)).ok()?; // none such
        let entry = &self.entries[at];
        (entry.stamp == *stamp).then(|| entry.outline.clone())
    }

    /// Whether it has nothing but what these facts would keep, of which so many are not from it.
    pub fn is_same(&self, facts: &[Fact], fresh: u64) -> bool {
        fresh == 0 && self.entries.len() == facts.iter().filter(|fact| kept(fact).is_some()).count()
    }
}

/// Keeps what was found for the next scan: in place of what was kept, or not at all.
pub fn keep(path: &Path, of: &[u8; 32], facts: &[Fact]) -> std::io::Result<()> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + facts.len() * 128);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(of);
    let mut all: Vec<_> = facts.iter().filter_map(kept).collect();
    all.sort_unstable_by_key(|(key, ..)| *key);
    all.dedup_by_key(|(key, ..)| *key);
    for (key, stamp, outline) in all {
        bytes.extend_from_slice(&key);
        bytes.extend_from_slice(&stamp.to_bytes());
        let text = outline.map(|outline| outline.definitions.join("\n")).unwrap_or_default();
        // A definition is shorter than a line, and a file has few that are kept.
        let length = u32::try_from(text.len()).unwrap_or_default();
        bytes.push(u8::from(outline.is_some()));
        bytes.extend_from_slice(&outline.map_or(0, |outline| outline.more).to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    let hash = blake3::hash(&bytes);
    bytes.extend_from_slice(hash.as_bytes());
    derived_file::replace(path, &bytes)
}

/// What of a file is worth keeping: one that changed a moment ago is read again.
fn kept(fact: &Fact) -> Option<(Key, Stamp, Option<&Outline>)> {
    match &fact.reading {
        Reading::Read { stamp, outline, racy: false } => Some((fact.key, *stamp, outline.as_ref())),
        _ => None,
    }
}

impl Entry {
    fn parse(rest: &mut &[u8]) -> Option<Self> {
        let key = *take(rest)?;
        let stamp: &[u8; STAMP_BYTES] = take(rest)?;
        let stamp = Stamp::from_bytes(stamp);
        let [is_text]: [u8; 1] = *take(rest)?;
        let more = u32::from_le_bytes(*take(rest)?);
        let length = u32::from_le_bytes(*take(rest)?);
        let (text, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        *rest = after;
        let text = std::str::from_utf8(text).ok()?; // else it is none of ours
        let definitions = text.lines().map(str::to_owned).collect();
        let outline = (is_text == 1).then_some(Outline { definitions, more });
        Some(Self { key, stamp, outline })
    }
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(first)
}
