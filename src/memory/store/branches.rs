//! Rows of branches.

use rusqlite::{OptionalExtension, params};

use super::Memory;
use crate::store::StoreError;

/// A branch as it is made.
#[derive(Clone, Copy, Debug)]
pub struct BranchRow<'a> {
    pub id: &'a str,
    pub parent: Option<&'a str>,
    pub node: Option<&'a str>,
    /// Seconds.
    pub created_at: f64,
}

impl Memory {
    /// Whether there is a branch of this name.
    pub fn has_branch(&self, id: &str) -> Result<bool, StoreError> {
        let find = "SELECT 1 FROM branches WHERE id = ?1";
        let found = self
            .conn
            .prepare_cached(find)
            .and_then(|mut find| find.query_row([id], |_| Ok(())).optional());
        Ok(found.map_err(|source| self.failed("looking a branch up", source))?.is_some())
    }

    /// Appends a branch, whose name must be free.
    pub fn insert_branch(&mut self, row: &BranchRow<'_>) -> Result<(), StoreError> {
        let insert = "INSERT INTO branches (id, parent_id, node_uid, created_at) \
                      VALUES (?1, ?2, ?3, ?4)";
        let values = params![row.id, row.parent, row.node, row.created_at];
        self.change(insert, values, "inserting a branch").map(drop)
    }
}
