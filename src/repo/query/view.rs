//! What the index says of repositories' memory.

use rusqlite::Row;

use super::{IndexFile, RepoIdentity, RepoMemory, Summary};
use crate::event::{IndexKind, RepoHash, Sequence};
use crate::execution::index::IndexReader;
use crate::execution::query::{QueryError, number, text};

/// Digits of a hash that are enough of one to look for.
const PREFIX_CHARS_MIN: usize = 4;
const IDENTITY: &str = "SELECT r.hash, r.path, r.remote, r.branch, r.identified_seq, \
     (SELECT max(last_seq) FROM repos f WHERE f.family = r.family) AS last FROM repos r";
/// Repositories of the family of the one that is asked for, themselves included.
pub(super) const FAMILY: &str =
    "repos r WHERE r.family = (SELECT family FROM repos WHERE hash = ?1)";

/// What the index says of repositories' memory.
#[derive(Clone, Copy, Debug)]
pub struct RepoView<'a> {
    pub(super) index: &'a IndexReader,
}

impl<'a> RepoView<'a> {
    /// As this index has it.
    pub fn of(index: &'a IndexReader) -> Self {
        Self { index }
    }

    /// Every repository, those with the newest event first.
    pub fn repos(&self) -> Result<Vec<RepoIdentity>, QueryError> {
        let sql = format!("{IDENTITY} ORDER BY last DESC, r.number DESC");
        let found = self.index.answer(&sql, &[], identity)?;
        Ok(found.into_iter().flatten().collect())
    }

    /// One repository; `None` where nothing was recorded for it.
    pub fn identity(&self, repo: RepoHash) -> Result<Option<RepoIdentity>, QueryError> {
        let sql = format!("{IDENTITY} WHERE r.hash = ?1");
        let found = self.index.answer(&sql, &[text(&repo.to_string())], identity)?;
        Ok(found.into_iter().flatten().next())
    }

    /// The repository whose hash begins so.
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
        let found = self.index.answer(sql, &[text(&digits)], |row| row.get::<_, String>(0))?;
        match found.as_slice() {
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
        let found =
            self.index.answer(&sql, &[text(&repo.to_string())], |row| row.get::<_, String>(0))?;
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
            version: super::MEMORY_VERSION,
            repo_hash: repo,
            path: identity.path,
            remote: identity.remote,
            branch: identity.branch,
            linked,
            conventions: self.conventions(repo)?,
            decisions: self.decisions(repo)?,
            notes: self.notes(repo)?,
        }))
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
            let values = [text(&member.to_string()), number(newest as u64)];
            found.extend(self.index.answer(sql, &values, summary)?);
        }
        found.sort_by_key(|(sequence, _)| *sequence);
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
        let values =
            [text(&repo.to_string()), number(after.0), number(through.0), number(limit as u64)];
        Ok(self.index.answer(&sql, &values, summary)?)
    }

    /// How many summaries a repository has up to an event, those that it is linked with included.
    pub fn summary_count(&self, repo: RepoHash, through: Sequence) -> Result<u64, QueryError> {
        let sql = format!(
            "SELECT count(*) FROM repo_summaries s \
             WHERE s.repo IN (SELECT r.number FROM {FAMILY}) AND s.seq <= ?2"
        );
        let values = [text(&repo.to_string()), number(through.0)];
        let found = self.index.answer(&sql, &values, |row| row.get(0))?;
        Ok(found.first().copied().unwrap_or_default())
    }

    /// The newest index of a kind of a repository's own tree.
    pub fn index_file(
        &self,
        repo: RepoHash,
        kind: IndexKind,
    ) -> Result<Option<IndexFile>, QueryError> {
        let sql = "SELECT i.content, i.files, i.inputs, i.at_ms, i.seq FROM repo_indexes i \
                   WHERE i.repo = (SELECT number FROM repos WHERE hash = ?1) AND i.kind = ?2";
        let values = [text(&repo.to_string()), text(kind.as_str())];
        let found = self.index.answer(sql, &values, |row| {
            Ok(IndexFile {
                kind,
                content: row.get(0)?,
                files: row.get(1)?,
                inputs: row.get(2)?,
                at_ms: row.get(3)?,
                sequence: Sequence(row.get(4)?),
            })
        })?;
        Ok(found.into_iter().next())
    }
}

/// `None`: no hash stands there, which nothing of ours wrote.
fn identity(row: &Row<'_>) -> rusqlite::Result<Option<RepoIdentity>> {
    let hash: String = row.get(0)?;
    let Some(repo) = RepoHash::parse(&hash) else { return Ok(None) };
    Ok(Some(RepoIdentity {
        repo,
        path: row.get(1)?,
        remote: row.get(2)?,
        branch: row.get(3)?,
        identified: row.get::<_, Option<u64>>(4)?.map(Sequence),
        last: Sequence(row.get(5)?),
    }))
}

fn summary(row: &Row<'_>) -> rusqlite::Result<(Sequence, Summary)> {
    let summary = Summary {
        run_id: row.get(1)?,
        step_id: row.get(2)?,
        created_ms: row.get(3)?,
        summary: row.get(4)?,
    };
    Ok((Sequence(row.get(0)?), summary))
}
