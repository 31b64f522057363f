//! Documents as somebody hands them over: JSON or YAML; one, several one after the other, a list, or the
//! contract's own file with its `examples`. Nothing of it is trusted.

use std::cell::Cell;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::Options;

use super::DebugError;
use super::archive::FORMAT as EXPORT_FORMAT;
use super::error::Result;
use super::limits::{IMPORT_BYTES_MAX, IMPORT_LEN_MAX, YAML_BYTES_MAX};
use super::schema::{DebugSchema, DocumentChecked};
use crate::repo::step_summary::line;

/// The documents of a file, in their order, whatever they hold. `what` is what it is called.
pub fn read_documents(what: &str, bytes: &[u8]) -> Result<Vec<Value>> {
    let refused = |why: String| DebugError::Unreadable { what: what.to_owned(), why };
    if bytes.len() as u64 > IMPORT_BYTES_MAX {
        let why = format!("it has {} bytes; {IMPORT_BYTES_MAX} at most", bytes.len());
        return Err(refused(why));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(refused("it is no UTF-8".to_owned()));
    };
    let text = text.trim_start_matches('\u{feff}');
    let read = match json(text) {
        Ok(read) => read,
        Err(json) => yaml_documents(text).map_err(|yaml| {
            // What begins as JSON, and is not called otherwise, is told of as JSON.
            let is_json = text.trim_start().starts_with(['{', '[']) && !is_called_yaml(what);
            refused(match is_json {
                true => format!("it is no JSON: {json}"),
                false => format!("it is no YAML: {yaml}"),
            })
        })?,
    };
    let documents = read.into_iter().flat_map(each).map(out_of_export);
    let documents: Vec<Value> = documents.collect();
    match documents.len() {
        0 => Err(refused("it has no document".to_owned())),
        many if many > IMPORT_LEN_MAX => {
            Err(refused(format!("it has {many} documents; {IMPORT_LEN_MAX} at most")))
        }
        _ => Ok(documents),
    }
}

fn is_called_yaml(what: &str) -> bool {
    let what = what.to_ascii_lowercase();
    what.ends_with(".yaml") || what.ends_with(".yml")
}

/// One value of JSON, no member of it there twice.
pub(super) fn one_json(text: &str) -> Result<Value, String> {
    let mut from = serde_json::Deserializer::from_str(text);
    let read = Bounded::default().seed().deserialize(&mut from);
    let value = read.map_err(|error| error.to_string())?;
    from.end().map(|()| value).map_err(|error| error.to_string())
}

fn json(text: &str) -> Result<Vec<Value>, String> {
    let mut from = serde_json::Deserializer::from_str(text);
    let (mut found, bounded) = (Vec::new(), Bounded::default());
    loop {
        // Blank to the end: there is nothing more.
        if from.end().is_ok() {
            return Ok(found);
        }
        found.push(bounded.seed().deserialize(&mut from).map_err(|it| it.to_string())?);
    }
}

/// The document of what `annals debug export` wrote; anything else as it is.
fn out_of_export(value: Value) -> Value {
    match value {
        Value::Object(mut members)
            if members.get("format").is_some_and(|it| it == EXPORT_FORMAT)
                && members.get("document").is_some_and(Value::is_object) =>
        {
            members.remove("document").unwrap_or_default()
        }
        other => other,
    }
}

fn each(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        Value::Object(mut members) if !members.contains_key("session_id") => {
            match members.remove("examples") {
                Some(Value::Array(items)) => items,
                _ => vec![Value::Object(members)],
            }
        }
        Value::Null => Vec::new(),
        other => vec![other],
    }
}

/// Checks the documents of a file; `strict`: formats too. `what` is what the file is called.
pub fn validate(what: &str, bytes: &[u8], strict: bool) -> Result<Vec<DocumentChecked>> {
    let schema = DebugSchema::new(strict)?;
    let documents = read_documents(what, bytes)?;
    let checked = documents.iter().enumerate();
    Ok(checked.map(|(at, value)| DocumentChecked::of(&schema, at, value)).collect())
}

const DEPTH_MAX: usize = 64;
/// Mappings, lists and scalars, as they are written and again where an alias repeats them.
const NODES_MAX: usize = 400_000;
/// Of what is wrong, characters that are told.
const TOLD_CHARS_MAX: usize = 200;
const ALIASES_MAX: usize = 1_000;

pub(super) fn yaml_documents(text: &str) -> Result<Vec<Value>, String> {
    let documents = serde_saphyr::from_multiple_with_options::<Document>(text, options());
    let documents = documents.map_err(|error| told(&error.to_string()))?;
    Ok(documents.into_iter().map(|document| document.0).collect())
}

fn told(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let is_bound = ["budget", "alias", "replay"].iter().any(|word| first.contains(word));
    match is_bound {
        true => "its aliases, its nesting or its size come to more than is taken".to_owned(),
        false => line(first, TOLD_CHARS_MAX),
    }
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            flow_nesting_limit: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_events: 2 * NODES_MAX,
            max_aliases: ALIASES_MAX,
            max_anchors: ALIASES_MAX,
            max_merge_keys: ALIASES_MAX,
            max_recorded_anchor_events: NODES_MAX,
            max_recorded_anchor_bytes: 4 * YAML_BYTES_MAX,
            max_total_scalar_bytes: YAML_BYTES_MAX,
            max_documents: IMPORT_LEN_MAX,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: NODES_MAX,
            max_replay_stack_depth: DEPTH_MAX,
        },
        with_snippet: false,
    }
}

/// One document, which has its own bound: the parser's know nothing of how large aliases make it.
struct Document(Value);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bounded = Bounded::default();
        serde::de::DeserializeSeed::deserialize(bounded.seed(), from).map(Self)
    }
}

/// Bytes that a value costs besides its text.
const VALUE_BYTES: u64 = 32;
/// Of a member's name, characters that are told.
const NAME_CHARS_TOLD: usize = 80;

pub(super) struct Bounded(Cell<u64>);

impl Default for Bounded {
    fn default() -> Self {
        Self(Cell::new(4 * IMPORT_BYTES_MAX))
    }
}

impl Bounded {
    pub(super) fn seed(&self) -> Seed<'_> {
        Seed(self)
    }

    fn pay<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let cost = VALUE_BYTES.saturating_add(bytes as u64);
        let left = self.0.get().checked_sub(cost);
        self.0.set(left.unwrap_or_default());
        left.map(drop).ok_or_else(|| E::custom("it comes to more than is taken"))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Seed<'b>(&'b Bounded);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, it: bool) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_i64<E: Error>(self, it: i64) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_u64<E: Error>(self, it: u64) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_f64<E: Error>(self, it: f64) -> Result<Value, E> {
        self.0.pay(0).map(|()| it.into())
    }

    fn visit_str<E: Error>(self, it: &str) -> Result<Value, E> {
        self.0.pay(it.len()).map(|()| it.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.0.pay(0).map(|()| Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.0.pay(0)?;
        let mut found = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            found.push(item);
        }
        Ok(found.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        self.0.pay(0)?;
        let mut found = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            self.0.pay(name.len())?;
            let value = members.next_value_seed(self)?;
            if found.contains_key(&name) {
                let name = name.chars().take(NAME_CHARS_TOLD).collect::<String>();
                return Err(A::Error::custom(format_args!("the member {name:?} is there twice")));
            }
            found.insert(name, value);
        }
        Ok(found.into())
    }
}

#[cfg(test)]
mod tests;
