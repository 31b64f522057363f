//! Reads transcripts and hands what they say to the recorder.

use std::fs;
use std::path::PathBuf;

use super::claude_code;
use super::error::ImportError;
use super::feed::{Fed, Feed, OpenFailed};
use super::format::Format;
use super::groups::groups;
use super::ledger::Ledger;
use super::limits::{BATCH_BYTES_MAX, BATCH_EVENTS_MAX};
use super::progress::Progress;
use super::report::{ImportReport, SkippedFile};
use super::source_file::{SourceFile, source_files};
use crate::command::{Project, RecordReport, Recorder};
use crate::event::Event;

/// What to import.
#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// `None`: each file's content tells.
    pub format: Option<Format>,
    /// Files and folders; none: the project's own past sessions.
    pub paths: Vec<PathBuf>,
    /// Where those lie: [`super::past_sessions`] of the project's folder.
    pub past_sessions: Option<PathBuf>,
}

/// Imports transcripts into a project's journal. Importing again adds only what is new. The
/// caller catches the stores up.
pub fn import(
    project: &Project,
    request: &ImportRequest,
    progress: &mut dyn Progress,
) -> Result<ImportReport, ImportError> {
    let mut report = ImportReport::default();
    let files = readable(request, &mut report)?;
    let recorder = Recorder::import(project);
    let recorder = recorder.map_err(|source| ImportError::Finish { source })?;
    let mut run = Run { ledger: Ledger::new(claude_code::AGENT), recorder, batch: Vec::new() };
    run.ledger.report = report;
    progress.begin(files.iter().map(|file| file.bytes).sum());
    let names: Vec<String> = files.iter().map(name).collect();
    for (main, beside) in groups(&files) {
        let fed = run.feed(&files, &names, main, &beside, progress)?;
        if let Err(OpenFailed { file, source }) = fed {
            let file = names.get(file).cloned().unwrap_or_default();
            run.ledger.report.skipped.push(SkippedFile { file, reason: source.to_string() });
        }
    }
    progress.end();
    run.close()
}

/// The files that an import would read; none where there are no past sessions.
///
/// # Errors
/// Where a path cannot be read.
pub fn past_files(request: &ImportRequest) -> Result<Vec<SourceFile>, ImportError> {
    match readable(request, &mut ImportReport::default()) {
        Err(
            ImportError::NoHome
            | ImportError::NoPastSessions { .. }
            | ImportError::NothingFound { .. },
        ) => Ok(Vec::new()),
        read => read,
    }
}

/// How much an import would read: files and bytes.
///
/// # Errors
/// Where a path cannot be read.
pub fn survey(request: &ImportRequest) -> Result<(u64, u64), ImportError> {
    let files = past_files(request)?;
    Ok((files.len() as u64, files.iter().map(|file| file.bytes).sum()))
}

/// The files to read; those of a foreign format are set aside.
fn readable(
    request: &ImportRequest,
    report: &mut ImportReport,
) -> Result<Vec<SourceFile>, ImportError> {
    let files = match (request.paths.as_slice(), &request.past_sessions) {
        ([], None) => return Err(ImportError::NoHome),
        ([], Some(past)) if !past.is_dir() => {
            return Err(ImportError::NoPastSessions { path: past.clone() });
        }
        ([], Some(past)) => source_files(std::slice::from_ref(past))?,
        (paths, _) => source_files(paths)?,
    };
    let (mut kept, forced) = (Vec::new(), request.format.is_some());
    for file in files {
        match file.check(forced) {
            Ok(()) => kept.push(file),
            Err(skip) => {
                let (file, reason) = (name(&file), skip.to_string());
                report.skipped.push(SkippedFile { file, reason });
            }
        }
    }
    Ok(kept)
}

/// The name under which a file's findings are kept: whole, so that it is the same from anywhere.
fn name(file: &SourceFile) -> String {
    let whole = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
    whole.to_string_lossy().into_owned()
}

struct Run<'p> {
    ledger: Ledger,
    recorder: Recorder<'p>,
    batch: Vec<Event>,
}

impl Run<'_> {
    /// Reads a session's file and those beside it. The inner error is a file's, and the others are
    /// still to be read; the outer one ends the import.
    fn feed(
        &mut self,
        files: &[SourceFile],
        names: &[String],
        main: usize,
        beside: &[usize],
        progress: &mut dyn Progress,
    ) -> Result<Result<(), OpenFailed>, ImportError> {
        let mut feed = match Feed::open(files, main, beside) {
            Ok(feed) => feed,
            Err(failed) => return Ok(Err(failed)),
        };
        self.ledger.report.files += 1 + beside.len() as u64;
        let (mut at, mut unsent) = (None, 0);
        let ended = loop {
            let Fed { file, item, bytes } = match feed.next() {
                Some(Ok(fed)) => fed,
                Some(Err(failed)) => break Err(failed),
                None => break Ok(()),
            };
            if at != Some(file)
                && let (Some(source), Some(name)) = (files.get(file), names.get(file))
            {
                self.ledger.read_on(name, source.modified_ms, at.is_none());
                at = Some(file);
            }
            self.ledger.take(item, &mut self.batch);
            self.ledger.report.bytes += bytes;
            unsent += bytes as usize;
            if bytes > 0 {
                progress.advance(bytes);
            }
            if self.batch.len() >= BATCH_EVENTS_MAX || unsent >= BATCH_BYTES_MAX {
                unsent = 0;
                self.send()?;
            }
        };
        self.ledger.report.lines += feed.lines();
        self.send()?;
        Ok(ended)
    }

    /// Hands the batch to the recorder.
    fn send(&mut self) -> Result<(), ImportError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let sent = self.recorder.record(std::mem::take(&mut self.batch));
        let RecordReport { recorded, duplicates, corrected, .. } = sent.map_err(|source| {
            let (file, line) = self.ledger.place();
            ImportError::Record { file, line, source }
        })?;
        self.ledger.report.recorded += recorded;
        self.ledger.report.duplicates += duplicates;
        self.ledger.report.corrected += corrected;
        Ok(())
    }

    /// Every file is read: what is still open is closed, and what was staged is written.
    fn close(mut self) -> Result<ImportReport, ImportError> {
        for loose in self.ledger.loose_results() {
            let key = self.ledger.key(&loose.result.id);
            let known = self.recorder.known_call(&key);
            let known = known.map_err(|source| ImportError::Finish { source })?;
            let event = match known {
                Some((execution, tool)) => self.ledger.late(loose, execution, tool),
                None => self.ledger.give_up(&loose),
            };
            self.batch.push(event);
        }
        self.ledger.close(&mut self.batch);
        self.send()?;
        self.recorder.finish().map_err(|source| ImportError::Finish { source })?;
        Ok(self.ledger.report)
    }
}

#[cfg(test)]
mod tests;
