//! Operations on branch memory (spec 003): decided on what memory holds, then recorded, then held.
//!
//! One operation is one SQLite transaction and one commit of the journal. The transaction is begun
//! first, and is the lock between everybody who writes memory; what is decided is applied in it by the
//! projector that a rebuild uses, so that the next decision of the same operation sees it. Then the
//! events are appended, all of them or none, and only then does the transaction end. Whoever dies in
//! between has recorded it, and the store catches up; where the append fails nothing happened.

mod apply;
mod archival;
mod behind;
mod bench;
mod care;
mod consolidate;
pub mod contract;
mod core;
mod error;
pub mod exported;
pub mod fold;
mod fork_at;
mod import;
mod importance;
pub mod index_fold;
mod kv;
mod limits;
pub mod log_fold;
mod moment;
mod names;
mod node;
mod operation;
pub mod query;
mod recall;
mod render;
mod results;
pub mod state;
mod state_bench;
pub mod store;
mod summary;
mod tags;
mod texts;
mod thread;
pub mod update;
pub mod vectors;
mod within;
mod words;

#[cfg(test)]
mod tests;

use crate::event::{Event, Sequence};
use crate::journal::{Appended, Project};
use bench::{Begun, Bench};

pub use error::{MemoryError, Result};
pub use import::export_memory;
pub use importance::{
    CommandImportance, ImportanceItem, ImportanceModel, Judged, StoredImportance,
};
pub use node::NodeWrite;
pub use operation::{Asker, Operation};
pub use recall::RecallGiven;
pub use render::RenderGiven;
pub use results::{
    Applied, ArchivalDone, Consolidated, CoreDone, CoreGone, Evicted, Forked, MemoryConsolidation,
    NodeWritten, RecallDone, Refusal,
};

/// The branch memory of a project, to be worked on.
///
/// While one is open its store is caught up by every process, but none can replace the file under it:
/// `annals rebuild` answers *locked* meanwhile.
pub struct Memory<'p> {
    project: Held<'p>,
    bench: Bench,
    appended: Option<Appended>,
}

/// One of several operations that are asked for at once.
pub struct Asked<'a, T> {
    pub asker: Asker,
    pub operation: Decision<'a, T>,
}

pub type Decision<'a, T> = Box<dyn FnOnce(&mut Operation<'_>) -> Result<T> + 'a>;

enum Held<'p> {
    Borrowed(&'p Project),
    Owned(Box<Project>),
}

impl Held<'_> {
    fn get(&self) -> &Project {
        match self {
            Self::Borrowed(project) => project,
            Self::Owned(project) => project,
        }
    }
}

impl<'p> Memory<'p> {
    /// The memory of a project. Nothing is made or opened before the first operation.
    pub fn open(project: &'p Project) -> Result<Self> {
        let bench = Bench::new(project);
        Ok(Self { project: Held::Borrowed(project), bench, appended: None })
    }

    /// As [`Self::open`], for whoever keeps nothing else of the project.
    pub fn owning(project: Project) -> Result<Memory<'static>> {
        let bench = Bench::new(&project);
        Ok(Memory { project: Held::Owned(Box::new(project)), bench, appended: None })
    }

    /// The project it is of.
    pub fn project(&self) -> &Project {
        self.project.get()
    }

    /// The commit of the last operation; `None` where it recorded nothing.
    pub fn appended(&self) -> Option<Appended> {
        self.appended
    }

    /// Asks who is to judge what a branch's keys are worth, for the operations to come: the settings'
    /// command, where they name one. Nobody waits for it meanwhile, and where it fails everything
    /// keeps what is stored; what failed is in what a consolidation says.
    pub fn judge(&mut self, branch: &str, task_hint: Option<&str>) -> Result<()> {
        let project = self.project.get();
        project.must_act_by_settings()?;
        let Some(line) = &project.config().memory.importance_model else { return Ok(()) };
        let mut model = CommandImportance::new(line, project.root().to_owned());
        self.judge_by(&mut model, branch, task_hint)
    }

    /// As [`Self::judge`], by any model.
    pub fn judge_by(
        &mut self,
        model: &mut dyn ImportanceModel,
        branch: &str,
        task_hint: Option<&str>,
    ) -> Result<()> {
        let held = self.operate(&Asker::default(), |operation| {
            let branch = operation.branch(branch)?;
            let items = care::items(&operation.live_core(&branch)?);
            Ok((branch, items))
        });
        let (branch, items) = match held {
            // The operation to come says so; or makes the branch.
            Err(error) if error.is_refusal() => return Ok(()),
            held => held?,
        };
        self.bench.judged.retain(|known| known.branch != branch);
        if items.is_empty() {
            return Ok(());
        }
        let (scores, failed) = match model.evaluate(&items, task_hint) {
            Ok(scores) => (scores, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        if self.bench.judged.len() >= limits::JUDGED_MAX {
            self.bench.judged.remove(0);
        }
        self.bench.judged.push(Judged { branch, items, scores, failed });
        Ok(())
    }

    /// Carries an operation out: one commit, durable as the settings say when this returns.
    pub fn operate<T>(
        &mut self,
        asker: &Asker,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T>,
    ) -> Result<T> {
        self.appended = None;
        let mut commit = Commit::begin(self.project.get(), &mut self.bench)?;
        match commit.decide(asker, operation) {
            Ok(done) => {
                self.appended = commit.end()?;
                Ok(done)
            }
            Err(error) => {
                commit.bench.give_up();
                Err(error)
            }
        }
    }

    /// Carries several operations out, in order, as one commit, where they are not too large for one.
    /// Each is an operation of its own: of one that is refused nothing stays, and the others go on.
    pub fn operate_many<'a, T>(&mut self, asked: Vec<Asked<'a, T>>) -> Result<Vec<Result<T>>> {
        self.appended = None;
        let mut done = Vec::with_capacity(asked.len());
        let mut asked = asked.into_iter().peekable();
        while asked.peek().is_some() {
            let mut commit = Commit::begin(self.project.get(), &mut self.bench)?;
            while commit.bytes < limits::COMMIT_BYTES_MAX
                && commit.events.len() < limits::COMMIT_EVENTS_MAX
                && let Some(Asked { asker, operation }) = asked.next()
            {
                match commit.decide_apart(&asker, operation) {
                    Ok(one) => done.push(one),
                    Err(error) => {
                        commit.bench.give_up();
                        return Err(error);
                    }
                }
            }
            self.appended = commit.end()?.or(self.appended);
        }
        Ok(done)
    }
}

struct Commit<'c> {
    project: &'c Project,
    bench: &'c mut Bench,
    begun: Begun,
    events: Vec<Event>,
    bytes: usize,
}

impl<'c> Commit<'c> {
    fn begin(project: &'c Project, bench: &'c mut Bench) -> Result<Self> {
        let begun = bench.begin(project)?;
        Ok(Self { project, bench, begun, events: Vec::new(), bytes: 0 })
    }

    fn decide<T>(
        &mut self,
        asker: &Asker,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T>,
    ) -> Result<T> {
        operation(&mut self.asked_by(asker)?)
    }

    fn asked_by(&mut self, asker: &Asker) -> Result<Operation<'_>> {
        let origin = &asker.origin;
        names::check_origin(origin)?;
        for name in [&origin.run, &origin.node, &origin.phase].into_iter().flatten() {
            if self.bench.redactor.redact_text(name) != *name {
                return Err(MemoryError::SecretName { what: "run, node or phase" });
            }
        }
        let last_ms = self.bench.store()?.view().last_ms()?;
        Ok(Operation {
            now_ms: crate::journal::clock::now_ms(),
            at_ms: moment::at_ms(last_ms),
            project: self.project,
            asker: asker.clone(),
            after: Sequence(self.begun.mark.sequence.0),
            begun: self.begun,
            bench: self.bench,
            events: &mut self.events,
            bytes: &mut self.bytes,
        })
    }

    /// As [`Self::decide`]; of what is refused nothing stays. The outer error is the store's.
    fn decide_apart<T>(
        &mut self,
        asker: &Asker,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T>,
    ) -> Result<Result<T>> {
        let (events, bytes) = (self.events.len(), self.bytes);
        self.bench.store()?.savepoint()?;
        let decided = self.decide(asker, operation);
        match decided {
            Ok(_) => self.bench.store()?.release()?,
            Err(_) => {
                self.bench.take_back()?;
                self.events.truncate(events);
                self.bytes = bytes;
            }
        }
        Ok(decided)
    }

    fn end(self) -> Result<Option<Appended>> {
        let now_ms = crate::journal::clock::now_ms();
        self.bench.commit(self.project, self.begun, &self.events, now_ms)
    }
}
