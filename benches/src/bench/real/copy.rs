//! The first question of a bundle, of a journal without its stores, and of a whole copy: nothing was ever asked of
//! it here, and nothing may be written into it.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::{FULL_BYTES, Imported};
use crate::BenchError;
use crate::harness::{Spread, Watched, board, watched};
use crate::request::Request;

/// What the full size is to be answered in, milliseconds.
const LIMIT_MS: f64 = 300.0;

const QUESTIONS: [&[&str]; 6] = [
    &["log", "-n", "20"],
    &["failures"],
    &["sessions"],
    &["search", "error"],
    &["show", "last"],
    &["stats"],
];

pub fn run(full: &Imported<'_>, request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let printing = || BenchError::io("printing");
    let folder = full.real.folder.path();
    let limit = LIMIT_MS * full.bytes as f64 / FULL_BYTES as f64;
    writeln!(out, "\nthe first question, milliseconds, at most {limit:.0}").map_err(printing())?;
    let bundle = folder.join("sessions.annals");
    watched(full.real.command(&full.root).arg("bundle").arg(&bundle), &[0])?;
    let (journal, whole) = (folder.join("journal-alone"), folder.join("whole-copy"));
    copy(&full.root.join(".annals/journal"), &journal.join(".annals/journal"))?;
    copy(&full.root, &whole)?;
    for (source, path) in
        [("a bundle", &bundle), ("a journal without stores", &journal), ("a whole copy", &whole)]
    {
        let mut all = Vec::new();
        for question in QUESTIONS {
            let name = question.join(" ");
            let (mut took, mut peak) = (Vec::new(), 0);
            for round in 0..=request.rounds.min(3) {
                let cache =
                    tempfile::tempdir_in(folder).map_err(BenchError::io("making a cache"))?;
                let mut command = full.real.command(folder);
                command.env("XDG_CACHE_HOME", cache.path());
                command.arg("--dir").arg(path).arg("--evidence").args(question);
                let Watched { took: one, peak_bytes } = watched(&mut command, &[0, 1])?;
                peak = peak_bytes.max(peak);
                // The first of all reads from the disk what the others have in memory.
                if round > 0 {
                    took.push(one.as_secs_f64() * 1e3);
                }
            }
            let Spread { min, median, max } = Spread::of(&took);
            writeln!(
                out,
                "  {source:<26} {name:<14} {median:>8.1}  ({min:.1} … {max:.1}), peak {} MiB",
                peak >> 20
            )
            .map_err(printing())?;
            all.push((median, name));
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let Some((slowest, name)) = all.first() else { continue };
        let others: Vec<String> =
            all.iter().skip(1).map(|(ms, name)| format!("{name} {ms:.0}")).collect();
        let beside = format!("{name}; {}", others.join(", "));
        let what = format!("the first question of {source}, {} MB", full.bytes / 1_000_000);
        board::note_beside(what, (*slowest, limit), "ms", beside);
        out.flush().map_err(printing())?;
    }
    for path in [&journal, &whole] {
        fs::remove_dir_all(path).map_err(BenchError::io("removing a copy"))?;
    }
    fs::remove_file(&bundle).map_err(BenchError::io("removing a bundle"))
}

/// Every file and folder.
fn copy(from: &Path, to: &Path) -> Result<(), BenchError> {
    let io = || BenchError::io("copying a project");
    fs::create_dir_all(to).map_err(io())?;
    for entry in fs::read_dir(from).map_err(io())? {
        let entry = entry.map_err(io())?;
        let (kind, target) = (entry.file_type().map_err(io())?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).map_err(io())?;
        }
    }
    Ok(())
}
