//! Reads transcripts and hands what they say to the recorder.

mod growth;
mod rested;
mod turns;

use std::fs;
use std::path::PathBuf;

use indicatif::ProgressBar;

use super::item::{Item, Part, TranscriptRecord};
use super::ledger::Ledger;
use super::limits::{BATCH_BYTES_MAX, BATCH_EVENTS_MAX};
use super::report::{ImportReport, SkippedFile};
use super::source_file::{SourceFile, source_files};
use super::stream::{Fed, Feed, OpenFailed, groups};
use super::{ImportError, Result, Whose, sources};
use crate::agents::Agent;
use crate::event::{Event, Ordered};
use crate::execution::import_recorder;
use crate::journal::{Mark, Project, RecordReport, Recorder};
use turns::Turns;

pub use growth::import_growth;

#[derive(Clone, Debug, Default)]
pub struct ImportRequest {
    /// `None`: each file's content tells.
    pub format: Option<Agent>,
    /// Files and folders; none: the project's own past sessions.
    pub paths: Vec<PathBuf>,
    /// Agents whose own past sessions those are, and their folders.
    pub homes: Vec<(Agent, PathBuf)>,
    /// The project's folder, by which past sessions are told apart.
    pub root: Option<PathBuf>,
    /// The sessions go on: calls without a result are still under way.
    pub ongoing: bool,
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
    let files = readable(request, &mut report)?;
    let mut run = Run::of(project, request, report)?;
    progress.set_length(files.iter().map(|file| file.bytes).sum());
    let names: Vec<String> = files.iter().map(name).collect();
    if !request.paths.is_empty() {
        drop(sources::note(project, &names)); // who redacts may name the file instead
    }
    for (main, beside) in groups(&files) {
        run.turn_to(files.get(main).map_or(Agent::ClaudeCode, |file| file.format));
        let fed = run.feed(&files, &names, main, &beside, progress)?;
        if let Err(OpenFailed { file, source }) = fed {
            let file = names.get(file).cloned().unwrap_or_default();
            run.ledger().report.skipped.push(SkippedFile { file, reason: source.to_string() });
        }
    }
    progress.finish_and_clear();
    Ok(run.close()?.0)
}

/// The files that an import would read; none where there are no past sessions.
pub fn past_files(request: &ImportRequest) -> Result<Vec<SourceFile>> {
    match readable(request, &mut ImportReport::default()) {
        Err(
            ImportError::NoHome
            | ImportError::NoPastSessions { .. }
            | ImportError::NothingFound { .. },
        ) => Ok(Vec::new()),
        read => read,
    }
}

pub fn survey(request: &ImportRequest) -> Result<(u64, u64)> {
    let files = past_files(request)?;
    Ok((files.len() as u64, files.iter().map(|file| file.bytes).sum()))
}

/// The files to read; those of a foreign format are set aside. Rollouts come last and in the order their sessions
/// began, so that a fork comes after what it was forked from, whichever of them was written last.
fn readable(request: &ImportRequest, report: &mut ImportReport) -> Result<Vec<SourceFile>> {
    let files = match request.paths.as_slice() {
        [] => past(request)?,
        paths => source_files(paths)?,
    };
    let (mut kept, mut rollouts) = (Vec::new(), Vec::new());
    for mut file in files {
        match file.check(request.format) {
            Ok(()) if file.format.facts().began_ms.is_some() => rollouts.push(file),
            Ok(()) => kept.push(file),
            Err(skip) => {
                let (file, reason) = (name(&file), skip.to_string());
                report.skipped.push(SkippedFile { file, reason });
            }
        }
    }
    rollouts.order_by_key(|file| file.began_ms);
    kept.append(&mut rollouts);
    Ok(kept)
}

fn past(request: &ImportRequest) -> Result<Vec<SourceFile>> {
    let (mut files, mut places) = (Vec::new(), Vec::new());
    let Some(root) = &request.root else { return Err(ImportError::NoHome) };
    for (agent, home) in &request.homes {
        if request.format.is_some_and(|named| named != *agent) {
            continue;
        }
        let read = |source| ImportError::Read { path: home.clone(), source };
        let (place, mut found) = (agent.facts().past_sessions)(home, root).map_err(read)?;
        places.push(place.display().to_string());
        files.append(&mut found);
    }
    match (files.is_empty(), places.is_empty()) {
        (true, true) => Err(ImportError::NoHome),
        (true, false) => Err(ImportError::NoPastSessions { places: places.join(" and ") }),
        (false, _) => Ok(files),
    }
}

/// The name under which a file's findings are kept: whole, so that it is the same from anywhere.
fn name(file: &SourceFile) -> String {
    let whole = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
    whole.to_string_lossy().into_owned()
}

struct Run<'p> {
    project: &'p Project,
    ongoing: bool,
    whose: Option<Whose>,
    /// One an agent, for what one knows of calls and sessions says nothing of another's.
    ledgers: Vec<Ledger>,
    turn: usize,
    recorder: Recorder<'p>,
    turns: Option<Turns<'p>>,
    batch: Vec<Event>,
}

impl<'p> Run<'p> {
    fn of(project: &'p Project, request: &ImportRequest, report: ImportReport) -> Result<Self> {
        let mut recorder = import_recorder(project);
        let record = &project.config().record;
        let ledgers =
            Agent::ALL.iter().map(|agent| Ledger::new(agent.as_str()).recording(record)).collect();
        let whose = request.session.as_deref().map(Whose::new);
        // Hooks end the turns of a session that they watch.
        let turns = whose.is_none().then(|| Turns::of(project)).transpose();
        let turns = turns.map_err(|source| ImportError::Turn { source: Box::new(source) })?;
        if turns.is_some() {
            recorder.listen();
        }
        let (ongoing, batch) = (request.ongoing, Vec::new());
        let mut run = Self { project, ongoing, whose, ledgers, turn: 0, recorder, turns, batch };
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

    fn turn_to(&mut self, agent: Agent) {
        let report = std::mem::take(&mut self.ledger().report);
        self.turn = agent as usize;
        self.ledger().report = report;
    }

    /// Reads a session's file and those beside it. The inner error is a file's alone; the outer one ends the import.
    fn feed(
        &mut self,
        files: &[SourceFile],
        names: &[String],
        main: usize,
        beside: &[usize],
        progress: &ProgressBar,
    ) -> Result<Result<(), OpenFailed>> {
        match Feed::open(files, main, beside) {
            Ok(mut feed) => self.feed_from(&mut feed, files, names, 1 + beside.len(), progress),
            Err(failed) => Ok(Err(failed)),
        }
    }

    fn feed_from(
        &mut self,
        feed: &mut Feed,
        files: &[SourceFile],
        names: &[String],
        count: usize,
        progress: &ProgressBar,
    ) -> Result<Result<(), OpenFailed>> {
        self.ledger().report.files += count as u64;
        let ended = feed.ahead(|read| self.take_all(read, files, names, progress))?;
        self.ledger().report.lines += feed.lines();
        self.ledgers[self.turn].count_flaws(&mut self.batch);
        self.send()?;
        self.end_turns()?;
        Ok(ended)
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
        self.begin_turns()
    }

    /// Gives what was found, and where the journal ends by then.
    fn close(mut self) -> Result<(ImportReport, Mark)> {
        for agent in Agent::ALL.iter().copied() {
            self.turn_to(agent);
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
