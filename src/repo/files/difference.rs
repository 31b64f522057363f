//! How a repository's files differ from what its rows say.

use std::collections::BTreeMap;

use super::rendered::{self, Rendered, part_name};
use super::{PublishError, RepoFiles};
use crate::event::{RepoHash, Sequence};
use crate::execution::index::IndexReader;
use crate::execution::query::QueryError;
use crate::repo::folder as repo_folder;
use crate::repo::folder::{MEMORY, Part, SUMMARIES};
use crate::repo::query::{Entry, EntryKind, FieldError, RepoMemory, RepoView, Summary};

/// How a repository's files differ from what its rows say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepoDifference {
    /// Another journal that the files are of, hexadecimal.
    pub other_journal: Option<String>,
    /// Files in whose place something else lies, each with what it is.
    pub no_files: Vec<(String, &'static str)>,
    /// Other files that were edited and cannot be taken over: the indexes.
    pub edited_indexes: Vec<String>,
    /// Why `memory.json` cannot be read as one, with the field.
    pub unreadable: Option<FieldError>,
    /// Fields of `memory.json` besides the entries that say something else than the rows.
    pub fields: Vec<&'static str>,
    /// Entries that a person added, changed or removed, in the order of the file.
    pub entries: Vec<EntryChange>,
    /// Lines that a person added to `summaries.jsonl`, changed or removed.
    pub summaries: Vec<SummaryChange>,
}

/// What a person did to an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryChange {
    Added {
        entry: Entry,
    },
    Changed {
        /// What the rows say.
        was: Entry,
        entry: Entry,
        /// The rows say something else, too, since the file was written.
        is_stale: bool,
    },
    Removed {
        /// What the rows say.
        was: Entry,
        /// As before.
        is_stale: bool,
    },
}

/// What a person did to the lines of `summaries.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SummaryChange {
    Added {
        summary: Summary,
    },
    /// A line that is none, by its number from 1.
    Unreadable {
        line: usize,
        error: FieldError,
    },
    Removed {
        summary: Summary,
    },
}

impl RepoDifference {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
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
            other_journal: looked.standing.other_journal.clone(),
            ..RepoDifference::default()
        };
        for (name, part) in looked.standing.left() {
            match (name, part) {
                (name, Part::NoFile(what)) => difference.no_files.push((name.to_owned(), what)),
                (MEMORY | SUMMARIES, _) => {}
                (name, _) => difference.edited_indexes.push(name.to_owned()),
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
    let rows: BTreeMap<String, Entry> = entries(rows).collect();
    let mut seen = Vec::new();
    for (name, entry) in entries(file) {
        let is_touched = left.get(&name) != found.get(&name);
        let is_other = now.get(&name) != found.get(&name);
        let is_stale = left.get(&name) != now.get(&name);
        match rows.get(&name) {
            Some(was) if is_touched && is_other => {
                difference.entries.push(EntryChange::Changed { was: was.clone(), entry, is_stale });
            }
            // One that was removed since the file was written, and that nobody touched, is only old.
            None if is_touched => difference.entries.push(EntryChange::Added { entry }),
            _ => {}
        }
        seen.push(name);
    }
    for (name, was) in rows {
        // What was recorded since the file was written it does not lack.
        let Some(digest) = left.get(&name) else { continue };
        if !seen.contains(&name) {
            let is_stale = Some(digest) != now.get(&name);
            difference.entries.push(EntryChange::Removed { was, is_stale });
        }
    }
}

fn entries(memory: &RepoMemory) -> impl Iterator<Item = (String, Entry)> {
    let conventions = memory.conventions.iter().cloned().map(Entry::Convention);
    let decisions = memory.decisions.iter().cloned().map(Entry::Decision);
    let notes = memory.notes.iter().cloned().map(Entry::Note);
    conventions.chain(decisions).chain(notes).map(|entry| {
        let (kind, id): (EntryKind, &str) = (entry.kind(), entry.id());
        (part_name(kind, id), entry)
    })
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
            Err(error) => changes.push(SummaryChange::Unreadable { line: number + 1, error }),
            Ok(summary) => match expected.get_mut(&summary.line()).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => changes.push(SummaryChange::Added { summary }),
            },
        }
    }
    for (sequence, summary) in rows {
        // Those recorded since the file was written it does not lack.
        if sequence <= last_left
            && let Some(count) = expected.get_mut(&summary.line()).filter(|count| **count > 0)
        {
            *count -= 1;
            changes.push(SummaryChange::Removed { summary });
        }
    }
    changes
}
