//! Bytes a tool printed or was given: inline, or by reference to a blob or an earlier event.

use std::borrow::Cow;
use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;

use bincode::{Decode, Encode};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::wire;

/// Bytes a tool printed. Append-only: the position of a variant is its byte.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Content {
    /// The bytes themselves, below `super::limits::INLINE_BYTES_MAX`. Not necessarily UTF-8.
    Inline(Vec<u8>),
    /// In `blobs/`, named by the blake3 of the bytes.
    Blob { hash: [u8; 32], len: u64 },
    /// Only the beginning and the end were kept; `len` is what there was.
    Truncated { head: Vec<u8>, tail: Vec<u8>, len: u64 },
    /// The same bytes as an inline content of the event at `sequence`, which comes before this
    /// one; `hash` is their blake3. Where that event was redacted since and this one was to keep them they are
    /// in `blobs/`.
    Repeated { sequence: u64, hash: [u8; 32], len: u64 },
}

/// A content's bytes, brought from wherever they lie.
#[derive(Debug, Default)]
pub struct Brought<'a> {
    /// What there was, in bytes, whether or not all of it is here.
    pub len: u64,
    /// The bytes; of content that was recorded as its two ends, the first.
    pub bytes: Option<Cow<'a, [u8]>>,
    /// The second end.
    pub tail: Option<&'a [u8]>,
    /// The blake3 that names its blob.
    pub blob: Option<[u8; 32]>,
    /// The event that holds the bytes, where this one only repeats them.
    pub repeats: Option<u64>,
    /// Why the bytes are not here.
    pub problem: Option<Box<dyn Error>>,
}

impl Default for Content {
    fn default() -> Self {
        Self::Inline(Vec::new())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Inline(text.into_bytes())
    }
}

impl Content {
    /// How many bytes there were.
    pub fn len(&self) -> u64 {
        match self {
            Self::Inline(bytes) => bytes.len() as u64,
            Self::Blob { len, .. } | Self::Truncated { len, .. } | Self::Repeated { len, .. } => {
                *len
            }
        }
    }

    /// Whether it is not in the event that names it.
    pub fn lies_elsewhere(&self) -> bool {
        matches!(self, Self::Blob { .. } | Self::Repeated { .. })
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the event itself has of it; `read` gives what lies beside the journal.
    pub fn bring(
        &self,
        read: impl FnOnce(&Self) -> Result<Vec<u8>, Box<dyn Error>>,
    ) -> Brought<'_> {
        let beside = match self {
            Self::Inline(bytes) => {
                let (len, bytes) = (bytes.len() as u64, Some(Cow::Borrowed(bytes.as_slice())));
                return Brought { len, bytes, ..Brought::default() };
            }
            Self::Truncated { head, tail, len } => {
                let (bytes, tail) = (Some(Cow::Borrowed(head.as_slice())), Some(tail.as_slice()));
                return Brought { len: *len, bytes, tail, ..Brought::default() };
            }
            Self::Blob { hash, len } => {
                Brought { len: *len, blob: Some(*hash), ..Brought::default() }
            }
            Self::Repeated { sequence, len, .. } => {
                Brought { len: *len, repeats: Some(*sequence), ..Brought::default() }
            }
        };
        match read(self) {
            Ok(bytes) => Brought { bytes: Some(Cow::Owned(bytes)), ..beside },
            Err(problem) => Brought { problem: Some(problem), ..beside },
        }
    }
}

/// Text where all of it is UTF-8, Base64 where not. `bytes`: what there was; `encoding`: how `data` and
/// `tail` are written; `tail`: its end, where only both ends were recorded; `blob`: in hex; `repeats`: the
/// sequence of the event that holds the same bytes; `problem`: why nothing is here.
impl Serialize for Brought<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let parts = [self.bytes.as_deref(), self.tail];
        let is_text = parts.iter().flatten().all(|part| std::str::from_utf8(part).is_ok());
        let [data, tail] = parts.map(|part| {
            part.map(|bytes| match std::str::from_utf8(bytes) {
                Ok(whole) if is_text => Cow::Borrowed(whole),
                _ => Cow::Owned(base64(bytes)),
            })
        });
        let encoding = data.is_some().then_some(if is_text { "utf-8" } else { "base64" });
        let mut fields = to.serialize_struct("Content", 7)?;
        fields.serialize_field("bytes", &self.len)?;
        fields.serialize_field("encoding", &encoding)?;
        fields.serialize_field("data", &data)?;
        fields.serialize_field("tail", &tail)?;
        fields.serialize_field("blob", &self.blob.map(|hash| wire::hex_text(&hash)))?;
        fields.serialize_field("repeats", &self.repeats)?;
        let problem = self.problem.as_ref().map(ToString::to_string);
        fields.serialize_field("problem", &problem)?;
        fields.end()
    }
}

/// Reads the contents that lie beside a journal.
pub trait ReadsContents {
    /// The bytes of a blob, or of a repeated content.
    fn read(&self, content: &Content) -> Result<Vec<u8>, Box<dyn Error>>;
}

thread_local! {
    /// Who reads contents while [`WithContents`] is written: serde hands nothing down to a field.
    static READER: RefCell<Option<Rc<dyn ReadsContents>>> = const { RefCell::new(None) };
}

/// Whole where it is written inside of a `WithContents`; else what lies beside the journal is missing.
impl Serialize for Content {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let reader = READER.with_borrow(Clone::clone);
        let brought = self.bring(|content| match reader {
            Some(reader) => reader.read(content),
            None => Err("it lies beside the journal".into()),
        });
        brought.serialize(to)
    }
}

/// An event, or what holds events, as JSON: with the bytes of its contents, wherever they lie.
pub struct WithContents<'a, T> {
    pub it: &'a T,
    pub reader: Rc<dyn ReadsContents>,
}

impl<T: Serialize> Serialize for WithContents<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let before = READER.replace(Some(Rc::clone(&self.reader)));
        let written = self.it.serialize(to);
        READER.set(before);
        written
    }
}

// Base64 (RFC 4648, §4, padded), for bytes that are no text.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in Base64.
pub fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = [0; 4];
        word[1..=group.len()].copy_from_slice(group);
        let word = u32::from_be_bytes(word);
        for at in 0..4_u32 {
            let digit = usize::try_from(word >> (18 - 6 * at) & 0x3f).unwrap_or(0);
            let known = at as usize <= group.len();
            out.push(if known { char::from(DIGITS[digit]) } else { '=' });
        }
    }
    out
}

/// The bytes that padded Base64 stands for; `None` where it is none.
pub fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    for group in groups {
        let known = group.iter().take_while(|byte| **byte != b'=').count();
        let mut word = 0_u32;
        for byte in group {
            word = word << 6 | digit(*byte)?;
        }
        out.extend(word.to_be_bytes().into_iter().skip(1).take(known.saturating_sub(1)));
    }
    rest.is_empty().then_some(out)
}

/// What a byte of Base64 stands for; padding for nothing.
fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        b'=' => 0,
        _ => return None,
    }))
}
