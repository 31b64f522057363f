//! The zone that a screen tells times in.

use std::ffi::OsStr;
use std::fs;

use jiff::tz::TimeZone;

/// As jiff's own, which looks a name up in a list of all zones that it makes by walking the system's thousands of
/// files: most machines name none, or UTC.
pub fn system() -> TimeZone {
    let known = match std::env::var_os("TZ") {
        None => fs::read("/etc/localtime")
            .ok() // jiff looks elsewhere
            .and_then(|bytes| TimeZone::tzif("local", &bytes).ok()), // and says what is wrong with it
        Some(name) => (name == OsStr::new("UTC") || name.is_empty()).then_some(TimeZone::UTC),
    };
    known.unwrap_or_else(TimeZone::system)
}
