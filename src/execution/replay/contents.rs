//! The bytes of contents, brought from wherever they lie beside a journal.

use std::borrow::Cow;
use std::rc::Rc;

use crate::event::{Body, Content};
use crate::journal::{JournalError, JournalReader};
use crate::store::feed::CONTENT_BYTES_MAX;

/// The contents of one journal's events. Reads, and nothing else.
#[derive(Clone)]
pub struct Contents {
    reader: Rc<JournalReader>,
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
    /// The event that holds the bytes, where this one only repeats them.
    pub repeats: Option<u64>,
    /// Why the bytes are not here.
    pub problem: Option<JournalError>,
}

impl Contents {
    pub(super) fn of(reader: Rc<JournalReader>) -> Self {
        Self { reader }
    }

    /// A content's bytes. At most [`crate::event::limits::CONTENT_BYTES_MAX`] are read.
    pub fn bring<'a>(&self, content: &'a Content) -> Brought<'a> {
        let mut brought =
            Brought { len: 0, bytes: None, tail: None, blob: None, repeats: None, problem: None };
        match content {
            Content::Inline(bytes) => {
                brought.len = bytes.len() as u64;
                brought.bytes = Some(Cow::Borrowed(bytes));
            }
            Content::Truncated { head, tail, len } => {
                brought.len = *len;
                brought.bytes = Some(Cow::Borrowed(head));
                brought.tail = Some(tail);
            }
            Content::Blob { hash, len } => {
                (brought.len, brought.blob) = (*len, Some(*hash));
                self.read(content, &mut brought);
            }
            Content::Repeated { sequence, len, .. } => {
                (brought.len, brought.repeats) = (*len, Some(*sequence));
                self.read(content, &mut brought);
            }
        }
        brought
    }

    fn read(&self, content: &Content, brought: &mut Brought<'_>) {
        match self.reader.bytes(content) {
            Ok(bytes) => brought.bytes = Some(Cow::Owned(bytes)),
            Err(error) => brought.problem = Some(error),
        }
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
