//! The stores' seconds as milliseconds.

/// Unix seconds of a store as the journal's milliseconds, from which they were derived.
pub(super) fn ms(seconds: f64) -> u64 {
    // A float is clamped to what fits by the cast.
    (seconds * 1_000.0).round() as u64
}

/// A JSON array of strings as a store has it; anything else counts as none.
pub(super) fn tags(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}
