//! Which run of the machine this is.

use std::fs;
use std::sync::OnceLock;

/// The system's word for it, another one each time the machine starts; `None` where it says none, as outside
/// Linux. It is read once: no process outlives it.
pub fn boot() -> Option<&'static str> {
    static BOOT: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?; // none there
        Some(text.trim().to_owned()).filter(|it| !it.is_empty())
    };
    BOOT.get_or_init(read).as_deref()
}
