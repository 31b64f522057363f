//! What the rows say that a repository's files are to hold.

use std::io;

use super::PublishError;
use crate::event::{IndexKind, RepoHash, Sequence, wire};
use crate::execution::index::IndexReader;
use crate::repo::entry::Entry;
use crate::repo::folder::{MEMORY, Parts, SummaryLines, Wanted, WantedFile};
use crate::repo::query::{IndexFile, RepoMemory, RepoView, Summary};

pub(super) struct Rendered {
    pub repo: RepoHash,
    pub memory: RepoMemory,
    journal: String,
    /// The last event about it or one that it is linked with.
    sequence: u64,
    /// The last event that the rows know of.
    read: u64,
    text: String,
    indexes: Vec<IndexFile>,
}

impl Rendered {
    /// By the rows as they are; a snapshot keeps them so.
    pub fn of(index: &IndexReader, repo: RepoHash) -> Result<Self, PublishError> {
        let view = RepoView::of(index);
        let none =
            || crate::execution::query::QueryError::NoRepository { prefix: repo.to_string() };
        let cursor = index.cursor()?.ok_or_else(none)?;
        let sequence = view.last_sequence(repo)?.ok_or_else(none)?.0;
        let memory = view.memory(repo)?.ok_or_else(none)?;
        let mut indexes = Vec::new();
        for kind in IndexKind::ALL {
            indexes.extend(view.index_file(repo, *kind)?);
        }
        Ok(Self {
            repo,
            text: memory.to_json(),
            memory,
            journal: wire::hex_text(&cursor.position.journal),
            sequence,
            read: cursor.position.sequence,
            indexes,
        })
    }

    /// Of a repository for which nothing was recorded yet.
    pub fn of_unmet(
        index: &IndexReader,
        repo: RepoHash,
        memory: RepoMemory,
    ) -> Result<Self, PublishError> {
        let cursor = index.cursor()?;
        Ok(Self {
            repo,
            text: memory.to_json(),
            memory,
            journal: cursor.map(|it| wire::hex_text(&it.position.journal)).unwrap_or_default(), // made just now
            sequence: 0,
            read: cursor.map_or(0, |it| it.position.sequence),
            indexes: Vec::new(),
        })
    }

    /// The same, as a folder takes it.
    pub fn wanted<'a>(&'a self, index: &'a IndexReader) -> Wanted<'a> {
        let indexes = self.indexes.iter().map(|file| WantedFile {
            name: file_name(file.kind),
            bytes: file.content.as_bytes(),
            parts: Vec::new(),
            parts_of: None,
        });
        Wanted {
            journal: &self.journal,
            sequence: self.sequence,
            read: self.read,
            memory: WantedFile {
                name: MEMORY,
                bytes: self.text.as_bytes(),
                parts: parts(&self.memory),
                parts_of: Some(Box::new(|bytes| self.parts_of(bytes))),
            },
            indexes: indexes.collect(),
            summaries: Box::new(Lines { index, repo: self.repo, through: self.sequence }),
        }
    }

    /// Of a file that is this repository's; `None` where it says that it is not, or cannot be read.
    fn parts_of(&self, bytes: &[u8]) -> Option<Parts> {
        let found = RepoMemory::parse(bytes).ok()?; // then it was edited
        edited_fields(&self.memory, &found).is_empty().then(|| parts(&found))
    }
}

/// Fields besides the entries that say something else than the rows.
pub(super) fn edited_fields(rows: &RepoMemory, file: &RepoMemory) -> Vec<&'static str> {
    let fields = [
        ("repoHash", rows.repo_hash == file.repo_hash),
        ("path", rows.path == file.path),
        ("remote", rows.remote == file.remote),
        ("branch", rows.branch == file.branch),
    ];
    fields.iter().filter(|(_, same)| !same).map(|(name, _)| *name).collect()
}

/// Entries with a digest each, by which one that a person changed is told from one that is old.
pub(super) fn parts(memory: &RepoMemory) -> Parts {
    let part = |entry: Entry| {
        // Texts and numbers always serialise.
        let json = serde_json::to_vec(&entry).unwrap_or_default();
        (entry.name(), blake3::hash(&json).to_hex()[..16].to_owned())
    };
    memory.entries().map(part).collect()
}

fn file_name(kind: IndexKind) -> &'static str {
    match kind {
        IndexKind::RepoMap => "repo-map.json",
        IndexKind::Symbols => "symbols.json",
    }
}

struct Lines<'a> {
    index: &'a IndexReader,
    repo: RepoHash,
    through: u64,
}

impl SummaryLines for Lines<'_> {
    fn after(&self, sequence: u64, limit: usize) -> io::Result<Vec<(u64, String)>> {
        let (after, through) = (Sequence(sequence), Sequence(self.through));
        let found = RepoView::of(self.index).summaries_after(self.repo, after, through, limit);
        let found = found.map_err(io::Error::other)?;
        Ok(found.into_iter().map(|(sequence, summary)| (sequence.0, summary.line())).collect())
    }

    fn count(&self, through: u64) -> io::Result<u64> {
        let through = Sequence(through.min(self.through));
        RepoView::of(self.index).summary_count(self.repo, through).map_err(io::Error::other)
    }

    fn as_ours(&self, line: &[u8]) -> Option<String> {
        Summary::parse(line).ok().map(|summary| summary.line()) // a line that is none was edited
    }
}
