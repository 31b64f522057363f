//! The cursor: how far a store has read its journal, committed with the rows it vouches for (R11).

use rusqlite::{Connection, OptionalExtension, params};

use super::stamp::Reached;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub journal: [u8; 16],
    /// The last event's sequence; 0 before the first.
    pub sequence: u64,
    /// The chain after that event's commit; zeros before the first.
    pub chain: [u8; 32],
}

impl From<Position> for Reached {
    fn from(at: Position) -> Self {
        let mut chain = [0; 8];
        chain.copy_from_slice(&at.chain[..8]);
        Self { journal: at.journal, sequence: at.sequence, chain: u64::from_le_bytes(chain) }
    }
}

/// The highest row ids a store had when its cursor was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    pub executions: u64,
    /// Artifacts in `execution_log.db`, the highest ordinal in `index.db`.
    pub others: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub position: Position,
    pub rows: Rows,
}

impl Cursor {
    /// `annals:{journal}:{chain}:{executions}.{others}`; the sequence is the row's number.
    pub fn name(&self) -> String {
        let mut name = String::with_capacity(160);
        name.push_str("annals:");
        push_hex(&mut name, &self.position.journal);
        name.push(':');
        push_hex(&mut name, &self.position.chain);
        name.push_str(&format!(":{}.{}", self.rows.executions, self.rows.others));
        name
    }

    pub fn parse(name: &str, sequence: u64) -> Option<Self> {
        let mut parts = name.strip_prefix("annals:")?.split(':');
        let journal = hex(parts.next()?)?;
        let chain = hex(parts.next()?)?;
        let (executions, others) = parts.next()?.split_once('.')?;
        let rows = Rows { executions: executions.parse().ok()?, others: others.parse().ok()? };
        let position = Position { journal, sequence, chain };
        parts.next().is_none().then_some(Self { position, rows })
    }

    /// Reads the one cursor row of a table with the columns `name` and `seq`. Two rows, or one
    /// that is not ours, count as none.
    pub(crate) fn read(conn: &Connection, table: &str) -> rusqlite::Result<Option<Self>> {
        let sql = format!(
            "SELECT name, seq FROM {table} WHERE name >= 'annals:' AND name < 'annals;' LIMIT 2"
        );
        let mut statement = conn.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let name: String = row.get(0)?;
        let sequence = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(u64::MAX);
        let alone = rows.next()?.is_none();
        Ok(Self::parse(&name, sequence).filter(|_| alone))
    }

    pub(crate) fn write(&self, conn: &Connection, table: &str) -> rusqlite::Result<()> {
        let sequence = i64::try_from(self.position.sequence).unwrap_or(i64::MAX);
        let find = format!(
            "SELECT rowid FROM {table} WHERE name >= 'annals:' AND name < 'annals;' LIMIT 1"
        );
        let found: Option<i64> =
            conn.prepare_cached(&find)?.query_row([], |row| row.get(0)).optional()?;
        let name = self.name();
        match found {
            Some(rowid) => {
                conn.prepare_cached(&format!(
                    "UPDATE {table} SET name = ?1, seq = ?2 WHERE rowid = ?3"
                ))?
                .execute(params![name, sequence, rowid])?;
                conn.prepare_cached(&format!(
                    "DELETE FROM {table} WHERE name >= 'annals:' AND name < 'annals;' \
                     AND rowid <> ?1"
                ))?
                .execute([rowid])?;
            }
            None => {
                conn.prepare_cached(&format!("INSERT INTO {table} (name, seq) VALUES (?1, ?2)"))?
                    .execute(params![name, sequence])?;
            }
        }
        Ok(())
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn push_hex(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from(HEX[usize::from(digit)]));
        }
    }
}

fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |d: u8| char::from(d).to_digit(16);
        *byte = u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()?;
    }
    Some(bytes)
}
