//! Reading and writing times.

use jiff::tz::{TimeZone, offset};

use super::{bytes, duration, local, parse, utc, zone};

const NOW_MS: u64 = 1_767_225_600_000; // 2026-01-01T00:00:00Z

#[test]
fn what_a_person_may_give_is_read() {
    let zone = TimeZone::fixed(offset(1));
    for (text, expect) in [
        ("2h", Some(NOW_MS - 7_200_000)),
        ("90s", Some(NOW_MS - 90_000)),
        ("3d", Some(NOW_MS - 259_200_000)),
        ("2026-01-01T00:00:00Z", Some(NOW_MS)),
        ("2026-01-01", Some(NOW_MS - 3_600_000)),
        ("2026-01-01T01:00:00", Some(NOW_MS)),
        ("1969-01-01T00:00:00Z", None),
        ("soon", None),
        ("h", None),
        ("", None),
        ("99999999999999999999h", None),
        ("5ü", None),
    ] {
        assert_eq!(parse(text, NOW_MS, &zone).ok(), expect, "{text}");
    }
}

#[test]
fn times_are_local_on_a_screen_and_utc_in_json() {
    let zone = TimeZone::fixed(offset(1));
    assert_eq!(local(NOW_MS, &zone), "2026-01-01 01:00:00");
    assert_eq!(utc(NOW_MS).as_deref(), Some("2026-01-01T00:00:00.000Z"));
    assert_eq!(utc(u64::MAX), None);
    assert_eq!(local(u64::MAX, &zone), format!("{} ms", u64::MAX));
}

#[test]
fn durations_and_sizes_read_as_people_say_them() {
    for (ms, expect) in [
        (0, "0 ms"),
        (999, "999 ms"),
        (1_250, "1.2 s"),
        (61_000, "1 min 1 s"),
        (7_260_000, "2 h 1 min"),
    ] {
        assert_eq!(duration(ms), expect);
    }
    for (count, expect) in [(5, "5 B"), (1_536, "1.5 KiB"), (5 << 20, "5.0 MiB")] {
        assert_eq!(bytes(count), expect);
    }
}

#[test]
fn the_zone_is_the_one_that_jiff_finds() {
    let (ours, theirs) = (zone::system(), TimeZone::system());
    for at_ms in [0, 1_767_225_600_000, 1_782_864_000_000, 4_102_444_800_000] {
        assert_eq!(local(at_ms, &ours), local(at_ms, &theirs));
    }
}
