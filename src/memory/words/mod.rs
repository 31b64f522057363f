//! The words that the archive's records are found by, as keys: what `index.db` keeps of them, so that a search
//! reads those of a branch and what its ancestors have one after the other, and nothing of other branches.
//!
//! A record is `number | time (ms) | keys of its text | of its tags | of each tag whole`, all little-endian: two
//! times 8 bytes, three counts and then the keys of 4 bytes each. Several records stand one behind the other.

mod exact;
mod question;
pub(super) mod rows;
#[cfg(test)]
mod tests;

pub use exact::{Exact, each_exact, exact_words};
pub use question::{Asked, Counts};

use std::collections::BTreeSet;

use crate::parse::words::{Words, stem};

/// Identifiers follow, whole.
const WHOLES: u32 = 0;
/// What follows is of another text.
const GAP: u32 = 1;
/// The text has words, letter by letter, of which the keys say nothing.
const ODD: u32 = 2;
const KEY_BYTES: usize = 4;
const HEAD_BYTES: usize = 2 * 8 + 3 * KEY_BYTES;

/// A record as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'e> {
    pub id: u64,
    pub at_ms: u64,
    text: &'e [u8],
    tags: &'e [u8],
    tag_names: &'e [u8],
}

/// The keys of a text, and of tags, apart: either may be changed alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    text: Vec<u8>,
    tags: Vec<u8>,
    tag_names: Vec<u8>,
}

impl Said {
    pub fn of(text: &str, tags: &[impl AsRef<str>]) -> Self {
        let mut said = Self::default();
        said.set_text(text);
        said.set_tags(tags);
        said
    }

    pub fn set_text(&mut self, text: &str) {
        self.text.clear();
        push(text, &mut self.text);
    }

    pub fn set_tags(&mut self, tags: &[impl AsRef<str>]) {
        (self.tags, self.tag_names) = Default::default();
        for tag in tags {
            push(tag.as_ref(), &mut self.tags);
            self.tag_names.extend(key(tag.as_ref()).to_le_bytes());
        }
    }

    pub fn entry(&self, id: u64, at_ms: u64) -> Entry<'_> {
        Entry { id, at_ms, text: &self.text, tags: &self.tags, tag_names: &self.tag_names }
    }
}

fn push(text: &str, keys: &mut Vec<u8>) {
    let (words, begin) = (Words::of(text), keys.len());
    keys.extend(words.parts.split_terminator(' ').flat_map(|it| key(&stem(it)).to_le_bytes()));
    if !words.wholes.is_empty() {
        keys.extend(WHOLES.to_le_bytes());
        keys.extend(words.wholes.split(' ').flat_map(|it| key(&stem(it)).to_le_bytes()));
    }
    if exact::is_odd(text, &words, &keys[begin..]) {
        keys.extend(ODD.to_le_bytes());
    }
    keys.extend(GAP.to_le_bytes());
}

/// What a word is known by: FNV-1a, and none of `WHOLES`, `GAP` and `ODD`.
fn key(word: &str) -> u32 {
    let hash = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    word.as_bytes().iter().fold(0x811c_9dc5, hash).max(ODD + 1)
}

fn keys(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<KEY_BYTES>().0.iter().map(|it| u32::from_le_bytes(*it))
}

impl<'e> Entry<'e> {
    /// The records that these bytes begin with, as far as they are whole.
    pub fn all(mut bytes: &'e [u8]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let (entry, rest) = Self::first(bytes)?;
            bytes = rest;
            Some(entry)
        })
    }

    fn first(bytes: &'e [u8]) -> Option<(Self, &'e [u8])> {
        let (id, rest) = bytes.split_first_chunk()?;
        let (at_ms, mut rest) = rest.split_first_chunk()?;
        let mut counts = [0; 3];
        for count in &mut counts {
            let (bytes, after) = rest.split_first_chunk()?;
            (*count, rest) = (u32::from_le_bytes(*bytes) as usize, after);
        }
        let mut section = |count: usize| {
            let (keys, after) = rest.split_at_checked(count.checked_mul(KEY_BYTES)?)?;
            rest = after;
            Some(keys)
        };
        let [text, tags, tag_names] = counts;
        let (text, tags, tag_names) = (section(text)?, section(tags)?, section(tag_names)?);
        let (id, at_ms) = (u64::from_le_bytes(*id), u64::from_le_bytes(*at_ms));
        Some((Self { id, at_ms, text, tags, tag_names }, rest))
    }

    pub fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.id.to_le_bytes());
        to.extend(self.at_ms.to_le_bytes());
        let sections = [self.text, self.tags, self.tag_names];
        for section in sections {
            // A record's text is bounded, and so are its tags.
            let count = u32::try_from(section.len() / KEY_BYTES).unwrap_or(u32::MAX);
            to.extend(count.to_le_bytes());
        }
        to.extend(sections.concat());
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        HEAD_BYTES + self.text.len() + self.tags.len() + self.tag_names.len()
    }

    pub fn said(&self) -> Said {
        let [text, tags, tag_names] = [self.text, self.tags, self.tag_names].map(<[u8]>::to_vec);
        Said { text, tags, tag_names }
    }

    /// Whether it has all of these tags, as far as their keys tell.
    pub fn has_tags(&self, wanted: &BTreeSet<u32>) -> bool {
        wanted.is_empty() || wanted.iter().all(|it| keys(self.tag_names).any(|key| key == *it))
    }

    /// Words of its text: tags make no record longer.
    pub fn words(&self) -> usize {
        self.text.len() / KEY_BYTES
    }
}

/// The keys of whole tags.
pub fn tag_keys(tags: &[String]) -> BTreeSet<u32> {
    tags.iter().map(|it| key(it)).collect()
}
