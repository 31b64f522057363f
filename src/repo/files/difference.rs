//! How a repository's files differ from what its rows say.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::rendered::{self, Rendered};
use super::{PublishError, RepoFiles};
use crate::event::{RepoHash, Sequence, wire};
use crate::execution::index::IndexReader;
use crate::execution::query::QueryError;
use crate::repo::entry::{Entry, EntryKind};
use crate::repo::folder as repo_folder;
use crate::repo::folder::{MEMORY, Part, SUMMARIES};
use crate::repo::query::{FieldError, RepoMemory, RepoView, Summary};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoDifference {
    #[serde(serialize_with = "wire::text")]
    pub repo_hash: RepoHash,
    pub folder: String,
    pub differs: bool,
    /// Another journal that the files are of, hexadecimal.
    pub other_journal: Option<String>,
    /// Why `memory.json` cannot be read as one, with the field.
    pub unreadable: Option<FieldError>,
    /// Files in whose place something else lies, each with what it is.
    #[serde(serialize_with = "colons")]
    pub no_files: Vec<(String, &'static str)>,
    /// Fields of `memory.json` besides the entries that say something else than the rows.
    pub fields: Vec<&'static str>,
    /// Other files that were edited and cannot be taken over: those below `indexes/`.
    pub indexes: Vec<String>,
    /// Entries that a person added, changed or removed, in the order of the file.
    pub entries: Vec<EntryChange>,
    /// Lines that a person added to `summaries.jsonl`, changed or removed.
    pub summaries: Vec<SummaryChange>,
}

fn colons<S: Serializer>(pairs: &[(String, &'static str)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(pairs.iter().map(|(name, what)| format!("{name}: {what}")))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Added,
    Changed,
    Removed,
    /// A line of `summaries.jsonl` that is none.
    Unreadable,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryChange {
    pub change: Change,
    pub kind: EntryKind,
    pub id: String,
    /// The rows say something else, too, since the file was written.
    pub stale: bool,
    /// What the rows say.
    pub was: Option<Entry>,
    /// What the file says.
    pub is: Option<Entry>,
}

impl EntryChange {
    pub fn of(was: Option<Entry>, is: Option<Entry>, stale: bool) -> Option<Self> {
        let change = match (&was, &is) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        let entry = is.as_ref().or(was.as_ref())?;
        let (kind, id) = (entry.kind(), entry.id().to_owned());
        Some(Self { change, kind, id, stale, was, is })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SummaryChange {
    pub change: Change,
    /// The number from 1 of one that cannot be read, and why.
    pub line: Option<usize>,
    pub fault: Option<FieldError>,
    pub summary: Option<Summary>,
}

impl SummaryChange {
    fn of(change: Change, summary: Summary) -> Self {
        Self { change, line: None, fault: None, summary: Some(summary) }
    }
}

impl RepoFiles {
    /// How the files of a repository differ from what its rows say: nothing where they are only behind.
    /// Changes nothing.
    pub fn difference(&self, repo: RepoHash) -> Result<RepoDifference, PublishError> {
        self.difference_from(repo, None)
    }

    /// As [`Self::difference`]; where nothing was recorded for it yet, from `unmet`.
    pub(crate) fn difference_from(
        &self,
        repo: RepoHash,
        unmet: Option<RepoMemory>,
    ) -> Result<RepoDifference, PublishError> {
        let index = IndexReader::open(&self.index)?;
        let _snapshot = index.moment()?;
        let rendered = match (Rendered::of(&index, repo), unmet) {
            (Err(PublishError::Query(QueryError::NoRepository { .. })), Some(unmet)) => {
                Rendered::of_unmet(&index, repo, unmet)?
            }
            (rendered, _) => rendered?,
        };
        let hash = repo.to_string();
        let looked = repo_folder::examine(&self.home, &hash, &rendered.wanted(&index))?;
        let mut difference = RepoDifference {
            repo_hash: repo,
            folder: self.folder(repo).to_string_lossy().into_owned(),
            other_journal: looked.standing.other_journal.clone(),
            ..RepoDifference::default()
        };
        for (name, part) in looked.standing.left() {
            match (name, part) {
                (name, Part::NoFile(what)) => difference.no_files.push((name.to_owned(), what)),
                (MEMORY | SUMMARIES, _) => {}
                (name, _) => difference.indexes.push(name.to_owned()),
            }
        }
        if let Some(bytes) = &looked.memory {
            match RepoMemory::parse(bytes) {
                Ok(file) => memory(&rendered.memory, &file, &looked.parts, &mut difference),
                Err(error) => difference.unreadable = Some(error),
            }
        }
        if let Some(bytes) = &looked.summaries {
            let through = Sequence(u64::MAX);
            let view = RepoView::of(&index);
            let rows = view.summaries_after(repo, Sequence(0), through, usize::MAX)?;
            let rows = rows.into_iter().map(|(sequence, summary)| (sequence.0, summary)).collect();
            difference.summaries = summaries(rows, looked.last_line, bytes);
        }
        difference.differs = difference.other_journal.is_some()
            || difference.unreadable.is_some()
            || !difference.no_files.is_empty()
            || !difference.fields.is_empty()
            || !difference.indexes.is_empty()
            || !difference.entries.is_empty()
            || !difference.summaries.is_empty();
        Ok(difference)
    }
}

/// Of an edited file; `left` is what it was made of when it was written.
fn memory(
    rows: &RepoMemory,
    file: &RepoMemory,
    left: &BTreeMap<String, String>,
    difference: &mut RepoDifference,
) {
    difference.fields.extend(rendered::edited_fields(rows, file));
    let digests = |memory| rendered::parts(memory).into_iter().collect::<BTreeMap<_, _>>();
    let (now, found) = (digests(rows), digests(file));
    let rows: BTreeMap<String, Entry> = rows.entries().map(|it| (it.name(), it)).collect();
    let mut seen = Vec::new();
    for entry in file.entries() {
        let name = entry.name();
        let is_touched = left.get(&name) != found.get(&name);
        let is_other = now.get(&name) != found.get(&name);
        let is_stale = left.get(&name) != now.get(&name);
        let change = match rows.get(&name) {
            Some(was) if is_touched && is_other => {
                EntryChange::of(Some(was.clone()), Some(entry), is_stale)
            }
            // One that was removed since the file was written, and that nobody touched, is only old.
            None if is_touched => EntryChange::of(None, Some(entry), false),
            _ => None,
        };
        difference.entries.extend(change);
        seen.push(name);
    }
    for (name, was) in rows {
        // What was recorded since the file was written it does not lack.
        let Some(digest) = left.get(&name) else { continue };
        if !seen.contains(&name) {
            let is_stale = Some(digest) != now.get(&name);
            difference.entries.extend(EntryChange::of(Some(was), None, is_stale));
        }
    }
}

/// Line by line, whatever their order: rows are only ever appended.
fn summaries(rows: Vec<(u64, Summary)>, last_left: u64, bytes: &[u8]) -> Vec<SummaryChange> {
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    for (_, summary) in &rows {
        *expected.entry(summary.line()).or_default() += 1;
    }
    let mut changes = Vec::new();
    for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match Summary::parse(line) {
            Err(error) => changes.push(SummaryChange {
                change: Change::Unreadable,
                line: Some(number + 1),
                fault: Some(error),
                summary: None,
            }),
            Ok(summary) => match expected.get_mut(&summary.line()).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => changes.push(SummaryChange::of(Change::Added, summary)),
            },
        }
    }
    for (sequence, summary) in rows {
        // Those recorded since the file was written it does not lack.
        if sequence <= last_left
            && let Some(count) = expected.get_mut(&summary.line()).filter(|count| **count > 0)
        {
            *count -= 1;
            changes.push(SummaryChange::of(Change::Removed, summary));
        }
    }
    changes
}
