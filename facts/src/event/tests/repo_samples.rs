//! One event of every kind of a repository's memory, each field filled.

use super::samples::{free, some};
use crate::event::*;

const REPO: RepoHash = RepoHash([0x56; 32]);

pub(super) fn repo_bodies() -> Vec<Body> {
    vec![
        Body::RepoIdentified(RepoIdentified {
            repo: REPO,
            path: free("path"),
            remote: some("remote"),
            branch: some("branch"),
            common: some("common"),
        }),
        Body::RepoLinked(RepoLinked { repo: REPO, with: RepoHash([0x78; 32]) }),
        Body::ConventionUpserted(ConventionUpserted {
            repo: REPO,
            id: "convention".into(),
            title: free("title"),
            content: free("content"),
            tags: vec![free("tag"), free("another")],
            created_ms: Some(1_735_689_600_000),
            updated_ms: Some(1_735_689_600_001),
        }),
        Body::ConventionRemoved(ConventionRemoved { repo: REPO, id: "convention".into() }),
        Body::DecisionRecorded(DecisionRecorded {
            repo: REPO,
            id: "decision".into(),
            summary: free("summary"),
            rationale: free("rationale"),
            impacted_paths: vec![free("src/**")],
            created_ms: Some(1_735_689_600_002),
        }),
        Body::DecisionRemoved(DecisionRemoved { repo: REPO, id: "decision".into() }),
        Body::NoteAdded(NoteAdded {
            repo: REPO,
            id: "note".into(),
            content: free("content"),
            source: NoteSource::Agent,
            created_ms: Some(1_735_689_600_003),
        }),
        Body::NoteRemoved(NoteRemoved { repo: REPO, id: "note".into() }),
        Body::SummaryAppended(SummaryAppended {
            repo: REPO,
            run_id: "run".into(),
            step_id: "step-7".into(),
            summary: free("summary"),
            made_by: SummaryMaker::Model,
            step: Some(4_713),
            through: Some(70_000),
            created_ms: Some(1_735_689_600_004),
        }),
        Body::IndexStored(IndexStored {
            repo: REPO,
            index: IndexKind::Symbols,
            content: Content::Inline(b"{\"files\":\"free:files\"}".to_vec()),
            files: 50_000,
            inputs: [0x9a; 32],
        }),
    ]
}
