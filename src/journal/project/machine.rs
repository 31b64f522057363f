//! The label of this machine in a journal.

use std::fs;

/// The host's name, where its kernel or its settings tell it.
pub(crate) fn label() -> String {
    ["/proc/sys/kernel/hostname", "/etc/hostname"]
        .iter()
        // A host that does not tell its name this way is an unnamed one.
        .filter_map(|path| fs::read_to_string(path).ok())
        .map(|name| name.trim().to_owned())
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| "unnamed".to_owned())
}
