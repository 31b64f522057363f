//! The digest of what is ours in a graph, whatever ids the rows have.

use std::collections::HashMap;
use std::ops::Range;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, Rows};

use super::nodes::EXECUTION;
use super::{EdgeType, KINDS, write};
use crate::store::{Cursor, Digest};

const ENTITIES: &str = "SELECT id, kind, name, file_path, data FROM graph_entities ORDER BY id";
const IDENTITIES: &str = "SELECT id, kind, name, file_path FROM graph_entities ORDER BY id";
const EDGES: &str = "SELECT from_id, edge_type, to_id, data FROM graph_edges ORDER BY id";
const IDENTITY: &str = "SELECT id, kind, name, file_path FROM graph_entities WHERE id = ?1";
/// Entities whose identity is remembered: edges lead to the same ones.
const REMEMBERED_MAX: usize = 50_000;

/// What an entity is told from others by: an execution's id, else half a hash of kind, name and path.
type Identity = [u8; 16];
/// Stands for an entity that is not there: an edge that leads nowhere is another edge.
const NOBODY: Identity = [0; 16];

/// blake3 over our rows, in whatever order they come, and over how far they go.
pub(super) fn content(conn: &Connection, cursor: Option<Cursor>) -> rusqlite::Result<Digest> {
    let mut rows = RowSum::default();
    entities(conn, &mut rows)?;
    edges(conn, &mut rows)?;
    let mut hasher = blake3::Hasher::new_derive_key("annals code graph content v2");
    if let Some(Cursor { position, .. }) = cursor {
        hasher.update(&position.journal);
        hasher.update(&position.sequence.to_le_bytes());
        hasher.update(&position.chain);
    }
    for tool in write::declared(conn)? {
        hasher.update(&(tool.len() as u64).to_le_bytes());
        hasher.update(tool.as_bytes());
    }
    Ok(rows.finish(hasher))
}

fn entities(conn: &Connection, rows: &mut RowSum) -> rusqlite::Result<()> {
    let mut statement = conn.prepare_cached(ENTITIES)?;
    let mut found = statement.query([])?;
    let mut bytes = Vec::new();
    while let Some(row) = found.next()? {
        if is_own(row.get_ref(1)?) {
            row_bytes(b'v', row, 1..5, &mut bytes)?;
            rows.add(&bytes);
        }
    }
    Ok(())
}

fn edges(conn: &Connection, rows: &mut RowSum) -> rusqlite::Result<()> {
    let mut others: HashMap<i64, Entity> = HashMap::new();
    let (mut entities, mut statement) =
        (conn.prepare_cached(IDENTITIES)?, conn.prepare_cached(EDGES)?);
    let (mut entities, mut found) = (Walk::of(entities.query([])?), statement.query([])?);
    let mut bytes = Vec::new();
    while let Some(row) = found.next()? {
        let edge_type = row.get_ref(1)?;
        // Also one that hangs. An edge of another type is not ours, wherever it leads: magellan leaves
        // some behind whose row is gone, and a row of ours may have got its id.
        let is_ours = |ours: &EdgeType| edge_type == ValueRef::Text(ours.as_str().as_bytes());
        if !EdgeType::ALL.iter().any(is_ours) {
            continue;
        }
        let (from, to): (i64, i64) = (row.get(0)?, row.get(2)?);
        let from = match entities.to(from)? {
            Some(from) => from,
            None => entity(conn, from)?,
        };
        let to = match others.get(&to) {
            Some(known) => *known,
            None => {
                let found = entity(conn, to)?;
                if others.len() >= REMEMBERED_MAX {
                    others.clear();
                }
                *others.entry(to).or_insert(found)
            }
        };
        row_bytes(b'e', row, 1..2, &mut bytes)?;
        bytes.extend(if from.is_own { from.identity } else { NOBODY });
        bytes.extend(to.identity);
        add(&mut bytes, row.get_ref(3)?);
        rows.add(&bytes);
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Entity {
    is_own: bool,
    identity: Identity,
}

impl Entity {
    const NOBODY: Self = Self { is_own: false, identity: NOBODY };

    /// Of a row of id, kind, name and path.
    fn of(row: &Row<'_>, bytes: &mut Vec<u8>) -> rusqlite::Result<Self> {
        let kind = row.get_ref(1)?;
        let is_execution = kind == ValueRef::Text(EXECUTION.as_bytes());
        let uuid = if is_execution { uuid_of(row.get_ref(2)?) } else { None };
        let identity = match uuid {
            Some(uuid) => uuid,
            None => {
                row_bytes(b'v', row, 1..4, bytes)?;
                identity(bytes)
            }
        };
        Ok(Self { is_own: is_own(kind), identity })
    }
}

fn is_own(kind: ValueRef<'_>) -> bool {
    KINDS.iter().any(|ours| kind == ValueRef::Text(ours.as_bytes()))
}

fn entity(conn: &Connection, id: i64) -> rusqlite::Result<Entity> {
    let mut bytes = Vec::new();
    let found = conn
        .prepare_cached(IDENTITY)?
        .query_row([id], |row| Entity::of(row, &mut bytes))
        .optional()?;
    Ok(found.unwrap_or(Entity::NOBODY))
}

/// The entities in the order of their ids, which edges mostly begin in.
struct Walk<'s> {
    rows: Rows<'s>,
    at: Option<(i64, Entity)>,
    bytes: Vec<u8>,
}

impl<'s> Walk<'s> {
    fn of(rows: Rows<'s>) -> Self {
        Self { rows, at: None, bytes: Vec::new() }
    }

    /// The entity of an id, going on from the last; `None` where none has it, or it lies behind.
    fn to(&mut self, id: i64) -> rusqlite::Result<Option<Entity>> {
        while self.at.is_none_or(|(at, _)| at < id) {
            let Some(row) = self.rows.next()? else { return Ok(None) };
            let at: i64 = row.get(0)?;
            // Those between begin no edge.
            let entity = if at < id { Entity::NOBODY } else { Entity::of(row, &mut self.bytes)? };
            self.at = Some((at, entity));
        }
        Ok(self.at.filter(|(at, _)| *at == id).map(|(_, entity)| entity))
    }
}

fn identity(bytes: &[u8]) -> Identity {
    let mut half = NOBODY;
    half.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    half
}

/// The id in `file_read:0190…`; `None` where the name has none.
fn uuid_of(name: ValueRef<'_>) -> Option<Identity> {
    let name = name.as_str().ok()?; // a name that is no text has no id
    let digits = name.rsplit(':').next()?.bytes().filter(|byte| *byte != b'-');
    let mut number = 0_u128;
    let mut count = 0;
    for digit in digits {
        number = number << 4 | u128::from(char::from(digit).to_digit(16)?);
        count += 1;
    }
    (count == 32).then(|| number.to_be_bytes())
}

/// Columns of a row, in place of what was in `bytes`.
fn row_bytes(
    sort: u8,
    row: &Row<'_>,
    columns: Range<usize>,
    bytes: &mut Vec<u8>,
) -> rusqlite::Result<()> {
    bytes.clear();
    bytes.push(sort);
    for column in columns {
        add(bytes, row.get_ref(column)?);
    }
    Ok(())
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

/// Sums of the rows' hashes, lane by lane, and how many there are. A hash is 64 bytes: the blake3 of
/// the row, and the blake3 of that.
#[derive(Default)]
pub(super) struct RowSum {
    lanes: [u64; 8],
    count: u64,
}

impl RowSum {
    /// Adds a row; the same row twice is not the same as once.
    pub fn add(&mut self, row: &[u8]) {
        let first = blake3::hash(row);
        let second = blake3::hash(first.as_bytes());
        let bytes = [*first.as_bytes(), *second.as_bytes()];
        for (lane, bytes) in self.lanes.iter_mut().zip(bytes.as_flattened().as_chunks().0) {
            *lane = lane.wrapping_add(u64::from_le_bytes(*bytes));
        }
        self.count += 1;
    }

    pub fn finish(self, mut hasher: blake3::Hasher) -> Digest {
        hasher.update(&self.count.to_le_bytes());
        for lane in self.lanes {
            hasher.update(&lane.to_le_bytes());
        }
        Digest(*hasher.finalize().as_bytes())
    }
}
