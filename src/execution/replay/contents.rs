//! The bytes of contents, brought from wherever they lie beside a journal.

use std::error::Error;
use std::rc::Rc;

use crate::event::{Body, Brought, Content, ReadsContents, WithContents};
use crate::journal::{JournalError, JournalReader};
use crate::store::feed::CONTENT_BYTES_MAX;

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
