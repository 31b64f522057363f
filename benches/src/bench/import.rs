//! Real transcripts into a journal, stores caught up, against parsing the same bytes as JSON.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::BenchError;
use crate::harness::{Contest, Program, Watched, board, timed, watched};
use crate::request::Request;

/// Where the six sessions lie, seen from this package.
const TRANSCRIPTS: &str = "../../shared/data/claude-code";

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let mib = request.count.unwrap_or(64);
    let folder = request.folder()?;
    let corpus = folder.path().join("corpus");
    let files = replicate(&corpus, mib << 20)?;
    let bytes: u64 = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|m| m.len()).sum();
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
    contest.run(request.rounds, out)?;
    drop(contest);
    board::note_limit("import: peak memory", (peak >> 20) as f64, 64.0, "MiB");
    writeln!(out, "  peak memory: {} MiB", peak >> 20).map_err(BenchError::io("printing"))
}

fn parse_all(files: &[PathBuf]) -> Result<(), BenchError> {
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
            // A few lines hold two records: what does not parse is still read.
            drop(black_box(serde_json::from_slice::<Value>(&line)));
        }
    }
    Ok(())
}

/// Copies of the six sessions until there are so many bytes. Each copy is another session: the ids
/// of calls, records and sessions are changed, so that nothing is a duplicate.
fn replicate(to: &Path, bytes: u64) -> Result<Vec<PathBuf>, BenchError> {
    let io = || BenchError::io("copying transcripts");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(TRANSCRIPTS);
    if !from.is_dir() {
        return Err(BenchError::Usage(format!("{} is not there", from.display())));
    }
    let mut sources = Vec::new();
    for entry in fs::read_dir(&from).map_err(io())? {
        let path = entry.map_err(io())?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            sources.push((path.clone(), fs::read_to_string(&path).map_err(io())?));
        }
    }
    sources.sort();
    let (mut files, mut total, mut copy) = (Vec::new(), 0, 0_u32);
    while total < bytes {
        let folder = to.join(format!("{copy:04}"));
        fs::create_dir_all(&folder).map_err(io())?;
        for (path, text) in &sources {
            let target = folder.join(path.file_name().unwrap_or_default());
            let mut file = BufWriter::new(File::create(&target).map_err(io())?);
            file.write_all(altered(text, copy).as_bytes()).map_err(io())?;
            file.flush().map_err(io())?;
            total += text.len() as u64;
            files.push(target);
        }
        copy += 1;
    }
    Ok(files)
}

/// The text with the copy's number in every call id and every UUID.
fn altered(text: &str, copy: u32) -> String {
    let text = text.replace("toolu_0", &format!("toolu_{copy:04}"));
    let mut bytes = text.into_bytes();
    let stamp = format!("{copy:04x}");
    let is_hex = |byte: &u8| byte.is_ascii_hexdigit();
    let mut at = 0;
    while at + 36 <= bytes.len() {
        let uuid = &bytes[at..at + 36];
        let dashes = [8, 13, 18, 23].iter().all(|&dash| uuid[dash] == b'-');
        let digits = [0, 4, 7, 9, 14, 19, 24, 30, 35].iter().all(|&digit| is_hex(&uuid[digit]));
        if dashes && digits {
            bytes[at..at + 4].copy_from_slice(stamp.as_bytes());
            at += 36;
        } else {
            at += 1;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
