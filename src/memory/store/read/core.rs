//! Rows of `core_kv` with what `core_meta` says of them.

use rusqlite::Row;

use super::super::MemoryView;
use crate::store::StoreError;

/// A key of one branch.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCore {
    pub key: String,
    /// `None`: deleted or evicted here, and hidden from here on down.
    pub value: Option<String>,
    /// Unix seconds.
    pub updated_at: f64,
    pub importance: Option<i64>,
    pub ttl: Option<String>,
}

fn core(row: &Row<'_>) -> rusqlite::Result<StoredCore> {
    let (key, value, updated_at) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(StoredCore { key, value, updated_at, importance: row.get(3)?, ttl: row.get(4)? })
}

impl MemoryView<'_> {
    /// A branch's own keys, in order.
    pub fn core(&self, branch: &str) -> Result<Vec<StoredCore>, StoreError> {
        let sql = "SELECT k.key, k.value, k.updated_at, m.importance, m.ttl FROM core_kv k \
                   LEFT JOIN core_meta m ON m.branch_id = k.branch_id AND m.key = k.key \
                   WHERE k.branch_id = ?1 ORDER BY k.key";
        self.rows(sql, [branch], core)
    }
}
