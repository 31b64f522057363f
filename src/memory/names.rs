//! Which names branches, nodes, runs and keys may have.

use super::limits::{KEY_BYTES_MAX, NAME_BYTES_MAX};
use super::{MemoryError, Result};
use crate::event::MemoryOrigin;

/// Refuses what has too many bytes.
pub(super) fn check_len(what: &'static str, bytes: usize, bytes_max: usize) -> Result<()> {
    match bytes > bytes_max {
        true => Err(MemoryError::TooLong { what, bytes, bytes_max }),
        false => Ok(()),
    }
}

/// Refuses what there is too much of.
pub(super) fn check_count(what: &'static str, count: usize, count_max: usize) -> Result<()> {
    match count > count_max {
        true => Err(MemoryError::TooMany { what, count, count_max }),
        false => Ok(()),
    }
}

/// Refuses a name that is empty, too long, or has control characters.
pub(super) fn check(what: &'static str, name: &str) -> Result<()> {
    check_within(what, name, NAME_BYTES_MAX)
}

/// As [`check`], for a core key, which may be longer.
pub(super) fn check_key(key: &str) -> Result<()> {
    check_key_of("key", key)
}

/// As [`check_key`], for what else things are kept under.
pub(super) fn check_key_of(what: &'static str, name: &str) -> Result<()> {
    check_within(what, name, KEY_BYTES_MAX)
}

/// Refuses what somebody says of themselves that cannot be a name.
pub(super) fn check_origin(origin: &MemoryOrigin) -> Result<()> {
    let said = [("run", &origin.run), ("node", &origin.node), ("phase", &origin.phase)];
    said.into_iter()
        .filter_map(|(what, name)| Some((what, name.as_deref()?)))
        .try_for_each(|(what, name)| check(what, name))
}

fn check_within(what: &'static str, name: &str, bytes_max: usize) -> Result<()> {
    let is_fine = !name.is_empty() && name.len() <= bytes_max && !name.contains(char::is_control);
    match is_fine {
        true => Ok(()),
        false => {
            let begins = super::texts::beginning(name, 80, 320);
            let more = if begins.len() < name.len() { "…" } else { "" };
            Err(MemoryError::Name { what, name: format!("{begins}{more}"), bytes_max })
        }
    }
}
