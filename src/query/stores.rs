//! Both stores, open for questions.

use super::QueryError;
use crate::store::StorePlaces;
use crate::store::execution_log::ExecutionLogReader;
use crate::store::index::IndexReader;

/// Both stores of a project, open for questions.
#[derive(Debug)]
pub struct Stores {
    pub(crate) index: IndexReader,
    pub(super) log: ExecutionLogReader,
}

impl Stores {
    /// Opens a project's stores as they stand: catch up first to see what was just recorded.
    pub fn open(places: &StorePlaces) -> Result<Self, QueryError> {
        let log = ExecutionLogReader::open(&places.execution_log)?;
        let index = IndexReader::open(&places.index)?;
        index.attach(&places.execution_log)?;
        Ok(Self { index, log })
    }
}
