//! What is given of a decision.

use super::super::{RepoError, fields};
use crate::event::{Body, DecisionRecorded, RepoHash};
use crate::repo::query::Decision;

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
