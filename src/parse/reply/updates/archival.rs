//! What a model writes to archival memory, and asks of it.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::K_MAX;
use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// A record to write.
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

/// A search of the archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivalSearch {
    pub query: String,
    /// `None`: as many as a search gives where it is not told.
    pub k: Option<u64>,
    /// All of them must be there.
    pub tags: Vec<String>,
}

/// What is said of something: each name once, with all that is said under it.
pub(super) fn by_name<S: Serializer>(meta: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    let mut told: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in meta {
        told.entry(name).or_default().push(value);
    }
    told.serialize(to)
}

const TEXTS: [&str; 3] = ["text", "content", "summary"];

impl ArchivalWrite {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        field.object("an object with `text` and `tags`")?;
        Ok(Self { text: text(field)?, tags: tags(field)?.unwrap_or_default(), meta: meta(field)? })
    }
}

impl ArchivalChange {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        field.object("an object with `id`, and `text` or `tags`")?;
        let Some(id) = field.first_of(&["id", "record_id"]) else {
            let at = format!("{}.id", field.at);
            return Err(ReplyError::MissingField { at, wants: "a record's number" });
        };
        let text = field.first_of(&TEXTS).map(|text| text.text()).transpose()?;
        Ok(Self { id: id.count()?, text, tags: tags(field)?, meta: meta(field)? })
    }
}

impl ArchivalSearch {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        field.object("an object with `query`")?;
        let tags = tags(field)?.unwrap_or_default();
        Ok(Self { query: query(field)?, k: k(field)?, tags })
    }
}

/// The text under one of its names.
pub(super) fn text(field: &Field<'_>) -> Result<String, ReplyError> {
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

pub(super) fn tags(field: &Field<'_>) -> Result<Option<Vec<String>>, ReplyError> {
    field.member("tags").map(|tags| tags.names()).transpose()
}

/// What is looked for; none, or an empty one, finds everything.
pub(super) fn query(field: &Field<'_>) -> Result<String, ReplyError> {
    let query = field.member("query").map(|query| query.text()).transpose()?;
    Ok(query.unwrap_or_default())
}

pub(super) fn k(field: &Field<'_>) -> Result<Option<u64>, ReplyError> {
    let Some(k) = field.member("k") else { return Ok(None) };
    match k.count()? {
        0 => Err(k.invalid("is 0: ask for one or more")),
        count => Ok(Some(count.min(K_MAX))),
    }
}

/// Nested values are no names for anything: they are told as JSON.
pub(super) fn meta(field: &Field<'_>) -> Result<Vec<(String, String)>, ReplyError> {
    let Some(meta) = field.member("meta") else { return Ok(Vec::new()) };
    let object = meta.object("an object")?;
    meta.bounded(object.len(), "members")?;
    let mut entries = Vec::new();
    for (name, value) in object {
        let value = Field::new(format!("{}.{name}", meta.at), value);
        for element in value.elements()? {
            match element.value {
                serde_json::Value::Null => {}
                value if value.is_object() || value.is_array() => {
                    entries.push((name.clone(), value.to_string()));
                }
                _ => entries.push((name.clone(), element.scalar()?)),
            }
        }
    }
    Ok(entries)
}
