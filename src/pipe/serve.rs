//! What a pipe keeps between two requests.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;

use super::limits::{KEPT_EVENTS_MAX, LAG_EVENTS_MAX, OPEN_EXECUTIONS_MAX};
use super::{Caller, PipeError};
use crate::cli::session::{self, AGENT};
use crate::cli::{CliError, Context, catch_up, damage};
use crate::event::{
    Body, Change, Envelope, Event, ExecutionId, ExecutionInterrupted, SessionId, Source,
};
use crate::execution::AskedStores;
use crate::execution::live_recorder;
use crate::execution::query::Stores;
use crate::journal::owner::Owner;
use crate::journal::{Project, Recorder, clock};
use crate::memory::{Memory, MemoryError};
use crate::output::escape;

pub struct Pipe<'p> {
    pub project: &'p Project,
    pub context: &'p mut Context,
    /// Whose the request is that is being done.
    pub caller: Caller,
    recorder: Recorder<'p>,
    /// Open while questions follow one another, and a moment longer: a store that somebody has open
    /// cannot be rebuilt.
    stores: Option<Kept>,
    /// Open while it is worked on, and a moment longer.
    memory: Option<Memory<'p>>,
    /// Executions that began through this pipe and have not ended.
    open: BTreeMap<ExecutionId, Open>,
    /// Sessions that the journal was told of.
    introduced: BTreeSet<SessionId>,
    /// Whether something was recorded since the stores that are open were caught up.
    is_stale: bool,
    /// Events recorded since all stores were caught up.
    lag: u64,
    /// Whether what is answered next comes from the journal's past.
    pub has_asked: bool,
}

struct Kept {
    stores: AskedStores,
    files: [Option<(u64, u64)>; 2],
}

pub struct Open {
    pub tool: String,
    pub session: SessionId,
    pub began_ms: u64,
    /// The files that its command surely changes, if it ends well.
    pub edits: Vec<Change>,
    /// Held until its end is durable.
    _owner: Owner,
}

impl<'p> Pipe<'p> {
    pub fn new(project: &'p Project, context: &'p mut Context) -> Result<Self, CliError> {
        Ok(Self {
            project,
            context,
            caller: Caller::default(),
            recorder: live_recorder(project),
            stores: None,
            memory: None,
            open: BTreeMap::new(),
            introduced: BTreeSet::new(),
            is_stale: true,
            lag: 0,
            has_asked: false,
        })
    }

    pub fn recorder(&mut self) -> &mut Recorder<'p> {
        self.is_stale = true;
        &mut self.recorder
    }

    /// The index and the execution log, caught up with everything that was recorded; the others as
    /// they stand.
    pub fn stores(&mut self) -> Result<&Stores, PipeError> {
        self.has_asked = true;
        let kept = self.stores.take().filter(|kept| {
            // Another file under the name is another store.
            kept.files == files(self.project) && self.lag < KEPT_EVENTS_MAX
        });
        let kept = match kept {
            Some(kept) if !self.is_stale || catch_up::catch_up_executions(self.project) => kept,
            // What cannot be caught up beside who reads it may be built anew.
            kept => {
                drop(kept);
                damage::note_again(self.project, self.context);
                catch_up::settle_project(self.project, self.context);
                self.catch_up();
                let stores = catch_up::stores(self.project, self.context)?;
                Kept { stores, files: files(self.project) }
            }
        };
        self.is_stale = false;
        Ok(&self.stores.insert(kept).stores)
    }

    /// Every store, caught up with everything that was recorded.
    pub fn all_stores(&mut self) -> Result<&Stores, PipeError> {
        if self.is_stale || self.lag > 0 {
            self.rest();
        }
        self.stores()
    }

    /// Says something to the person who looks on: on standard error.
    pub fn note(&mut self, text: &str) {
        self.context.output.note(escape::line(text));
    }

    pub fn memory<T>(
        &mut self,
        work: impl FnOnce(&mut Memory<'p>) -> Result<T, MemoryError>,
    ) -> Result<T, PipeError> {
        (self.is_stale, self.has_asked) = (true, true);
        let mut memory = match self.memory.take() {
            Some(memory) => memory,
            None => {
                damage::note_again(self.project, self.context);
                catch_up::settle_project(self.project, self.context);
                // It is made, or made anew, where it has to be, and the index with it.
                self.stores = None;
                Memory::open(self.project)?
            }
        };
        let done = work(&mut memory);
        if let Some(appended) = memory.appended() {
            self.recorder.pass_over(appended);
            self.lag += appended.last.0 - appended.first.0 + 1;
        }
        // What failed may have failed with what is open.
        self.memory = done.is_ok().then_some(memory);
        Ok(done?)
    }

    /// Feeds the stores what the journal has. One that lags is told on standard error.
    pub fn catch_up(&mut self) {
        self.rest();
        catch_up::catch_up(self.project, self.context);
        (self.is_stale, self.lag) = (false, 0);
    }

    /// Something recorded besides the pipe's own recorder: what is known is read anew.
    pub fn others_recorded(&mut self) {
        self.is_stale = true;
        self.lag += 1;
        self.recorder.forget();
    }

    /// Counts what was recorded; now and then the stores take it.
    pub fn recorded(&mut self, events: u64) {
        self.is_stale = true;
        self.lag += events;
        if self.lag > LAG_EVENTS_MAX {
            self.catch_up();
        }
    }

    /// Lets go of the stores: nothing is asked for a while, and they may be replaced.
    pub fn rest(&mut self) {
        (self.stores, self.memory) = (None, None);
        self.recorder.forget();
    }

    /// What tells the journal whose session this is; `None` where this pipe has told it.
    pub fn introduction(&self, agent: &str, name: &str, at_ms: u64) -> Option<Event> {
        let session = crate::journal::id::session(agent, name);
        if self.introduced.contains(&session) {
            return None;
        }
        Some(session::introduction(agent, name, at_ms))
    }

    /// Remembers that the journal knows a session.
    pub fn is_introduced(&mut self, session: SessionId) {
        self.introduced.insert(session);
    }

    /// Tells the journal whose session a request is for, where that is not known.
    pub fn introduce(&mut self) -> Result<(), PipeError> {
        if let Some(event) = self.introduction(AGENT, self.caller.name(), clock::now_ms()) {
            self.recorder().record(vec![event])?;
            self.introduced.insert(self.caller.id());
        }
        Ok(())
    }

    /// Takes an execution that begins, before its start is recorded.
    pub fn begin(
        &mut self,
        execution: ExecutionId,
        tool: &str,
        session: SessionId,
        edits: Vec<Change>,
    ) -> Result<(), PipeError> {
        if self.open.len() >= OPEN_EXECUTIONS_MAX {
            let text = format!("{OPEN_EXECUTIONS_MAX} executions are open: finish one first");
            return Err(PipeError::new("refused", text));
        }
        let folder = self.project.owners_dir();
        let owner = Owner::hold(&folder, execution)
            .map_err(|source| CliError::io("lock an execution in", &folder, source))?;
        let (tool, began_ms) = (tool.to_owned(), clock::now_ms());
        self.open.insert(execution, Open { tool, session, began_ms, edits, _owner: owner });
        Ok(())
    }

    /// An execution that began through this pipe and has not ended.
    pub fn open(&self, execution: ExecutionId) -> Option<&Open> {
        self.open.get(&execution)
    }

    /// Lets go of an execution: its end is durable, or it never began.
    pub fn let_go(&mut self, execution: ExecutionId) {
        self.open.remove(&execution);
    }

    /// Closes what nobody will finish any more, and catches the stores up.
    pub fn close(mut self) -> Result<(), CliError> {
        let interrupted = |(execution, open): (&ExecutionId, &Open)| {
            let envelope = Envelope::new(Some(open.session), Source::Live, clock::now_ms());
            let body = Body::ExecutionInterrupted(ExecutionInterrupted {
                execution: *execution,
                tool: open.tool.clone(),
                reason: "the pipe that began it ended".to_owned(),
            });
            Event { envelope, body }
        };
        let left: Vec<Event> = self.open.iter().map(interrupted).collect();
        let told = if left.is_empty() { Ok(()) } else { self.recorder.record(left).map(drop) };
        let synced = self.project.journal().map(|journal| journal.sync().map(drop));
        self.open.clear();
        self.catch_up();
        told?;
        Ok(synced??)
    }
}

/// Which files the index and the execution log are; `None` where there is none.
fn files(project: &Project) -> [Option<(u64, u64)>; 2] {
    let places = crate::stores::places(project.root());
    [places.index(), places.execution_log()].map(|path| {
        // What is not there is no file.
        let about = std::fs::metadata(path).ok()?;
        Some((about.dev(), about.ino()))
    })
}
