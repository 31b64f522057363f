//! The time guard's decision tables.

use super::*;

const NOW: u64 = 1_735_036_800_000;
const HOUR: u64 = 3_600_000;
const DAY: u64 = AHEAD_MS_MAX;

struct Known(Option<u64>, Option<u64>);

impl Around for Known {
    fn expected_ms(&mut self) -> Option<u64> {
        self.0
    }

    fn journal_ms(&mut self) -> Option<u64> {
        self.1
    }
}

#[test]
fn a_reading_is_taken_or_clamped_and_never_refused() {
    for (at_ms, last_ms, expected, journal, judged) in [
        // nothing to hold it against
        (NOW, None, None, None, NOW),
        (NOW + 9 * DAY, None, None, None, NOW + 9 * DAY),
        (u64::MAX, None, None, Some(NOW), u64::MAX),
        (0, None, None, None, EARLIEST_MS),
        // behind the session's last: clamped, however far
        (NOW - 1, Some(NOW), Some(NOW), Some(NOW), NOW),
        (NOW - HOUR, Some(NOW), Some(NOW), Some(NOW), NOW),
        (NOW - 9 * DAY, Some(NOW), Some(NOW), Some(NOW), NOW),
        (0, Some(NOW), Some(NOW - 5), Some(NOW), NOW),
        // 1970 in a new session: what it should read, else no earlier than what is on record
        (0, None, Some(NOW), Some(NOW - 5), NOW),
        (0, None, None, Some(NOW - 5), NOW - 5),
        // up to a day ahead of either: taken
        (NOW + HOUR, Some(NOW), Some(NOW), Some(NOW), NOW + HOUR),
        (NOW + DAY, Some(NOW), Some(NOW), Some(NOW), NOW + DAY),
        (NOW + 2 * DAY, Some(NOW), Some(NOW + 2 * DAY), Some(NOW), NOW + 2 * DAY),
        (NOW + 2 * DAY, Some(NOW), Some(NOW), Some(NOW + 2 * DAY), NOW + 2 * DAY),
        // more than a day ahead of both: what it should read, and the session's clock stands
        (NOW + DAY + 1, Some(NOW), Some(NOW), Some(NOW), NOW),
        (u64::MAX, Some(NOW - 7), Some(NOW), Some(NOW - 7), NOW),
        (u64::MAX, Some(NOW), Some(NOW - 7), Some(NOW), NOW),
        (u64::MAX, None, Some(NOW), None, NOW),
        // after a reboot there is nothing to expect
        (NOW + 9 * DAY, Some(NOW), None, Some(NOW), NOW + 9 * DAY),
    ] {
        let told = judge_reading(at_ms, last_ms, &mut Known(expected, journal));
        assert_eq!(told, judged, "{at_ms} {last_ms:?} {expected:?} {journal:?}");
    }
}

#[test]
fn what_a_caller_says_is_taken_clamped_or_refused() {
    let back = |at_ms| Err(TimeRefused::Back { at_ms, last_ms: NOW });
    let late = |at_ms| Err(TimeRefused::TooLate { at_ms, now_ms: NOW });
    for (at_ms, last_ms, expected) in [
        (NOW, None, Ok(NOW)),
        (NOW + 5, Some(NOW), Ok(NOW + 5)),
        (NOW - 1, Some(NOW), Ok(NOW)),
        (NOW - 60_000, Some(NOW), Ok(NOW)),
        (NOW - 60_001, Some(NOW), back(NOW - 60_001)),
        (0, None, Err(TimeRefused::TooEarly { at_ms: 0 })),
        (NOW + DAY, None, Ok(NOW + DAY)),
        (NOW + DAY + 1, None, late(NOW + DAY + 1)),
        (u64::MAX, Some(NOW), late(u64::MAX)),
    ] {
        assert_eq!(judge_told(at_ms, last_ms, NOW), expected, "{at_ms} {last_ms:?}");
    }
}

#[test]
fn what_a_transcript_says_is_moved_to_what_can_be() {
    for (at_ms, last_ms, expected) in [
        (NOW - 60_001, Some(NOW), NOW),
        (0, None, EARLIEST_MS),
        (u64::MAX, None, NOW),
        (u64::MAX, Some(NOW + 9), NOW + 9),
        (NOW - 9, Some(NOW - 10), NOW - 9),
    ] {
        assert_eq!(judge_past(at_ms, last_ms, NOW), expected, "{at_ms} {last_ms:?}");
    }
}
