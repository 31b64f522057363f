//! Real sessions, imported: how much room they take, and what questions of them cost.

mod copy;
mod search;
mod size;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::BenchError;
use crate::harness::{Program, board, watched};
use crate::request::Request;
use crate::workload::{bytes_of, replicate, transcripts_in};

/// The sessions, as they come.
const ARCHIVE: &str = "claude-code-sessions/sessions-100.tar.xz";
/// How much is to be asked, and how fast the first question of a copy of so much is to be answered.
const FULL_BYTES: u64 = 371_000_000;

pub fn size(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    match Real::prepare(request, out)? {
        Some(real) => size::run(&real, out),
        None => Ok(()),
    }
}

pub fn copy(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    match Real::prepare(request, out)? {
        Some(real) => real.full(request, out).and_then(|full| copy::run(&full, request, out)),
        None => Ok(()),
    }
}

pub fn search(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    match Real::prepare(request, out)? {
        Some(real) => real.full(request, out).and_then(|full| search::run(&full, request, out)),
        None => Ok(()),
    }
}

/// All three, of sessions that are unpacked and imported once; what fails is a row that says why.
pub fn all(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let Some(real) = Real::prepare(request, out)? else { return Ok(()) };
    let note = |what: &str, done: Result<(), BenchError>| {
        done.unwrap_or_else(|error| board::note_missing(what, error));
    };
    note("size of real sessions", size::run(&real, out));
    let full = real.full(request, out)?;
    note("the first question of a copy", copy::run(&full, request, out));
    note("full-text search", search::run(&full, request, out));
    Ok(())
}

/// The sessions' transcripts.
struct Real {
    folder: TempDir,
    program: Program,
    transcripts: Vec<PathBuf>,
    bytes: u64,
}

/// A project made of many sessions.
struct Imported<'r> {
    real: &'r Real,
    root: PathBuf,
    /// Of its transcripts.
    bytes: u64,
}

impl Real {
    /// `None`, and a line that says so, where there are no sessions.
    fn prepare(request: &Request, out: &mut dyn Write) -> Result<Option<Self>, BenchError> {
        let folder = request.folder()?;
        let unpacked = match &request.sessions {
            Some(sessions) => Ok(sessions.clone()),
            None => unpack(&request.data.join(ARCHIVE), folder.path()),
        };
        let unpacked = match unpacked {
            Ok(unpacked) => unpacked,
            Err(why) => {
                let why = format!("{why}; --sessions DIR takes unpacked ones");
                writeln!(out, "\nreal sessions: skipped: {why}")
                    .map_err(BenchError::io("printing"))?;
                board::note_missing("size, copies and search of real sessions", why);
                return Ok(None);
            }
        };
        let transcripts = transcripts_in(&unpacked)?;
        let bytes = bytes_of(&transcripts);
        Ok(Some(Self { program: Program::find()?, folder, transcripts, bytes }))
    }

    /// A call that sees nothing of the caller's own settings and caches.
    fn command(&self, root: &Path) -> Command {
        let mut command = self.program.in_project(root);
        for (name, folder) in
            [("HOME", "home"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")]
        {
            command.env(name, self.folder.path().join(folder));
        }
        command.env_remove("XDG_CONFIG_HOME");
        command
    }

    /// A new project that has these transcripts.
    fn import(&self, name: &str, from: &[PathBuf], answers: bool) -> Result<PathBuf, BenchError> {
        let io = || BenchError::io("making a project");
        let root = self.folder.path().join(name);
        std::fs::create_dir_all(&root).map_err(io())?;
        watched(self.command(&root).arg("init"), &[0])?;
        if !answers {
            let settings = root.join(".annals/config.toml");
            let text = std::fs::read_to_string(&settings).map_err(io())?;
            let without = text.replace("\nanswers = true", "\nanswers = false");
            if without == text {
                return Err(BenchError::Wrong { path: settings });
            }
            std::fs::write(&settings, without).map_err(io())?;
        }
        // Skipped lines are findings, not failures.
        watched(self.command(&root).arg("import").args(from), &[0, 1])?;
        Ok(root)
    }

    /// As many copies of the sessions as come closest to the full size; few where it is to be quick.
    fn full(&self, request: &Request, out: &mut dyn Write) -> Result<Imported<'_>, BenchError> {
        let copies = (FULL_BYTES + self.bytes / 2) / self.bytes.max(1);
        let copies = request.count.unwrap_or(if request.quick { 1 } else { copies }).max(1);
        let corpus = self.folder.path().join("corpus");
        let files = replicate(&self.transcripts, &corpus, |copy, _| u64::from(copy) >= copies)?;
        let bytes = bytes_of(&files);
        writeln!(out, "\n{} sessions, {} MB", files.len(), bytes / 1_000_000)
            .map_err(BenchError::io("printing"))?;
        let root = self.import("full", std::slice::from_ref(&corpus), true)?;
        std::fs::remove_dir_all(&corpus).map_err(BenchError::io("removing copies"))?;
        Ok(Imported { real: self, root, bytes })
    }
}

/// Unpacks the archive; why it cannot be.
fn unpack(archive: &Path, to: &Path) -> Result<PathBuf, String> {
    if !archive.is_file() {
        return Err(format!("{} is not there", archive.display()));
    }
    let to = to.join("sessions");
    std::fs::create_dir_all(&to).map_err(|error| error.to_string())?;
    let mut tar = Command::new("tar");
    watched(tar.arg("-xf").arg(archive).arg("-C").arg(&to), &[0])
        .map(|_| to)
        .map_err(|error| error.to_string())
}
