//! Real transcripts into a journal, stores caught up, against parsing the same bytes as JSON.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread::ScopedJoinHandle;

use annals::internal::redact::Redactor;
use rusqlite::Connection;
use serde_json::Value;

use crate::BenchError;
use crate::harness::{Contest, Program, Watched, board, timed, watched};
use crate::request::Request;
use crate::workload::{bytes_of, replicate, transcripts_in};

/// As the journal compresses.
const COMPRESSED_BYTES_MIN: usize = 1 << 10;
/// Shorter ones are names, times and numbers.
const TEXT_BYTES_MIN: usize = 40;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let mib = request.count_or(64);
    let folder = request.folder()?;
    let corpus = folder.path().join("corpus");
    let sources = transcripts_in(&request.data.join("claude-code"))?;
    let files = replicate(&sources, &corpus, |_, bytes| bytes >= mib << 20)?;
    let bytes = bytes_of(&files);
    let program = Program::find()?;
    let mut peak = 0;
    let title = format!("import of {} transcripts, {} MiB", files.len(), bytes >> 20);
    let mut contest = Contest::new(title, bytes as f64, "B");
    contest.enter("floor: serde_json::Value of every line", || timed(|| parse_all(&files)));
    contest.enter("annals import, stores caught up", || {
        let root = tempfile::tempdir_in(&folder).map_err(BenchError::io("making a project"))?;
        program.init(root.path())?;
        let mut command = program.in_project(root.path());
        // Skipped files are findings, not failures.
        let Watched { took, peak_bytes } = watched(command.arg("import").arg(&corpus), &[0, 1])?;
        peak = peak_bytes.max(peak);
        Ok(took)
    });
    contest.aim(0.33);
    contest.enter("limit: its parts alone, on two cores", || {
        let folder = tempfile::tempdir_in(&folder).map_err(BenchError::io("making a folder"))?;
        timed(|| parts(&files, folder.path()))
    });
    contest.limit();
    contest.run(request.rounds, out)?;
    drop(contest);
    board::note_limit("import: peak memory", (peak >> 20) as f64, 64.0, "MiB");
    writeln!(out, "  peak memory: {} MiB", peak >> 20).map_err(BenchError::io("printing"))
}

/// The least that an import promises: every line parsed; every text looked through for secrets, compressed where it is
/// long, and in a full-text index. The files are shared out by their sizes, nothing waits for anything, and
/// neither journal nor store is written.
fn parts(files: &[PathBuf], folder: &Path) -> Result<(), BenchError> {
    let mut sized: Vec<_> =
        files.iter().map(|it| (bytes_of(std::slice::from_ref(it)), it)).collect();
    sized.sort();
    let mut halves: [(u64, Vec<PathBuf>); 2] = Default::default();
    for (bytes, file) in sized.into_iter().rev() {
        let smaller = usize::from(halves[1].0 < halves[0].0);
        halves[smaller].0 += bytes;
        halves[smaller].1.push(file.clone());
    }
    std::thread::scope(|scope| {
        let work = |(at, (_, files)): (usize, &(u64, Vec<PathBuf>))| {
            let (files, path) = (files.clone(), folder.join(format!("{at}.db")));
            scope.spawn(move || texts_of(&files, &path))
        };
        let workers: Vec<_> = halves.iter().enumerate().map(work).collect();
        let ended = |it: ScopedJoinHandle<'_, Result<(), BenchError>>| {
            it.join().unwrap_or(Err(BenchError::Thread))
        };
        workers.into_iter().try_for_each(ended)
    })
}

fn texts_of(files: &[PathBuf], database: &Path) -> Result<(), BenchError> {
    let sql = || BenchError::peer("indexing texts");
    let index = Connection::open(database).map_err(sql())?;
    let settings = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 16384;
         CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='porter unicode61 remove_diacritics 2'); BEGIN";
    index.execute_batch(settings).map_err(sql())?;
    let mut put = index.prepare("INSERT INTO texts (text) VALUES (?1)").map_err(sql())?;
    let redactor = Redactor::new(&[]);
    let mut compressor = zstd::bulk::Compressor::new(3).map_err(BenchError::io("compressing"))?;
    each_line(files, |line| {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return Ok(()) };
        let mut texts = Vec::new();
        gather(&value, &mut texts);
        for text in texts {
            black_box(redactor.find(text.as_bytes()));
            if text.len() >= COMPRESSED_BYTES_MIN {
                let small = compressor.compress(text.as_bytes());
                black_box(small.map_err(BenchError::io("compressing"))?);
            }
            put.execute([text]).map_err(sql())?;
        }
        Ok(())
    })?;
    index.execute_batch("COMMIT").map_err(sql())
}

/// Strings, as deep as they lie, that are more than a name or a number.
fn gather<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if text.len() >= TEXT_BYTES_MIN => texts.push(text),
        Value::Array(items) => items.iter().for_each(|it| gather(it, texts)),
        Value::Object(fields) => fields.values().for_each(|it| gather(it, texts)),
        _ => {}
    }
}

fn parse_all(files: &[PathBuf]) -> Result<(), BenchError> {
    each_line(files, |line| {
        // A few lines hold two records: what does not parse is still read.
        drop(black_box(serde_json::from_slice::<Value>(line)));
        Ok(())
    })
}

fn each_line(
    files: &[PathBuf],
    mut work: impl FnMut(&[u8]) -> Result<(), BenchError>,
) -> Result<(), BenchError> {
    let mut line = Vec::new();
    for file in files {
        let open = File::open(file).map_err(BenchError::io("opening a transcript"))?;
        let mut reader = BufReader::with_capacity(256 << 10, open);
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line);
            if read.map_err(BenchError::io("reading a transcript"))? == 0 {
                break;
            }
            work(&line)?;
        }
    }
    Ok(())
}
