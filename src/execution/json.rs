//! Whether JSON is what the contract's columns must hold, and an object's members in the order they were
//! written in.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The text of `{"text": …}`.
pub(crate) fn text_of(content: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Text {
        text: String,
    }
    // Diagnostics are an array: shown as JSON.
    serde_json::from_str::<Text>(content).ok().map(|content| content.text)
}

pub(crate) fn is_object(json: &str) -> bool {
    json.trim_start().starts_with('{') && is_json(json)
}

pub(crate) fn is_array(json: &str) -> bool {
    json.trim_start().starts_with('[') && is_json(json)
}

fn is_json(json: &str) -> bool {
    // A NUL would end the text for SQLite's json_valid; JSON allows none outside of an escape.
    serde_json::from_str::<IgnoredAny>(json).is_ok()
}

/// A JSON object's members, their values as they stand.
#[derive(Debug)]
pub(crate) struct Members<'a>(pub Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
