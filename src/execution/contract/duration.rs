//! A span of time, with the constructors that the contract's examples use.

use std::time;

/// A span of time: `Duration::days(7)`. Anything that [`std::time::Duration`] says goes as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(time::Duration);

impl Duration {
    /// So many days of 24 hours.
    pub const fn days(days: u64) -> Self {
        Self::hours(days.saturating_mul(24))
    }

    pub const fn hours(hours: u64) -> Self {
        Self::minutes(hours.saturating_mul(60))
    }

    pub const fn minutes(minutes: u64) -> Self {
        Self::seconds(minutes.saturating_mul(60))
    }

    pub const fn seconds(seconds: u64) -> Self {
        Self(time::Duration::from_secs(seconds))
    }
}

impl From<Duration> for time::Duration {
    fn from(duration: Duration) -> Self {
        duration.0
    }
}

impl From<time::Duration> for Duration {
    fn from(duration: time::Duration) -> Self {
        Self(duration)
    }
}
