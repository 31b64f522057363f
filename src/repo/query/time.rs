//! Times in the files: RFC 3339 in UTC with milliseconds.

use jiff::Timestamp;
use serde::Serializer;

/// A moment near the last that has such a form, 9999-12-30T21:59:59.999Z: what is later is told as this.
const LAST_MS: i64 = 253_402_207_199_999;

/// Unix milliseconds as `2026-11-22T10:41:51.123Z`.
pub(super) fn text(at_ms: u64) -> String {
    let at_ms = i64::try_from(at_ms).unwrap_or(LAST_MS).min(LAST_MS);
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    format!("{at:.3}")
}

/// Any RFC 3339 time from 1970 on as Unix milliseconds.
pub(super) fn parse(text: &str) -> Option<u64> {
    let at: Timestamp = text.parse().ok()?; // whoever asks says what it must be
    u64::try_from(at.as_millisecond()).ok() // none before 1970
}

/// For `#[serde(serialize_with = …)]`.
pub(super) fn write<S: Serializer>(at_ms: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(*at_ms))
}
