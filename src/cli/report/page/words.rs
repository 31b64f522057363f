//! Numbers, times and counts as the page says them. Times are UTC: whoever reads it sits anywhere.

use crate::event::wire::utc_text;
pub use crate::output::time::bytes;
use crate::output::time::duration as short_duration;

/// How long something took, in days where it was more than two.
pub fn duration(ms: u64) -> String {
    const DAY_MS: u64 = 86_400_000;
    match ms / DAY_MS {
        0 | 1 => short_duration(ms),
        days => format!("{days} d {} h", ms % DAY_MS / 3_600_000),
    }
}

/// `2026-01-31 10:31:02`
pub fn moment(at_ms: u64) -> String {
    match utc_text(at_ms) {
        Some(text) => text.get(..19).unwrap_or(&text).replace('T', " "),
        None => format!("{at_ms} ms"),
    }
}

/// `10:31:02`
pub fn clock(at_ms: u64) -> String {
    moment(at_ms).get(11..).unwrap_or_default().to_owned()
}

pub fn day(at_ms: u64) -> String {
    moment(at_ms).get(..10).unwrap_or_default().to_owned()
}

/// From one moment to another, the day said once.
pub fn span(from_ms: u64, to_ms: u64) -> String {
    let to = match day(from_ms) == day(to_ms) {
        true => clock(to_ms),
        false => moment(to_ms),
    };
    format!("{} – {to}", moment(from_ms))
}

/// `12 345`, with spaces that do not break.
pub fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

pub fn counted(count: u64, noun: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{} {noun}{end}", number(count))
}

/// `1.2 M`
pub fn rough(count: u64) -> String {
    match count {
        0..10_000 => number(count),
        10_000..1_000_000 => format!("{}.{} k", count / 1_000, count % 1_000 / 100),
        _ => format!("{}.{} M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

/// The beginning of a text, for a place that has room for so much.
pub fn short(text: &str, chars_max: usize) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(chars_max) {
        words.truncate(end);
        words.push('…');
    }
    words
}
