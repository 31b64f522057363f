//! How rows come into the index, and what it is asked while they do.

use std::path::Path;

use rusqlite::{Params, Row};

use super::Index;
use crate::event::{ExecutionId, Recorded, tool};
use crate::store::{Anomaly, AnomalyKind, Projector, StoreError};

impl Index {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
    ) -> Result<usize, StoreError> {
        self.conn.write(doing, sql, values)
    }

    pub(crate) fn find<T>(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.conn.find(doing, sql, values, row)
    }

    pub(crate) fn anomaly(
        &mut self,
        recorded: &Recorded,
        kind: AnomalyKind,
        execution: Option<ExecutionId>,
        message: String,
    ) -> Result<(), StoreError> {
        self.note(Anomaly { sequence: recorded.sequence, kind, execution, message })
    }

    pub(crate) fn last_row(&self) -> u64 {
        self.conn.last_insert_rowid().unsigned_abs()
    }

    pub(super) fn is_load(&self) -> bool {
        self.conn.is_alone()
    }

    /// Whether `execution_log.db` takes rows of this tool.
    pub(super) fn in_force(&self, name: &str) -> bool {
        tool::CONTRACT.contains(&name) || self.declared.iter().any(|known| known == name)
    }
}
