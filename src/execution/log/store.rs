//! The execution log as a store: its name and place, and its tables.

use std::path::Path;

use super::foresight::Foresight;
use super::{CURSOR_TABLE, ExecutionLog, ExecutionLogReader};
use crate::store;
use crate::store::remains::Table;
use crate::store::{AnyReader, Database, Projector, Result, Store, StoreName, StorePlaces};

#[derive(Debug)]
struct LogStore;

impl StoreName {
    /// `execution_log.db` in the project's root.
    pub const EXECUTION_LOG: Self = Self::of(&LogStore);
}

impl StorePlaces {
    pub fn execution_log(&self) -> &Path {
        self.path(StoreName::EXECUTION_LOG)
    }
}

impl Store for LogStore {
    fn name(&self) -> &'static str {
        "execution_log.db"
    }

    fn place(&self) -> &'static str {
        "execution_log.db"
    }

    fn is_needed(&self) -> bool {
        true
    }

    fn database(&self) -> Option<&'static Database> {
        Some(&Database { schema: "log", cursor: CURSOR_TABLE, tables: TOLD })
    }

    fn fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(ExecutionLog::open(path)?))
    }

    fn new_fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>> {
        Ok(Box::new(ExecutionLog::create(path)?))
    }

    fn foresight(&self) -> Option<Box<dyn store::Foresight>> {
        Some(Box::new(Foresight))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(ExecutionLogReader::open(path)?.0))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>> {
        Ok(Box::new(ExecutionLogReader::open_still(path)?.0))
    }
}

const TOLD: &[Table] = &[
    Table { of: "executions", key: &["id"], ..Table::PLAIN },
    Table {
        of: "execution_artifacts",
        key: &["execution_id", "artifact_type"],
        passed: &["id"],
        ..Table::PLAIN
    },
];
