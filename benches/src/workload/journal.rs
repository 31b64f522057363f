//! Journals of the program's own, made to measure.

use std::path::Path;

use annals::internal::journal::{Durability, Journal, JournalOptions};
use annals_journal_format::JournalId;
use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Writer, WriterOptions};

use super::{Random, execution};
use crate::BenchError;

/// An empty journal in `dir`.
pub fn create_journal(dir: &Path, options: JournalOptions) -> Result<Journal, BenchError> {
    Journal::create(dir, &entropy(1), options).map_err(BenchError::program("making a journal"))
}

/// The journal crate's own writer, below events; every append is flushed.
pub fn create_writer(dir: &Path) -> Result<Writer<FsStorage>, BenchError> {
    let mut options = WriterOptions::new([5; 32]);
    options.compress_bytes_min = None;
    Writer::create(FsStorage, dir, JournalId([9; 16]), options)
        .map_err(BenchError::program("making a journal"))
}

/// A journal of the first `count` executions, written in batches and synced.
pub fn filled_journal(
    dir: &Path,
    count: u64,
    compress_bytes_min: Option<usize>,
) -> Result<Journal, BenchError> {
    let durability = Durability::Buffered;
    let options = JournalOptions { durability, compress_bytes_min, ..JournalOptions::default() };
    let journal = create_journal(dir, options)?;
    for index in 0..count {
        let execution = execution(index);
        journal
            .stage(&execution.events(), execution.at_ms)
            .map_err(BenchError::program("filling a journal"))?;
    }
    journal.sync().map_err(BenchError::program("filling a journal"))?;
    Ok(journal)
}

/// 48 bytes that a journal would take from the system.
pub fn entropy(seed: u64) -> [u8; 48] {
    let mut random = Random::new(seed);
    let mut bytes = [0; 48];
    for piece in bytes.chunks_exact_mut(8) {
        piece.copy_from_slice(&random.next().to_le_bytes());
    }
    bytes
}
