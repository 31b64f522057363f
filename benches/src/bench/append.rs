//! Durable appends: one execution (two events) a commit, acknowledged when it is on the disk.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use annals::internal::event::Event;
use annals::internal::journal::{Durability, JournalOptions};
use annals_journal_format::writer::Record;

use crate::BenchError;
use crate::floor::{GroupCommit, OwedFile, RawFile, frame_into};
use crate::harness::{Contest, timed};
#[cfg(feature = "peers")]
use crate::peer;
use crate::peer::DualSqlite;
use crate::request::Request;
use crate::workload::{self, Execution};

/// Both tables: one thread, then eight.
pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(800);
    let input = Input::generate(count)?;
    let folder = request.folder()?;
    one_thread(&input, folder.path(), request.rounds, out)?;
    for threads in [2, 8] {
        many_threads(&input, threads, folder.path(), request.rounds, out)?;
    }
    Ok(())
}

struct Input {
    executions: Vec<Execution>,
    events: Vec<[Event; 2]>,
    /// Framed with length and CRC, so that the floor writes about what we write.
    frames: Vec<Vec<u8>>,
    pairs: Vec<[Vec<u8>; 2]>,
    bytes: u64,
}

impl Input {
    fn generate(count: u64) -> Result<Self, BenchError> {
        let events = workload::events(count);
        let frame = |payload: Vec<u8>| {
            let mut frame = Vec::new();
            frame_into(&mut frame, |out| {
                out.extend_from_slice(&payload);
                Ok(())
            })?;
            Ok(frame)
        };
        let frames: Vec<Vec<u8>> =
            workload::payloads(&events)?.into_iter().map(frame).collect::<Result<_, _>>()?;
        let pairs = workload::payload_pairs(&events)?;
        let bytes = frames.iter().map(|frame| frame.len() as u64).sum();
        Ok(Self {
            executions: (0..count).map(workload::execution).collect(),
            events,
            frames,
            pairs,
            bytes,
        })
    }
}

fn one_thread(
    input: &Input,
    folder: &Path,
    rounds: usize,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let title = format!(
        "durable append, 1 thread ({} executions of {} B)",
        input.frames.len(),
        input.bytes / input.frames.len() as u64
    );
    let fresh = || tempfile::tempdir_in(folder).map_err(BenchError::io("making a folder"));
    let mut contest = Contest::new(title, input.frames.len() as f64, "appends");
    contest.enter("floor: pwrite into zeros + fdatasync", || {
        let dir = fresh()?;
        let mut file = RawFile::zero_filled(&dir.path().join("raw"), input.bytes * 2)?;
        timed(|| raw(&mut file, input))
    });
    for (name, durability) in
        [("annals (group)", Durability::Group), ("annals (strict)", Durability::Strict)]
    {
        contest.enter(name, move || {
            let dir = fresh()?;
            ours(dir.path(), input, 1, durability)
        });
        if durability == Durability::Group {
            contest.aim(0.9);
        }
    }
    contest.enter("limit: the floor, locked, chained and told to others", || {
        let dir = fresh()?;
        let raw = RawFile::zero_filled(&dir.path().join("raw"), input.bytes * 2)?;
        let mut file = OwedFile::of(raw, dir.path())?;
        timed(|| input.frames.iter().try_for_each(|frame| file.append(frame)))
    });
    contest.limit();
    contest.enter("annals-journal-format, bytes only", || {
        let dir = fresh()?;
        bytes_only(dir.path(), input, 1)
    });
    contest.enter("growing file + fdatasync", || {
        let dir = fresh()?;
        let mut file = RawFile::growing(&dir.path().join("raw"))?;
        timed(|| raw(&mut file, input))
    });
    contest.enter("SQLite, spec 000's two databases, WAL FULL", || {
        let dir = fresh()?;
        let mut stores = DualSqlite::create(dir.path())?;
        timed(|| input.executions.iter().try_for_each(|execution| stores.append(execution)))
    });
    #[cfg(feature = "peers")]
    {
        contest.enter("okaywal", || {
            let dir = fresh()?;
            let log = peer::Okaywal::create(dir.path(), input.bytes * 2)?;
            timed(|| input.frames.iter().try_for_each(|frame| log.append(frame)))
        });
        contest.enter("fjall", || {
            let dir = fresh()?;
            let store = peer::Fjall::create(dir.path())?;
            timed(|| numbered(input).try_for_each(|(key, frame)| store.append(key, frame)))
        });
        contest.enter("redb", || {
            let dir = fresh()?;
            let store = peer::Redb::create(dir.path())?;
            timed(|| numbered(input).try_for_each(|(key, frame)| store.append(key, frame)))
        });
    }
    contest.run(rounds, out).map(drop)
}

fn many_threads(
    input: &Input,
    threads: usize,
    folder: &Path,
    rounds: usize,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let fresh = || tempfile::tempdir_in(folder).map_err(BenchError::io("making a folder"));
    let space = input.bytes * 2 * threads as u64;
    let title = format!("durable append, {threads} threads");
    let mut contest = Contest::new(title, (input.frames.len() * threads) as f64, "appends");
    contest.enter("floor: group commit into zeros", || {
        let dir = fresh()?;
        let log = GroupCommit::new(RawFile::zero_filled(&dir.path().join("raw"), space)?);
        spread(threads, |_| input.frames.iter().try_for_each(|frame| log.append(frame)))
    });
    contest.enter("annals (group)", || {
        let dir = fresh()?;
        ours(dir.path(), input, threads, Durability::Group)
    });
    contest.aim(1.0);
    contest.enter("limit: the floor, locked, chained and told to others", || {
        let dir = fresh()?;
        let raw = RawFile::zero_filled(&dir.path().join("raw"), space)?;
        let log = GroupCommit::new(OwedFile::of(raw, dir.path())?);
        spread(threads, |_| input.frames.iter().try_for_each(|frame| log.append(frame)))
    });
    contest.limit();
    contest.enter("annals-journal-format, bytes only", || {
        let dir = fresh()?;
        bytes_only(dir.path(), input, threads)
    });
    contest.enter("group commit into a growing file", || {
        let dir = fresh()?;
        let log = GroupCommit::new(RawFile::growing(&dir.path().join("raw"))?);
        spread(threads, |_| input.frames.iter().try_for_each(|frame| log.append(frame)))
    });
    #[cfg(feature = "peers")]
    {
        contest.enter("okaywal", || {
            let dir = fresh()?;
            let log = peer::Okaywal::create(dir.path(), space)?;
            spread(threads, |_| input.frames.iter().try_for_each(|frame| log.append(frame)))
        });
        contest.enter("fjall", || {
            let dir = fresh()?;
            let store = peer::Fjall::create(dir.path())?;
            spread(threads, |thread| {
                let key = |key| key + thread as u64 * (1 << 32);
                numbered(input).try_for_each(|(at, frame)| store.append(key(at), frame))
            })
        });
    }
    contest.run(rounds, out).map(drop)
}

fn raw(file: &mut RawFile, input: &Input) -> Result<(), BenchError> {
    input.frames.iter().try_for_each(|frame| {
        file.write(frame)?;
        file.sync()
    })
}

fn ours(
    dir: &Path,
    input: &Input,
    threads: usize,
    durability: Durability,
) -> Result<Duration, BenchError> {
    let options =
        JournalOptions { durability, compress_bytes_min: None, ..JournalOptions::default() };
    let journal = workload::create_journal(&dir.join("journal"), options)?;
    spread(threads, |_| {
        input.events.iter().zip(&input.executions).try_for_each(|(events, execution)| {
            journal
                .append(events, execution.at_ms)
                .map(drop)
                .map_err(BenchError::program("appending"))
        })
    })
}

/// The journal crate alone: no events, no encoding.
fn bytes_only(dir: &Path, input: &Input, threads: usize) -> Result<Duration, BenchError> {
    let writer = workload::create_writer(&dir.join("journal"))?;
    spread(threads, |_| {
        input.pairs.iter().try_for_each(|pair| {
            let records = [record(0x0401, &pair[0]), record(0x0402, &pair[1])];
            writer.append(&records).map(drop).map_err(BenchError::program("appending bytes"))
        })
    })
}

fn record(kind: u16, payload: &[u8]) -> Record<'_> {
    Record { kind, version: 1, time_ms: 1_735_036_800_000, skippable: false, payload }
}

/// Runs the same work on each of so many threads; how long until the last was done.
fn spread(
    threads: usize,
    work: impl Fn(usize) -> Result<(), BenchError> + Sync,
) -> Result<Duration, BenchError> {
    timed(|| {
        if threads == 1 {
            return work(0);
        }
        std::thread::scope(|scope| {
            let work = &work;
            let all: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            all.into_iter().try_for_each(|one| one.join().map_err(|_| BenchError::Thread)?)
        })
    })
}

#[cfg(feature = "peers")]
fn numbered(input: &Input) -> impl Iterator<Item = (u64, &Vec<u8>)> {
    (0..).zip(&input.frames)
}
