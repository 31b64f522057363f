//! What begins at the end of one text and ends at the beginning of a later one: output in pieces, an
//! answer over several messages.

use std::collections::{BTreeSet, HashMap};

use crate::event::{Content, Event, Kind, Sequence, SessionId};
use crate::redact::value::Values;

/// More texts that are gone on with at a time would be no work of a person's.
const TEXTS_MAX: usize = 4_096;

/// So many texts later a value is not gone on with any more.
const TEXTS_BETWEEN_MAX: usize = 16;
/// As many beginnings of values are held of one place.
const BEGUN_MAX: usize = 256;

/// The session that a text is of, and its place in an event.
type Place = (Option<SessionId>, Kind, usize);

/// The last bytes of each session's last texts.
pub(super) struct Ends {
    bytes_max: usize,
    ends: HashMap<Place, (Sequence, Vec<u8>)>,
    begun: HashMap<Place, Vec<Begun>>,
}

/// A form of a value that a text ended in the middle of.
#[derive(Clone)]
struct Begun {
    form: usize,
    /// How much of it there was so far, and in which records.
    bytes: usize,
    records: Vec<Sequence>,
    texts_ago: usize,
}

impl Ends {
    pub fn new(values: &Values) -> Self {
        Self {
            bytes_max: values.form_bytes_max().saturating_sub(1),
            ends: HashMap::new(),
            begun: HashMap::new(),
        }
    }

    /// The earlier records that have a part of a value that ends in this one, and which it is.
    pub fn join(
        &mut self,
        sequence: Sequence,
        event: &Event,
        values: &Values,
    ) -> BTreeSet<(Sequence, usize)> {
        let mut found = BTreeSet::new();
        for (at, content) in event.body.contents().enumerate() {
            let (head, tail) = match content {
                Content::Inline(bytes) => (bytes, bytes),
                Content::Truncated { head, tail, .. } => (head, tail),
                Content::Blob { .. } | Content::Repeated { .. } => continue,
            };
            let key = (event.envelope.session, event.body.kind(), at);
            found.extend(self.go_on(key, sequence, head, tail, values));
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
                        found.insert((*first, it.value));
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
    /// The records that a value is in by pieces, this one the last, whatever was said in between.
    fn go_on(
        &mut self,
        key: Place,
        sequence: Sequence,
        head: &[u8],
        tail: &[u8],
        values: &Values,
    ) -> Vec<(Sequence, usize)> {
        let mut found = Vec::new();
        if self.begun.len() >= TEXTS_MAX {
            self.begun.clear();
        }
        let begun = self.begun.entry(key).or_default();
        let mut next = Vec::new();
        // A line end behind a piece may be the tool's own.
        let piece = head.strip_suffix(b"\n").unwrap_or(head);
        for it in begun.iter_mut() {
            it.texts_ago += 1;
            let Some((form, value)) = values.form(it.form) else { continue };
            let rest = &form[it.bytes..];
            if head.starts_with(rest) {
                found.extend(it.records.iter().map(|at| (*at, value)));
            } else if !piece.is_empty() && rest.starts_with(piece) && std::ptr::eq(head, tail) {
                let records = it.records.iter().copied().chain([sequence]).collect();
                next.push(Begun { bytes: it.bytes + piece.len(), records, texts_ago: 0, ..*it });
            }
        }
        begun.retain(|it| it.texts_ago < TEXTS_BETWEEN_MAX);
        let end = tail.strip_suffix(b"\n").unwrap_or(tail);
        let end = &end[end.len().saturating_sub(self.bytes_max)..];
        next.extend(values.begun(end).into_iter().map(|(form, bytes)| Begun {
            form,
            bytes,
            records: vec![sequence],
            texts_ago: 0,
        }));
        begun.extend(next);
        let over = begun.len().saturating_sub(BEGUN_MAX);
        begun.drain(..over);
        found
    }
}
