//! Exported tables, to be asked by SQL: of one journal where its stores lie, of several as copies of those that are asked.

use std::collections::BTreeSet;
use std::path::Path;

use super::exported::{COMMON, Exported};
use super::open::{Opening, attach};
use super::unions::text;
use super::{Beside, FreeSql, Limits, SqlSource, SqlStore, stores_of};
use crate::store::columns::quoted;
use crate::store::{StoreError, StorePlaces};

/// A journal whose tables are exported.
#[derive(Debug)]
pub struct ExportedJournal<'a> {
    /// In hex.
    pub id: String,
    /// The machine that it was begun on, by its label.
    pub machine: String,
    pub places: &'a StorePlaces,
    /// Tables that no store has.
    pub beside: Option<Beside>,
}

impl FreeSql {
    /// Whether a store is attached.
    pub fn has(&self, schema: &str) -> bool {
        self.schemas.contains(&schema)
    }

    /// The tables of these journals under their own names, and nothing of the stores where there are several.
    pub fn exported(
        journals: &[ExportedJournal<'_>],
        tables: &[&Exported],
        limits: Limits,
    ) -> Result<Self, StoreError> {
        let mut opening = Opening::begin()?;
        if let [journal] = journals {
            let source = opening.there(&source(journal))?;
            for SqlStore { schema, path, .. } in &source.stores {
                attach(&opening.conn, path, schema)?;
            }
            opening.schemas = source.stores.iter().map(|it| it.schema).collect();
            for table in tables {
                let rows = rows(table, journal, &source);
                opening.run(&format!("CREATE TEMP VIEW {} AS {rows}", quoted(table.name)))?;
            }
            return opening.end(BTreeSet::new(), limits);
        }
        opening.run("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")?;
        for table in tables {
            let columns = columns(table).join(", ");
            opening.run(&format!("CREATE TABLE main.{} ({columns})", quoted(table.name)))?;
        }
        for journal in journals {
            let source = opening.there(&source(journal))?;
            for SqlStore { schema, path, .. } in &source.stores {
                attach(&opening.conn, path, schema)?;
            }
            for table in tables {
                if limits.is_stopped() {
                    break;
                }
                let rows = rows(table, journal, &source);
                opening.run(&format!("INSERT INTO main.{} {rows}", quoted(table.name)))?;
            }
            for SqlStore { schema, .. } in &source.stores {
                opening.run(&format!("DETACH DATABASE {schema}"))?;
            }
        }
        opening.end(BTreeSet::new(), limits)
    }
}

impl Opening {
    fn run(&self, sql: &str) -> Result<(), StoreError> {
        let failed = |source| StoreError::sql(Path::new(""), "putting tables together", source);
        self.conn.execute_batch(sql).map_err(failed)
    }
}

fn source(journal: &ExportedJournal<'_>) -> SqlSource {
    let mut stores = stores_of(journal.places);
    stores.extend(journal.beside.as_ref().map(Beside::store));
    SqlSource { name: journal.id.clone(), stores }
}

/// The names of a table's columns.
fn columns(table: &Exported) -> Vec<String> {
    let common = COMMON.iter().map(|(name, _)| (*name).to_owned());
    let own = table.columns.iter().map(|it| it.plain_name());
    common.chain(own).chain(["changed".to_owned()]).collect()
}

/// What gives a table's rows of one journal; none where a store that it is made of is not there.
fn rows(table: &Exported, journal: &ExportedJournal<'_>, source: &SqlSource) -> String {
    let is_there = |schema: &&str| source.stores.iter().any(|it| it.schema == *schema);
    if table.stores.iter().all(is_there) {
        return table.plain_sql(&text(&journal.machine), &text(&journal.id));
    }
    let nulls: Vec<_> = columns(table).iter().map(|it| format!("NULL AS {it}")).collect();
    format!("SELECT {} WHERE 0", nulls.join(", "))
}
