//! Whether files can be taken over as they are: the first fault, with its place.

use super::super::files::{EntryChange, RepoDifference, SummaryChange};
use super::super::limits::SUMMARY_BYTES_MAX;
use super::super::{RepoError, fields};
use crate::repo::query::{Entry, Summary};

/// Holds that everything in the files can be recorded.
pub(super) fn readable(difference: &RepoDifference) -> Result<(), RepoError> {
    if let Some((name, what)) = difference.no_files.first() {
        return fields::refused(name, &format!("is {what}: move it away"));
    }
    if let Some(error) = &difference.unreadable {
        let field = format!("memory.json: {}:", error.field);
        return fields::refused(&field, &format!("{}: correct it in the file", error.why));
    }
    for change in &difference.entries {
        if let EntryChange::Added { entry: it } | EntryChange::Changed { entry: it, .. } = change {
            let place = format!("memory.json: {} {}", it.kind().as_str(), it.id());
            entry(it).map_err(|error| placed(&place, error))?;
        }
    }
    for change in &difference.summaries {
        match change {
            SummaryChange::Unreadable { line, error } => {
                let field = format!("summaries.jsonl: line {line}: {}:", error.field);
                return fields::refused(&field, &format!("{}: correct it in the file", error.why));
            }
            SummaryChange::Added { summary: it } => {
                let place = format!("summaries.jsonl: {} of {}", it.step_id, it.run_id);
                summary(it).map_err(|error| placed(&place, error))?;
            }
            SummaryChange::Removed { .. } => {}
        }
    }
    Ok(())
}

fn entry(entry: &Entry) -> Result<(), RepoError> {
    fields::id(entry.id())?;
    match entry {
        Entry::Convention(it) => {
            fields::title(&it.title)?;
            fields::text("content", &it.content)?;
            fields::tags(&it.tags)
        }
        Entry::Decision(it) => {
            fields::decision_summary(&it.summary)?;
            fields::text("rationale", &it.rationale)?;
            fields::paths(&it.impacted_paths)
        }
        Entry::Note(it) => fields::text("content", &it.content),
    }
}

fn summary(summary: &Summary) -> Result<(), RepoError> {
    fields::run("runId", &summary.run_id)?;
    fields::run("stepId", &summary.step_id)?;
    match summary.summary.len() {
        _ if summary.summary.trim().is_empty() => fields::refused("summary", "is empty"),
        bytes if bytes > SUMMARY_BYTES_MAX => {
            fields::refused("summary", &format!("has {bytes} bytes; {SUMMARY_BYTES_MAX} at most"))
        }
        _ => Ok(()),
    }
}

fn placed(place: &str, error: RepoError) -> RepoError {
    match error {
        RepoError::Field { field, why } => {
            RepoError::Field { field: format!("{place}: {field}"), why }
        }
        error => error,
    }
}
