//! A record's occurrences as they are shown: where in it, and what stands around, without any secret.

use std::ops::Range;
use std::rc::Rc;

use super::Occurrence;
use crate::event::{Event, ReadsContents, Sequence, WithContents};
use crate::journal::JournalReader;
use crate::journal::scan::texts;
use crate::redact::Redactor;
use crate::redact::value::{ValueFound, Values};

/// How much of a text is shown on either side.
const AROUND_BYTES: usize = 32;
/// As many places of one field are told apart.
const PLACES_MAX: usize = 100;

pub(super) fn in_fields(
    reader: &Rc<JournalReader>,
    sequence: Sequence,
    event: &Event,
    values: &Values,
    redactor: &Redactor,
) -> Vec<Occurrence> {
    let reads = Rc::clone(reader) as Rc<dyn ReadsContents>;
    let body = serde_json::to_value(WithContents { it: &event.body, reader: reads });
    let mut all = Vec::new();
    // What is no JSON stands in no field that could be shown.
    for (field, text) in body.map(texts).unwrap_or_default() {
        let (bytes, before) = text.bytes();
        let found = values.find(&bytes);
        for (at, one) in found.iter().enumerate().take(PLACES_MAX) {
            all.push(Occurrence {
                sequence,
                kind: event.body.kind(),
                session: event.envelope.session,
                at_ms: Some(event.envelope.at_ms),
                field: field.clone(),
                value: one.value,
                form: one.written.name(),
                offset: one.range.start.saturating_sub(before) as u64,
                around: around(&bytes, &found, at, redactor),
            });
        }
    }
    all
}

/// What stands on either side of a place, up to the next one.
fn around(text: &[u8], found: &[ValueFound], at: usize, redactor: &Redactor) -> String {
    let Range { start, end } = found[at].range.clone();
    let floor = at.checked_sub(1).map_or(0, |last| found[last].range.end);
    let ceiling = found.get(at + 1).map_or(text.len(), |next| next.range.start);
    let before = &text[floor.max(start.saturating_sub(AROUND_BYTES)).min(start)..start];
    let behind = &text[end..ceiling.min(end + AROUND_BYTES).max(end)];
    let clean = |part: &[u8]| redactor.redact_text(&String::from_utf8_lossy(part));
    format!("{}[…]{}", clean(before), clean(behind))
}
