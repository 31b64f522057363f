//! What was noted of a repository.

use rusqlite::{Row, params};
use serde::Serialize;

use super::{Entry, EntryKind, Given, Kind, RowAt, WRITING};
use crate::event::{Body, NoteAdded, NoteSource, RepoHash};
use crate::execution::closed::{plain, signed};
use crate::execution::index::Index;
use crate::repo::query::memory_file::{FieldError, Fields, written};
use crate::repo::{RepoError, fields};
use crate::store::StoreError;

/// A note. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    pub id: String,
    pub content: String,
    pub source: NoteSource,
    #[serde(rename = "createdAt", serialize_with = "written")]
    pub created_ms: u64,
}

/// What is given of a note. A new one needs a content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteGiven {
    /// 1 to 128 letters, digits and `. _ : -`; `None`: a new UUID.
    pub id: Option<String>,
    pub content: Option<String>,
    /// Who made it; `manual` where nobody says.
    pub source: Option<NoteSource>,
}

impl Given for NoteGiven {
    type Entry = Note;

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn over(self, before: Option<Note>, id: &str) -> Result<Note, RepoError> {
        self.content.as_deref().map_or(Ok(()), |content| fields::text("content", content))?;
        let was = before.as_ref();
        Ok(Note {
            id: id.to_owned(),
            content: fields::given("content", self.content, was.map(|it| &it.content))?,
            source: self.source.or_else(|| Some(was?.source)).unwrap_or(NoteSource::Manual),
            created_ms: was.map_or(0, |it| it.created_ms),
        })
    }
}

impl Kind for Note {
    const KIND: EntryKind = EntryKind::Note;
    const COLUMNS: &'static str = "e.id, e.content, e.source, e.created_ms";

    fn id(&self) -> &str {
        &self.id
    }

    fn created_ms(&self) -> u64 {
        self.created_ms
    }

    fn of(entry: Entry) -> Option<Self> {
        if let Entry::Note(it) = entry { Some(it) } else { None }
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        let (id, content, created_ms) = (row.get(2)?, row.get(3)?, row.get(5)?);
        let source = NoteSource::parse(&row.get::<_, String>(4)?);
        Ok(source.map(|source| Self { id, content, source, created_ms }))
    }

    fn of_file(fields: &mut Fields) -> Result<Self, FieldError> {
        let (id, content) = (fields.text("id")?, fields.text("content")?);
        let Some(source) = NoteSource::parse(&fields.text("source")?) else {
            return Err(fields.wrong("source", "must be manual, agent or tool"));
        };
        Ok(Self { id, content, source, created_ms: fields.time("createdAt")? })
    }

    fn check(&self) -> Result<(), RepoError> {
        fields::text("content", &self.content)
    }

    fn recorded(self, repo: RepoHash, created_ms: Option<u64>, _: Option<u64>) -> Body {
        let Self { id, content, source, .. } = self;
        Body::NoteAdded(NoteAdded { repo, id, content, source, created_ms })
    }
}

/// Writes the row of the fact.
pub fn hold(fact: &NoteAdded, at: RowAt, index: &Index) -> Result<(), StoreError> {
    let sql = "INSERT INTO repo_notes (repo, id, content, source, created_ms, seq) \
               VALUES (?1, ?2, ?3, ?4, coalesce(?5, ?6), ?7) \
               ON CONFLICT (repo, id) DO UPDATE SET content = ?3, source = ?4, \
               created_ms = coalesce(?5, created_ms), seq = ?7";
    let (id, content, source) = (plain(&fact.id), plain(&fact.content), fact.source.as_str());
    let created_ms = fact.created_ms.map(signed);
    let values = params![at.repo, id, content, source, created_ms, at.at_ms, at.seq];
    index.write(WRITING, sql, values).map(drop)
}
