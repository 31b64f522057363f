//! What last broke a file.

use crate::execution::query::{ExecutionSummary, QueryError, Stores};

impl Stores {
    /// What a file, told from the root, was broken by last: the cause, and the execution that failed so.
    pub fn last_broken(
        &self,
        file: &str,
    ) -> Result<Option<(String, ExecutionSummary)>, QueryError> {
        let Some((cause, failed)) = self.index.all::<(String, i64)>(BROKEN, [file])?.pop() else {
            return Ok(None);
        };
        Ok(self.judged("1", &[], failed)?.map(|failed| (cause, failed)))
    }

    /// Every file that was ever broken.
    pub fn broken_files(&self) -> Result<Vec<String>, QueryError> {
        Ok(self
            .index
            .column("SELECT DISTINCT place FROM execution_causes WHERE place IS NOT NULL", [])?)
    }
}

const BROKEN: &str = "SELECT c.kind, x.execution FROM execution_causes x \
     JOIN causes c ON c.number = x.cause JOIN executions e ON e.seq = x.execution \
     WHERE x.place = ?1 AND e.corrected_by IS NULL \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT 1";
