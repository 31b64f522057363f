//! What no store could take as it was.

use super::{QueryError, Stores, ids};
use crate::event::{ExecutionId, Sequence};
use crate::store::Ask;

/// What no store could take as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnomaly {
    pub sequence: Sequence,
    pub kind: String,
    pub execution: Option<ExecutionId>,
    pub message: String,
}

impl Stores {
    /// The newest anomalies, the oldest of them first.
    pub fn anomalies(&self, last: usize) -> Result<Vec<StoredAnomaly>, QueryError> {
        let sql = "SELECT seq, kind, execution, message FROM anomalies ORDER BY number DESC \
                   LIMIT ?1";
        let last = Ask::Number(i64::try_from(last).unwrap_or(i64::MAX));
        let mut found = self.index.answer(sql, &[last], |row| {
            let execution: Option<String> = row.get(2)?;
            Ok(StoredAnomaly {
                sequence: Sequence(row.get(0)?),
                kind: row.get(1)?,
                execution: execution.as_deref().map(ids::execution),
                message: row.get(3)?,
            })
        })?;
        found.reverse();
        Ok(found)
    }
}
