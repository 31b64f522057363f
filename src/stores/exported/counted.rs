//! What does not fit in a journal, counted by kind.

use std::collections::BTreeMap;

use crate::execution::query::exported::FINDINGS;
use crate::store::StoreError;
use crate::store::sql::{ExportedJournal, FreeSql, Limits, SqlError, TakeRows, Value};

/// How many integrity findings a journal's index has of each kind.
///
/// # Errors
/// Where the index cannot be opened or asked.
pub fn findings_by_kind(
    journal: &ExportedJournal<'_>,
) -> Result<BTreeMap<String, u64>, SqlError<StoreError>> {
    let journals = std::slice::from_ref(journal);
    let stores =
        FreeSql::exported(journals, &[&FINDINGS], Limits::default()).map_err(SqlError::Taken)?;
    let mut kinds = Kinds::default();
    let text = format!("SELECT kind, count(*) FROM {} GROUP BY kind", FINDINGS.name);
    stores.ask_with(&text, &[], &mut kinds)?;
    Ok(kinds.0)
}

#[derive(Default)]
struct Kinds(BTreeMap<String, u64>);

impl TakeRows for Kinds {
    type Error = StoreError;

    fn begin(&mut self, _: &[String]) -> Result<(), StoreError> {
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool, StoreError> {
        if let [Value::Text(kind), Value::Integer(count)] = values {
            let count = u64::try_from(*count).unwrap_or(0);
            self.0.insert(String::from_utf8_lossy(kind).into_owned(), count);
        }
        Ok(true)
    }
}
