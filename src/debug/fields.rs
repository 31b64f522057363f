//! What a field may hold.

use serde::Serialize;

use super::error::Result;
use super::limits::{
    ATTEMPT_FAILURES_BYTES_MAX, DOCUMENT_BYTES_MAX, LIST_LEN_MAX, NAME_BYTES_MAX, PATH_BYTES_MAX,
    REASON_CHARS_MIN, TEXT_BYTES_MAX, WORD_BYTES_MAX,
};
use super::query::DebugRecord;
use super::{AttemptGiven, DebugError};
use crate::event::TestFailure;
use crate::redact::{Redactor, end_of_head};

type Checked = Result<()>;

/// The largest count that JSON's readers agree on.
const COUNT_MAX: u64 = 1 << 53;

/// One line that says something.
pub(super) fn word(field: &str, text: &str) -> Checked {
    line(field, text, WORD_BYTES_MAX)
}

pub(super) fn name(field: &str, text: &str) -> Checked {
    line(field, text, NAME_BYTES_MAX)
}

pub(super) fn path(field: &str, text: &str) -> Checked {
    line(field, text, PATH_BYTES_MAX)
}

pub(super) fn text(field: &str, text: &str) -> Checked {
    at_most(field, text, TEXT_BYTES_MAX)?;
    match text.trim().is_empty() {
        true => refused(field, "is empty: say something"),
        false => Ok(()),
    }
}

pub(super) fn at_most(field: &str, text: &str, bytes_max: usize) -> Checked {
    match text.len() {
        bytes if bytes > bytes_max => {
            refused(field, &format!("has {bytes} bytes; {bytes_max} at most"))
        }
        _ => Ok(()),
    }
}

pub(super) fn reason(field: &str, given: &str) -> Checked {
    text(field, given)?;
    match given.chars().count() {
        chars if chars < REASON_CHARS_MIN => {
            let why =
                format!("has {chars} characters; the schema wants {REASON_CHARS_MIN} at least");
            refused(field, &why)
        }
        _ => Ok(()),
    }
}

/// Each of them, if they are not too many. An empty list says nothing, and is left out.
pub(super) fn list<T>(
    field: &str,
    items: &mut Option<Vec<T>>,
    mut check: impl FnMut(&str, &T) -> Checked,
) -> Checked {
    items.take_if(|items| items.is_empty());
    let Some(items) = items else { return Ok(()) };
    if items.len() > LIST_LEN_MAX {
        return refused(field, &format!("has {} items; {LIST_LEN_MAX} at most", items.len()));
    }
    let mut items = items.iter().enumerate();
    items.try_for_each(|(at, item)| check(&format!("{field}[{at}]"), item))
}

pub(super) fn share(field: &str, given: Option<f64>, max: f64) -> Checked {
    match given {
        Some(it) if !(0.0..=max).contains(&it) => {
            refused(field, &format!("is {it}; it must be from 0 to {max}"))
        }
        _ => Ok(()),
    }
}

pub(super) fn count(field: &str, given: u64) -> Checked {
    match given > COUNT_MAX {
        true => refused(field, &format!("is {given}; {COUNT_MAX} at most")),
        false => Ok(()),
    }
}

pub(super) fn signed(field: &str, given: Option<i64>) -> Checked {
    count(field, given.map_or(0, i64::unsigned_abs))
}

fn line(field: &str, text: &str, bytes_max: usize) -> Checked {
    if text.trim().is_empty() {
        return refused(field, "is empty: say something");
    }
    if text.chars().any(char::is_control) {
        return refused(field, "must be one line without control characters");
    }
    at_most(field, text, bytes_max)
}

pub(super) fn refused<T>(field: &str, why: &str) -> Result<T> {
    Err(DebugError::Field { field: field.to_owned(), why: why.to_owned() })
}

/// At most so many bytes of a text. Its secrets are taken out first: one that is cut in two would not be
/// known as one any more.
pub(super) fn cut(redactor: &Redactor, text: &mut String, bytes_max: usize) {
    if text.len() <= bytes_max {
        return;
    }
    let whole = redactor.redact_text(text);
    *text = shortened(&whole, bytes_max);
}

pub(super) fn cut_any(redactor: &Redactor, text: &mut Option<String>, bytes_max: usize) {
    if let Some(text) = text {
        cut(redactor, text, bytes_max);
    }
}

fn shortened(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    // The longest that the note can be is taken off first: then it fits whatever it counts.
    let note = |left: usize| format!("… {left} bytes more");
    let kept = bytes_max.saturating_sub(note(text.len()).len());
    let kept = text.floor_char_boundary(kept);
    let begin = &text[..text.floor_char_boundary(end_of_head(text.as_bytes(), kept))];
    format!("{begin}{}", note(text.len() - begin.len()))
}

/// Kept free for what follows from it: a status, a verification, a trial.
const FREE_BYTES: usize = 64 << 10;

/// Refuses what a document has no room for: the stores would not take it.
pub(super) fn for_more(record: &DebugRecord, more: &impl Serialize) -> Result<()> {
    match bytes(&record.document) + bytes(more) + FREE_BYTES > DOCUMENT_BYTES_MAX {
        true => Err(DebugError::Full { session: record.session.id }),
        false => Ok(()),
    }
}

impl AttemptGiven {
    /// The same with what there is room for: without the code, or the traces, where they do not fit.
    pub(super) fn fitting(mut self, record: &DebugRecord) -> Result<Self> {
        let held = bytes(&record.document) + FREE_BYTES;
        let is_fit = |it: &Self| {
            // What is no UTF-8 grows by at most three, what is escaped by at most six.
            let code = it.code_snapshot.as_deref().map_or(0, |code| {
                serde_json::to_string(&String::from_utf8_lossy(code)).map_or(0, |text| text.len())
            });
            held + code + bytes(&it.failures) + bytes(&it.environment) <= DOCUMENT_BYTES_MAX
        };
        if !is_fit(&self) {
            self.code_snapshot = None;
        }
        if !is_fit(&self) {
            self.failures.iter_mut().for_each(|failure| failure.stack_trace = None);
        }
        match is_fit(&self) {
            true => Ok(self),
            false => Err(DebugError::Full { session: record.session.id }),
        }
    }
}

/// How many of these failures are kept of one attempt: its results count them all.
pub(super) fn kept(failures: &[TestFailure]) -> usize {
    let mut left = ATTEMPT_FAILURES_BYTES_MAX;
    let fits = |failure: &&TestFailure| match left.checked_sub(bytes(failure)) {
        Some(less) => {
            left = less;
            true
        }
        None => false,
    };
    failures.iter().take_while(fits).count()
}

fn bytes(value: &impl Serialize) -> usize {
    // What cannot be written has no bytes; it fails where it is written.
    serde_json::to_string(value).map_or(0, |json| json.len())
}
