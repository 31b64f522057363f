//! Free SQL over the stores of one or several journals, read-only.

use crate::store::StoreError;
use crate::store::sql::SqlSource;
use crate::stores::StorePlaces;

pub use crate::store::sql::{FreeSql, Limits};

/// Opens the stores of journals, each with its name, for free SQL.
pub fn open(journals: &[(String, &StorePlaces)], limits: Limits) -> Result<FreeSql, StoreError> {
    let sources: Vec<SqlSource> = journals
        .iter()
        .map(|(name, places)| SqlSource {
            name: name.clone(),
            stores: vec![
                ("log", places.execution_log.clone()),
                ("idx", places.index.clone()),
                ("graph", places.code_graph.clone()),
                ("memory", places.memory.clone()),
            ],
        })
        .collect();
    FreeSql::open(&sources, limits)
}
