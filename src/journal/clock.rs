//! The only place that reads the clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// Unix milliseconds now; 0 where the clock stands before 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
