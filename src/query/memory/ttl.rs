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

#[cfg(test)]
mod tests {
    use super::is_over;

    #[test]
    fn a_ttl_is_decimal_seconds_and_anything_else_is_for_ever() {
        for (ttl, over_at_ms) in [
            (Some("60"), Some(61_000)),
            (Some(" 60 "), Some(61_000)),
            (Some("0"), Some(1_000)),
            (Some("0.5"), Some(1_500)),
            (Some("0.0009"), Some(1_000)),
            (Some("1.25"), Some(2_250)),
            (None, None),
            (Some(""), None),
            (Some("."), None),
            (Some("5."), None),
            (Some(".5"), None),
            (Some("-5"), None),
            (Some("1e3"), None),
            (Some("one hour"), None),
            (Some("99999999999999999999999999"), None),
        ] {
            let is_over = |now_ms| is_over(ttl, 1_000, now_ms);
            match over_at_ms {
                Some(at_ms) => assert!(!is_over(at_ms - 1) && is_over(at_ms), "{ttl:?}"),
                None => assert!(!is_over(u64::MAX - 1), "{ttl:?}"),
            }
        }
    }
}
