//! Opening stores for free SQL.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{FreeSql, Limits, SqlSource, SqlStore, unions};
use crate::journal::enclosure;
use crate::journal::enclosure::DatabaseUse;
use crate::store::StoreError;
use crate::store::connection::{place, uri};
use crate::store::lock::{StoreLock, WAIT_MAX};

/// What SQLite attaches at most, as it is built everywhere.
const ATTACHED_MAX: usize = 10;

impl FreeSql {
    pub fn open(sources: &[SqlSource], limits: Limits) -> Result<Self, StoreError> {
        let mut opening = Opening::begin()?;
        let there: Vec<_> = sources.iter().map(|it| opening.there(it)).collect::<Result<_, _>>()?;
        if let [one] = there.as_slice() {
            opening.schemas = one.stores.iter().map(|it| it.schema).collect();
        }
        let conn = &opening.conn;
        let views = match there.as_slice() {
            [one] => {
                for SqlStore { schema, path, .. } in &one.stores {
                    attach(conn, path, schema)?;
                    unions::alias(conn, schema, path)?;
                }
                BTreeSet::new()
            }
            several
                if several.iter().map(|one| one.stores.len()).sum::<usize>() <= ATTACHED_MAX =>
            {
                unions::view(conn, several)?
            }
            many => unions::copy(conn, many, &limits)?,
        };
        opening.end(views, limits)
    }
}

/// A connection to a temporary database, while stores are put to it.
pub(super) struct Opening {
    pub conn: Connection,
    locks: Vec<StoreLock>,
    left_out: Vec<StoreError>,
    pub schemas: Vec<&'static str>,
    begun: Instant,
}

fn failed(source: rusqlite::Error) -> StoreError {
    StoreError::sql(Path::new(""), "opening a temporary database", source)
}

impl Opening {
    pub fn begin() -> Result<Self, StoreError> {
        let begun = Instant::now();
        // A temporary file, SQLite's own, gone when it is closed: what is sorted or copied is not
        // kept in memory.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags("", flags).map_err(failed)?;
        conn.busy_timeout(WAIT_MAX).map_err(failed)?;
        conn.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE")
            .map_err(failed)?;
        // Nor is the last one here to delete another program's `-wal`.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(failed)?;
        let (locks, left_out, schemas) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { conn, locks, left_out, schemas, begun })
    }

    /// Those of a journal's stores that are there and can be read, none swapped from now on.
    pub fn there(&mut self, source: &SqlSource) -> Result<SqlSource, StoreError> {
        let mut stores = source.stores.clone();
        stores.retain(|store| enclosure::look(&store.path).is_ok());
        // Not every journal has these: one that cannot be read keeps nobody from the rest.
        stores.retain(|store| {
            match (!store.is_needed).then(|| readable(store.schema, &store.path)) {
                Some(Err(error)) => {
                    self.left_out.push(error);
                    false
                }
                _ => true,
            }
        });
        // One that is shared is never swapped, and somebody else's: no lock lies beside it.
        for store in stores.iter().filter(|store| !store.is_shared) {
            self.locks.extend(StoreLock::reading(&store.path)?);
        }
        Ok(SqlSource { name: source.name.clone(), stores })
    }

    /// From here on nothing is changed.
    pub fn end(self, views: BTreeSet<String>, limits: Limits) -> Result<FreeSql, StoreError> {
        let Self { conn, locks, left_out, schemas, begun } = self;
        super::close_to_writers(&conn, &limits, begun).map_err(failed)?;
        Ok(FreeSql { conn, limits, views, left_out, schemas, _locks: locks })
    }
}

/// Whether a file is a database that can be read.
fn readable(schema: &str, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::sql(path, "opening the store", source);
    let flags = OpenFlags::default() | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let conn = Connection::open_in_memory_with_flags(flags).map_err(failed)?;
    attach(&conn, path, schema)?;
    let look = format!("SELECT count(*) FROM {schema}.sqlite_master");
    conn.query_row(&look, [], |_| Ok(())).map_err(failed)
}

pub(super) fn attach(conn: &Connection, path: &Path, schema: &str) -> Result<(), StoreError> {
    let real = place(path, DatabaseUse::Read)?;
    let failed = |source| StoreError::sql(path, "opening the store", source);
    conn.execute("ATTACH DATABASE ?1 AS ?2", [uri(&real, "mode=ro"), schema.to_owned()])
        .map_err(failed)?;
    // Attaching reads nothing: what is no database says so here.
    conn.query_row(&format!("PRAGMA {schema}.schema_version"), [], |_| Ok(())).map_err(failed)
}

/// The statement with `idx_executions` for `idx.executions`, where that is the name of a view, however it is
/// quoted and spaced. No byte behind it moves, so that an error's place stays what it was. Texts, other
/// names and comments stay.
pub(super) fn joined(sql: &str, views: &BTreeSet<String>) -> String {
    let mut text = String::with_capacity(sql.len());
    let (mut at, mut is_part) = (0, false);
    while let Some(byte) = sql.as_bytes().get(at) {
        let end = match byte {
            b'\'' => after(sql, at + 1, b"'"),
            b'-' if sql[at..].starts_with("--") => after(sql, at + 2, b"\n"),
            b'/' if sql[at..].starts_with("/*") => after(sql, at + 2, b"*/"),
            _ => match Name::at(sql, at) {
                Some(name) => {
                    let joined = (!is_part).then(|| view(sql, &name, views)).flatten();
                    let (end, told) = joined.unwrap_or((name.end, sql[at..name.end].to_owned()));
                    text.push_str(&told);
                    (at, is_part) = (end, false);
                    // Quotes within a name are doubled: what follows goes on with it.
                    is_part |=
                        name.is_quoted && sql.as_bytes().get(end) == sql.as_bytes().get(end - 1);
                    continue;
                }
                None => at + 1,
            },
        };
        is_part = *byte == b'.' || is_part && byte.is_ascii_whitespace();
        text.push_str(&sql[at..end]);
        at = end;
    }
    text
}

struct Name<'s> {
    text: &'s str,
    is_quoted: bool,
    end: usize,
}

impl<'s> Name<'s> {
    fn at(sql: &'s str, at: usize) -> Option<Self> {
        let first = *sql.as_bytes().get(at)?;
        let close = match first {
            b'"' | b'`' => first,
            b'[' => b']',
            first if is_word(first) => {
                let end = word_end(sql.as_bytes(), at);
                return Some(Self { text: &sql[at..end], is_quoted: false, end });
            }
            _ => return None,
        };
        let end = after(sql, at + 1, &[close]);
        let text = sql.get(at + 1..end - 1).unwrap_or_default();
        Some(Self { text, is_quoted: true, end })
    }
}

/// Where `schema.table` ends, and the view that it means, in as many bytes.
fn view(sql: &str, schema: &Name<'_>, views: &BTreeSet<String>) -> Option<(usize, String)> {
    let blank = |from: usize| {
        let rest = sql.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let dot = blank(schema.end);
    let table = Name::at(sql, blank(dot + 1)).filter(|_| sql.as_bytes().get(dot) == Some(&b'.'))?;
    let name = format!("{}_{}", schema.text, table.text);
    if !views.contains(&name.to_ascii_lowercase()) {
        return None;
    }
    let start = schema.end - schema.text.len() - if schema.is_quoted { 2 } else { 0 };
    let name = if schema.is_quoted || table.is_quoted { format!("\"{name}\"") } else { name };
    Some((table.end, format!("{name:<width$}", width = sql[start..table.end].chars().count())))
}

fn after(sql: &str, from: usize, end: &[u8]) -> usize {
    let rest = sql.as_bytes().get(from..).unwrap_or_default();
    let found = rest.windows(end.len()).position(|window| window == end);
    found.map_or(sql.len(), |found| from + found + end.len())
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_word(**byte)).count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_views_are_joined() {
        let views = BTreeSet::from(["idx_executions".to_owned()]);
        for (sql, expect) in [
            ("SELECT * FROM idx.executions", "SELECT * FROM idx_executions"),
            ("SELECT * FROM IDX.Executions e", "SELECT * FROM IDX_Executions e"),
            (
                "SELECT idx.executions.tool FROM idx.executions",
                "SELECT idx_executions.tool FROM idx_executions",
            ),
            ("SELECT idx.tool FROM idx_executions idx", "SELECT idx.tool FROM idx_executions idx"),
            (
                "SELECT 'idx.executions', \"idx.executions\"",
                "SELECT 'idx.executions', \"idx.executions\"",
            ),
            ("SELECT 1 -- idx.executions", "SELECT 1 -- idx.executions"),
            (
                "SELECT /* idx.executions */ 'é' FROM idx.executions",
                "SELECT /* idx.executions */ 'é' FROM idx_executions",
            ),
            ("SELECT x.idx.executions", "SELECT x.idx.executions"),
            ("SELECT x . idx.executions", "SELECT x . idx.executions"),
            ("SELECT 1 FROM idx . executions e", "SELECT 1 FROM idx_executions   e"),
            (r#"FROM "idx"."executions" e"#, r#"FROM "idx_executions"   e"#),
            (r#"FROM "idx".executions e"#, r#"FROM "idx_executions" e"#),
            ("FROM [idx]\n.`Executions`;", "FROM \"idx_Executions\"   ;"),
            (r#"FROM "a""idx".executions"#, r#"FROM "a""idx".executions"#),
            (r#"SELECT "idx"#, r#"SELECT "idx"#),
            (r#"idx.""#, r#"idx.""#),
            ("idx.", "idx."),
            ("'", "'"),
        ] {
            assert_eq!(joined(sql, &views), expect);
        }
    }
}
