//! What is known of one file of a tree.

use super::language::Language;
use super::outline::Outline;
use super::stamp::Stamp;

/// A file of the tree.
#[derive(Debug)]
pub struct Fact {
    /// From the top, with `/`; what is no UTF-8 in it is made so.
    pub path: String,
    /// By which the cache knows it: of its bytes, whatever they are.
    pub key: Key,
    pub language: Option<&'static Language>,
    pub reading: Reading,
}

/// A path in the cache: the beginning of its blake3. Paths themselves are not kept there.
pub type Key = [u8; 16];

/// Whether a file was read.
#[derive(Debug)]
pub enum Reading {
    /// Nothing is looked for in such a file.
    Passed,
    /// It was read, now or before; `None` is no text, or none that can be read.
    Read { stamp: Stamp, outline: Option<Outline>, racy: bool },
    /// Too large, or not to be opened.
    Refused,
}

impl Fact {
    /// What it defines.
    pub fn outline(&self) -> Option<&Outline> {
        match &self.reading {
            Reading::Read { outline, .. } => outline.as_ref(),
            Reading::Passed | Reading::Refused => None,
        }
    }

    /// Whether it should have been read, and was not to be.
    pub fn is_unread(&self) -> bool {
        matches!(&self.reading, Reading::Refused | Reading::Read { outline: None, .. })
    }
}

/// The key of a path's bytes.
pub fn key(path: &[u8]) -> Key {
    let mut key = Key::default();
    key.copy_from_slice(&blake3::hash(path).as_bytes()[..16]);
    key
}
