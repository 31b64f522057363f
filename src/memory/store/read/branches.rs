//! Rows of `branches`.

use rusqlite::Row;

use super::super::MemoryView;
use crate::store::StoreError;

/// A branch.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBranch {
    pub id: String,
    pub parent: Option<String>,
    pub node: Option<String>,
    /// Unix seconds.
    pub created_at: f64,
}

fn branch(row: &Row<'_>) -> rusqlite::Result<StoredBranch> {
    let (id, parent, node) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(StoredBranch { id, parent, node, created_at: row.get(3)? })
}

impl MemoryView<'_> {
    /// A branch's row.
    pub fn branch(&self, id: &str) -> Result<Option<StoredBranch>, StoreError> {
        let sql = "SELECT id, parent_id, node_uid, created_at FROM branches WHERE id = ?1";
        self.row(sql, [id], branch)
    }

    /// The branch that stands for a node; of several the first by name.
    pub fn branch_of_node(&self, node: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT min(id) FROM branches INDEXED BY idx_branches_node WHERE node_uid = ?1";
        Ok(self.row(sql, [node], |row| row.get(0))?.flatten())
    }

    /// Branches by name, those after `after`.
    pub fn branches(&self, after: &str, limit: u64) -> Result<Vec<StoredBranch>, StoreError> {
        let sql = "SELECT id, parent_id, node_uid, created_at FROM branches WHERE id > ?1 \
                   ORDER BY id LIMIT ?2";
        self.rows(sql, (after, limit), branch)
    }

    /// How many branches were forked from one.
    pub fn children(&self, parent: &str) -> Result<u64, StoreError> {
        let sql =
            "SELECT count(*) FROM branches INDEXED BY idx_branches_parent WHERE parent_id = ?1";
        Ok(self.row(sql, [parent], |row| row.get(0))?.unwrap_or(0))
    }
}
