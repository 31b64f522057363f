//! Takes over what a person made of a repository's files, or another journal's files, as facts.

mod facts;
#[cfg(test)]
mod tests;

use super::files::{EntryChange, RepoDifference, RepoFiles, SummaryChange};
use super::limits::SUMMARY_BYTES_MAX;
use super::writer::Whose;
use super::{RepoDone, RepoError, RepoWriter, fields, identify};
use crate::event::{Body, MemoryAdopted, RepoHash};
use crate::repo::query::{Entry, RepoView, Summary};

/// What `MemoryAdopted` calls these files.
const STORE: &str = "repo_memory";

/// What taking files over came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// How the files differed.
    pub difference: RepoDifference,
    /// Entries and summaries that were taken over; of a dry run, that would be.
    pub items: u64,
    /// Lines that were taken out of `summaries.jsonl`, and come back: a summary is never taken back.
    pub kept_summaries: u64,
    /// Whether the files are ours again. Else they were edited once more meanwhile.
    pub is_published: bool,
}

impl RepoWriter<'_, '_> {
    /// How a repository's files differ from what is recorded. Nothing is changed.
    pub fn difference(
        &self,
        repo: Option<RepoHash>,
        files: &RepoFiles,
    ) -> Result<(RepoHash, RepoDifference), RepoError> {
        let index = self.index()?;
        let whose = self.whose(repo, RepoView::of(&index))?;
        Ok((whose.repo, self.difference_of(&whose, files)?))
    }

    /// Records what a person made of a repository's files, as one commit, and writes them anew from
    /// what is recorded then. Where an entry was changed in the journal too the file's counts; the
    /// journal keeps both. Of files that another journal left every entry is taken, under its id.
    pub fn adopt(
        &mut self,
        repo: Option<RepoHash>,
        files: &RepoFiles,
        is_dry_run: bool,
    ) -> Result<RepoDone<Adopted>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let repo = whose.repo;
        let difference = self.difference_of(&whose, files)?;
        readable(&difference)?;
        let facts = facts::of(repo, view, &difference)?;
        drop(index);
        let items = facts.len() as u64;
        let is_removed = |it: &&SummaryChange| matches!(it, SummaryChange::Removed { .. });
        let kept_summaries = difference.summaries.iter().filter(is_removed).count() as u64;
        let mut adopted = Adopted { difference, items, kept_summaries, is_published: false };
        if is_dry_run || adopted.difference.is_empty() {
            adopted.is_published = adopted.difference.is_empty();
            if adopted.is_published && !is_dry_run && whose.identified.is_none() {
                // One that says the same in another form is written anew.
                files.publish_repo(repo, false)?;
            }
            return Ok(RepoDone { done: adopted, repo, sequence: None });
        }
        for change in &adopted.difference.entries {
            if let EntryChange::Added { entry } | EntryChange::Changed { entry, .. } = change {
                self.is_no_secret(&format!("{} id", entry.kind().as_str()), entry.id())?;
            }
        }
        let sequence = if facts.is_empty() {
            None
        } else {
            let digest = digest(&adopted.difference);
            let told = MemoryAdopted { store: STORE.to_owned(), digest, items };
            let first = whose.identified.into_iter().chain([Body::MemoryAdopted(told)]);
            self.commit(first.chain(facts).collect())?
        };
        let published = self.publish(repo, files, &adopted.difference);
        adopted.is_published = published.map_err(|source| RepoError::Unread {
            sequence: sequence.map_or(0, |sequence| sequence.0),
            source: Box::new(source),
        })?;
        Ok(RepoDone { done: adopted, repo, sequence })
    }

    fn difference_of(&self, whose: &Whose, files: &RepoFiles) -> Result<RepoDifference, RepoError> {
        let unmet = match whose.identified {
            Some(_) => Some(identify(self.project.root())?.remembers_nothing()),
            None => None,
        };
        Ok(files.difference_from(whose.repo, unmet)?)
    }

    /// Writes the files anew, unless they were edited since they were taken over.
    fn publish(
        &self,
        repo: RepoHash,
        files: &RepoFiles,
        taken: &RepoDifference,
    ) -> Result<bool, RepoError> {
        drop(self.index()?);
        let now = files.difference(repo)?;
        let is_taken = now.unreadable.is_none()
            && now.no_files.is_empty()
            && now.entries.iter().all(|it| taken.entries.iter().any(|other| is_same(it, other)))
            && now.summaries.iter().all(|it| taken.summaries.contains(it));
        if !is_taken {
            return Ok(false);
        }
        files.publish_repo(repo, true)?;
        Ok(true)
    }
}

/// Whether the file says the same in both, whatever the rows say.
fn is_same(one: &EntryChange, other: &EntryChange) -> bool {
    let entry = |change: &EntryChange| match change {
        EntryChange::Added { entry } | EntryChange::Changed { entry, .. } => Ok(entry.clone()),
        EntryChange::Removed { was, .. } => Err((was.kind(), was.id().to_owned())),
    };
    entry(one) == entry(other)
}

/// blake3 of what was taken over, in its order.
fn digest(difference: &RepoDifference) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    let mut take = |what: &str, json: serde_json::Result<Vec<u8>>| {
        // Texts and numbers always serialise.
        let json = json.unwrap_or_default();
        hash.update(what.as_bytes()).update(&(json.len() as u64).to_le_bytes()).update(&json);
    };
    for change in &difference.entries {
        match change {
            EntryChange::Added { entry } | EntryChange::Changed { entry, .. } => match entry {
                Entry::Convention(it) => take("convention", serde_json::to_vec(it)),
                Entry::Decision(it) => take("decision", serde_json::to_vec(it)),
                Entry::Note(it) => take("note", serde_json::to_vec(it)),
            },
            EntryChange::Removed { was, .. } => {
                take("removed", serde_json::to_vec(&(was.kind().as_str(), was.id())));
            }
        }
    }
    for change in &difference.summaries {
        if let SummaryChange::Added { summary } = change {
            take("summary", serde_json::to_vec(summary));
        }
    }
    *hash.finalize().as_bytes()
}

/// Holds that everything in the files can be recorded.
fn readable(difference: &RepoDifference) -> Result<(), RepoError> {
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
