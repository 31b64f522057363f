//! Real transcripts into a journal, stores caught up, against parsing the same bytes as JSON.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use serde_json::Value;

use crate::BenchError;
use crate::harness::{Contest, Program, Watched, board, timed, watched};
use crate::request::Request;
use crate::workload::{bytes_of, replicate, transcripts_in};

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
