//! When an operation on memory happens.

use crate::journal::clock;

/// How far many operations in one millisecond may move time ahead of the clock.
const AHEAD_MS_MAX: u64 = 250;

/// When an operation happens: behind everything that memory has, as long as that is not far from what the clock reads.
pub fn at_ms(last_ms: u64) -> u64 {
    after(last_ms, clock::now_ms())
}

fn after(last_ms: u64, now_ms: u64) -> u64 {
    let next_ms = last_ms.saturating_add(1).min(now_ms.saturating_add(AHEAD_MS_MAX));
    now_ms.max(next_ms).max(last_ms)
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn many_operations_do_not_move_time_far_ahead_and_never_back() {
        for (last_ms, now_ms, at_ms) in [
            (0, 1_000, 1_000),
            (1_000, 1_000, 1_001),
            (1_249, 1_000, 1_250),
            (1_250, 1_000, 1_250),
            (9_000, 1_000, 9_000),
        ] {
            assert_eq!(after(last_ms, now_ms), at_ms, "{last_ms} {now_ms}");
        }
    }
}
