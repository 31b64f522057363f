//! Times to live, as they are told: decimal seconds.

const FRACTION_DIGITS: usize = 3;

/// Whether a text is decimal seconds (`90`, `0.5`): anything else means for ever.
pub fn is_seconds(ttl: &str) -> bool {
    milliseconds(ttl).is_some()
}

/// The same, for a value that is to be valid for a while.
pub fn is_while(ttl: &str) -> bool {
    milliseconds(ttl).is_some_and(|ms| ms > 0)
}

/// Decimal seconds (`90`, `0.5`) as milliseconds; `None` for anything else, which means for ever.
pub fn milliseconds(ttl: &str) -> Option<u64> {
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
