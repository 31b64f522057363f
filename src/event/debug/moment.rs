//! Times in the document: RFC 3339 in UTC with milliseconds.

use jiff::Timestamp;

/// A moment near the last that has such a form, 9999-12-30T21:59:59.999Z: what is later is told as this.
const LAST_MS: i64 = 253_402_207_199_999;

/// Unix milliseconds as the document has them: `2026-11-22T10:41:51.123Z`.
pub fn debug_time(at_ms: u64) -> String {
    let at_ms = i64::try_from(at_ms).unwrap_or(LAST_MS).min(LAST_MS);
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    format!("{at:.3}")
}

/// A document's time as Unix milliseconds; `None` where it is no RFC 3339 time from 1970 on.
pub fn debug_ms(text: &str) -> Option<u64> {
    let at: Timestamp = text.parse().ok()?; // whoever asks says what it must be
    u64::try_from(at.as_millisecond()).ok() // none before 1970
}
