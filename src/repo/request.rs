//! What is given of an entry: what is left out of one that is there stays as it is.

use super::{RepoError, fields};
use crate::event::{Body, ConventionUpserted, DecisionRecorded, NoteAdded, NoteSource, RepoHash};
use crate::repo::query::{Convention, Decision, Note};

/// Whether an entry may, must or must not be there before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    #[default]
    Either,
    New,
    Known,
}

/// What is given of a decision. A new one needs a summary and a rationale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionGiven {
    /// 1 to 128 letters, digits and `. _ : -`; `None`: a new UUID.
    pub id: Option<String>,
    /// One line: what was decided.
    pub summary: Option<String>,
    /// Why.
    pub rationale: Option<String>,
    /// Files, folders or patterns of them, relative to the repository's top, with `/`.
    pub impacted_paths: Option<Vec<String>>,
}

impl DecisionGiven {
    /// What is recorded of it; `None` where nothing changes.
    pub(crate) fn over(
        self,
        before: Option<&Decision>,
        repo: RepoHash,
        id: String,
    ) -> Result<Option<Body>, RepoError> {
        if let Some(summary) = &self.summary {
            fields::decision_summary(summary)?;
        }
        if let Some(rationale) = &self.rationale {
            fields::text("rationale", rationale)?;
        }
        let given: Option<Vec<String>> =
            self.impacted_paths.map(|paths| paths.iter().map(|it| plain(it)).collect());
        if let Some(paths) = &given {
            fields::paths(paths)?;
        }
        let missing = |field| move || fields::missing(field);
        let summary = self.summary.or_else(|| before.map(|it| it.summary.clone()));
        let summary = summary.ok_or_else(missing("summary"))?;
        let rationale = self.rationale.or_else(|| before.map(|it| it.rationale.clone()));
        let rationale = rationale.ok_or_else(missing("rationale"))?;
        let paths = given.or_else(|| before.map(|it| it.impacted_paths.clone()));
        let impacted_paths = paths.unwrap_or_default();
        if before.is_some_and(|it| {
            (&it.summary, &it.rationale, &it.impacted_paths)
                == (&summary, &rationale, &impacted_paths)
        }) {
            return Ok(None);
        }
        let created_ms = None;
        let body = DecisionRecorded { repo, id, summary, rationale, impacted_paths, created_ms };
        Ok(Some(Body::DecisionRecorded(body)))
    }
}

/// `./src` is `src`.
fn plain(path: &str) -> String {
    path.trim_start_matches("./").to_owned()
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

impl ConventionGiven {
    /// What is recorded of it; `None` where nothing changes.
    pub(crate) fn over(
        self,
        before: Option<&Convention>,
        repo: RepoHash,
        id: String,
    ) -> Result<Option<Body>, RepoError> {
        if let Some(title) = &self.title {
            fields::title(title)?;
        }
        if let Some(content) = &self.content {
            fields::text("content", content)?;
        }
        if let Some(tags) = &self.tags {
            fields::tags(tags)?;
        }
        let missing = |field| move || fields::missing(field);
        let title = self.title.or_else(|| before.map(|it| it.title.clone()));
        let title = title.ok_or_else(missing("title"))?;
        let content = self.content.or_else(|| before.map(|it| it.content.clone()));
        let content = content.ok_or_else(missing("content"))?;
        let tags = self.tags.or_else(|| before.map(|it| it.tags.clone())).unwrap_or_default();
        if before.is_some_and(|it| (&it.title, &it.content, &it.tags) == (&title, &content, &tags))
        {
            return Ok(None);
        }
        let (created_ms, updated_ms) = (None, None);
        let body = ConventionUpserted { repo, id, title, content, tags, created_ms, updated_ms };
        Ok(Some(Body::ConventionUpserted(body)))
    }
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
