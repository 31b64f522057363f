//! Points at which others may go on; the twin in `tests/` lets a test decide who does.

use std::thread;
use std::time::Duration;

/// Between two steps that others may come between.
pub fn pass() {}

/// Before trying again what somebody else holds.
pub fn wait(pause: Duration) {
    thread::sleep(pause);
}
