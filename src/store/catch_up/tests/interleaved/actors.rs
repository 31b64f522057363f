//! Who catches up, who asks and who records: each with a project of its own, as a command has.

use super::super::super::{CatchUpReport, catch_up_executions};
use super::super::catch_up_by;
use super::{Tried, at, held};
use crate::event::{
    Body, Envelope, Event, ExecutionFinished, ExecutionId, ExecutionStarted, Json, Outcome,
    SessionId, Source,
};
use crate::execution::live_recorder;
use crate::execution::log::ExecutionLogReader;
use crate::journal::{Project, Recorder, clock, id};
use crate::memory::{Asker, Memory};
use crate::store::{JournalFeed, store_status, turn};

const TOOL: &str = "bash_exec";

/// Catches all stores up, in transactions of so many events.
pub struct Feeding<'p> {
    project: &'p Project,
    batch: u64,
}

impl<'p> Feeding<'p> {
    pub fn of(project: &'p Project, batch: u64) -> Self {
        Self { project, batch }
    }

    pub fn act(&self) -> Tried<Vec<String>> {
        self.feed()?;
        self.feed()?;
        Ok(Vec::new())
    }

    pub fn feed(&self) -> Tried<()> {
        let feed = JournalFeed::of(self.project).map_err(at("feed"))?;
        is_fed(&catch_up_by(&crate::stores::places(self.project.root()), &feed, self.batch))
    }
}

/// Holds that catching up neither failed nor built anew what there was.
fn is_fed(report: &CatchUpReport) -> Tried<()> {
    let is_good = report.stores.iter().all(|store| {
        let done = store.outcome.as_ref();
        done.is_ok_and(|done| done.replaced_for().is_none() && done.quarantined.is_none())
    });
    held(is_good, || format!("{report:?}"))
}

/// Asks for the log, and how the stores stand.
pub struct Asking<'p> {
    project: &'p Project,
}

impl<'p> Asking<'p> {
    pub fn of(project: &'p Project) -> Self {
        Self { project }
    }

    pub fn act(&self) -> Tried<Vec<String>> {
        let places = crate::stores::places(self.project.root());
        for _ in 0..2 {
            let feed = JournalFeed::of(self.project).map_err(at("feed"))?;
            is_fed(&catch_up_executions(&places, &feed))?;
            let standing = JournalFeed::reading(&self.project.journal_dir()).map_err(at("feed"))?;
            for status in store_status(&places, &standing).map_err(at("status"))? {
                // Not made yet is all that may be wrong with one.
                let is_made = places.has(status.store).map_err(at("has"))?;
                let is_ours = status.store.is_needed();
                let is_good = status.problem.is_none() || !is_made || !is_ours;
                held(is_good, || format!("{status:?}"))?;
            }
            let log = ExecutionLogReader::open(places.execution_log()).map_err(at("log"))?;
            for ordinal in 1..=rows_count(&log).map_err(at("log"))? {
                let row = log.execution(ordinal).map_err(at("log"))?.ok_or("a row is gone")?;
                held(row.arguments_json.contains("step"), || format!("{row:?}"))?;
            }
        }
        Ok(Vec::new())
    }
}

/// Holds that the rows are those that were recorded, in that order.
pub fn rows_are(log: &ExecutionLogReader, done: &[String]) -> Tried<()> {
    for (ordinal, arguments) in (1..).zip(done) {
        let row = log.execution(ordinal).map_err(at("log"))?.ok_or("a row is missing")?;
        held(row.arguments_json == *arguments, || format!("{row:?}, not {arguments}"))?;
    }
    Ok(())
}

/// Records executions, each in two commits, and what a branch remembers.
pub struct Recording<'p> {
    project: &'p Project,
    recorder: Recorder<'p>,
    session: SessionId,
    next: u32,
    /// The arguments of what has ended, in that order.
    pub done: Vec<String>,
}

impl<'p> Recording<'p> {
    pub fn of(project: &'p Project, next: u32) -> Tried<Self> {
        let recorder = live_recorder(project);
        let (session, done) = (id::session("test", "one"), Vec::new());
        Ok(Self { project, recorder, session, next, done })
    }

    pub fn act(mut self) -> Tried<Vec<String>> {
        let open = self.begin()?;
        self.executions(1)?;
        let branch = format!("branch {}", self.next);
        let mut memory = Memory::open(self.project).map_err(at("memory"))?;
        memory
            .operate(&Asker::default(), |op| op.mem_node_fork(None, &branch, &[], None))
            .map_err(at("fork"))?;
        drop(memory);
        self.end(open)?;
        self.executions(1)?;
        Ok(self.done)
    }

    /// So many executions that lie within each other.
    pub fn executions(&mut self, count: u32) -> Tried<()> {
        for _ in 0..count {
            let (outer, inner) = (self.begin()?, self.begin()?);
            turn::pass();
            self.end(outer)?;
            self.end(inner)?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Tried<(ExecutionId, String)> {
        self.next += 1;
        let (execution, arguments) =
            (id::execution(clock::now_ms()), format!(r#"{{"command":"step {}"}}"#, self.next));
        self.record(Body::ExecutionStarted(ExecutionStarted {
            execution,
            tool: TOOL.to_owned(),
            native_tool: None,
            call: None,
            actor: None,
            parent: None,
            arguments: Json(arguments.clone()),
            paths: vec!["src/lib.rs".to_owned()],
            symbols: Vec::new(),
            cwd: None,
            branch: None,
        }))?;
        Ok((execution, arguments))
    }

    fn end(&mut self, (execution, arguments): (ExecutionId, String)) -> Tried<()> {
        let closing = super::super::history::closing(Outcome::Ok);
        let tool = TOOL.to_owned();
        self.record(Body::ExecutionFinished(ExecutionFinished { execution, tool, closing }))?;
        self.done.push(arguments);
        Ok(())
    }

    fn record(&mut self, body: Body) -> Tried<()> {
        let envelope = Envelope::new(Some(self.session), Source::Live, clock::now_ms());
        let report = self.recorder.record(vec![Event { envelope, body }]).map_err(at("record"))?;
        held(report.recorded == 1, || format!("{report:?}"))
    }
}

pub fn rows_count(log: &ExecutionLogReader) -> rusqlite::Result<u64> {
    log.conn.query_row("SELECT count(*) FROM executions", [], |row| row.get(0))
}
