//! What holds in a repository.

use rusqlite::{Row, params};
use serde::Serialize;

use super::{Entry, EntryKind, Given, Kind, RowAt, WRITING, json_texts, texts};
use crate::event::{Body, ConventionUpserted, RepoHash};
use crate::execution::closed::{plain, signed};
use crate::execution::index::Index;
use crate::repo::query::memory_file::{FieldError, Fields, written};
use crate::repo::{RepoError, fields};
use crate::store::StoreError;

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
        Ok(Some(Self {
            id: row.get(2)?,
            title: row.get(3)?,
            content: row.get(4)?,
            tags: texts(&row.get::<_, String>(5)?),
            created_ms: row.get(6)?,
            updated_ms: row.get(7)?,
        }))
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

/// Writes the row of the fact.
pub fn hold(fact: &ConventionUpserted, at: RowAt, index: &Index) -> Result<(), StoreError> {
    let sql = "INSERT INTO repo_conventions (repo, id, title, content, tags, created_ms, \
               updated_ms, seq) \
               VALUES (?1, ?2, ?3, ?4, ?5, coalesce(?6, ?8), coalesce(?7, ?8), ?9) \
               ON CONFLICT (repo, id) DO UPDATE SET title = ?3, content = ?4, tags = ?5, \
               created_ms = coalesce(?6, created_ms), updated_ms = coalesce(?7, ?8), seq = ?9";
    let values = params![
        at.repo,
        plain(&fact.id),
        plain(&fact.title),
        plain(&fact.content),
        json_texts(&fact.tags),
        fact.created_ms.map(signed),
        fact.updated_ms.map(signed),
        at.at_ms,
        at.seq
    ];
    index.write(WRITING, sql, values).map(drop)
}
