//! The digest of what is ours in a graph, whatever ids the rows have.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::write;
use crate::store::{Cursor, Digest};

const ENTITIES: &str = "SELECT kind, name, file_path, data FROM graph_entities \
     WHERE kind IN ('execution', 'diagnostic', 'annals_stub')";
/// What an edge leads to is told by its name; an edge that leads nowhere is another edge.
const EDGES: &str = "SELECT e.edge_type, f.name, t.kind, t.name, t.file_path, e.data \
     FROM graph_edges e JOIN graph_entities f ON f.id = e.from_id \
     LEFT JOIN graph_entities t ON t.id = e.to_id WHERE f.kind = 'execution'";

/// blake3 over the hashes of our rows in their order, and over how far they go.
pub(super) fn content(conn: &Connection, cursor: Option<Cursor>) -> rusqlite::Result<Digest> {
    let mut rows: Vec<[u8; 32]> = Vec::new();
    for (sort, sql) in [(b'v', ENTITIES), (b'e', EDGES)] {
        let mut statement = conn.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            rows.push(hash(sort, row, columns)?);
        }
    }
    rows.sort_unstable();
    let mut hasher = blake3::Hasher::new_derive_key("annals code graph content v1");
    if let Some(Cursor { position, .. }) = cursor {
        hasher.update(&position.journal);
        hasher.update(&position.sequence.to_le_bytes());
        hasher.update(&position.chain);
    }
    for tool in write::declared(conn)? {
        hasher.update(&(tool.len() as u64).to_le_bytes());
        hasher.update(tool.as_bytes());
    }
    hasher.update(&(rows.len() as u64).to_le_bytes());
    for row in &rows {
        hasher.update(row);
    }
    Ok(Digest(*hasher.finalize().as_bytes()))
}

fn hash(sort: u8, row: &Row<'_>, columns: usize) -> rusqlite::Result<[u8; 32]> {
    let mut bytes = Vec::with_capacity(512);
    bytes.push(sort);
    for column in 0..columns {
        match row.get_ref(column)? {
            ValueRef::Null => bytes.push(b'n'),
            ValueRef::Text(text) | ValueRef::Blob(text) => {
                bytes.push(b't');
                bytes.extend((text.len() as u64).to_le_bytes());
                bytes.extend(text);
            }
            ValueRef::Integer(number) => {
                bytes.push(b'i');
                bytes.extend(number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                bytes.push(b'r');
                bytes.extend(number.to_bits().to_le_bytes());
            }
        }
    }
    Ok(*blake3::hash(&bytes).as_bytes())
}
