//! Several journals' stores as one: `log_executions` is every journal's `executions`, with the
//! journal's name before the row.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::Connection;

use super::open::attach;
use super::{Limits, SqlSource, SqlStore};
use crate::store::StoreError;
use crate::store::columns::quoted;

/// A table of one journal: the schema it is attached as, and its columns.
type Place = (String, String, Vec<String>);

/// One journal's tables under the names that they have among several: `log_executions`.
pub(super) fn alias(conn: &Connection, schema: &str, path: &Path) -> Result<(), StoreError> {
    for (table, columns) in tables_of(conn, path, schema)? {
        let columns = select(&columns, &columns);
        let (name, table) = (quoted(&format!("{schema}_{table}")), quoted(&table));
        run(conn, &format!("CREATE TEMP VIEW {name} AS SELECT {columns} FROM {schema}.{table}"))?;
    }
    Ok(())
}

/// Views over attached stores, in the temporary schema: only there may a view span files. Gives
/// their names.
pub(super) fn view(
    conn: &Connection,
    sources: &[SqlSource],
) -> Result<BTreeSet<String>, StoreError> {
    let mut tables: BTreeMap<(usize, &'static str, String), Vec<Place>> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        for (order, SqlStore { schema, path, .. }) in source.stores.iter().enumerate() {
            let attached = format!("{schema}_{}", number + 1);
            attach(conn, path, &attached)?;
            for (table, columns) in tables_of(conn, path, &attached)? {
                let place = (attached.clone(), source.name.clone(), columns);
                tables.entry((order, schema, table)).or_default().push(place);
            }
        }
    }
    let mut plain = BTreeSet::new();
    for ((_, schema, table), places) in &tables {
        let columns = all_columns(places.iter().map(|(_, _, columns)| columns));
        let part = |(attached, name, own): &Place| {
            let (columns, table) = (select(&columns, own), quoted(table));
            format!("SELECT {} AS journal, {columns} FROM {attached}.{table}", text(name))
        };
        let union = places.iter().map(part).collect::<Vec<_>>().join(" UNION ALL ");
        let of_schema = quoted(&format!("{schema}_{table}"));
        run(conn, &format!("CREATE TEMP VIEW {of_schema} AS {union}"))?;
        if plain.insert(table.clone()) {
            run(conn, &format!("CREATE TEMP VIEW {} AS {union}", quoted(table)))?;
        }
    }
    Ok(tables.keys().map(|(_, schema, table)| lower(&format!("{schema}_{table}"))).collect())
}

/// Copies in the temporary database, for more stores than SQLite attaches. Gives their names.
pub(super) fn copy(
    conn: &Connection,
    sources: &[SqlSource],
    limits: &Limits,
) -> Result<BTreeSet<String>, StoreError> {
    let mut plain = BTreeMap::new();
    let mut made: BTreeMap<String, Vec<String>> = BTreeMap::new();
    run(conn, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")?;
    for source in sources {
        for SqlStore { schema, path, .. } in &source.stores {
            attach(conn, path, "source")?;
            for (table, columns) in tables_of(conn, path, "source")? {
                if limits.is_stopped() {
                    return Ok(BTreeSet::new());
                }
                let name = format!("{schema}_{table}");
                plain.entry(table.clone()).or_insert_with(|| name.clone());
                let copied = made.entry(name.clone()).or_default();
                let columns: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
                let (list, name) = (columns.join(", "), quoted(&name));
                if copied.is_empty() {
                    run(conn, &format!("CREATE TABLE main.{name} (journal TEXT, {list})"))?;
                    copied.clone_from(&columns);
                }
                for column in columns {
                    if !copied.contains(&column) {
                        run(conn, &format!("ALTER TABLE main.{name} ADD COLUMN {column}"))?;
                        copied.push(column);
                    }
                }
                let (journal, table) = (text(&source.name), quoted(&table));
                let insert = format!(
                    "INSERT INTO main.{name} (journal, {list}) SELECT {journal}, {list} FROM source.{table}"
                );
                run(conn, &insert)?;
            }
            run(conn, "DETACH DATABASE source")?;
        }
    }
    for (table, name) in plain {
        let sql =
            format!("CREATE TEMP VIEW {} AS SELECT * FROM main.{}", quoted(&table), quoted(&name));
        run(conn, &sql)?;
    }
    Ok(made.keys().map(|name| lower(name)).collect())
}

fn lower(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The tables of an attached store, with their columns; `rowid` first where it has a meaning of
/// its own (the ordinal).
fn tables_of(
    conn: &Connection,
    path: &Path,
    attached: &str,
) -> Result<Vec<(String, Vec<String>)>, StoreError> {
    let read = || -> rusqlite::Result<Vec<(String, Vec<String>)>> {
        let sql = format!(
            "SELECT name FROM {attached}.sqlite_master WHERE type = 'table' \
             AND sql IS NOT NULL AND sql NOT LIKE 'CREATE VIRTUAL%' \
             AND name NOT IN (SELECT name FROM pragma_table_list \
                              WHERE schema = '{attached}' AND type = 'shadow') \
             AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        );
        let mut tables = conn.prepare(&sql)?;
        let names: Vec<String> =
            tables.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let mut found = Vec::new();
        for table in names {
            let mut columns =
                conn.prepare("SELECT name FROM pragma_table_info(?1, ?2) ORDER BY cid")?;
            let mut columns: Vec<String> = columns
                .query_map([table.as_str(), attached], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            if table == "executions" && !columns.iter().any(|column| column == "ordinal") {
                columns.insert(0, "rowid".to_owned());
            }
            found.push((table, columns));
        }
        Ok(found)
    };
    read().map_err(|source| StoreError::sql(path, "reading the schema", source))
}

/// Every column that any journal's table has: they may be of different versions.
fn all_columns<'a>(of: impl Iterator<Item = &'a Vec<String>>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for column in of.flatten() {
        if !all.contains(column) {
            all.push(column.clone());
        }
    }
    all
}

fn select(all: &[String], own: &[String]) -> String {
    let column = |name: &String| match own.contains(name) {
        true => format!("{0} AS {0}", quoted(name)),
        false => format!("NULL AS {}", quoted(name)),
    };
    all.iter().map(column).collect::<Vec<_>>().join(", ")
}

fn run(conn: &Connection, sql: &str) -> Result<(), StoreError> {
    let failed =
        |source| StoreError::sql(Path::new("several journals"), "putting stores together", source);
    conn.execute_batch(sql).map_err(failed)
}

pub(super) fn text(value: &str) -> String {
    // A NUL would end the statement.
    format!("'{}'", value.replace('\0', "\u{fffd}").replace('\'', "''"))
}
