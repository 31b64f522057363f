//! Reads a database, record by record.

use std::collections::VecDeque;
use std::io;

use super::{WholeLog, items};
use crate::agents::import::Flaw;
use crate::agents::import::item::{Item, TranscriptRecord};

/// How a source's database is read: it gives its records by their numbers, from 0.
pub trait Rows: Send {
    /// How many records there are.
    fn count(&self) -> usize;

    /// Reads one. Behind one that the database itself cannot give, none is read.
    fn record(&mut self, at: usize) -> Result<Vec<TranscriptRecord>, Flaw>;
}

pub struct RowsLog {
    rows: Box<dyn Rows>,
    at: usize,
    bytes: u64,
}

impl RowsLog {
    pub fn open(rows: Box<dyn Rows>, bytes: u64) -> Box<dyn WholeLog> {
        Box::new(Self { rows, at: 0, bytes })
    }
}

impl WholeLog for RowsLog {
    fn read(&mut self, out: &mut VecDeque<Item>) -> io::Result<bool> {
        if self.at >= self.rows.count() {
            return Ok(false);
        }
        let line = self.at as u64 + 1;
        match self.rows.record(self.at) {
            Ok(read) => out.extend(items(read)),
            Err(flaw) => {
                out.push_back(Item::Unreadable { line, flaw });
                if flaw == Flaw::Database {
                    self.at = self.rows.count();
                    return Ok(false);
                }
            }
        }
        self.at += 1;
        Ok(true)
    }

    fn place(&self) -> (u64, u64) {
        let all = self.rows.count().max(1) as u64;
        (self.at as u64, (u128::from(self.bytes) * self.at as u128 / u128::from(all)) as u64)
    }
}
