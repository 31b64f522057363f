//! How long a value is valid.

/// Digits of a second's fraction that count.
const FRACTION_DIGITS: usize = 3;

/// Whether a value that was written at `updated_ms` is no longer valid at `now_ms`: from the
/// millisecond on in which its time is over.
pub(super) fn is_over(ttl: Option<&str>, updated_ms: u64, now_ms: u64) -> bool {
    match ttl.and_then(milliseconds) {
        Some(ttl_ms) => now_ms >= updated_ms.saturating_add(ttl_ms),
        None => false,
    }
}

/// Whether a text is decimal seconds (`90`, `0.5`): anything else means for ever.
pub fn is_seconds(ttl: &str) -> bool {
    milliseconds(ttl).is_some()
}

/// The same, for a value that is to be valid for a while.
pub fn is_while(ttl: &str) -> bool {
    milliseconds(ttl).is_some_and(|ms| ms > 0)
}

/// Decimal seconds (`90`, `0.5`) as milliseconds; `None` for anything else, which means for ever.
fn milliseconds(ttl: &str) -> Option<u64> {
    let ttl = ttl.trim_ascii();
    let (whole, fraction) = ttl.split_once('.').unwrap_or((ttl, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let seconds: u64 = whole.parse().unwrap_or(u64::MAX);
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(FRACTION_DIGITS);
    let part = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    Some(seconds.saturating_mul(1_000).saturating_add(part))
}
