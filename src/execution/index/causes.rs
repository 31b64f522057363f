//! What failures had for a cause, so that one that was met before is known again.

use rusqlite::params;

use super::Index;
use super::links::At;
use crate::parse::check::cause::Cause;
use crate::store::StoreError;
use crate::store::columns::insert;

impl Index {
    /// Ties a failure to its causes.
    pub(super) fn add_causes(&mut self, at: At, causes: Vec<Cause>) -> Result<(), StoreError> {
        let At { execution, at_ms, at_seq } = at;
        for one in causes {
            let key = one.key();
            let Cause { kind, place, names, .. } = one;
            let sql = "SELECT number FROM causes WHERE key = ?1";
            let known: Option<i64> =
                self.find("looking a cause up", sql, [key], |row| row.get(0))?;
            let cause = match known {
                Some(number) => number,
                None => {
                    insert!(self, causes { key, kind })?;
                    self.conn.last_insert_rowid()
                }
            };
            insert!(
                self,
                "INSERT OR IGNORE INTO",
                execution_causes { execution, cause, place, names, at_ms, at_seq }
            )?;
        }
        Ok(())
    }

    /// It was closed again.
    pub(super) fn forget_causes(&mut self, execution: u64) -> Result<(), StoreError> {
        let sql = "DELETE FROM execution_causes WHERE execution = ?1";
        self.write("taking causes away", sql, params![execution]).map(drop)
    }
}
