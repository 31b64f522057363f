//! What was exported of a journal, beside the tables: by it the next export knows which days are others by now.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::EXPORTED;
use super::error::{ExportError, Result};

/// Lists are short: a day of a table is sixty bytes.
pub const BYTES_MAX: u64 = 256 << 20;
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The columns of all tables: where they are others, every file is written anew.
    columns: String,
    /// The journal's id, in hex.
    pub journal: String,
    pub machine: String,
    /// The journal's last event then, and the chain up to it.
    pub through: u64,
    pub chain: String,
    /// Of each table its days.
    pub tables: BTreeMap<String, BTreeMap<String, Day>>,
}

/// A day of a table, as it was exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    pub rows: i64,
    /// Two numbers that change where a row comes, goes or is another.
    pub sum: i64,
    pub changed: i64,
    /// The file's length.
    pub bytes: u64,
}

impl Day {
    /// Whether its rows are those of another look.
    pub fn is_as(&self, other: &Self) -> bool {
        (self.rows, self.sum, self.changed) == (other.rows, other.sum, other.changed)
    }
}

impl Manifest {
    pub fn new(journal: &str, machine: &str) -> Self {
        Self {
            version: VERSION,
            columns: columns(),
            journal: journal.to_owned(),
            machine: machine.to_owned(),
            through: 0,
            chain: String::new(),
            tables: BTreeMap::new(),
        }
    }

    /// What was exported before, as a list tells it.
    pub fn parse(bytes: &[u8], path: &Path, journal: &str) -> Result<Self> {
        let wrong = |what: String| ExportError::Manifest { path: path.to_owned(), what };
        let read: Self = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        if read.version != VERSION {
            return Err(wrong(format!(
                "its version is {}, and {VERSION} is read here",
                read.version
            )));
        }
        if read.journal != journal {
            return Err(wrong(format!("it is of journal {}", read.journal)));
        }
        Ok(read)
    }

    /// Whether its files have the columns of this build.
    pub fn has_columns(&self) -> bool {
        self.columns == columns()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        // Texts and numbers: there is none that could not be written.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}

/// What tells the columns of all tables from those of another build.
fn columns() -> String {
    let mut hasher = blake3::Hasher::new();
    for table in EXPORTED {
        hasher.update(table.name.as_bytes()).update(b"\n");
        for column in table.columns {
            hasher.update(
                format!("{}\0{:?}\0{}\n", column.name, column.form, column.from).as_bytes(),
            );
        }
    }
    hasher.finalize().to_hex().as_str()[..16].to_owned()
}
