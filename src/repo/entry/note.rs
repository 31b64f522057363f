//! What was noted of a repository.

use std::borrow::Cow;

use rusqlite::Row;
use serde::Serialize;

use super::{Entry, EntryKind, Given, Kind};
use crate::event::{Body, NoteAdded, NoteSource, RepoHash};
use crate::execution::closed::plain;
use crate::repo::query::memory_file::{FieldError, Fields, written};
use crate::repo::{RepoError, fields};

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
        let (id, content, source, created_ms): (_, _, String, _) = row.try_into()?;
        Ok(NoteSource::parse(&source).map(|source| Self { id, content, source, created_ms }))
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

/// Its texts, by their columns.
pub fn row(it: &NoteAdded) -> [(&'static str, Cow<'_, str>); 2] {
    [("content", plain(&it.content)), ("source", it.source.as_str().into())]
}
