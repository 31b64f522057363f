//! What begins at the end of one text and ends at the beginning of the next: output in pieces, an
//! answer over two messages.

use std::collections::HashMap;

use crate::event::{Content, Event, Kind, Sequence, SessionId};
use crate::redact::value::Values;

/// More texts that are gone on with at a time would be no work of a person's.
const TEXTS_MAX: usize = 4_096;

/// The last bytes of each session's last texts, by their place in an event.
pub(super) struct Ends {
    bytes_max: usize,
    ends: HashMap<(Option<SessionId>, Kind, usize), (Sequence, Vec<u8>)>,
}

impl Ends {
    pub fn new(values: &Values) -> Self {
        Self { bytes_max: values.form_bytes_max().saturating_sub(1), ends: HashMap::new() }
    }

    /// The records in which a value begins that ends in this one, and which it is.
    pub fn join(
        &mut self,
        sequence: Sequence,
        event: &Event,
        values: &Values,
    ) -> Vec<(Sequence, usize)> {
        let mut found = Vec::new();
        for (at, content) in event.body.contents().enumerate() {
            let (head, tail) = match content {
                Content::Inline(bytes) => (bytes, bytes),
                Content::Truncated { head, tail, .. } => (head, tail),
                Content::Blob { .. } | Content::Repeated { .. } => continue,
            };
            let key = (event.envelope.session, event.body.kind(), at);
            let head = &head[..head.len().min(self.bytes_max)];
            if let Some((first, end)) = self.ends.get(&key) {
                // A line end may be the tool's own.
                let whole = std::iter::once(end.as_slice());
                for end in whole.chain(end.strip_suffix(b"\n")) {
                    let joined = [end, head].concat();
                    let over = |it: &&crate::redact::value::ValueFound| {
                        it.range.start < end.len() && end.len() < it.range.end
                    };
                    if let Some(it) = values.find(&joined).iter().find(over) {
                        found.push((*first, it.value));
                        break;
                    }
                }
            }
            if self.ends.len() >= TEXTS_MAX {
                self.ends.clear();
            }
            let kept = tail.len().saturating_sub(self.bytes_max);
            // A short piece may be in the middle of a value.
            let mut end = match self.ends.remove(&key) {
                Some((_, before)) if tail.len() < self.bytes_max => before,
                _ => Vec::new(),
            };
            end.extend_from_slice(&tail[kept..]);
            end.drain(..end.len().saturating_sub(self.bytes_max));
            self.ends.insert(key, (sequence, end));
        }
        found
    }
}
