//! Verifying: every frame's CRC, then the chain as well, of a journal in the page cache.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use annals_journal_format::storage::FsStorage;
use annals_journal_format::verify::{VerifyOptions, verify};

use crate::BenchError;
use crate::floor::Segments;
use crate::harness::{Contest, timed};
use crate::request::Request;
use crate::workload::filled_journal;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(200_000);
    let folder = request.folder()?;
    let journal = folder.path().join("journal");
    drop(filled_journal(&journal, count, None)?);
    let bytes = Segments::map(&journal)?.bytes();
    let title = format!("verify, every frame's CRC ({} MiB, in the page cache)", bytes >> 20);
    let mut contest = Contest::new(title, bytes as f64, "B");
    contest.enter("floor: mmap, walk, crc32fast", || {
        timed(|| {
            for frame in Segments::map(&journal)?.frames() {
                black_box(crc32fast::hash(frame.bytes));
            }
            Ok(())
        })
    });
    contest.enter("annals verify, without the chain", || {
        timed(|| {
            ours(
                &journal,
                count,
                VerifyOptions { chain: false, payloads: false, ..VerifyOptions::default() },
            )
        })
    });
    contest.aim(0.7);
    contest.run(request.rounds, out)?;
    let mut contest = Contest::new("verify, the chain too", bytes as f64, "B");
    contest.enter("floor: blake3 over blocks of 1 MiB", || {
        timed(|| {
            for map in Segments::map(&journal)?.maps() {
                for block in map.chunks(1 << 20) {
                    black_box(blake3::hash(block));
                }
            }
            Ok(())
        })
    });
    contest.enter("annals verify", || {
        timed(|| {
            ours(
                &journal,
                count,
                VerifyOptions { chain: true, payloads: false, ..VerifyOptions::default() },
            )
        })
    });
    contest.aim(0.6);
    contest.run(request.rounds, out).map(drop)
}

fn ours(journal: &Path, executions: u64, options: VerifyOptions) -> Result<(), BenchError> {
    let report = verify(&FsStorage, journal, options).map_err(BenchError::program("verifying"))?;
    if report.is_clean() && report.events == executions * 2 {
        return Ok(());
    }
    Err(BenchError::Wrong { path: journal.to_owned() })
}
