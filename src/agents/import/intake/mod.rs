//! Reads transcripts and hands what they say to the recorder.

mod files;
mod growth;
mod on_from;
mod reader;
mod rested;
mod turns;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use indicatif::ProgressBar;

use super::item::{Item, Part, TranscriptRecord};
use super::ledger::{Carried, Ledger};
use super::limits::{BATCH_BYTES_MAX, BATCH_EVENTS_MAX, FINDINGS_MAX};
use super::log_source::LogSource;
use super::read_on::Stops;
use super::report::{ImportReport, SkippedFile};
use super::source_file::SourceFile;
use super::stream::{Fed, Feed, OpenFailed, groups};
use super::{ImportError, Result, Skip, Whose, sources};
use crate::agents::mapped::Mapping;
use crate::agents::{Agent, SOURCES};
use crate::event::Event;
use crate::execution::import_recorder;
use crate::journal::{Mark, Project, Reading, RecordReport, Recorder, Source};
use crate::store::evidence::Cache;
use crate::store::look::{Depth, WoundKind, look};
use files::{leave_own, name, readable};
use reader::Step;
use turns::Turns;

pub use files::{past_files, survey};
pub use growth::import_growth;

#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// `None`: each file's content tells.
    pub format: Option<&'static LogSource>,
    /// By what the files are read, where a person says.
    pub mapping: Option<Arc<Mapping>>,
    /// Files and folders; none: the project's own past sessions.
    pub paths: Vec<PathBuf>,
    /// Agents whose own past sessions those are, and their folders.
    pub homes: Vec<(Agent, PathBuf)>,
    /// The project's folder, by which past sessions are told apart.
    pub root: Option<PathBuf>,
    /// The sessions go on: calls without a result are still under way.
    pub ongoing: bool,
    /// Each file from its beginning, also where an earlier import stopped further on.
    pub whole: bool,
    /// Only what is told of this session, by the agent's own name, and of those that it began.
    pub session: Option<String>,
}

/// Imports transcripts into a project's journal. Importing again adds only what is new. The
/// caller catches the stores up.
pub fn import(
    project: &Project,
    request: &ImportRequest,
    progress: &ProgressBar,
) -> Result<ImportReport> {
    let mut report = ImportReport::default();
    let mut files = readable(request, &mut report)?;
    leave_own(project, &mut files, &mut report);
    files.iter_mut().for_each(|file| file.is_ongoing = request.ongoing);
    let mut run = Run::of(project, request, report)?;
    progress.set_length(files.iter().map(|file| file.bytes).sum());
    let names: Vec<String> = files.iter().map(name).collect();
    if !request.paths.is_empty() {
        drop(sources::note(project, &names)); // who redacts may name the file instead
    }
    let stops = (request.reads_on() && !has_losses(project)).then(|| Stops::of(project));
    let (groups, stops) = (groups(&files), stops.as_ref());
    reader::ahead(project, files.clone(), &groups, stops, |steps| {
        for (main, beside) in &groups {
            files.get(*main).into_iter().for_each(|file| run.turn_to(file.agent()));
            let Ok(Step::Began(gone_on)) = steps.recv() else { break };
            let looks = run.gone_on(&mut files, gone_on);
            match run.feed(&steps, &files, &names, (*main, beside.len()), progress)? {
                Ok(feed) => run.note(&feed, &files, &names, &looks, stops),
                Err(OpenFailed { file, source }) => {
                    let reason = Skip::Unreadable(source.to_string()).to_string();
                    let file = names.get(file).cloned().unwrap_or_default();
                    run.ledger().report.skipped.push(SkippedFile { file, reason });
                }
            }
        }
        Ok::<(), ImportError>(())
    })?;
    progress.finish_and_clear();
    let (report, mark) = run.close()?;
    stops.iter().for_each(|stops| stops.save(mark));
    Ok(report)
}

/// Whether the journal lost something, told or not: what an import finds in it again is not all it had.
fn has_losses(project: &Project) -> bool {
    // Where there is none, who records says so.
    let source = Source::of_around(project.root(), project.around());
    let Ok(source) = source else { return false };
    let found = look(&source, Reading::Live, Depth::Cheap, &Cache::of_user());
    found.wounds.iter().any(|wound| wound.kind == WoundKind::Loss)
}

struct Run<'p> {
    project: &'p Project,
    ongoing: bool,
    whose: Option<Whose>,
    /// One an agent, for what one knows of calls and sessions says nothing of another's.
    ledgers: Vec<Ledger>,
    turn: usize,
    /// Of the files that are read on, by number: what the import before knew.
    carried: Vec<(usize, Carried)>,
    recorder: Recorder<'p>,
    turns: Option<Turns<'p>>,
    batch: Vec<Event>,
}

impl<'p> Run<'p> {
    fn of(project: &'p Project, request: &ImportRequest, report: ImportReport) -> Result<Self> {
        let mut recorder = import_recorder(project);
        let record = &project.config().record;
        let ledgers = vec![Ledger::new(SOURCES[0].name).recording(record)];
        let whose = request.session.as_deref().map(Whose::new);
        // Hooks end the turns of a session that they watch.
        let turns = whose.is_none().then(|| Turns::of(project)).transpose();
        let turns = turns.map_err(|source| ImportError::Turn { source: Box::new(source) })?;
        if turns.is_some() {
            recorder.listen();
        }
        let (ongoing, batch) = (request.ongoing, Vec::new());
        let (turn, carried) = (0, Vec::new());
        let mut run =
            Self { project, ongoing, whose, ledgers, turn, carried, recorder, turns, batch };
        run.ledger().report = report;
        Ok(run)
    }
}

impl Run<'_> {
    fn ledger(&mut self) -> &mut Ledger {
        &mut self.ledgers[self.turn]
    }

    /// Adds to its calls what their command lines surely change.
    fn with_edits(&self, mut item: Item) -> Item {
        if let Item::Record(record) = &mut item {
            let TranscriptRecord { head, parts, .. } = &mut **record;
            for part in parts {
                if let Part::Call(call) = part {
                    let home = self.ledgers[self.turn].home(head);
                    call.add_edits(self.project, head.cwd.as_deref(), home);
                }
            }
        }
        item
    }

    fn turn_to(&mut self, agent: &str) {
        let known = self.ledgers.iter().position(|ledger| ledger.agent() == agent);
        let turn = known.unwrap_or(self.ledgers.len());
        if known.is_none() {
            self.ledgers.push(Ledger::new(agent).recording(&self.project.config().record));
        }
        self.go_to(turn);
    }

    fn go_to(&mut self, turn: usize) {
        let report = std::mem::take(&mut self.ledger().report);
        self.turn = turn;
        self.ledger().report = report;
    }

    /// Takes what is read of a session's file and those beside it. The inner error is a file's alone; the outer one
    /// ends the import.
    fn feed(
        &mut self,
        steps: &Receiver<Step>,
        files: &[SourceFile],
        names: &[String],
        (main, beside): (usize, usize),
        progress: &ProgressBar,
    ) -> Result<Result<Box<Feed>, OpenFailed>> {
        let mut end = None;
        let batches = std::iter::from_fn(|| match steps.recv() {
            Ok(Step::Read(batch)) => Some(batch),
            step => {
                end = step.ok(); // none where its thread panicked, which ends the import
                None
            }
        });
        self.take_all(&mut batches.flatten(), files, names, progress)?;
        match end {
            Some(Step::Ended(feed, ended)) => {
                self.fed(&feed, names, 1 + beside)?;
                Ok(ended.map(|()| feed))
            }
            Some(Step::Failed(failed)) => Ok(Err(failed)),
            _ => Ok(Err(OpenFailed { file: main, source: ErrorKind::BrokenPipe.into() })),
        }
    }

    /// So many files were read to their ends.
    fn fed(&mut self, feed: &Feed, names: &[String], files: usize) -> Result<()> {
        let untimed = feed.untimed().filter_map(|file| names.get(file)).cloned();
        let report = &mut self.ledger().report;
        report.files += files as u64;
        report.lines += feed.lines();
        report.untimed.extend(untimed);
        report.untimed.truncate(FINDINGS_MAX);
        self.ledgers[self.turn].count_flaws(&mut self.batch);
        self.send()?;
        self.end_turns()
    }

    fn take_all(
        &mut self,
        read: &mut dyn Iterator<Item = Fed>,
        files: &[SourceFile],
        names: &[String],
        progress: &ProgressBar,
    ) -> Result<()> {
        let (mut at, mut unsent) = (None, 0);
        for Fed { file, item, bytes } in read {
            if at != Some(file)
                && let (Some(source), Some(name)) = (files.get(file), names.get(file))
            {
                self.ledger().read_on(name, source.modified_ms, at.is_none());
                self.whose.iter_mut().for_each(Whose::read_on);
                if at.is_none() {
                    self.carry_on(files, names)?;
                }
                at = Some(file);
            }
            if self.whose.as_mut().is_none_or(|whose| whose.takes(&item)) {
                let item = self.with_edits(item);
                self.take(item)?;
            }
            self.ledger().report.bytes += bytes;
            unsent += bytes as usize;
            if bytes > 0 {
                progress.inc(bytes);
            }
            if self.batch.len() >= BATCH_EVENTS_MAX || unsent >= BATCH_BYTES_MAX {
                unsent = 0;
                self.send()?;
            }
        }
        Ok(())
    }

    fn send(&mut self) -> Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let sent = self.recorder.record(std::mem::take(&mut self.batch)).map_err(|source| {
            let (file, line) = self.ledger().place();
            ImportError::Record { file, line, source }
        });
        let RecordReport { recorded, duplicates, withheld, corrected, .. } = sent?;
        let report = &mut self.ledger().report;
        report.recorded += recorded;
        report.duplicates += duplicates;
        report.withheld += withheld;
        report.corrected += corrected;
        self.hear_turns()
    }

    /// Gives what was found, and where the journal ends by then.
    fn close(mut self) -> Result<(ImportReport, Mark)> {
        for turn in 0..self.ledgers.len() {
            self.go_to(turn);
            for loose in self.ledger().loose_results() {
                let key = self.ledger().key(loose.result.scope.as_deref(), &loose.result.id);
                let known = self.recorder.known_call(&key);
                let known = known.map_err(|source| ImportError::Finish { source })?;
                let event = match known {
                    Some((execution, tool)) => self.ledger().late(loose, execution, tool),
                    None => self.ledger().give_up(&loose),
                };
                self.batch.push(event);
            }
            if self.ongoing {
                self.ledgers[self.turn].leave_open();
            }
            self.ledgers[self.turn].close(&mut self.batch);
        }
        self.send()?;
        let mark = self.recorder.finish().map_err(|source| ImportError::Finish { source })?;
        Ok((std::mem::take(&mut self.ledgers[self.turn].report), mark))
    }
}

#[cfg(test)]
mod tests;
