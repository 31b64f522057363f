//! What a `<memory_update>` came to, as the event tells it: read, and put in the document's order.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::execution::members::Members;

/// The members that come first, in this order: an event holds them by name.
const FIRST: [&str; 11] =
    ["type", "timestamp", "id", "kind", "key", "keys", "value", "text", "tags", "query", "k"];

/// One operation, its members in the document's order.
#[derive(Debug, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Operation<'a>(#[serde(borrow)] Members<'a>);

/// The operations of an event; `None` where they are not what they must be.
pub(crate) fn operations(json: &str) -> Option<Vec<Operation<'_>>> {
    // What is wrong with it is told as an anomaly.
    serde_json::from_str(json).ok()
}

impl<'a> Operation<'a> {
    /// What it is: `core_set`, `archival_write`.
    pub fn is(&self, kind: &str) -> bool {
        let found = self.0.get(FIRST[0]).map(|raw| serde_json::from_str::<Cow<'_, str>>(raw.get()));
        matches!(found, Some(Ok(found)) if found == kind)
    }

    /// The key, or the keys, that it is about.
    pub fn keys(&self) -> Vec<&'a RawValue> {
        match (self.0.get("key"), self.0.get("keys")) {
            (Some(key), _) => vec![key],
            // No list: none are told.
            (None, Some(keys)) => serde_json::from_str(keys.get()).unwrap_or_default(),
            (None, None) => Vec::new(),
        }
    }
}

impl Serialize for Operation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = &self.0.0;
        let mut map = serializer.serialize_map(Some(members.len()))?;
        for first in FIRST {
            for (name, value) in members.iter().filter(|(name, _)| name == first) {
                map.serialize_entry(name, value)?;
            }
        }
        for (name, value) in members.iter().filter(|(name, _)| !FIRST.contains(&name.as_ref())) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Seconds since 1970, decimal, as the document writes every time.
pub(crate) fn seconds(ms: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "exact until the year 287396")]
    let ms = ms as f64;
    ms / 1000.0
}
