//! What was decided for a repository, and why.

use std::borrow::Cow;

use rusqlite::Row;
use serde::Serialize;

use super::{Entry, EntryKind, Given, Kind, json_texts, texts};
use crate::event::{Body, DecisionRecorded, RepoHash};
use crate::execution::closed::plain;
use crate::repo::query::memory_file::{FieldError, Fields, written};
use crate::repo::{RepoError, fields};

/// A decision. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    pub id: String,
    pub summary: String,
    pub rationale: String,
    /// Files, folders or patterns of them, relative to the top folder.
    pub impacted_paths: Vec<String>,
    #[serde(rename = "createdAt", serialize_with = "written")]
    pub created_ms: u64,
}

/// What is given of a decision. A new one needs a summary and a rationale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionGiven {
    /// 1 to 128 letters, digits and `. _ : -`; `None`: a new UUID.
    pub id: Option<String>,
    /// One line: what was decided.
    pub summary: Option<String>,
    pub rationale: Option<String>,
    /// Files, folders or patterns of them, relative to the repository's top, with `/`.
    pub impacted_paths: Option<Vec<String>>,
}

impl Given for DecisionGiven {
    type Entry = Decision;

    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    fn over(self, before: Option<Decision>, id: &str) -> Result<Decision, RepoError> {
        // `./src` is `src`.
        let plain = |path: &String| path.trim_start_matches("./").to_owned();
        let paths: Option<Vec<_>> = self.impacted_paths.map(|it| it.iter().map(plain).collect());
        check(self.summary.as_deref(), self.rationale.as_deref(), paths.as_deref())?;
        let was = before.as_ref();
        Ok(Decision {
            id: id.to_owned(),
            summary: fields::given("summary", self.summary, was.map(|it| &it.summary))?,
            rationale: fields::given("rationale", self.rationale, was.map(|it| &it.rationale))?,
            impacted_paths: paths.or_else(|| Some(was?.impacted_paths.clone())).unwrap_or_default(),
            created_ms: was.map_or(0, |it| it.created_ms),
        })
    }
}

fn check(
    summary: Option<&str>,
    rationale: Option<&str>,
    paths: Option<&[String]>,
) -> Result<(), RepoError> {
    summary.map_or(Ok(()), fields::decision_summary)?;
    rationale.map_or(Ok(()), |rationale| fields::text("rationale", rationale))?;
    paths.map_or(Ok(()), fields::paths)
}

impl Kind for Decision {
    const KIND: EntryKind = EntryKind::Decision;
    const COLUMNS: &'static str = "e.id, e.summary, e.rationale, e.impacted_paths, e.created_ms";

    fn id(&self) -> &str {
        &self.id
    }

    fn created_ms(&self) -> u64 {
        self.created_ms
    }

    fn of(entry: Entry) -> Option<Self> {
        if let Entry::Decision(it) = entry { Some(it) } else { None }
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        let (id, summary, rationale, paths, created_ms): (_, _, _, String, _) = row.try_into()?;
        Ok(Some(Self { id, summary, rationale, impacted_paths: texts(&paths), created_ms }))
    }

    fn of_file(fields: &mut Fields) -> Result<Self, FieldError> {
        Ok(Self {
            id: fields.text("id")?,
            summary: fields.text("summary")?,
            rationale: fields.text("rationale")?,
            impacted_paths: fields.texts("impactedPaths")?,
            created_ms: fields.time("createdAt")?,
        })
    }

    fn check(&self) -> Result<(), RepoError> {
        check(Some(&self.summary), Some(&self.rationale), Some(&self.impacted_paths))
    }

    fn recorded(self, repo: RepoHash, created_ms: Option<u64>, _: Option<u64>) -> Body {
        let Self { id, summary, rationale, impacted_paths, .. } = self;
        Body::DecisionRecorded(DecisionRecorded {
            repo,
            id,
            summary,
            rationale,
            impacted_paths,
            created_ms,
        })
    }
}

/// Its texts, by their columns.
pub fn row(it: &DecisionRecorded) -> [(&'static str, Cow<'_, str>); 3] {
    [
        ("summary", plain(&it.summary)),
        ("rationale", plain(&it.rationale)),
        ("impacted_paths", json_texts(&it.impacted_paths)),
    ]
}
