//! Judges an event's time, once, when it is recorded (ruling 5, invariant I3, ruling 3).

#[cfg(test)]
mod tests;

/// How far a time that a caller gives may lie behind its session's last before it is refused; less is
/// clamped.
pub const BACK_MS_MAX: u64 = 60_000;
/// How far ahead a time may lie (spec 000, `validate_timestamp`).
pub const AHEAD_MS_MAX: u64 = 86_400_000;
/// 2020-01-01T00:00:00Z (spec 000, `validate_timestamp`).
pub const EARLIEST_MS: u64 = 1_577_836_800_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeRefused {
    #[error(
        "its time {at_ms} lies {} ms behind the session's last, {last_ms}; at most {BACK_MS_MAX} \
         ms are clamped: leave the time out, or record under a new session",
        last_ms - at_ms
    )]
    Back { at_ms: u64, last_ms: u64 },
    #[error("its time {at_ms} lies before 2020-01-01, the earliest there can be: correct it")]
    TooEarly { at_ms: u64 },
    #[error("its time {at_ms} lies more than a day ahead of this machine's clock, {now_ms}")]
    TooLate { at_ms: u64, now_ms: u64 },
}

/// What a reading of the clock is held against. Asked only where it is needed: both cost a look at
/// files.
pub trait Around {
    /// What the clock should read, by what it read before in this boot; `None` where it was not read.
    fn expected_ms(&mut self) -> Option<u64>;

    fn journal_ms(&mut self) -> Option<u64>;
}

/// The time to record where the clock reads `at_ms` and the session's last is `last_ms`. Nothing is
/// refused for what a clock reads: recording must not stop by it.
pub fn judge_reading(at_ms: u64, last_ms: Option<u64>, around: &mut dyn Around) -> u64 {
    let near = |than_ms: u64| at_ms <= than_ms.saturating_add(AHEAD_MS_MAX);
    let last_ms = last_ms.filter(|last_ms| *last_ms > 0);
    let believed = if at_ms < EARLIEST_MS {
        around.expected_ms().or_else(|| around.journal_ms()).unwrap_or(EARLIEST_MS)
    } else if last_ms.is_some_and(near) {
        at_ms
    } else {
        match around.expected_ms() {
            Some(expected) if !near(expected) && !around.journal_ms().is_some_and(near) => expected,
            _ => at_ms,
        }
    };
    believed.max(last_ms.unwrap_or(0)).max(EARLIEST_MS)
}

pub fn judge_told(at_ms: u64, last_ms: Option<u64>, now_ms: u64) -> Result<u64, TimeRefused> {
    let last_ms = last_ms.unwrap_or(EARLIEST_MS);
    if at_ms < EARLIEST_MS {
        return Err(TimeRefused::TooEarly { at_ms });
    }
    if at_ms > now_ms.saturating_add(AHEAD_MS_MAX) {
        return Err(TimeRefused::TooLate { at_ms, now_ms });
    }
    if at_ms.saturating_add(BACK_MS_MAX) < last_ms {
        return Err(TimeRefused::Back { at_ms, last_ms });
    }
    Ok(at_ms.max(last_ms))
}

/// The time to record for what a transcript says happened at `at_ms`: moved to the nearest that can be.
pub fn judge_past(at_ms: u64, last_ms: Option<u64>, now_ms: u64) -> u64 {
    let last_ms = last_ms.unwrap_or(EARLIEST_MS);
    if at_ms > now_ms.saturating_add(AHEAD_MS_MAX) {
        // What is read now cannot have happened a day after now.
        return now_ms.max(last_ms);
    }
    at_ms.max(last_ms).max(EARLIEST_MS)
}
