//! Four processes, one journal, the lock taken and given back for every append; nothing flushed.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use annals::internal::journal::{Durability, Journal, JournalOptions};
use annals_journal_format::Chain;
use annals_journal_format::chain::link;

use crate::floor::frame_into;
use crate::harness::Contest;
use crate::leash::Leash;
use crate::request::Request;
use crate::{BenchError, workload};

const PROCESSES: u64 = 4;
/// Executions that each process goes through, over and over.
const DISTINCT: u64 = 500;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(20_000);
    let folder = request.folder()?;
    let fresh = || tempfile::tempdir_in(&folder).map_err(BenchError::io("making a folder"));
    let title = format!("{PROCESSES} processes, one journal, lock per append");
    let mut contest = Contest::new(title, (count * PROCESSES) as f64, "appends");
    contest.enter("floor: flock + write + unlock", || {
        let dir = fresh()?;
        race("raw", dir.path(), count)
    });
    contest.enter("annals (buffered)", || {
        let dir = fresh()?;
        let journal = dir.path().join("journal");
        drop(workload::create_journal(&journal, options())?);
        race("annals", &journal, count)
    });
    contest.aim(0.7);
    contest.enter("limit: the floor with a chain of hashes", || {
        let dir = fresh()?;
        race("chained", dir.path(), count)
    });
    contest.limit();
    contest.run(request.rounds, out).map(drop)
}

/// What one of the processes does: `MODE DIR COUNT`.
pub fn child(words: &[String], out: &mut dyn Write) -> Result<(), BenchError> {
    let [mode, dir, count] = words else { return Err(BenchError::Usage("MODE DIR COUNT".into())) };
    let count = count.parse().map_err(BenchError::program("reading its count"))?;
    match mode.as_str() {
        "raw" | "chained" => raw(Path::new(dir), count, mode == "chained", out),
        _ => annals(Path::new(dir), count, out),
    }
}

fn options() -> JournalOptions {
    let durability = Durability::Buffered;
    JournalOptions { durability, compress_bytes_min: None, ..JournalOptions::default() }
}

/// From the moment all are let go until the last has ended.
fn race(mode: &str, dir: &Path, count: u64) -> Result<Duration, BenchError> {
    let own = std::env::current_exe().map_err(BenchError::io("finding this program"))?;
    let start = || {
        Command::new(&own)
            .args(["child-append", mode])
            .arg(dir)
            .arg(count.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map(Leash::of)
            .map_err(BenchError::io("starting a process"))
    };
    let mut children = (0..PROCESSES).map(|_| start()).collect::<Result<Vec<Leash>, _>>()?;
    for child in &mut children {
        if let Some(stdout) = &mut child.stdout {
            let mut ready = String::new();
            let read = BufReader::new(stdout).read_line(&mut ready);
            read.map_err(BenchError::io("waiting for a process"))?;
        }
    }
    let begin = Instant::now();
    for child in &mut children {
        // Its input ends: that is the word to go.
        drop(child.stdin.take());
    }
    for child in &mut children {
        let status = child.wait().map_err(BenchError::io("waiting for a process"))?;
        if !status.success() {
            let command = format!("child-append {mode}");
            return Err(BenchError::Child { command, status: status.to_string() });
        }
    }
    Ok(begin.elapsed())
}

fn wait_for_start(out: &mut dyn Write) -> Result<(), BenchError> {
    writeln!(out, "ready").and_then(|()| out.flush()).map_err(BenchError::io("getting ready"))?;
    let mut nothing = Vec::new();
    std::io::stdin().read_to_end(&mut nothing).map(drop).map_err(BenchError::io("getting ready"))
}

/// `is_chained`: the hash over all before is read under the lock, goes on over what is written, and is left there.
fn raw(dir: &Path, count: u64, is_chained: bool, out: &mut dyn Write) -> Result<(), BenchError> {
    let mut frames = Vec::new();
    for payload in workload::payloads(&workload::events(DISTINCT))? {
        let mut frame = Vec::new();
        frame_into(&mut frame, |out| {
            out.extend_from_slice(&payload);
            Ok(())
        })?;
        frames.push(frame);
    }
    let open = |name: &str| -> Result<File, BenchError> {
        let file = OpenOptions::new().append(true).create(true).open(dir.join(name));
        file.map_err(BenchError::io("opening a raw log"))
    };
    let (lock, mut log, chain) = (open("LOCK")?, open("log")?, place(dir)?);
    wait_for_start(out)?;
    for frame in frames.iter().cycle().take(count as usize) {
        fs2::FileExt::lock_exclusive(&lock).map_err(BenchError::io("locking"))?;
        if is_chained {
            let mut before = Chain([0; 32]);
            chain.read_exact_at(&mut before.0, 0).map_err(BenchError::io("reading a chain"))?;
            let after = link(before, frame);
            chain.write_all_at(&after.0, 0).map_err(BenchError::io("writing a chain"))?;
        }
        log.write_all(frame).map_err(BenchError::io("writing"))?;
        fs2::FileExt::unlock(&lock).map_err(BenchError::io("unlocking"))?;
    }
    Ok(())
}

/// Where a chain is left, with room for it.
fn place(dir: &Path) -> Result<File, BenchError> {
    let mut how = OpenOptions::new();
    let file = how.read(true).write(true).create(true).truncate(false).open(dir.join("chain"));
    let file = file.map_err(BenchError::io("opening a chain"))?;
    file.set_len(32).map_err(BenchError::io("opening a chain"))?;
    Ok(file)
}

fn annals(dir: &Path, count: u64, out: &mut dyn Write) -> Result<(), BenchError> {
    let events = workload::events(DISTINCT);
    let entropy = workload::entropy(u64::from(std::process::id()));
    let (journal, _) =
        Journal::open(dir, &entropy, options()).map_err(BenchError::program("opening"))?;
    wait_for_start(out)?;
    for pair in events.iter().cycle().take(count as usize) {
        journal.append(pair, 1_735_036_800_000).map_err(BenchError::program("appending"))?;
    }
    Ok(())
}
