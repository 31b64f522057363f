//! Times and durations: local on a screen, UTC in JSON; and the ways a person may give one.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, civil};

pub use crate::event::wire::utc_text as utc;
use crate::fault::{Class, Fault, Sorted};

#[cfg(test)]
mod tests;
pub mod zone;

/// A time that was given and cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(
    "{text:?} is not a time: give an age (90s, 15m, 2h, 3d, 1w), a date (2026-01-31) or an RFC 3339 time"
)]
pub struct TimeError {
    pub text: String,
}

impl Fault for TimeError {
    fn sorted(&self) -> Sorted {
        Class::Argument.alone()
    }
}

/// Local time to the second, for a screen.
pub fn local(at_ms: u64, zone: &TimeZone) -> String {
    match timestamp(at_ms) {
        Some(at) => at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        None => format!("{at_ms} ms"),
    }
}

/// How long something took, where that may be a bound: `<= 3.5 s`.
pub fn took((ms, is_bound): (u64, bool)) -> String {
    format!("{}{}", if is_bound { "<= " } else { "" }, duration(ms))
}

/// A duration as people say it.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
        _ => format!("{} h {} min", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

pub fn bytes(count: u64) -> String {
    match count {
        0..1_024 => format!("{count} B"),
        1_024..1_048_576 => format!("{}.{} KiB", count >> 10, ((count & 0x3ff) * 10) >> 10),
        _ => format!("{}.{} MiB", count >> 20, (((count >> 10) & 0x3ff) * 10) >> 10),
    }
}

/// The moment a person meant, Unix milliseconds: an age before `now_ms`, a local date or date and
/// time, or RFC 3339.
pub fn parse(text: &str, now_ms: u64, zone: &TimeZone) -> Result<u64, TimeError> {
    let wrong = || TimeError { text: text.to_owned() };
    if let Some(age) = age(text) {
        return Ok(now_ms.saturating_sub(age));
    }
    let at = text
        .parse::<Timestamp>()
        .or_else(|_| {
            text.parse::<civil::DateTime>()
                .or_else(|_| {
                    text.parse::<civil::Date>().map(|day| day.to_datetime(civil::Time::midnight()))
                })
                .and_then(|civil| civil.to_zoned(zone.clone()))
                .map(|zoned| zoned.timestamp())
        })
        .map_err(|_| wrong())?;
    u64::try_from(at.as_millisecond()).map_err(|_| wrong())
}

fn age(text: &str) -> Option<u64> {
    let unit = text.chars().next_back()?;
    let count: u64 = text[..text.len() - unit.len_utf8()].parse().ok()?; // not an age: tried as a date
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    count.checked_mul(seconds * 1_000)
}

fn timestamp(at_ms: u64) -> Option<Timestamp> {
    let ms = i64::try_from(at_ms).ok()?; // beyond what any calendar holds
    // Beyond the year 9999 there is no such time.
    Timestamp::UNIX_EPOCH.checked_add(SignedDuration::from_millis(ms)).ok()
}
