//! How much room real sessions take: the journal, every store, the search index, each of the transcripts' bytes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use super::Real;
use crate::BenchError;
use crate::harness::{board, watched};

/// Of the transcripts: the journal with what agents said, and without; every store; the search index.
const JOURNAL: f64 = 0.10;
const CALLS: f64 = 0.09;
const STORES: f64 = 0.6;
const SEARCH: f64 = 0.15;
/// Of the program itself.
const PROGRAM_MB: f64 = 15.0;

pub fn run(real: &Real, out: &mut dyn Write) -> Result<(), BenchError> {
    let printing = || BenchError::io("printing");
    let raw = real.bytes as f64;
    let mb = |bytes: u64| bytes as f64 / 1e6;
    writeln!(
        out,
        "\nsize, of {} real transcripts, {:.2} MB",
        real.transcripts.len(),
        mb(real.bytes)
    )
    .map_err(printing())?;
    let mut note = |what: &str, bytes: u64, limit: f64, beside: String| {
        writeln!(
            out,
            "  {what:<52} {:>9.2} MB  {:.3} of them, at most {limit}  {beside}",
            mb(bytes),
            bytes as f64 / raw
        )?;
        let beside = format!("{:.2} of {:.2} MB {beside}", mb(bytes), mb(real.bytes));
        board::note_beside(what, (bytes as f64 / raw, limit), "of the transcripts", beside);
        Ok(())
    };
    let calls = real.import("calls", &real.transcripts, false)?;
    let written = written(real, &calls)?;
    note("size: journal, calls alone", written.bytes, CALLS, written.largest())
        .map_err(printing())?;
    let root = real.import("whole", &real.transcripts, true)?;
    // Every store, those too that are made when they are asked.
    watched(real.command(&root).arg("rebuild"), &[0])?;
    watched(real.command(&root).args(["search", "error"]), &[0])?;
    let written = self::written(real, &root)?;
    note("size: journal, with what agents said", written.bytes, JOURNAL, written.largest())
        .map_err(printing())?;
    let annals = root.join(".annals");
    let journal = size_of(&annals.join("journal"))?;
    // `building` holds nothing but locks.
    let stores = size_of(&root)? - journal;
    note("size: every store", stores, STORES, String::new()).map_err(printing())?;
    let search = size_of(&annals.join("search.db"))?;
    if search == 0 {
        return Err(BenchError::Wrong { path: annals.join("search.db") });
    }
    note("size: the search index", search, SEARCH, String::new()).map_err(printing())?;
    writeln!(
        out,
        "  of the journal's files {:.2} MB are prepared space",
        mb(journal.saturating_sub(written.bytes))
    )
    .map_err(printing())?;
    if !cfg!(debug_assertions) {
        let bytes = size_of(real.program.path())?;
        board::note_limit("size: the release program", mb(bytes), PROGRAM_MB, "MB");
    }
    Ok(())
}

/// What of a journal's files was written, without the space prepared behind it.
struct Written {
    bytes: u64,
    kinds: BTreeMap<String, u64>,
}

impl Written {
    /// The kinds of events that take most of it.
    fn largest(&self) -> String {
        let mut kinds: Vec<(&String, &u64)> = self.kinds.iter().collect();
        kinds.sort_by(|a, b| b.1.cmp(a.1));
        let share = |it: &u64| *it as f64 * 100.0 / self.bytes as f64;
        let kinds =
            kinds.into_iter().take(3).map(|(kind, it)| format!("{kind} {:.0} %", share(it)));
        format!("({})", kinds.collect::<Vec<_>>().join(", "))
    }
}

fn written(real: &Real, root: &Path) -> Result<Written, BenchError> {
    let mut command = real.command(root);
    command.args(["--json", "inspect"]).arg(root).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(BenchError::io("starting a command"))?;
    let (mut ends, mut kinds) = (BTreeMap::new(), BTreeMap::new());
    for line in child.stdout.take().into_iter().flat_map(|it| BufReader::new(it).lines()) {
        let line = line.map_err(BenchError::io("reading what a journal holds"))?;
        let item: Value =
            serde_json::from_str(&line).map_err(BenchError::program("reading a journal"))?;
        let number = |name: &str| item[name].as_u64().unwrap_or_default();
        if item["what"] == "frame" {
            *kinds.entry(item["kind"].as_str().unwrap_or("mark").to_owned()).or_default() +=
                number("bytes");
        }
        if item["what"] == "frame" || item["what"] == "commit" {
            let end: &mut u64 = ends.entry(number("segment")).or_default();
            *end = (*end).max(number("offset") + number("bytes"));
        }
    }
    let status = child.wait().map_err(BenchError::io("waiting for a command"))?;
    if !status.success() || ends.is_empty() {
        let command = format!("{command:?}");
        return Err(BenchError::Child { command, status: status.to_string() });
    }
    let blobs = size_of(&root.join(".annals/journal/blobs"))?;
    Ok(Written { bytes: ends.values().sum::<u64>() + blobs, kinds })
}

/// Bytes of a file, or of all files in a folder; none where it is not there.
fn size_of(path: &Path) -> Result<u64, BenchError> {
    let io = || BenchError::io("measuring a folder");
    if !path.exists() {
        return Ok(0);
    }
    if path.is_file() {
        return path.metadata().map(|it| it.len()).map_err(io());
    }
    let mut bytes = 0;
    for entry in std::fs::read_dir(path).map_err(io())? {
        let entry = entry.map_err(io())?;
        // What leads elsewhere takes no room here.
        if !entry.file_type().map_err(io())?.is_symlink() {
            bytes += size_of(&entry.path())?;
        }
    }
    Ok(bytes)
}
