//! Finishing a load: what the contract has besides rows.

use std::path::PathBuf;

use super::{ExecutionLog, schema};
use crate::store::{StoreError, connection};

impl ExecutionLog {
    /// Makes indexes and triggers after the rows, puts the file into WAL mode and closes it.
    ///
    /// Triggers come last because time is judged once, at recording (ruling 3), and indexes
    /// because a load in key order with them is a third as fast (measured).
    pub fn finish(self) -> Result<PathBuf, StoreError> {
        for sql in schema::indexes() {
            self.run(sql, "making the indexes")?;
        }
        self.run(&schema::tool_trigger(&self.tools), "making the triggers")?;
        self.run(schema::clock_trigger(), "making the triggers")?;
        for sql in schema::artifact_triggers() {
            self.run(sql, "making the triggers")?;
        }
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path)?;
        Ok(path)
    }
}
