//! Repositories' memory (spec 004): rows, and which repositories are one family.

mod entries;

use rusqlite::{OptionalExtension, params};

use super::Index;
use crate::store::StoreError;

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

/// What a repository's hash was made of.
#[derive(Clone, Copy, Debug)]
pub struct IdentityRow<'a> {
    pub path: &'a str,
    pub remote: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub seq: u64,
}

/// A convention. A time that is `None` is the event's own; for when it was made, the first one's.
#[derive(Clone, Copy, Debug)]
pub struct ConventionRow<'a> {
    pub repo: u64,
    pub id: &'a str,
    pub title: &'a str,
    pub content: &'a str,
    /// A JSON array of texts.
    pub tags: &'a str,
    pub created_ms: Option<i64>,
    pub updated_ms: Option<i64>,
    pub at_ms: i64,
    pub seq: u64,
}

/// A decision.
#[derive(Clone, Copy, Debug)]
pub struct DecisionRow<'a> {
    pub repo: u64,
    pub id: &'a str,
    pub summary: &'a str,
    pub rationale: &'a str,
    /// A JSON array of texts.
    pub impacted_paths: &'a str,
    pub created_ms: Option<i64>,
    pub at_ms: i64,
    pub seq: u64,
}

/// A note.
#[derive(Clone, Copy, Debug)]
pub struct NoteRow<'a> {
    pub repo: u64,
    pub id: &'a str,
    pub content: &'a str,
    pub source: &'a str,
    pub created_ms: Option<i64>,
    pub at_ms: i64,
    pub seq: u64,
}

/// What a step came to.
#[derive(Clone, Copy, Debug)]
pub struct SummaryRow<'a> {
    pub seq: u64,
    pub repo: u64,
    pub run_id: &'a str,
    pub step_id: &'a str,
    pub summary: &'a str,
    pub made_by: &'a str,
    pub step: Option<u64>,
    pub created_ms: i64,
}

/// An index of a repository's tree; it takes the place of the one before.
#[derive(Clone, Copy, Debug)]
pub struct RepoIndexRow<'a> {
    pub repo: u64,
    pub kind: &'a str,
    pub content: &'a str,
    pub files: i64,
    pub inputs: &'a [u8; 32],
    pub at_ms: i64,
    pub seq: u64,
}
