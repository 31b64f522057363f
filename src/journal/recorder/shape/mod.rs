//! Puts an event into the shape that a journal keeps: canonical JSON, and sizes within limits.

#[cfg(test)]
mod tests;

use super::RecordMode;
use crate::event::limits::{
    CONTENT_BYTES_MAX, INLINE_BYTES_MAX, JSON_BYTES_MAX, LIST_LEN_MAX, PAYLOAD_BYTES_MAX,
};
use crate::event::{
    Body, Closing, Content, Event, EventError, Json, Redaction, TextVisitor, canonical,
};
use crate::journal::{Blobs, JournalError};
use crate::redact::Redactor;

// Everything at its largest still fits one payload.
const _: () = assert!(2 * END_BYTES < INLINE_BYTES_MAX);
const _: () = assert!(
    JSON_BYTES_MAX + 3 * LIST_BYTES_MAX + 2 * INLINE_BYTES_MAX + 4 * TEXT_BYTES_MAX + (128 << 10)
        < PAYLOAD_BYTES_MAX
);

/// A plain text (an error message, a path, a title).
const TEXT_BYTES_MAX: usize = 64 << 10;
/// All paths, all symbols or all changes of one event.
const LIST_BYTES_MAX: usize = 1 << 20;
/// What is kept of either end of content above [`CONTENT_BYTES_MAX`].
const END_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub(crate) enum ShapeError {
    Event(EventError),
    NotAnObject,
}

/// Makes JSON canonical and cuts what is beyond its limit; gives the number of cuts.
///
/// Live, JSON that is none is refused; an import keeps it as a text inside an object.
pub(crate) fn shape(event: &mut Event, mode: RecordMode) -> Result<u64, ShapeError> {
    let mut cut = Cut { count: 0 };
    json(&mut event.body, mode, &mut cut)?;
    event.visit_texts(&mut cut);
    lists(&mut event.body, &mut cut);
    Ok(cut.count)
}

/// Moves content too large to travel inline into blobs, durable before it returns.
pub(crate) fn store_blobs(event: &mut Event, blobs: &Blobs) -> Result<(), JournalError> {
    for content in event.body.contents_mut() {
        if let Content::Inline(bytes) = content
            && bytes.len() >= INLINE_BYTES_MAX
        {
            *content = blobs.put(bytes)?;
        }
    }
    Ok(())
}

fn outputs(closing: &mut Closing) -> Vec<&mut Content> {
    [&mut closing.stdout, &mut closing.stderr].into_iter().flatten().collect()
}

fn json(body: &mut Body, mode: RecordMode, cut: &mut Cut) -> Result<(), ShapeError> {
    match body {
        Body::ExecutionStarted(b) => {
            b.arguments = arguments(&b.arguments.0, mode, cut)?;
        }
        Body::ExecutionFinished(b) => diagnostics(&mut b.closing, mode, cut)?,
        Body::ExecutionCorrected(b) => diagnostics(&mut b.closing, mode, cut)?,
        _ => (),
    }
    Ok(())
}

fn arguments(text: &str, mode: RecordMode, cut: &mut Cut) -> Result<Json, ShapeError> {
    match (Json::canonical("arguments", text), mode) {
        (Ok(json), _) if json.is_object() => Ok(json),
        (Ok(_), RecordMode::Live) => Err(ShapeError::NotAnObject),
        (Err(error), RecordMode::Live) => Err(ShapeError::Event(error)),
        (Ok(json), RecordMode::Import) => Ok(Json(format!("{{\"_value\":{}}}", json.0))),
        (Err(_), RecordMode::Import) => {
            cut.count += u64::from(text.len() > JSON_BYTES_MAX);
            let kept = &text[..boundary(text, TEXT_BYTES_MAX)];
            let mut object = String::from("{\"_text\":");
            canonical::write_text(kept, &mut object);
            object.push('}');
            Ok(Json(object))
        }
    }
}

/// Diagnostics are read out of what a tool printed: an import whose reading is no JSON drops it,
/// for the output itself is kept.
fn diagnostics(closing: &mut Closing, mode: RecordMode, cut: &mut Cut) -> Result<(), ShapeError> {
    let Some(diagnostics) = &closing.diagnostics else {
        return Ok(());
    };
    closing.diagnostics = match (Json::canonical("diagnostics", &diagnostics.0), mode) {
        (Ok(json), _) => Some(json),
        (Err(error), RecordMode::Live) => return Err(ShapeError::Event(error)),
        (Err(_), RecordMode::Import) => {
            cut.count += 1;
            None
        }
    };
    Ok(())
}

fn lists(body: &mut Body, cut: &mut Cut) {
    match body {
        Body::ExecutionStarted(b) => {
            cut.list(&mut b.paths, String::as_str);
            cut.list(&mut b.symbols, String::as_str);
        }
        Body::PromptSubmitted(b) => {
            cut.content(&mut b.text);
            cut.list(&mut b.attachments, |it| it.name.as_deref().unwrap_or_default());
        }
        Body::AssistantSaid(b) => {
            std::iter::once(&mut b.text).chain(&mut b.thinking).for_each(|it| cut.content(it));
        }
        Body::Compacted(b) => cut.content(&mut b.summary),
        Body::ContextInjected(b) => cut.list(&mut b.files, String::as_str),
        Body::ExecutionFinished(b) => closing_lists(&mut b.closing, cut),
        Body::ExecutionCorrected(b) => closing_lists(&mut b.closing, cut),
        _ => (),
    }
}

fn closing_lists(closing: &mut Closing, cut: &mut Cut) {
    cut.list(&mut closing.paths, String::as_str);
    cut.list(&mut closing.symbols, String::as_str);
    cut.list(&mut closing.changed, |change| &change.path);
    for content in outputs(closing) {
        cut.content(content);
    }
}

/// The last character boundary at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

struct Cut {
    count: u64,
}

impl Cut {
    /// Keeps the beginning of a list: so many items, and so many bytes of them together.
    fn list<T>(&mut self, list: &mut Vec<T>, text: fn(&T) -> &str) {
        let mut bytes = 0;
        let fits = |item: &&T| {
            bytes += text(item).len();
            bytes <= LIST_BYTES_MAX
        };
        let kept = list.iter().take(LIST_LEN_MAX).take_while(fits).count();
        self.count += u64::from(kept < list.len());
        list.truncate(kept);
    }

    fn content(&mut self, content: &mut Content) {
        match content {
            Content::Inline(bytes) if bytes.len() > CONTENT_BYTES_MAX => {
                self.count += 1;
                let len = bytes.len() as u64;
                let tail = bytes.split_off(bytes.len() - END_BYTES);
                bytes.truncate(END_BYTES);
                *content = Content::Truncated { head: std::mem::take(bytes), tail, len };
            }
            Content::Truncated { head, tail, .. } if head.len().max(tail.len()) > END_BYTES => {
                self.count += 1;
                head.truncate(END_BYTES);
                tail.drain(..tail.len().saturating_sub(END_BYTES));
            }
            _ => (),
        }
    }
}

impl TextVisitor for Cut {
    fn text(&mut self, text: &mut String) {
        if text.len() > TEXT_BYTES_MAX {
            self.count += 1;
            text.truncate(boundary(text, TEXT_BYTES_MAX));
        }
    }

    fn bytes(&mut self, _: &mut Vec<u8>) {}

    fn json(&mut self, _: &mut String) {}
}

/// The rule that envelopes count such names under.
const RULE: &str = "name";

/// Puts another name in the place of each that is, or holds, what looks like a secret. For what agents'
/// hooks and transcripts bring.
pub(super) fn conceal(event: &mut Event, redactor: &Redactor) {
    let mut count: u32 = 0;
    event.body.visit_names(&mut |_, name| {
        count = count.saturating_add(u32::from(redactor.conceal(name)));
    });
    if count > 0 {
        event.envelope.redactions.push(Redaction { rule: RULE.to_owned(), count });
    }
}

pub(super) fn secret(event: &mut Event, redactor: &Redactor) -> Option<&'static str> {
    let mut found = None;
    event.body.visit_names(&mut |what, name| {
        if found.is_none() && redactor.holds_secret(name) {
            found = Some(what);
        }
    });
    found
}
