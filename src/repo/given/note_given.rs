//! What is given of a note.

use super::super::{RepoError, fields};
use crate::event::{Body, NoteAdded, NoteSource, RepoHash};
use crate::repo::query::Note;

/// What is given of a note. A new one needs a content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteGiven {
    /// 1 to 128 letters, digits and `. _ : -`; `None`: a new UUID.
    pub id: Option<String>,
    pub content: Option<String>,
    /// Who made it; `manual` where nobody says.
    pub source: Option<NoteSource>,
}

impl NoteGiven {
    /// What is recorded of it; `None` where nothing changes.
    pub(crate) fn over(
        self,
        before: Option<&Note>,
        repo: RepoHash,
        id: String,
    ) -> Result<Option<Body>, RepoError> {
        if let Some(content) = &self.content {
            fields::text("content", content)?;
        }
        let content = self.content.or_else(|| before.map(|it| it.content.clone()));
        let content = content.ok_or_else(|| fields::missing("content"))?;
        let source = self.source.or_else(|| before.map(|it| it.source));
        let source = source.unwrap_or(NoteSource::Manual);
        if before.is_some_and(|it| (&it.content, it.source) == (&content, source)) {
            return Ok(None);
        }
        let body = NoteAdded { repo, id, content, source, created_ms: None };
        Ok(Some(Body::NoteAdded(body)))
    }
}
