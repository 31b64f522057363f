//! When an append is acknowledged.

use serde::Deserialize;

/// When an append is acknowledged (DESIGN, "Writing").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// Once written: survives the process, not the machine.
    Buffered,
    /// Once a flush covers it.
    #[default]
    Group,
    /// As group, and the tail slot is flushed too.
    Strict,
}
