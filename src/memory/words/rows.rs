//! The records' words in `index.db`: several records of a branch to a row, in the order in which they were written.

use rusqlite::params;

use super::{Entry, Said};
use crate::event::MemoryEmbedded;
use crate::execution::closed::signed;
use crate::execution::index::Index;
use crate::store::Result;
use crate::store::columns::insert;

/// What a row takes before the next is begun: it is written anew with each record, and is to lie in one page.
const ROW_BYTES_MAX: usize = 3_000;

/// A row: its number, and its records.
struct Row {
    number: i64,
    words: Vec<u8>,
}

/// Keeps a record, if it is not there yet.
pub fn add(index: &Index, branch: &str, entry: &Entry<'_>) -> Result<()> {
    if let Some(row) = row(index, branch, entry.id)? {
        if Entry::all(&row.words).any(|it| it.id == entry.id) {
            return Ok(());
        }
        if row.words.len() + entry.size() <= ROW_BYTES_MAX {
            let mut words = row.words;
            entry.write(&mut words);
            return write(index, row.number, &words);
        }
    }
    let mut words = Vec::with_capacity(entry.size());
    entry.write(&mut words);
    insert!(index, memory_words { branch, first: signed(entry.id), keys: words }).map(drop)
}

/// Changes a record that is there.
pub fn change(index: &Index, branch: &str, id: u64, change: impl Fn(&mut Said)) -> Result<()> {
    let Some(row) = row(index, branch, id)? else { return Ok(()) };
    let mut words = Vec::with_capacity(row.words.len());
    for entry in Entry::all(&row.words) {
        if entry.id == id {
            let mut said = entry.said();
            change(&mut said);
            said.entry(id, entry.at_ms).write(&mut words);
        } else {
            entry.write(&mut words);
        }
    }
    write(index, row.number, &words)
}

/// Keeps what a record means; the last word on it counts.
pub fn keep_vector(index: &Index, embedded: &MemoryEmbedded) -> Result<()> {
    let MemoryEmbedded { branch, record, model, vector, .. } = embedded;
    let record = signed(*record);
    insert!(index, "INSERT OR REPLACE INTO", memory_vectors { record, branch, model, vector })
        .map(drop)
}

pub fn forget_vector(index: &Index, record: u64) -> Result<()> {
    let sql = "DELETE FROM memory_vectors WHERE record = ?1";
    index.write("forgetting a record's vector", sql, [signed(record)]).map(drop)
}

/// The row of a branch in which a record of this number is, or would be.
fn row(index: &Index, branch: &str, id: u64) -> Result<Option<Row>> {
    let sql = "SELECT rowid, keys FROM memory_words WHERE branch = ?1 AND first <= ?2 \
               ORDER BY first DESC LIMIT 1";
    let row = |row: &rusqlite::Row<'_>| Ok(Row { number: row.get(0)?, words: row.get(1)? });
    index.find("reading the words of records", sql, (branch, signed(id)), row)
}

fn write(index: &Index, number: i64, words: &[u8]) -> Result<()> {
    let sql = "UPDATE memory_words SET keys = ?2 WHERE rowid = ?1";
    index.write("writing the words of records", sql, params![number, words]).map(drop)
}
