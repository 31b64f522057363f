//! The bytes of contents, brought from wherever they lie beside a journal.

use std::borrow::Cow;
use std::path::Path;

use crate::command::feed::CONTENT_BYTES_MAX;
use crate::event::Content;
use crate::journal::{Blobs, JournalError};

/// The contents of one journal's events. Reads, and nothing else.
#[derive(Clone, Debug)]
pub struct Contents {
    blobs: Blobs,
}

/// A content's bytes.
#[derive(Debug)]
pub struct Brought<'a> {
    /// What there was, in bytes, whether or not all of it is here.
    pub len: u64,
    /// The bytes; of content that was recorded as its two ends, the first.
    pub bytes: Option<Cow<'a, [u8]>>,
    /// The second end.
    pub tail: Option<&'a [u8]>,
    /// The blake3 that names its blob.
    pub blob: Option<[u8; 32]>,
    /// Why the bytes are not here.
    pub problem: Option<JournalError>,
}

impl Contents {
    pub(super) fn of(blobs: Blobs) -> Self {
        Self { blobs }
    }

    /// The contents beside a journal's folder.
    pub fn beside(journal: &Path) -> Self {
        Self { blobs: Blobs::beside(journal) }
    }

    /// A content's bytes. At most [`crate::event::limits::CONTENT_BYTES_MAX`] are read.
    pub fn bring<'a>(&self, content: &'a Content) -> Brought<'a> {
        match content {
            Content::Inline(bytes) => Brought {
                len: bytes.len() as u64,
                bytes: Some(Cow::Borrowed(bytes)),
                tail: None,
                blob: None,
                problem: None,
            },
            Content::Truncated { head, tail, len } => Brought {
                len: *len,
                bytes: Some(Cow::Borrowed(head)),
                tail: Some(tail),
                blob: None,
                problem: None,
            },
            Content::Blob { hash, len } => {
                let (bytes, problem) = match self.blobs.get(hash, *len) {
                    Ok(bytes) => (Some(Cow::Owned(bytes)), None),
                    Err(error) => (None, Some(error)),
                };
                Brought { len: *len, bytes, tail: None, blob: Some(*hash), problem }
            }
        }
    }

    /// Whether a store has the content: what a catch-up would find of it.
    pub fn has(&self, content: &Content) -> bool {
        match content {
            Content::Blob { hash, len } if *len <= CONTENT_BYTES_MAX => {
                self.blobs.get(hash, *len).is_ok()
            }
            // Of a larger one stores read the two ends.
            Content::Blob { hash, .. } => {
                self.blobs.path(hash).symlink_metadata().is_ok_and(|about| about.is_file())
            }
            Content::Inline(_) | Content::Truncated { .. } => true,
        }
    }
}
