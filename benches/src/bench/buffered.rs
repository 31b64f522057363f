//! Buffered appends: executions gathered into batches of 256 KiB, flushed once at the end.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use annals::internal::event::{self, Event};
use annals::internal::journal::{Durability, JournalOptions};
use serde::Serialize;

use crate::BenchError;
use crate::floor::{FramedWriter, encode_plain};
use crate::harness::{Contest, timed};
use crate::request::Request;
use crate::workload::{self, Execution};

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(60_000);
    let events = workload::events(count);
    let executions: Vec<Execution> = (0..count).map(workload::execution).collect();
    let folder = request.folder()?;
    let fresh = || tempfile::tempdir_in(&folder).map_err(BenchError::io("making a folder"));
    let mut contest = Contest::new("buffered append, 1 thread", count as f64, "executions");
    contest.enter("floor: bincode + CRC-32 + 256 KiB writes", || {
        let dir = fresh()?;
        framed(FramedWriter::create(&dir.path().join("raw"))?, &events, encode_plain)
    });
    for (name, compress) in [("annals", None), ("annals, zstd from 1 KiB", Some(1 << 10))] {
        let (events, executions) = (&events, &executions);
        contest.enter(name, move || {
            let dir = fresh()?;
            ours(dir.path(), events, executions, compress)
        });
        if compress.is_none() {
            contest.aim(0.8);
        }
    }
    contest.enter("the floor, encoded as annals encodes", || {
        let dir = fresh()?;
        framed(FramedWriter::create(&dir.path().join("raw"))?, &events, encode_own)
    });
    contest.enter("limit: encoded as annals encodes, with a chain of hashes", || {
        let dir = fresh()?;
        framed(FramedWriter::chained(&dir.path().join("raw"))?, &events, encode_own)
    });
    contest.limit();
    contest.enter("JSON lines with serde_json", || {
        let dir = fresh()?;
        let file = File::create(dir.path().join("log.jsonl"));
        let file = file.map_err(BenchError::io("making a file"))?;
        let mut file = BufWriter::with_capacity(256 << 10, file);
        timed(|| {
            for execution in &executions {
                json_line(&mut file, execution).map_err(BenchError::io("writing JSON"))?;
            }
            file.flush().map_err(BenchError::io("writing JSON"))
        })
    });
    contest.run(request.rounds, out).map(drop)
}

fn encode_own(event: &Event, out: &mut Vec<u8>) -> Result<(), BenchError> {
    event::encode(event, out).map_err(BenchError::program("encoding"))
}

fn framed(
    mut file: FramedWriter,
    events: &[[Event; 2]],
    encode: impl Fn(&Event, &mut Vec<u8>) -> Result<(), BenchError>,
) -> Result<Duration, BenchError> {
    timed(|| {
        for [begun, ended] in events {
            file.append(|out| encode(begun, out).and_then(|()| encode(ended, out)))?;
        }
        file.flush()
    })
}

fn ours(
    dir: &Path,
    events: &[[Event; 2]],
    executions: &[Execution],
    compress_bytes_min: Option<usize>,
) -> Result<Duration, BenchError> {
    let durability = Durability::Buffered;
    let options = JournalOptions { durability, compress_bytes_min, ..JournalOptions::default() };
    let journal = workload::create_journal(&dir.join("journal"), options)?;
    timed(|| {
        for (pair, execution) in events.iter().zip(executions) {
            journal.stage(pair, execution.at_ms).map_err(BenchError::program("staging"))?;
        }
        journal.flush().map(drop).map_err(BenchError::program("flushing"))
    })
}

/// What JSON lines would keep of an execution, borrowed.
#[derive(Serialize)]
struct Line<'a> {
    id: String,
    tool: &'a str,
    arguments: &'a str,
    at_ms: u64,
    success: bool,
    duration_ms: u64,
    error: Option<&'a str>,
    stdout: Option<&'a str>,
    diagnostics: Option<&'a str>,
}

fn json_line(file: &mut impl Write, execution: &Execution) -> std::io::Result<()> {
    let line = Line {
        id: execution.id.to_string(),
        tool: execution.tool,
        arguments: &execution.arguments,
        at_ms: execution.at_ms,
        success: execution.succeeded,
        duration_ms: execution.duration_ms,
        error: execution.error.as_deref(),
        stdout: execution.stdout.as_deref(),
        diagnostics: execution.diagnostics.as_deref(),
    };
    serde_json::to_writer(&mut *file, &line)?;
    file.write_all(b"\n")
}
