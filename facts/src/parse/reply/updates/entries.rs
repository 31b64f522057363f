//! What a model writes to each memory, and asks of it.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::K_MAX;
use crate::parse::reply::field::Field;
use crate::parse::reply::{ReplyError, Result};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoreWrite {
    #[serde(skip)]
    pub key: String,
    pub value: String,
    /// 1 to 5; `None`: what a model's writes have unless they say so.
    pub importance: Option<u8>,
    /// As it was given: decimal seconds, or any text.
    pub ttl: Option<String>,
}

impl CoreWrite {
    /// A plain value, or `{"value", "importance", "ttl"}`.
    pub(super) fn read(key: &str, field: &Field<'_>) -> Result<Self> {
        let key = key.to_owned();
        if field.value.is_null() {
            return Err(field.wrong("a text; `core_delete` takes a key away"));
        }
        if !field.value.is_object() {
            let value = match field.value.is_array() {
                true => field.value.to_string(),
                false => field.scalar()?,
            };
            return Ok(Self { key, value, importance: None, ttl: None });
        }
        let Some(value) = field.member("value") else {
            return Err(field.wrong("a text, or an object with `value`"));
        };
        let value = match value.value.is_array() || value.value.is_object() {
            true => value.value.to_string(),
            false => value.scalar()?,
        };
        let importance = match field.member("importance") {
            None => None,
            Some(importance) => Some(clamped(&importance)?),
        };
        let ttl = field.member("ttl").map(|ttl| ttl.scalar()).transpose()?;
        Ok(Self { key, value, importance, ttl })
    }
}

fn clamped(field: &Field<'_>) -> Result<u8> {
    let number = match field.value {
        Value::String(text) => text.trim().parse().ok(), // a text that is no number
        value => value.as_f64(),
    };
    let number = number.filter(|number: &f64| number.is_finite());
    // Between 1 and 5 nothing is cut by the conversion but the fraction.
    number.map(|n| n.clamp(1.0, 5.0) as u8).ok_or_else(|| field.wrong("a number from 1 to 5"))
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivalWrite {
    pub text: String,
    pub tags: Vec<String>,
    /// What it is of, by name: scalars as texts, lists of them as one entry each.
    #[serde(serialize_with = "by_name")]
    pub meta: Vec<(String, String)>,
}

/// A record to change; what is `None` stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivalChange {
    pub id: u64,
    pub text: Option<String>,
    pub tags: Option<Vec<String>>,
    #[serde(serialize_with = "by_name")]
    pub meta: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemorySearch {
    pub query: String,
    /// `None`: as many as a search gives where it is not told.
    pub k: Option<u64>,
    /// All of them must be there; `None`: of recall, which is not searched by tags.
    pub tags: Option<Vec<String>>,
}

/// What is said of something: each name once, with all that is said under it.
fn by_name<S: Serializer>(
    meta: &[(String, String)],
    to: S,
) -> std::result::Result<S::Ok, S::Error> {
    let mut told: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in meta {
        told.entry(name).or_default().push(value);
    }
    told.serialize(to)
}

const TEXTS: [&str; 3] = ["text", "content", "summary"];

impl ArchivalWrite {
    pub(super) fn read(field: &Field<'_>) -> Result<Self> {
        field.object("an object with `text` and `tags`")?;
        Ok(Self { text: text(field)?, tags: tags(field)?.unwrap_or_default(), meta: meta(field)? })
    }
}

impl ArchivalChange {
    pub(super) fn read(field: &Field<'_>) -> Result<Self> {
        field.object("an object with `id`, and `text` or `tags`")?;
        let Some(id) = field.first_of(&["id", "record_id"]) else {
            let at = format!("{}.id", field.at);
            return Err(ReplyError::MissingField { at, wants: "a record's number" });
        };
        let text = field.first_of(&TEXTS).map(|text| text.text()).transpose()?;
        Ok(Self { id: id.count()?, text, tags: tags(field)?, meta: meta(field)? })
    }
}

impl MemorySearch {
    pub(super) fn of_archival(field: &Field<'_>) -> Result<Self> {
        field.object("an object with `query`")?;
        let tags = Some(tags(field)?.unwrap_or_default());
        Ok(Self { tags, ..Self::of_recall(field)? })
    }

    pub(super) fn of_recall(field: &Field<'_>) -> Result<Self> {
        field.object("an object with `query`")?;
        Ok(Self { query: query(field)?, k: k(field)?, tags: None })
    }
}

/// The text under one of its names.
fn text(field: &Field<'_>) -> Result<String> {
    let Some(text) = field.first_of(&TEXTS) else {
        let at = format!("{}.text", field.at);
        return Err(ReplyError::MissingField { at, wants: "a text" });
    };
    let read = text.text()?;
    match read.trim().is_empty() {
        true => Err(text.invalid("is empty: leave the entry out, or say something")),
        false => Ok(read),
    }
}

fn tags(field: &Field<'_>) -> Result<Option<Vec<String>>> {
    field.member("tags").map(|tags| tags.names()).transpose()
}

/// What is looked for; none, or an empty one, finds everything.
fn query(field: &Field<'_>) -> Result<String> {
    let query = field.member("query").map(|query| query.text()).transpose()?;
    Ok(query.unwrap_or_default())
}

fn k(field: &Field<'_>) -> Result<Option<u64>> {
    let Some(k) = field.member("k") else { return Ok(None) };
    match k.count()? {
        0 => Err(k.invalid("is 0: ask for one or more")),
        count => Ok(Some(count.min(K_MAX))),
    }
}

/// Nested values are no names for anything: they are told as JSON.
fn meta(field: &Field<'_>) -> Result<Vec<(String, String)>> {
    let Some(meta) = field.member("meta") else { return Ok(Vec::new()) };
    let object = meta.object("an object")?;
    meta.bounded(object.len(), "members")?;
    let mut entries = Vec::new();
    for (name, value) in object {
        let value = Field::new(format!("{}.{name}", meta.at), value);
        for element in value.elements()? {
            match element.value {
                Value::Null => {}
                value if value.is_object() || value.is_array() => {
                    entries.push((name.clone(), value.to_string()));
                }
                _ => entries.push((name.clone(), element.scalar()?)),
            }
        }
    }
    Ok(entries)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecallWrite {
    /// `None`: what a model's events are called unless they say so.
    pub kind: Option<String>,
    pub text: String,
    pub tags: Vec<String>,
    pub refs: Vec<String>,
    #[serde(serialize_with = "by_name")]
    pub meta: Vec<(String, String)>,
    pub phase: Option<String>,
}

/// Events that are to go to the archive: each that one of these names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecallEvict {
    pub ids: Vec<u64>,
    pub kind: Option<String>,
    /// So many of the oldest.
    pub oldest: u64,
}

impl RecallWrite {
    pub(super) fn read(field: &Field<'_>) -> Result<Self> {
        field.object("an object with `kind` and `summary`")?;
        let refs = field.member("refs").map(|refs| refs.names()).transpose()?;
        Ok(Self {
            kind: field.member("kind").map(|kind| kind.name()).transpose()?,
            text: text(field)?,
            tags: tags(field)?.unwrap_or_default(),
            refs: refs.unwrap_or_default(),
            meta: meta(field)?,
            phase: field.member("phase").map(|phase| phase.name()).transpose()?,
        })
    }
}

impl RecallEvict {
    pub(super) fn read(field: &Field<'_>) -> Result<Self> {
        field.object("an object with `ids`, `kind` or `oldest`")?;
        let mut ids = Vec::new();
        if let Some(field) = field.member("ids") {
            for element in field.elements()? {
                let id = element.count()?;
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        let kind = field.member("kind").map(|kind| kind.name()).transpose()?;
        let oldest = field.member("oldest").map(|oldest| oldest.count()).transpose()?;
        let evict = Self { ids, kind, oldest: oldest.unwrap_or(0) };
        match evict == Self::default() {
            true => {
                Err(field
                    .invalid("names no event: give `ids`, a `kind`, or how many of the `oldest`"))
            }
            false => Ok(evict),
        }
    }
}
