//! Whether JSON is what the contract's columns must hold.

use serde::de::IgnoredAny;

/// A JSON object.
pub(crate) fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{') && is_json(json)
}

/// A JSON array.
pub(crate) fn is_array(json: &str) -> bool {
    json.trim_start().starts_with('[') && is_json(json)
}

fn is_json(json: &str) -> bool {
    // A NUL would end the text for SQLite's json_valid; JSON allows none outside of an escape.
    serde_json::from_str::<IgnoredAny>(json).is_ok()
}
