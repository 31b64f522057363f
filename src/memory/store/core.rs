//! Rows of core memory.

use rusqlite::params;

use super::Memory;
use crate::store::StoreError;

/// A key's value on one branch.
#[derive(Clone, Copy, Debug)]
pub struct CoreRow<'a> {
    pub branch: &'a str,
    pub key: &'a str,
    pub value: &'a str,
    pub importance: u8,
    pub ttl: Option<&'a str>,
    /// Seconds.
    pub updated_at: f64,
}

const PUT: &str = "INSERT INTO core_kv (branch_id, key, value, updated_at) \
                   VALUES (?1, ?2, ?3, ?4) ON CONFLICT (branch_id, key) \
                   DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at";

impl Memory {
    /// Gives a key its value.
    pub fn set_core(&mut self, row: &CoreRow<'_>) -> Result<(), StoreError> {
        let doing = "writing a core value";
        self.change(PUT, params![row.branch, row.key, row.value, row.updated_at], doing)?;
        let meta = "INSERT INTO core_meta (branch_id, key, importance, ttl, updated_at) \
                    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (branch_id, key) \
                    DO UPDATE SET importance = excluded.importance, ttl = excluded.ttl, \
                    updated_at = excluded.updated_at";
        let values = params![row.branch, row.key, row.importance, row.ttl, row.updated_at];
        self.change(meta, values, doing)?;
        Ok(())
    }

    /// Puts a row without value in a key's place: what is inherited under it stays hidden.
    pub fn bury_core(&mut self, branch: &str, key: &str, at: f64) -> Result<(), StoreError> {
        let doing = "deleting a core value";
        self.change(PUT, params![branch, key, None::<&str>, at], doing)?;
        let meta = "DELETE FROM core_meta WHERE branch_id = ?1 AND key = ?2";
        self.change(meta, params![branch, key], doing)?;
        Ok(())
    }

    /// Says what a key is worth; `false` where the branch has none of that name.
    pub fn set_importance(
        &mut self,
        branch: &str,
        key: &str,
        importance: u8,
    ) -> Result<bool, StoreError> {
        let update = "UPDATE core_meta SET importance = ?3 WHERE branch_id = ?1 AND key = ?2";
        let values = params![branch, key, importance];
        Ok(self.change(update, values, "writing a key's importance")? > 0)
    }
}
