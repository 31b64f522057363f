//! What a field may hold.

use super::DebugError;
use super::limits::{
    LIST_LEN_MAX, NAME_BYTES_MAX, PATH_BYTES_MAX, REASON_CHARS_MIN, TEXT_BYTES_MAX, WORD_BYTES_MAX,
};

type Checked = Result<(), DebugError>;

/// The largest count that JSON's readers agree on.
const COUNT_MAX: u64 = 1 << 53;

/// One line that says something.
pub(super) fn word(field: &str, text: &str) -> Checked {
    line(field, text, WORD_BYTES_MAX)
}

/// The name of a test, of a pattern.
pub(super) fn name(field: &str, text: &str) -> Checked {
    line(field, text, NAME_BYTES_MAX)
}

pub(super) fn path(field: &str, text: &str) -> Checked {
    line(field, text, PATH_BYTES_MAX)
}

/// A text of several lines.
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

/// A root cause, a strategy.
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

/// From 0 to `max`.
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

pub(super) fn refused<T>(field: &str, why: &str) -> Result<T, DebugError> {
    Err(DebugError::Field { field: field.to_owned(), why: why.to_owned() })
}
