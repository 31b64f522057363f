//! Repositories' memory (spec 004): rows, and which repositories are one family.

mod entries;
mod rows;

use rusqlite::{OptionalExtension, params};

use super::Index;
use crate::store::StoreError;

pub use rows::{ConventionRow, DecisionRow, IdentityRow, NoteRow, RepoIndexRow, SummaryRow};

/// A repository's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepoNumber {
    pub number: u64,
    /// Whether it was given just now.
    pub is_new: bool,
}

impl Index {
    /// A repository's number; its row is made where it has none. `seq` is its last event now.
    pub fn repo(&mut self, hash: &str, seq: u64) -> Result<RepoNumber, StoreError> {
        let failed = |source| self.failed("looking a repository up", source);
        let found = self
            .conn
            .prepare_cached("UPDATE repos SET last_seq = ?2 WHERE hash = ?1 RETURNING number")
            .and_then(|mut find| find.query_row(params![hash, seq], |row| row.get(0)).optional())
            .map_err(failed)?;
        if let Some(number) = found {
            return Ok(RepoNumber { number, is_new: false });
        }
        // Its own family, until it is linked.
        self.conn
            .prepare_cached(
                "INSERT INTO repos (number, hash, family, last_seq) \
                 SELECT n, ?1, n, ?2 FROM (SELECT coalesce(max(number), 0) + 1 AS n FROM repos)",
            )
            .and_then(|mut insert| insert.execute(params![hash, seq]))
            .map_err(failed)?;
        let number = self.conn.last_insert_rowid().unsigned_abs();
        Ok(RepoNumber { number, is_new: true })
    }

    /// Says what a repository is, unless that was said; `false` where something else was.
    pub fn identify_repo(
        &mut self,
        number: u64,
        row: &IdentityRow<'_>,
    ) -> Result<bool, StoreError> {
        let failed = |source| self.failed("telling what a repository is", source);
        let values = params![number, row.path, row.remote, row.branch, row.seq];
        self.conn
            .prepare_cached(
                "UPDATE repos SET path = ?2, remote = ?3, branch = ?4, identified_seq = ?5 \
                 WHERE number = ?1 AND identified_seq IS NULL",
            )
            .and_then(|mut update| update.execute(values))
            .map_err(failed)?;
        self.conn
            .prepare_cached(
                "SELECT 1 FROM repos WHERE number = ?1 AND path = ?2 AND remote IS ?3 AND branch IS ?4",
            )
            .and_then(|mut find| find.exists(params![number, row.path, row.remote, row.branch]))
            .map_err(failed)
    }

    /// Makes two repositories' families one; `false` where they were.
    pub fn link_repos(
        &mut self,
        seq: u64,
        at_ms: i64,
        repo: u64,
        other: u64,
    ) -> Result<bool, StoreError> {
        let failed = |source| self.failed("linking repositories", source);
        let family = |number: u64| {
            self.conn
                .prepare_cached("SELECT family FROM repos WHERE number = ?1")
                .and_then(|mut find| find.query_row([number], |row| row.get::<_, u64>(0)))
                .map_err(failed)
        };
        let (one, two) = (family(repo)?, family(other)?);
        self.conn
            .prepare_cached(
                "INSERT INTO repo_links (seq, at_ms, repo, other) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| insert.execute(params![seq, at_ms, repo, other]))
            .map_err(failed)?;
        self.conn
            .prepare_cached("UPDATE repos SET family = ?2 WHERE family = ?1")
            .and_then(|mut update| update.execute([one.max(two), one.min(two)]))
            .map_err(failed)?;
        Ok(one != two)
    }
}
