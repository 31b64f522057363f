//! A content's bytes, wherever they lie.

use super::{JournalError, JournalReader};
use crate::event::{Content, Sequence};

impl JournalReader {
    /// A content's bytes, wherever they lie; of a truncated one its head, a line that says what is
    /// missing, and its tail.
    pub fn bytes(&self, content: &Content) -> Result<Vec<u8>, JournalError> {
        match content {
            Content::Inline(bytes) => Ok(bytes.clone()),
            Content::Blob { hash, len } => self.blobs().get(hash, *len),
            Content::Truncated { head, tail, len } => {
                let missing = len.saturating_sub((head.len() + tail.len()) as u64);
                let line = format!("\n[… {missing} bytes not recorded …]\n");
                Ok([head.as_slice(), line.as_bytes(), tail].concat())
            }
            Content::Repeated { sequence, hash, len } => {
                let sequence = Sequence(*sequence);
                let lost = JournalError::RepeatedLost { sequence, len: *len };
                self.inline(sequence, hash)?.ok_or(lost)
            }
        }
    }

    /// The inline content of this blake3 in an event. One that only refers on counts as none: no
    /// chain of references is ever followed.
    pub fn inline(&self, at: Sequence, hash: &[u8; 32]) -> Result<Option<Vec<u8>>, JournalError> {
        let found = match self.get(at) {
            // A redacted or unknown event has no content to give.
            Err(JournalError::Undecodable { .. }) => None,
            found => found?,
        };
        let Some(mut recorded) = found else { return Ok(None) };
        for content in recorded.event.body.contents_mut() {
            if let Content::Inline(bytes) = content
                && blake3::hash(bytes).as_bytes() == hash
            {
                return Ok(Some(std::mem::take(bytes)));
            }
        }
        Ok(None)
    }
}
