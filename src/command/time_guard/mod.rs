//! Judges an event's time, once, when it is recorded (ruling 5, invariant I3, ruling 3).

use super::recorder::RecordMode;

#[cfg(test)]
mod tests;

/// How far a live clock may step back within a session before it is refused; less is clamped.
pub const BACK_MS_MAX: u64 = 60_000;
/// How far ahead of this machine's clock a time may lie (spec 000, `validate_timestamp`).
pub const AHEAD_MS_MAX: u64 = 86_400_000;
/// 2020-01-01T00:00:00Z (spec 000, `validate_timestamp`).
pub const EARLIEST_MS: u64 = 1_577_836_800_000;

/// Why a live event's time is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeRefused {
    #[error(
        "its time {at_ms} lies {} ms behind the session's last, {last_ms}; at most {BACK_MS_MAX} \
         ms are clamped: set the clock right, or record under a new session",
        last_ms - at_ms
    )]
    Back { at_ms: u64, last_ms: u64 },
    #[error("its time {at_ms} lies before 2020-01-01, the earliest there can be: set the clock")]
    TooEarly { at_ms: u64 },
    #[error("its time {at_ms} lies more than a day ahead of this machine's clock, {now_ms}")]
    TooLate { at_ms: u64, now_ms: u64 },
}

/// The time to record for an event that says `at_ms`, when its session's last is `last_ms`.
///
/// Live, a time that cannot be is refused; an import's is moved to the nearest that can.
pub fn judge(
    mode: RecordMode,
    at_ms: u64,
    last_ms: Option<u64>,
    now_ms: u64,
) -> Result<u64, TimeRefused> {
    let last_ms = last_ms.unwrap_or(EARLIEST_MS);
    match mode {
        RecordMode::Live if at_ms < EARLIEST_MS => Err(TimeRefused::TooEarly { at_ms }),
        RecordMode::Live if at_ms > now_ms.saturating_add(AHEAD_MS_MAX) => {
            Err(TimeRefused::TooLate { at_ms, now_ms })
        }
        RecordMode::Live if at_ms.saturating_add(BACK_MS_MAX) < last_ms => {
            Err(TimeRefused::Back { at_ms, last_ms })
        }
        RecordMode::Live => Ok(at_ms.max(last_ms)),
        // What is read now cannot have happened a day after now.
        RecordMode::Import if at_ms > now_ms.saturating_add(AHEAD_MS_MAX) => {
            Ok(now_ms.max(last_ms))
        }
        RecordMode::Import => Ok(at_ms.max(last_ms).max(EARLIEST_MS)),
    }
}
