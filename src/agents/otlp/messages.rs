//! The messages that a model was given, and what it answered: JSON in an attribute.

use serde::Deserialize;

use crate::agents::import::loose::{List, Loose, Text, parsed};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    parts: List<Loose<Part<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    content: Text<'a>,
}

impl Message<'_> {
    fn texts(&self, kind: &str) -> String {
        let parts = self.parts.0.iter().filter_map(|it| it.0.as_ref());
        let of_kind = parts.filter(|it| it.kind.as_deref() == Some(kind));
        of_kind.filter_map(|it| it.content.as_deref()).collect::<Vec<_>>().join("\n")
    }
}

/// The texts that users wrote.
pub fn asked(json: &str) -> Vec<String> {
    let messages: List<Loose<Message<'_>>> = parsed(json.as_bytes()).unwrap_or_default();
    let messages = messages.0.into_iter().filter_map(|it| it.0);
    let users = messages.filter(|it| it.role.as_deref() == Some("user"));
    users.map(|it| it.texts("text")).filter(|text| !text.trim().is_empty()).collect()
}

/// What the model answered, and what it thought.
pub fn answered(json: &str) -> (String, String) {
    let messages: List<Loose<Message<'_>>> = parsed(json.as_bytes()).unwrap_or_default();
    let texts = |kind| {
        let messages = messages.0.iter().filter_map(|it| it.0.as_ref()).map(|it| it.texts(kind));
        messages.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    };
    (texts("text"), texts("reasoning"))
}
