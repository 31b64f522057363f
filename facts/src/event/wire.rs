//! How facts and answers are written as JSON: `#[serde(serialize_with = "wire::utc")]` and the like.

use std::fmt::Display;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

/// RFC 3339 in UTC with milliseconds. Years beyond 9999 have no such form: `null`.
pub fn utc_text(at_ms: u64) -> Option<String> {
    let ms = i64::try_from(at_ms).ok()?; // beyond what any calendar holds
    let at = Timestamp::UNIX_EPOCH.checked_add(SignedDuration::from_millis(ms)).ok()?;
    Some(format!("{at:.3}"))
}

/// Unix milliseconds of what [`utc_text`] writes.
pub fn of_utc_text(text: &str) -> Option<u64> {
    let at: Timestamp = text.parse().ok()?; // no moment
    let at_ms = u64::try_from(at.as_millisecond()).ok()?; // before any journal
    (utc_text(at_ms).as_deref() == Some(text)).then_some(at_ms)
}

/// Unix seconds of Unix milliseconds.
pub fn seconds_of(at_ms: u64) -> f64 {
    // Beyond 2^53 milliseconds a last digit is lost: in some 280 000 years.
    at_ms as f64 / 1_000.0
}

/// Unix milliseconds as RFC 3339 in UTC.
pub fn utc<S: Serializer>(at_ms: &u64, to: S) -> Result<S::Ok, S::Error> {
    utc_text(*at_ms).serialize(to)
}

/// As [`utc`], `null` where there is none.
pub fn utc_or_null<S: Serializer>(at_ms: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    at_ms.and_then(utc_text).serialize(to)
}

/// Unix milliseconds as Unix seconds.
pub fn seconds<S: Serializer>(at_ms: &u64, to: S) -> Result<S::Ok, S::Error> {
    seconds_of(*at_ms).serialize(to)
}

/// Unix milliseconds as `ts`, Unix seconds, and `at`, UTC. For a flattened field.
pub fn seconds_and_utc<S: Serializer>(at_ms: &u64, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Times {
        ts: f64,
        at: Option<String>,
    }
    Times { ts: seconds_of(*at_ms), at: utc_text(*at_ms) }.serialize(to)
}

/// What something is displayed as: ids, paths.
pub fn text<S: Serializer>(it: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(it)
}

/// As [`text`], `null` where there is none.
pub fn text_or_null<T: Display, S: Serializer>(it: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
    it.as_ref().map(ToString::to_string).serialize(to)
}

/// As [`text`], of each.
pub fn texts<T: Display, S: Serializer>(them: &[T], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(them.iter().map(ToString::to_string))
}

/// A path, as far as it is text.
pub fn path<S: Serializer>(path: &impl AsRef<Path>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.as_ref().to_string_lossy())
}

/// A text, `null` where it is empty.
pub fn filled<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|text| !text.is_empty()).serialize(to)
}

/// Bytes as hexadecimal digits.
pub fn hex<S: Serializer>(bytes: &impl AsRef<[u8]>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&hex_text(bytes.as_ref()))
}

/// Hexadecimal digits of bytes, small.
pub fn hex_text(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 0xf)]));
    }
    out
}

/// What [`hex_text`] wrote; `None` where it is anything else.
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let hash = (text.len() == 2 * N && text.is_ascii()).then_some(text)?;
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hash[2 * at..2 * at + 2], 16).ok()?; // no file of ours
    }
    Some(bytes)
}

/// A row of a list that may be of several journals.
#[derive(Clone, Debug, Serialize)]
pub struct OfJournal<T> {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    #[serde(flatten)]
    pub row: T,
}

impl<T> OfJournal<T> {
    pub fn of(journal: Option<&str>, row: T) -> Self {
        Self { journal: journal.map(str::to_owned), row }
    }

    /// A row of the one journal that was asked.
    pub fn only(row: T) -> Self {
        Self { journal: None, row }
    }
}
