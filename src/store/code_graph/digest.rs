//! The digest of what is ours in a graph, whatever ids the rows have.

use std::collections::{HashMap, HashSet};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use super::{EDGE_TYPES, write};
use crate::store::{Cursor, Digest};

const ENTITIES: &str = "SELECT id, kind, name, file_path, data FROM graph_entities \
     WHERE kind IN ('execution', 'diagnostic', 'annals_stub')";
const EDGES: &str = "SELECT from_id, edge_type, to_id, data FROM graph_edges";
const TARGET: &str = "SELECT kind, name, file_path FROM graph_entities WHERE id = ?1";

/// What an entity is told from others by: its kind, name and path. Half a hash.
type Identity = [u8; 16];
/// Stands for an entity that is not there: an edge that leads nowhere is another edge.
const NOBODY: Identity = [0; 16];

/// blake3 over the hashes of our rows in their order, and over how far they go.
pub(super) fn content(conn: &Connection, cursor: Option<Cursor>) -> rusqlite::Result<Digest> {
    let mut rows: Vec<[u8; 32]> = Vec::new();
    let mut known: HashMap<i64, Identity> = HashMap::new();
    let mut executions = HashSet::new();
    let mut entities = conn.prepare_cached(ENTITIES)?;
    let mut found = entities.query([])?;
    while let Some(row) = found.next()? {
        let id: i64 = row.get(0)?;
        let mut bytes = row_bytes(b'v', row, 1..4)?;
        known.insert(id, identity(&bytes));
        if row.get_ref(1)? == ValueRef::Text(b"execution") {
            executions.insert(id);
        }
        add(&mut bytes, row.get_ref(4)?);
        rows.push(*blake3::hash(&bytes).as_bytes());
    }
    let mut edges = conn.prepare_cached(EDGES)?;
    let mut found = edges.query([])?;
    while let Some(row) = found.next()? {
        let from: i64 = row.get(0)?;
        let edge_type = row.get_ref(1)?;
        let is_type = |ours: &&str| edge_type == ValueRef::Text(ours.as_bytes());
        // Also one of ours that hangs, and one of another type that somebody gave an execution.
        if !executions.contains(&from) && !EDGE_TYPES.iter().any(|ours| is_type(&ours)) {
            continue;
        }
        let mut bytes = vec![b'e'];
        add(&mut bytes, edge_type);
        bytes.extend(known.get(&from).unwrap_or(&NOBODY));
        bytes.extend(target(conn, &mut known, row.get(2)?)?);
        add(&mut bytes, row.get_ref(3)?);
        rows.push(*blake3::hash(&bytes).as_bytes());
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
    hasher.update(rows.as_flattened());
    Ok(Digest(*hasher.finalize().as_bytes()))
}

fn target(
    conn: &Connection,
    known: &mut HashMap<i64, Identity>,
    id: i64,
) -> rusqlite::Result<Identity> {
    if let Some(identity) = known.get(&id) {
        return Ok(*identity);
    }
    let found = conn
        .prepare_cached(TARGET)?
        .query_row([id], |row| row_bytes(b'v', row, 0..3))
        .optional()?;
    let identity = found.map_or(NOBODY, |bytes| identity(&bytes));
    known.insert(id, identity);
    Ok(identity)
}

fn identity(bytes: &[u8]) -> Identity {
    let mut half = NOBODY;
    half.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    half
}

fn row_bytes(
    sort: u8,
    row: &Row<'_>,
    columns: std::ops::Range<usize>,
) -> rusqlite::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(512);
    bytes.push(sort);
    for column in columns {
        add(&mut bytes, row.get_ref(column)?);
    }
    Ok(bytes)
}

/// A value with its type, and a length where it has none of its own.
fn add(bytes: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
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
