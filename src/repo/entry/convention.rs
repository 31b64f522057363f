//! What holds in a repository.

use std::borrow::Cow;

use rusqlite::Row;
use serde::Serialize;

use super::{Entry, EntryKind, Given, Kind, json_texts, texts};
use crate::event::{Body, ConventionUpserted, RepoHash};
use crate::execution::closed::plain;
use crate::repo::query::memory_file::{FieldError, Fields, written};
use crate::repo::{RepoError, fields};

/// A convention: what holds in a repository. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Convention {
    pub id: String,
    pub title: String,
    pub content: String,
    pub tags: Vec<String>,
    #[serde(rename = "createdAt", serialize_with = "written")]
    pub created_ms: u64,
    #[serde(rename = "updatedAt", serialize_with = "written")]
    pub updated_ms: u64,
}

/// What is given of a convention. A new one needs a title and a content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConventionGiven {
    /// 1 to 128 letters, digits and `. _ : -`; `None`: a new UUID.
    pub id: Option<String>,
    /// One line.
    pub title: Option<String>,
    pub content: Option<String>,
    pub tags: Option<Vec<String>>,
}

impl Given for ConventionGiven {
    type Entry = Convention;

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn over(self, before: Option<Convention>, id: &str) -> Result<Convention, RepoError> {
        check(self.title.as_deref(), self.content.as_deref(), self.tags.as_deref())?;
        let was = before.as_ref();
        Ok(Convention {
            id: id.to_owned(),
            title: fields::given("title", self.title, was.map(|it| &it.title))?,
            content: fields::given("content", self.content, was.map(|it| &it.content))?,
            tags: self.tags.or_else(|| Some(was?.tags.clone())).unwrap_or_default(),
            created_ms: was.map_or(0, |it| it.created_ms),
            updated_ms: was.map_or(0, |it| it.updated_ms),
        })
    }
}

fn check(
    title: Option<&str>,
    content: Option<&str>,
    tags: Option<&[String]>,
) -> Result<(), RepoError> {
    title.map_or(Ok(()), fields::title)?;
    content.map_or(Ok(()), |content| fields::text("content", content))?;
    tags.map_or(Ok(()), fields::tags)
}

impl Kind for Convention {
    const KIND: EntryKind = EntryKind::Convention;
    const COLUMNS: &'static str = "e.id, e.title, e.content, e.tags, e.created_ms, e.updated_ms";

    fn id(&self) -> &str {
        &self.id
    }

    fn created_ms(&self) -> u64 {
        self.created_ms
    }

    fn of(entry: Entry) -> Option<Self> {
        if let Entry::Convention(it) = entry { Some(it) } else { None }
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        let (id, title, content, tags, created_ms, updated_ms): (_, _, _, String, _, _) =
            row.try_into()?;
        Ok(Some(Self { id, title, content, tags: texts(&tags), created_ms, updated_ms }))
    }

    fn of_file(fields: &mut Fields) -> Result<Self, FieldError> {
        Ok(Self {
            id: fields.text("id")?,
            title: fields.text("title")?,
            content: fields.text("content")?,
            tags: fields.texts("tags")?,
            created_ms: fields.time("createdAt")?,
            updated_ms: fields.time("updatedAt")?,
        })
    }

    fn check(&self) -> Result<(), RepoError> {
        check(Some(&self.title), Some(&self.content), Some(&self.tags))
    }

    fn recorded(self, repo: RepoHash, created_ms: Option<u64>, updated_ms: Option<u64>) -> Body {
        let Self { id, title, content, tags, .. } = self;
        Body::ConventionUpserted(ConventionUpserted {
            repo,
            id,
            title,
            content,
            tags,
            created_ms,
            updated_ms,
        })
    }
}

/// Its texts, by their columns.
pub fn row(it: &ConventionUpserted) -> [(&'static str, Cow<'_, str>); 3] {
    [("title", plain(&it.title)), ("content", plain(&it.content)), ("tags", json_texts(&it.tags))]
}
