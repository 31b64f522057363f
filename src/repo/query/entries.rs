//! Entries of repositories' memory: lists, and one with whoever has it.

use rusqlite::Row;

use super::view::FAMILY;
use super::{Convention, Decision, Entry, EntryKind, Note, OwnedEntry, RepoView};
use crate::event::{NoteSource, RepoHash, Sequence};
use crate::execution::query::{QueryError, text};

impl RepoView<'_> {
    /// What holds in a repository and those that it is linked with, what was made first first.
    pub fn conventions(&self, repo: RepoHash) -> Result<Vec<Convention>, QueryError> {
        let found = self.listed(EntryKind::Convention, repo)?.into_iter();
        Ok(found.filter_map(Entry::convention).collect())
    }

    /// What was decided for them, what was decided first first.
    pub fn decisions(&self, repo: RepoHash) -> Result<Vec<Decision>, QueryError> {
        let found = self.listed(EntryKind::Decision, repo)?.into_iter();
        Ok(found.filter_map(Entry::decision).collect())
    }

    /// What was noted of them, what was noted first first.
    pub fn notes(&self, repo: RepoHash) -> Result<Vec<Note>, QueryError> {
        let found = self.listed(EntryKind::Note, repo)?.into_iter();
        Ok(found.filter_map(Entry::note).collect())
    }

    /// The entries of this id that a repository and those it is linked with have: the one that counts
    /// is the first of its kind, the rest are what it hides.
    pub fn entries(&self, repo: RepoHash, id: &str) -> Result<Vec<OwnedEntry>, QueryError> {
        let mut found = Vec::new();
        for kind in EntryKind::ALL {
            let sql = format!(
                "{} WHERE r.family = (SELECT family FROM repos WHERE hash = ?1) AND e.id = ?2 \
                 ORDER BY e.seq DESC",
                select(*kind)
            );
            let values = [text(&repo.to_string()), text(id)];
            found.extend(self.index.answer(&sql, &values, |row| owned(*kind, row))?);
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Those of a kind that count, in the order of the file.
    fn listed(&self, kind: EntryKind, repo: RepoHash) -> Result<Vec<Entry>, QueryError> {
        let sql = format!(
            "{} WHERE e.repo IN (SELECT r.number FROM {FAMILY}) ORDER BY e.id, e.seq DESC",
            select(kind)
        );
        let found = self.index.answer(&sql, &[text(&repo.to_string())], |row| owned(kind, row))?;
        let mut found: Vec<Entry> = found.into_iter().flatten().map(|owned| owned.entry).collect();
        // Of each id the one that was recorded last comes first.
        found.dedup_by(|later, first| later.id() == first.id());
        found.sort_by(|one, other| {
            (one.created_ms(), one.id()).cmp(&(other.created_ms(), other.id()))
        });
        Ok(found)
    }
}

/// `r` is the repository that has the entry `e`.
fn select(kind: EntryKind) -> String {
    let (table, columns) = match kind {
        EntryKind::Convention => {
            ("repo_conventions", "e.title, e.content, e.tags, e.created_ms, e.updated_ms")
        }
        EntryKind::Decision => {
            ("repo_decisions", "e.summary, e.rationale, e.impacted_paths, e.created_ms")
        }
        EntryKind::Note => ("repo_notes", "e.content, e.source, e.created_ms"),
    };
    format!(
        "SELECT r.hash, e.seq, e.id, {columns} FROM {table} e JOIN repos r ON r.number = e.repo"
    )
}

/// `None`: what stands there nothing of ours wrote.
fn owned(kind: EntryKind, row: &Row<'_>) -> rusqlite::Result<Option<OwnedEntry>> {
    let hash: String = row.get(0)?;
    let id = row.get(2)?;
    let entry = match kind {
        EntryKind::Convention => Some(Entry::Convention(Convention {
            id,
            title: row.get(3)?,
            content: row.get(4)?,
            tags: texts(&row.get::<_, String>(5)?),
            created_ms: row.get(6)?,
            updated_ms: row.get(7)?,
        })),
        EntryKind::Decision => Some(Entry::Decision(Decision {
            id,
            summary: row.get(3)?,
            rationale: row.get(4)?,
            impacted_paths: texts(&row.get::<_, String>(5)?),
            created_ms: row.get(6)?,
        })),
        EntryKind::Note => match NoteSource::parse(&row.get::<_, String>(4)?) {
            Some(source) => {
                let (content, created_ms) = (row.get(3)?, row.get(5)?);
                Some(Entry::Note(Note { id, content, source, created_ms }))
            }
            None => None,
        },
    };
    let sequence = Sequence(row.get(1)?);
    let owned = |(repo, entry)| OwnedEntry { repo, sequence, entry };
    Ok(RepoHash::parse(&hash).zip(entry).map(owned))
}

/// A list as the projector wrote it.
fn texts(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}
