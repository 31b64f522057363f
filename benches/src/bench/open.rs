//! Opening a journal must not depend on its length.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use annals::internal::journal::{Journal, JournalOptions, JournalReader};

use crate::BenchError;
use crate::harness::{Spread, board};
use crate::request::Request;
use crate::workload::{entropy, filled_journal};

/// Bytes of an execution of the workload in the journal, roughly.
const EXECUTION_BYTES: u64 = 2_000;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let mut sizes = vec![10, 1 << 10];
    if request.large {
        sizes.push(10 << 10);
    }
    let printed = BenchError::io;
    writeln!(out, "\nopen, milliseconds: median (min … max)").map_err(printed("printing"))?;
    for mib in sizes {
        let folder = request.folder()?;
        let dir = folder.path().join("journal");
        drop(filled_journal(&dir, (mib << 20) / EXECUTION_BYTES, None)?);
        let size = size_of(&dir)?;
        let mut rows = [Vec::new(), Vec::new()];
        for _ in 0..=request.rounds.max(5) {
            rows[0].push(ms(writer(&dir)?));
            rows[1].push(ms(reader(&dir)?));
        }
        for (name, readings) in ["writer", "reader"].into_iter().zip(rows) {
            // The first of all is thrown away.
            let spread = Spread::of(&readings[1..]);
            writeln!(
                out,
                "  {:>7} MiB  {name}  {:>8.3}  ({:.3} … {:.3})",
                size >> 20,
                spread.median,
                spread.min,
                spread.max
            )
            .map_err(printed("printing"))?;
            let what = format!("open a journal of {} MiB: {name}", size >> 20);
            board::note_limit(what, spread.median, 10.0, "ms");
        }
        out.flush().map_err(printed("printing"))?;
    }
    Ok(())
}

pub(super) fn writer(dir: &Path) -> Result<Duration, BenchError> {
    let start = Instant::now();
    let opened = Journal::open(dir, &entropy(2), JournalOptions::default());
    let took = start.elapsed();
    opened.map(|_| took).map_err(BenchError::program("opening a writer"))
}

pub(super) fn reader(dir: &Path) -> Result<Duration, BenchError> {
    let start = Instant::now();
    let opened = JournalReader::open(dir).map(|reader| reader.mark());
    let took = start.elapsed();
    opened.map(|_| took).map_err(BenchError::program("opening a reader"))
}

fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}

fn size_of(dir: &Path) -> Result<u64, BenchError> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(dir).map_err(BenchError::io("listing a journal"))? {
        let about = entry.and_then(|entry| entry.metadata());
        bytes += about.map_err(BenchError::io("listing a journal"))?.len();
    }
    Ok(bytes)
}
