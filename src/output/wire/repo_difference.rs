//! How a repository's files differ from what is recorded.

use serde::Serialize;

use crate::event::RepoHash;
use crate::repo::{Adopted, RepoDone, files as found, query};

/// How a repository's files differ from what is recorded.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoDifference {
    pub repo_hash: String,
    /// Where the files are.
    pub folder: String,
    /// Whether they differ.
    pub differs: bool,
    /// The id of another journal that the files are of.
    pub other_journal: Option<String>,
    /// Why memory.json cannot be read as one.
    pub unreadable: Option<RepoFault>,
    /// Names in whose place something else lies.
    pub no_files: Vec<String>,
    /// Fields of memory.json besides the entries that say something else.
    pub fields: Vec<String>,
    /// Files below `indexes/` that were edited.
    pub indexes: Vec<String>,
    pub entries: Vec<RepoEntryChange>,
    pub summaries: Vec<RepoSummaryChange>,
}

/// A field that cannot be read.
#[derive(Clone, Debug, Serialize)]
pub struct RepoFault {
    pub field: String,
    pub why: String,
}

/// What was done to an entry.
#[derive(Clone, Debug, Serialize)]
pub struct RepoEntryChange {
    /// `added`, `changed` or `removed`.
    pub change: &'static str,
    pub kind: &'static str,
    pub id: String,
    /// Whether the journal says something else, too, since the file was written.
    pub stale: bool,
    /// What is recorded.
    pub was: Option<RepoEntry>,
    /// What the file says.
    pub is: Option<RepoEntry>,
}

/// An entry with its own fields.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum RepoEntry {
    Convention(query::Convention),
    Decision(query::Decision),
    Note(query::Note),
}

/// What was done to a line of summaries.jsonl.
#[derive(Clone, Debug, Serialize)]
pub struct RepoSummaryChange {
    /// `added`, `removed` or `unreadable`.
    pub change: &'static str,
    /// The line's number, of one that cannot be read.
    pub line: Option<usize>,
    pub fault: Option<RepoFault>,
    pub summary: Option<query::Summary>,
}

/// What taking files over came to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoAdopted {
    #[serde(flatten)]
    pub difference: RepoDifference,
    /// Nothing was recorded: this is what would be.
    pub dry_run: bool,
    /// Entries and summaries that were taken over.
    pub items: u64,
    /// Lines that were taken out of summaries.jsonl and come back.
    pub kept_summaries: u64,
    /// Whether the files are written anew; else they were edited once more meanwhile.
    pub published: bool,
    pub sequence: Option<u64>,
}

impl RepoDifference {
    pub fn of(repo: RepoHash, folder: String, it: &found::RepoDifference) -> Self {
        Self {
            repo_hash: repo.to_string(),
            folder,
            differs: !it.is_empty(),
            other_journal: it.other_journal.clone(),
            unreadable: it.unreadable.as_ref().map(RepoFault::of),
            no_files: it.no_files.iter().map(|(name, what)| format!("{name}: {what}")).collect(),
            fields: it.fields.iter().map(|name| (*name).to_owned()).collect(),
            indexes: it.edited_indexes.clone(),
            entries: it.entries.iter().map(RepoEntryChange::of).collect(),
            summaries: it.summaries.iter().map(RepoSummaryChange::of).collect(),
        }
    }
}

impl RepoAdopted {
    pub fn of(done: &RepoDone<Adopted>, folder: String, dry_run: bool) -> Self {
        let it = &done.done;
        Self {
            difference: RepoDifference::of(done.repo, folder, &it.difference),
            dry_run,
            items: it.items,
            kept_summaries: it.kept_summaries,
            published: it.is_published,
            sequence: done.sequence.map(|sequence| sequence.0),
        }
    }
}

impl RepoFault {
    fn of(error: &query::FieldError) -> Self {
        Self { field: error.field.clone(), why: error.why.clone() }
    }
}

impl RepoEntryChange {
    fn of(it: &found::EntryChange) -> Self {
        use crate::repo::files::EntryChange::{Added, Changed, Removed};
        let entry = RepoEntry::of;
        let (change, of, stale, was, is) = match it {
            Added { entry: it } => ("added", it, false, None, Some(entry(it))),
            Changed { was, entry: it, is_stale } => {
                ("changed", it, *is_stale, Some(entry(was)), Some(entry(it)))
            }
            Removed { was, is_stale } => ("removed", was, *is_stale, Some(entry(was)), None),
        };
        Self { change, kind: of.kind().as_str(), id: of.id().to_owned(), stale, was, is }
    }
}

impl RepoEntry {
    fn of(it: &query::Entry) -> Self {
        match it.clone() {
            query::Entry::Convention(it) => Self::Convention(it),
            query::Entry::Decision(it) => Self::Decision(it),
            query::Entry::Note(it) => Self::Note(it),
        }
    }
}

impl RepoSummaryChange {
    fn of(it: &found::SummaryChange) -> Self {
        use crate::repo::files::SummaryChange::{Added, Removed, Unreadable};
        let (change, line, fault, summary) = match it {
            Added { summary } => ("added", None, None, Some(summary.clone())),
            Removed { summary } => ("removed", None, None, Some(summary.clone())),
            Unreadable { line, error } => {
                ("unreadable", Some(*line), Some(RepoFault::of(error)), None)
            }
        };
        Self { change, line, fault, summary }
    }
}
