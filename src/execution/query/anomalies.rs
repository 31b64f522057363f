//! What no store could take as it was.

use super::{QueryError, Stores};
use crate::event::{ExecutionId, RecordedLoss, Sequence};
use crate::store::Ask;

/// What no store could take as it was.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StoredAnomaly {
    pub sequence: Sequence,
    pub kind: String,
    #[serde(serialize_with = "crate::event::wire::text_or_null")]
    pub execution: Option<ExecutionId>,
    pub message: String,
}

impl Stores {
    /// The newest anomalies without [`Self::recorded_losses`], the oldest of them first.
    pub fn anomalies(&self, last: usize) -> Result<Vec<StoredAnomaly>, QueryError> {
        let sql = "SELECT seq, kind, execution, message FROM anomalies WHERE kind <> ?1 \
                   ORDER BY number DESC LIMIT ?2";
        self.stored_anomalies(sql, &[recorded_loss(), limit(last)])
    }

    /// The newest losses that the journal itself tells of, the oldest of them first.
    pub fn recorded_losses(&self, last: usize) -> Result<Vec<StoredAnomaly>, QueryError> {
        let sql = "SELECT seq, kind, execution, message FROM anomalies WHERE kind = ?1 \
                   ORDER BY number DESC LIMIT ?2";
        self.stored_anomalies(sql, &[recorded_loss(), limit(last)])
    }

    fn stored_anomalies(&self, sql: &str, asks: &[Ask]) -> Result<Vec<StoredAnomaly>, QueryError> {
        let mut found = self.index.answer(sql, asks, |row| {
            let execution: Option<String> = row.get(2)?;
            Ok(StoredAnomaly {
                sequence: Sequence(row.get(0)?),
                kind: row.get(1)?,
                execution: execution.as_deref().map(crate::execution::query::execution),
                message: row.get(3)?,
            })
        })?;
        found.reverse();
        Ok(found)
    }
}

fn recorded_loss() -> Ask {
    Ask::Text(RecordedLoss::KIND.to_owned())
}

fn limit(last: usize) -> Ask {
    Ask::Number(i64::try_from(last).unwrap_or(i64::MAX))
}
