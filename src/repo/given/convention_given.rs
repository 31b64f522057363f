//! What is given of a convention.

use super::super::{RepoError, fields};
use crate::event::{Body, ConventionUpserted, RepoHash};
use crate::repo::query::Convention;

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
