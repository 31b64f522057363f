//! What a model writes to recall memory, and asks of it.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::archival::{by_name, k, meta, query, tags, text};
use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// An event to remember.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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

/// A search of what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallSearch {
    pub query: String,
    /// `None`: as many as a search gives where it is not told.
    pub k: Option<u64>,
}

/// As a search of the archive, without its tags.
impl Serialize for RecallSearch {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut told = to.serialize_struct("RecallSearch", 3)?;
        told.serialize_field("query", &self.query)?;
        told.serialize_field("k", &self.k)?;
        told.serialize_field("tags", &None::<()>)?;
        told.end()
    }
}

/// Events that are to go to the archive: each that one of these names.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct RecallEvict {
    pub ids: Vec<u64>,
    pub kind: Option<String>,
    /// So many of the oldest.
    pub oldest: u64,
}

impl RecallWrite {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
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

impl RecallSearch {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        field.object("an object with `query`")?;
        Ok(Self { query: query(field)?, k: k(field)? })
    }
}

impl RecallEvict {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
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
