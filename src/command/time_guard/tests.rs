//! The time guard's decision table.

use super::RecordMode::{Import, Live};
use super::*;

const NOW: u64 = 1_735_036_800_000;

#[test]
fn a_time_is_taken_clamped_or_refused() {
    let back = |at_ms| Err(TimeRefused::Back { at_ms, last_ms: NOW });
    for (mode, at_ms, last_ms, expected) in [
        (Live, NOW, None, Ok(NOW)),
        (Live, NOW + 5, Some(NOW), Ok(NOW + 5)),
        (Live, NOW, Some(NOW), Ok(NOW)),
        (Live, NOW - 1, Some(NOW), Ok(NOW)),
        (Live, NOW - 60_000, Some(NOW), Ok(NOW)),
        (Live, NOW - 60_001, Some(NOW), back(NOW - 60_001)),
        (Live, 0, None, Err(TimeRefused::TooEarly { at_ms: 0 })),
        (Live, NOW + AHEAD_MS_MAX, None, Ok(NOW + AHEAD_MS_MAX)),
        (
            Live,
            NOW + AHEAD_MS_MAX + 1,
            None,
            Err(TimeRefused::TooLate { at_ms: NOW + AHEAD_MS_MAX + 1, now_ms: NOW }),
        ),
        (Live, u64::MAX, Some(NOW), Err(TimeRefused::TooLate { at_ms: u64::MAX, now_ms: NOW })),
        (Import, NOW - 60_001, Some(NOW), Ok(NOW)),
        (Import, 0, None, Ok(EARLIEST_MS)),
        (Import, u64::MAX, None, Ok(NOW)),
        (Import, u64::MAX, Some(NOW + 9), Ok(NOW + 9)),
        (Import, NOW - 9, Some(NOW - 10), Ok(NOW - 9)),
    ] {
        assert_eq!(judge(mode, at_ms, last_ms, NOW), expected, "{mode:?} {at_ms} {last_ms:?}");
    }
}
