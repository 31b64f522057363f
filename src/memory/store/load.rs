//! Finishing a load.

use std::path::PathBuf;

use super::{INDEXES, Memory};
use crate::store::statements::statements;
use crate::store::{StoreError, connection};

impl Memory {
    /// Makes the full-text index and the others after the rows, puts the file into WAL mode and
    /// closes it.
    pub fn finish(self) -> Result<PathBuf, StoreError> {
        self.run(
            "INSERT INTO archival_fts (rowid, text, tags, branch_id) \
             SELECT id, text, tags, branch_id FROM archival ORDER BY id",
            "making the full-text index",
        )?;
        for sql in statements(INDEXES) {
            self.run(sql, "making the indexes")?;
        }
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path)?;
        Ok(path)
    }
}
