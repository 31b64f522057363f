//! Takes over what a person made of a repository's files, or another journal's files, as facts.

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::changes::SUMMARY_BYTES_MAX;
use super::files::{Change, EntryChange, RepoDifference, RepoFiles};
use super::writer::Whose;
use super::{RepoError, RepoWriter, fields, identify};
use crate::event::{Body, MemoryAdopted, RepoHash, Sequence, SummaryAppended, SummaryMaker};
use crate::repo::query::{RepoView, Summary};

/// What `MemoryAdopted` calls these files.
const STORE: &str = "repo_memory";

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Adopted {
    #[serde(flatten)]
    pub difference: RepoDifference,
    /// Nothing was recorded: this is what would be.
    pub dry_run: bool,
    /// Entries and summaries that were taken over.
    pub items: u64,
    /// Lines that were taken out of `summaries.jsonl`, and come back: a summary is never taken back.
    pub kept_summaries: u64,
    /// Whether the files are ours again. Else they were edited once more meanwhile.
    pub published: bool,
    /// The last event; `None` where nothing was recorded.
    pub sequence: Option<Sequence>,
}

impl RepoWriter<'_, '_> {
    /// How a repository's files differ from what is recorded. Nothing is changed.
    pub fn difference(
        &self,
        repo: Option<RepoHash>,
        files: &RepoFiles,
    ) -> Result<RepoDifference, RepoError> {
        let index = self.index()?;
        let whose = self.whose(repo, RepoView::of(&index))?;
        self.difference_of(&whose, files)
    }

    /// Records what a person made of a repository's files, as one commit, and writes them anew from
    /// what is recorded then. Where an entry was changed in the journal too the file's counts; the
    /// journal keeps both. Of files that another journal left every entry is taken, under its id.
    pub fn adopt(
        &mut self,
        repo: Option<RepoHash>,
        files: &RepoFiles,
        dry_run: bool,
    ) -> Result<Adopted, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let repo = whose.repo;
        let difference = self.difference_of(&whose, files)?;
        readable(&difference)?;
        let facts = facts(repo, view, &difference)?;
        drop(index);
        let items = facts.len() as u64;
        let taken_out = difference.summaries.iter().filter(|it| it.change == Change::Removed);
        let kept_summaries = taken_out.count() as u64;
        let published = !difference.differs;
        let mut adopted =
            Adopted { difference, dry_run, items, kept_summaries, published, sequence: None };
        if dry_run || published {
            if published && !dry_run && whose.identified.is_none() {
                // One that says the same in another form is written anew.
                files.publish_repo(repo, false)?;
            }
            return Ok(adopted);
        }
        adopted.sequence = self.record(whose.identified, &adopted.difference, facts)?;
        let published = self.publish(repo, files, &adopted.difference);
        adopted.published = published.map_err(|source| RepoError::Unread {
            sequence: adopted.sequence.unwrap_or_default().0,
            source: Box::new(source),
        })?;
        Ok(adopted)
    }

    /// Records entries that another machine's memory of the repository has, as one commit; what is there stays whose it is.
    /// What was recorded; `None` where nothing was.
    pub fn take(
        &mut self,
        repo: Option<RepoHash>,
        entries: Vec<EntryChange>,
    ) -> Result<Option<Sequence>, RepoError> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = RepoView::of(&index);
        let whose = self.whose(repo, view)?;
        let difference =
            RepoDifference { repo_hash: whose.repo, entries, ..RepoDifference::default() };
        readable(&difference)?;
        let facts = facts(whose.repo, view, &difference)?;
        drop(index);
        self.record(whose.identified, &difference, facts)
    }

    /// Records what was taken over, as one commit; `None` where nothing of it is a fact.
    fn record(
        &mut self,
        identified: Option<Body>,
        difference: &RepoDifference,
        facts: Vec<Body>,
    ) -> Result<Option<Sequence>, RepoError> {
        for entry in difference.entries.iter().filter_map(|it| it.is.as_ref()) {
            self.is_no_secret(&format!("{} id", entry.kind().as_str()), entry.id())?;
        }
        if facts.is_empty() {
            return Ok(None);
        }
        let items = facts.len() as u64;
        let told = MemoryAdopted { store: STORE.to_owned(), digest: digest(difference), items };
        let first = identified.into_iter().chain([Body::MemoryAdopted(told)]);
        self.commit(first.chain(facts).collect())
    }

    fn difference_of(&self, whose: &Whose, files: &RepoFiles) -> Result<RepoDifference, RepoError> {
        let unmet = match whose.identified {
            Some(_) => Some(identify(self.project.tree())?.remembers_nothing()),
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
    (one.kind, &one.id, &one.is) == (other.kind, &other.id, &other.is)
}

/// Every change as a fact, with the file's own times; what is there stays whose it is.
fn facts(
    repo: RepoHash,
    view: RepoView<'_>,
    difference: &RepoDifference,
) -> Result<Vec<Body>, RepoError> {
    let mut facts = Vec::new();
    for EntryChange { kind, id, was, is, .. } in &difference.entries {
        let owners = match was {
            Some(_) => view.of_id(*kind, repo, id)?,
            None => Vec::new(),
        };
        match is {
            Some(entry) => {
                let owner = owners.first().map_or(repo, |owned| owned.repo);
                facts.push(entry.taken_over(owner, was.as_ref()));
            }
            None => facts.extend(owners.iter().map(|owned| kind.removed(owned.repo, id))),
        }
    }
    for summary in added(difference) {
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
    Ok(facts)
}

fn added(difference: &RepoDifference) -> impl Iterator<Item = &Summary> {
    let added = difference.summaries.iter().filter(|it| it.change == Change::Added);
    added.filter_map(|it| it.summary.as_ref())
}

/// blake3 of what was taken over, in its order.
fn digest(difference: &RepoDifference) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    let mut take = |what: &str, json: serde_json::Result<Vec<u8>>| {
        // Texts and numbers always serialise.
        let json = json.unwrap_or_default();
        hash.update(what.as_bytes()).update(&(json.len() as u64).to_le_bytes()).update(&json);
    };
    for EntryChange { kind, id, is, .. } in &difference.entries {
        match is {
            Some(entry) => take(kind.as_str(), serde_json::to_vec(entry)),
            None => take("removed", serde_json::to_vec(&(kind.as_str(), id))),
        }
    }
    for summary in added(difference) {
        take("summary", serde_json::to_vec(summary));
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
    for entry in difference.entries.iter().filter_map(|it| it.is.as_ref()) {
        let place = format!("memory.json: {}", entry.name());
        entry.check().map_err(|error| placed(&place, error))?;
    }
    for change in &difference.summaries {
        if let (Some(line), Some(error)) = (change.line, &change.fault) {
            let field = format!("summaries.jsonl: line {line}: {}:", error.field);
            return fields::refused(&field, &format!("{}: correct it in the file", error.why));
        }
        if let (Change::Added, Some(it)) = (change.change, &change.summary) {
            let place = format!("summaries.jsonl: {} of {}", it.step_id, it.run_id);
            summary(it).map_err(|error| placed(&place, error))?;
        }
    }
    Ok(())
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
