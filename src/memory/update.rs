//! Spec 003's `operations_log`, what a `<memory_update>` came to: written into its event, and read from there.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::Json;
use crate::event::wire::seconds_of;
use crate::execution::json::Members;

pub(crate) use crate::event::wire::seconds_of as seconds;

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

/// What a log may have, bytes: an event takes no more JSON than twice as much.
const LOG_BYTES_MAX: usize = 2 << 20;

#[derive(Default)]
pub(super) struct Log {
    entries: Vec<String>,
    bytes: usize,
}

impl Log {
    /// Adds an operation in the fields that spec 003 logs of it; its `results` are left out where there
    /// is no room for them.
    pub fn add(&mut self, now_ms: u64, r#type: &'static str, what: Value) {
        let Value::Object(mut entry) = what else { return };
        entry.insert("type".to_owned(), r#type.into());
        entry.insert("timestamp".to_owned(), seconds_of(now_ms).into());
        let mut entry = Value::Object(entry);
        let mut json = entry.to_string();
        if self.bytes + json.len() > LOG_BYTES_MAX
            && let Some(members) = entry.as_object_mut()
            && members.remove("results").is_some()
        {
            json = entry.to_string();
        }
        self.bytes += json.len() + 1;
        self.entries.push(json);
    }

    pub fn finish(self) -> Json {
        Json(format!("[{}]", self.entries.join(",")))
    }
}
