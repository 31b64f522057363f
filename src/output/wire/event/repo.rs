//! Events of a repository's memory in JSON.

use serde::Serialize;

use super::Content;
use super::content::hex;
use crate::event;
use crate::execution::replay::Contents;
use crate::output::time;

/// The fields of one kind. Times are UTC, and there where an entry was taken over from elsewhere.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Repo<'a> {
    Identified {
        repo: String,
        path: &'a str,
        remote: Option<&'a str>,
        branch: Option<&'a str>,
    },
    Linked {
        repo: String,
        with: String,
    },
    ConventionUpserted {
        repo: String,
        id: &'a str,
        title: &'a str,
        content: &'a str,
        tags: &'a [String],
        created: Option<String>,
        updated: Option<String>,
    },
    DecisionRecorded {
        repo: String,
        id: &'a str,
        summary: &'a str,
        rationale: &'a str,
        impacted_paths: &'a [String],
        created: Option<String>,
    },
    NoteAdded {
        repo: String,
        id: &'a str,
        content: &'a str,
        source: &'static str,
        created: Option<String>,
    },
    /// A convention, a decision or a note.
    Removed {
        repo: String,
        id: &'a str,
    },
    /// `step_sequence`: the event that began the step; `through_sequence`: the last that was looked at.
    SummaryAppended {
        repo: String,
        run_id: &'a str,
        step_id: &'a str,
        summary: &'a str,
        made_by: &'static str,
        step_sequence: Option<u64>,
        through_sequence: Option<u64>,
        created: Option<String>,
    },
    IndexStored {
        repo: String,
        index: &'static str,
        content: Content,
        files: u64,
        inputs: String,
    },
}

/// The document of an event of a repository's memory; `None` of any other.
pub fn of<'a>(body: &'a event::Body, contents: &Contents) -> Option<Repo<'a>> {
    use crate::event::Body;
    let utc = |ms: Option<u64>| ms.and_then(time::utc);
    let removed = |repo: event::RepoHash, id: &'a str| Repo::Removed { repo: repo.to_string(), id };
    Some(match body {
        Body::RepoIdentified(b) => Repo::Identified {
            repo: b.repo.to_string(),
            path: &b.path,
            remote: b.remote.as_deref(),
            branch: b.branch.as_deref(),
        },
        Body::RepoLinked(b) => Repo::Linked { repo: b.repo.to_string(), with: b.with.to_string() },
        Body::ConventionUpserted(b) => Repo::ConventionUpserted {
            repo: b.repo.to_string(),
            id: &b.id,
            title: &b.title,
            content: &b.content,
            tags: &b.tags,
            created: utc(b.created_ms),
            updated: utc(b.updated_ms),
        },
        Body::ConventionRemoved(b) => removed(b.repo, &b.id),
        Body::DecisionRecorded(b) => Repo::DecisionRecorded {
            repo: b.repo.to_string(),
            id: &b.id,
            summary: &b.summary,
            rationale: &b.rationale,
            impacted_paths: &b.impacted_paths,
            created: utc(b.created_ms),
        },
        Body::DecisionRemoved(b) => removed(b.repo, &b.id),
        Body::NoteAdded(b) => Repo::NoteAdded {
            repo: b.repo.to_string(),
            id: &b.id,
            content: &b.content,
            source: b.source.as_str(),
            created: utc(b.created_ms),
        },
        Body::NoteRemoved(b) => removed(b.repo, &b.id),
        Body::SummaryAppended(b) => Repo::SummaryAppended {
            repo: b.repo.to_string(),
            run_id: &b.run_id,
            step_id: &b.step_id,
            summary: &b.summary,
            made_by: b.made_by.as_str(),
            step_sequence: b.step,
            through_sequence: b.through,
            created: utc(b.created_ms),
        },
        Body::IndexStored(b) => Repo::IndexStored {
            repo: b.repo.to_string(),
            index: b.index.as_str(),
            content: Content::of(&b.content, contents),
            files: b.files,
            inputs: hex(b.inputs),
        },
        _ => return None,
    })
}
