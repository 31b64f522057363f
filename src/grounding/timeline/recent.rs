//! What happened, in order of time.

use super::{TimelineEntry, TimelineScope};
use crate::execution::query::after::number;
use crate::execution::query::summary::{COLUMNS, read};
use crate::execution::query::{After, PAGE_ITEMS_MAX, QueryError, Stores};
use crate::store::Ask;

/// Entries where nobody said how many.
pub const TIMELINE_ITEMS: usize = 10;

impl Stores {
    /// The newest executions that ended, the oldest first: by time, then sequence. Corrections stand
    /// for what they correct. At most [`PAGE_ITEMS_MAX`].
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn get_recent_timeline(
        &self,
        scope: TimelineScope,
        n: usize,
    ) -> Result<Vec<TimelineEntry>, QueryError> {
        self.ended(scope, n, None)
    }

    /// What led up to an execution: the newest before it, the oldest first.
    ///
    /// # Errors
    /// Where there is no execution of this ordinal, or a store cannot be read.
    pub fn get_preceding_context(
        &self,
        scope: TimelineScope,
        before_id: u64,
        n: usize,
    ) -> Result<Vec<TimelineEntry>, QueryError> {
        let before = self.place_of(before_id)?;
        let before = After { at_ms: before.at_ms, sequence: before.sequence };
        self.ended(scope, n, Some(before))
    }

    fn ended(
        &self,
        scope: TimelineScope,
        n: usize,
        before: Option<After>,
    ) -> Result<Vec<TimelineEntry>, QueryError> {
        let Some(session) = scope.number(self)? else { return Ok(Vec::new()) };
        let n = number(n.min(PAGE_ITEMS_MAX) as u64);
        let mut values = vec![Ask::Number(session), n];
        let mut earlier = "";
        if let Some(before) = before {
            values.extend(before.values());
            earlier = " AND (e.at_ms, e.at_seq) < (?3, ?4)";
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM executions e LEFT JOIN sessions s ON s.number = e.session \
             WHERE {} AND e.closed_seq IS NOT NULL AND e.corrected_by IS NULL{earlier} \
             ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?2",
            scope.narrowed()
        );
        let found = self.index.answer(&sql, &values, |row| Ok(read!(row)))?;
        Ok(found.into_iter().rev().map(Into::into).collect())
    }
}
