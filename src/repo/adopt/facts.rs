//! What a person made of a repository's files, as facts.

use super::super::RepoError;
use super::super::entries::{of_kind, removed};
use super::super::files::{EntryChange, RepoDifference, SummaryChange};
use crate::event::{
    Body, ConventionUpserted, DecisionRecorded, NoteAdded, RepoHash, SummaryAppended, SummaryMaker,
};
use crate::repo::query::{Entry, RepoView};

/// Every change as a fact, with the file's own times; what is there stays whose it is.
pub(super) fn of(
    repo: RepoHash,
    view: RepoView<'_>,
    difference: &RepoDifference,
) -> Result<Vec<Body>, RepoError> {
    let mut facts = Vec::new();
    for change in &difference.entries {
        match change {
            EntryChange::Added { entry } => facts.push(upserted(repo, entry, None)),
            EntryChange::Changed { was, entry, .. } => {
                let owners = of_kind(view, repo, was.kind(), was.id())?;
                let owner = owners.first().map_or(repo, |owned| owned.repo);
                facts.push(upserted(owner, entry, Some(was)));
            }
            EntryChange::Removed { was, .. } => {
                let owners = of_kind(view, repo, was.kind(), was.id())?;
                facts.extend(owners.iter().map(|it| removed(it.repo, was.kind(), was.id())));
            }
        }
    }
    for change in &difference.summaries {
        if let SummaryChange::Added { summary } = change {
            facts.push(Body::SummaryAppended(SummaryAppended {
                repo,
                run_id: summary.run_id.clone(),
                step_id: summary.step_id.clone(),
                summary: summary.summary.clone(),
                made_by: SummaryMaker::Caller,
                step: None,
                through: None,
                created_ms: Some(summary.created_ms),
            }));
        }
    }
    Ok(facts)
}

fn upserted(repo: RepoHash, entry: &Entry, was: Option<&Entry>) -> Body {
    let (id, created_ms) = (entry.id().to_owned(), Some(entry.created_ms()));
    match entry {
        Entry::Convention(it) => {
            let before = match was {
                Some(Entry::Convention(was)) => Some(was.updated_ms),
                _ => None,
            };
            // Who changes the words seldom changes the time: then it was changed now.
            let updated_ms = Some(it.updated_ms).filter(|at| Some(*at) != before);
            Body::ConventionUpserted(ConventionUpserted {
                repo,
                id,
                title: it.title.clone(),
                content: it.content.clone(),
                tags: it.tags.clone(),
                created_ms,
                updated_ms,
            })
        }
        Entry::Decision(it) => Body::DecisionRecorded(DecisionRecorded {
            repo,
            id,
            summary: it.summary.clone(),
            rationale: it.rationale.clone(),
            impacted_paths: it.impacted_paths.clone(),
            created_ms,
        }),
        Entry::Note(it) => Body::NoteAdded(NoteAdded {
            repo,
            id,
            content: it.content.clone(),
            source: it.source,
            created_ms,
        }),
    }
}
