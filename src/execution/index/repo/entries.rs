//! What a repository's memory holds: rows written and taken away.

use rusqlite::{ToSql, params};

use super::{ConventionRow, DecisionRow, NoteRow, RepoIndexRow, SummaryRow};
use crate::execution::index::Index;
use crate::store::StoreError;

impl Index {
    /// Writes a convention over the one of its id.
    pub fn put_convention(&mut self, row: &ConventionRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO repo_conventions (repo, id, title, content, tags, created_ms, \
                   updated_ms, seq) \
                   VALUES (?1, ?2, ?3, ?4, ?5, coalesce(?6, ?8), coalesce(?7, ?8), ?9) \
                   ON CONFLICT (repo, id) DO UPDATE SET title = ?3, content = ?4, tags = ?5, \
                   created_ms = coalesce(?6, created_ms), updated_ms = coalesce(?7, ?8), seq = ?9";
        self.write_repo(
            sql,
            params![
                row.repo,
                row.id,
                row.title,
                row.content,
                row.tags,
                row.created_ms,
                row.updated_ms,
                row.at_ms,
                row.seq
            ],
        )
    }

    /// Writes a decision over the one of its id.
    pub fn put_decision(&mut self, row: &DecisionRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO repo_decisions (repo, id, summary, rationale, impacted_paths, \
                   created_ms, seq) VALUES (?1, ?2, ?3, ?4, ?5, coalesce(?6, ?7), ?8) \
                   ON CONFLICT (repo, id) DO UPDATE SET summary = ?3, rationale = ?4, \
                   impacted_paths = ?5, created_ms = coalesce(?6, created_ms), seq = ?8";
        self.write_repo(
            sql,
            params![
                row.repo,
                row.id,
                row.summary,
                row.rationale,
                row.impacted_paths,
                row.created_ms,
                row.at_ms,
                row.seq
            ],
        )
    }

    /// Writes a note over the one of its id.
    pub fn put_note(&mut self, row: &NoteRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO repo_notes (repo, id, content, source, created_ms, seq) \
                   VALUES (?1, ?2, ?3, ?4, coalesce(?5, ?6), ?7) \
                   ON CONFLICT (repo, id) DO UPDATE SET content = ?3, source = ?4, \
                   created_ms = coalesce(?5, created_ms), seq = ?7";
        self.write_repo(
            sql,
            params![row.repo, row.id, row.content, row.source, row.created_ms, row.at_ms, row.seq],
        )
    }

    /// Appends a summary.
    pub fn add_summary(&mut self, row: &SummaryRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO repo_summaries (seq, repo, run_id, step_id, summary, made_by, step, \
                   created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        self.write_repo(
            sql,
            params![
                row.seq,
                row.repo,
                row.run_id,
                row.step_id,
                row.summary,
                row.made_by,
                row.step,
                row.created_ms
            ],
        )
    }

    /// Writes an index over the one of its kind.
    pub fn put_repo_index(&mut self, row: &RepoIndexRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO repo_indexes (repo, kind, content, files, inputs, at_ms, \
                   seq) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.write_repo(
            sql,
            params![row.repo, row.kind, row.content, row.files, row.inputs, row.at_ms, row.seq],
        )
    }

    /// Takes a convention away; `false` where there is none.
    pub fn remove_convention(&mut self, repo: u64, id: &str) -> Result<bool, StoreError> {
        self.remove_entry("DELETE FROM repo_conventions WHERE repo = ?1 AND id = ?2", repo, id)
    }

    /// Takes a decision away; `false` where there is none.
    pub fn remove_decision(&mut self, repo: u64, id: &str) -> Result<bool, StoreError> {
        self.remove_entry("DELETE FROM repo_decisions WHERE repo = ?1 AND id = ?2", repo, id)
    }

    /// Takes a note away; `false` where there is none.
    pub fn remove_note(&mut self, repo: u64, id: &str) -> Result<bool, StoreError> {
        self.remove_entry("DELETE FROM repo_notes WHERE repo = ?1 AND id = ?2", repo, id)
    }

    fn write_repo(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut put| put.execute(values))
            .map_err(|source| self.failed("writing a repository's memory", source))?;
        Ok(())
    }

    fn remove_entry(&mut self, sql: &str, repo: u64, id: &str) -> Result<bool, StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut delete| delete.execute(params![repo, id]))
            .map(|rows| rows > 0)
            .map_err(|source| self.failed("taking from a repository's memory", source))
    }
}
