//! How long a value is valid.

use crate::memory::query::is_over;

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
