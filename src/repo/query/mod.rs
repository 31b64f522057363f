//! The memory of repositories (spec 004), read from `index.db`, and the shapes of its files.
//!
//! Repositories that were linked are one *family*: whoever asks for one is given the memory of all.
//! Entries are in the order in which they were made, then of their ids; summaries in the order in which
//! they were recorded. An id that two of a family have is that entry which was recorded last.

pub mod kin;
pub mod memory_file;

#[cfg(test)]
mod tests;

use rusqlite::Row;
use serde::Serialize;

use super::entry::{Entry, EntryKind, Kind, OwnedEntry};
use crate::event::{IndexKind, Ordered, RepoHash, Sequence, wire};
use crate::execution::closed::signed;
use crate::execution::index::IndexReader;
use crate::execution::query::{Identity, QueryError, Stores};
use crate::store::columns::columns;

pub use kin::{Inherited, Origin};
pub use memory_file::{FieldError, MEMORY_VERSION, RepoMemory, Summary};

/// A repository, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepoIdentity {
    #[serde(rename = "repoHash", serialize_with = "wire::text")]
    pub repo: RepoHash,
    /// The working tree's top folder; `None` where the event that told it is lost.
    pub path: Option<String>,
    /// The URL of `origin` without credentials.
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// The event that identified it.
    #[serde(skip)]
    pub identified: Option<Sequence>,
    /// The last event about it, or about one that it is linked with.
    #[serde(skip)]
    pub last: Sequence,
}

#[derive(Clone, Debug, Serialize)]
pub struct RepoListed {
    #[serde(flatten)]
    pub identity: RepoIdentity,
    /// Those that it is linked with.
    #[serde(serialize_with = "wire::texts")]
    pub linked: Vec<RepoHash>,
    /// Whether it is the one that the project lies in, as it stands now.
    pub current: bool,
    /// The last event about it, or about one that it is linked with.
    pub sequence: Sequence,
}

/// The newest index of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexFile {
    pub kind: IndexKind,
    /// JSON: the whole file below `indexes/`.
    pub content: String,
    /// Files that it tells of.
    pub files: u64,
    /// blake3 of what it was made from.
    pub inputs: [u8; 32],
    /// Unix milliseconds.
    pub at_ms: u64,
    pub sequence: Sequence,
}

/// Digits of a hash that are enough of one to look for.
const PREFIX_CHARS_MIN: usize = 4;
const IDENTITY: &str = "SELECT r.hash, r.path, r.remote, r.branch, r.identified_seq, \
     (SELECT max(last_seq) FROM repos f WHERE f.family = r.family) AS last FROM repos r";
/// Repositories of the family of the one that is asked for, themselves included.
const FAMILY: &str = "repos r WHERE r.family = (SELECT family FROM repos WHERE hash = ?1)";

#[derive(Clone, Copy, Debug)]
pub struct RepoView<'a> {
    index: &'a IndexReader,
}

impl Stores {
    /// Questions about what repositories remember.
    pub fn repos(&self) -> RepoView<'_> {
        RepoView::of(&self.index)
    }
}

impl Identity {
    pub fn repos(&self) -> RepoView<'_> {
        RepoView::of(&self.index)
    }
}

impl<'a> RepoView<'a> {
    pub fn of(index: &'a IndexReader) -> Self {
        Self { index }
    }

    /// Every repository, those with the newest event first.
    pub fn repos(&self) -> Result<Vec<RepoIdentity>, QueryError> {
        let sql = format!("{IDENTITY} ORDER BY last DESC, r.number DESC");
        Ok(self.index.rows(&sql, [], identity)?.into_iter().flatten().collect())
    }

    /// The same, told apart from the one that the project lies in.
    pub fn listed(&self, current: Option<RepoHash>) -> Result<Vec<RepoListed>, QueryError> {
        let listed = |identity: RepoIdentity| {
            let (repo, sequence) = (identity.repo, identity.last);
            let mut linked = self.family(repo)?;
            linked.retain(|other| *other != repo);
            Ok(RepoListed { identity, linked, current: current == Some(repo), sequence })
        };
        self.repos()?.into_iter().map(listed).collect()
    }

    /// One repository; `None` where nothing was recorded for it.
    pub fn identity(&self, repo: RepoHash) -> Result<Option<RepoIdentity>, QueryError> {
        let sql = format!("{IDENTITY} WHERE r.hash = ?1");
        Ok(self.index.rows(&sql, [repo.to_string()], identity)?.pop().flatten())
    }

    pub fn find(&self, prefix: &str) -> Result<RepoHash, QueryError> {
        let none = || QueryError::NoRepository { prefix: prefix.to_owned() };
        let digits = prefix.to_ascii_lowercase();
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_hex || !(PREFIX_CHARS_MIN..=64).contains(&digits.len()) {
            return Err(none());
        }
        // `g` comes after every digit.
        let sql =
            "SELECT hash FROM repos WHERE hash >= ?1 AND hash < ?1 || 'g' ORDER BY hash LIMIT 2";
        match self.index.column::<String>(sql, [digits])?.as_slice() {
            [] => Err(none()),
            [one] => RepoHash::parse(one).ok_or_else(none),
            several => {
                let (reference, count) = (prefix.to_owned(), several.len());
                Err(QueryError::Ambiguous { reference, count })
            }
        }
    }

    /// The repositories whose memory is one with this one's, itself included, those met first first;
    /// itself alone where nothing was recorded for it.
    pub fn family(&self, repo: RepoHash) -> Result<Vec<RepoHash>, QueryError> {
        let sql = format!("SELECT r.hash FROM {FAMILY} ORDER BY r.number");
        let found: Vec<String> = self.index.column(&sql, [repo.to_string()])?;
        let found: Vec<RepoHash> = found.iter().filter_map(|hash| RepoHash::parse(hash)).collect();
        Ok(if found.is_empty() { vec![repo] } else { found })
    }

    /// The last event about a repository or one that it is linked with.
    pub fn last_sequence(&self, repo: RepoHash) -> Result<Option<Sequence>, QueryError> {
        Ok(self.identity(repo)?.map(|identity| identity.last))
    }

    /// What a repository remembers, those that it is linked with included; `None` where nothing was
    /// recorded for it.
    pub fn memory(&self, repo: RepoHash) -> Result<Option<RepoMemory>, QueryError> {
        let Some(identity) = self.identity(repo)? else { return Ok(None) };
        let mut linked = self.family(repo)?;
        linked.retain(|other| *other != repo);
        Ok(Some(RepoMemory {
            version: MEMORY_VERSION,
            repo_hash: repo,
            path: identity.path,
            remote: identity.remote,
            branch: identity.branch,
            linked,
            conventions: self.list(repo)?,
            decisions: self.list(repo)?,
            notes: self.list(repo)?,
            inherited: Vec::new(),
        }))
    }

    /// The entries of a kind of a repository and those that it is linked with, what was made first
    /// first.
    pub fn list<T: Kind>(&self, repo: RepoHash) -> Result<Vec<T>, QueryError> {
        Ok(self.entries(T::KIND, repo)?.into_iter().filter_map(T::of).collect())
    }

    /// The same of whatever kind.
    pub fn entries(&self, kind: EntryKind, repo: RepoHash) -> Result<Vec<Entry>, QueryError> {
        let sql = format!(
            "{} WHERE e.repo IN (SELECT r.number FROM {FAMILY}) ORDER BY e.id, e.seq DESC",
            kind.select()
        );
        let found = self.index.rows(&sql, [repo.to_string()], |row| kind.owned(row))?;
        let mut found: Vec<Entry> = found.into_iter().flatten().map(|owned| owned.entry).collect();
        // Of each id the one that was recorded last comes first.
        found.dedup_by(|later, first| later.id() == first.id());
        found.order_by(|one, other| {
            (one.created_ms(), one.id()).cmp(&(other.created_ms(), other.id()))
        });
        Ok(found)
    }

    /// The entries of this kind and id that a repository and those it is linked with have: the one
    /// that counts is the first, the rest are what it hides.
    pub fn of_id(
        &self,
        kind: EntryKind,
        repo: RepoHash,
        id: &str,
    ) -> Result<Vec<OwnedEntry>, QueryError> {
        let sql = format!(
            "{} WHERE r.family = (SELECT family FROM repos WHERE hash = ?1) AND e.id = ?2 \
             ORDER BY e.seq DESC",
            kind.select()
        );
        let found = self.index.rows(&sql, [&repo.to_string(), id], |row| kind.owned(row))?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The newest summaries of a repository and those that it is linked with, the oldest of them first.
    pub fn summaries(&self, repo: RepoHash, newest: usize) -> Result<Vec<Summary>, QueryError> {
        // Along each one's own index, no further than is asked for.
        let mut found = Vec::new();
        for member in self.family(repo)? {
            let sql = "SELECT s.seq, s.run_id, s.step_id, s.created_ms, s.summary \
                       FROM repo_summaries s \
                       WHERE s.repo = (SELECT number FROM repos WHERE hash = ?1) \
                       ORDER BY s.seq DESC LIMIT ?2";
            let asked = (member.to_string(), signed(newest as u64));
            found.extend(self.index.rows(sql, asked, summary)?);
        }
        found.order_by_key(|(sequence, _)| *sequence);
        let first = found.len().saturating_sub(newest);
        Ok(found.drain(first..).map(|(_, summary)| summary).collect())
    }

    /// Summaries after an event and up to another, the oldest first, at most so many of them.
    pub fn summaries_after(
        &self,
        repo: RepoHash,
        after: Sequence,
        through: Sequence,
        limit: usize,
    ) -> Result<Vec<(Sequence, Summary)>, QueryError> {
        let sql = format!(
            "SELECT s.seq, s.run_id, s.step_id, s.created_ms, s.summary FROM repo_summaries s \
             WHERE s.seq > ?2 AND s.seq <= ?3 AND s.repo IN (SELECT r.number FROM {FAMILY}) \
             ORDER BY s.seq LIMIT ?4"
        );
        let asked = (repo.to_string(), signed(after.0), signed(through.0), signed(limit as u64));
        Ok(self.index.rows(&sql, asked, summary)?)
    }

    /// How many summaries a repository has up to an event, those that it is linked with included.
    pub fn summary_count(&self, repo: RepoHash, through: Sequence) -> Result<u64, QueryError> {
        let sql = format!(
            "SELECT count(*) FROM repo_summaries s \
             WHERE s.repo IN (SELECT r.number FROM {FAMILY}) AND s.seq <= ?2"
        );
        let asked = (repo.to_string(), signed(through.0));
        Ok(self.index.cell(&sql, asked)?.unwrap_or_default())
    }

    /// The newest index of a kind of a repository's own tree.
    pub fn index_file(
        &self,
        repo: RepoHash,
        kind: IndexKind,
    ) -> Result<Option<IndexFile>, QueryError> {
        let sql = "SELECT i.content, i.files, i.inputs, i.at_ms, i.seq FROM repo_indexes i \
                   WHERE i.repo = (SELECT number FROM repos WHERE hash = ?1) AND i.kind = ?2";
        let asked = [&repo.to_string(), kind.as_str()];
        let mut found = self.index.rows(
            sql,
            asked,
            |row| columns!(row => IndexFile { content, files, inputs, at_ms, sequence; kind }),
        )?;
        Ok(found.pop())
    }
}

/// `None`: no hash stands there, which nothing of ours wrote.
fn identity(row: &Row<'_>) -> rusqlite::Result<Option<RepoIdentity>> {
    let (hash, path, remote, branch, identified, last): (String, _, _, _, _, _) = row.try_into()?;
    let told = |repo| RepoIdentity { repo, path, remote, branch, identified, last };
    Ok(RepoHash::parse(&hash).map(told))
}

fn summary(row: &Row<'_>) -> rusqlite::Result<(Sequence, Summary)> {
    let (sequence, run_id, step_id, created_ms, summary) = row.try_into()?;
    Ok((sequence, Summary { run_id, step_id, created_ms, summary }))
}
