//! Spec 003's `operations_log`, as it is written.

use super::entry::{Entry, What, seconds};
use crate::event::Json;

/// What a log may have, bytes: an event takes no more JSON than twice as much.
const LOG_BYTES_MAX: usize = 2 << 20;

/// What was done, in order, as JSON.
#[derive(Default)]
pub(super) struct Log {
    entries: Vec<String>,
    bytes: usize,
}

impl Log {
    /// Adds an operation; what it found is left out where there is no room for it.
    pub fn add(&mut self, now_ms: u64, what: What<'_>) {
        let (r#type, timestamp) = (what.name(), seconds(now_ms));
        let entry = Entry { r#type, timestamp, what };
        // Texts, numbers and lists of them always serialise.
        let Ok(json) = serde_json::to_string(&entry) else { return };
        let json = match self.bytes + json.len() <= LOG_BYTES_MAX {
            true => json,
            false => {
                let entry = Entry { what: entry.what.without_results(), ..entry };
                serde_json::to_string(&entry).unwrap_or(json)
            }
        };
        self.bytes += json.len() + 1;
        self.entries.push(json);
    }

    /// The JSON array.
    pub fn finish(self) -> Json {
        Json(format!("[{}]", self.entries.join(",")))
    }
}
