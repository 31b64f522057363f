//! `.annals/index.db`: what the contract's tables cannot hold, and the indexes of every question.
//!
//! [`Index`] is the store and the fold into it: rows are written where an event is folded. It needs no
//! starts: its own rows have what a closing event lacks. What is of another noun than executions is
//! written by that noun's [`IndexPart`].

mod begun;
mod causes;
mod checks;
mod coverage;
mod ends;
mod failed_tests;
mod foresight;
mod links;
mod messages;
mod open;
mod part;
mod pending;
mod read;
mod rows;
mod schema;
mod sessions;
mod starts;
mod store;
mod tallies;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use crate::event::{Body, Recorded};
use crate::execution::closed::Closed;
use crate::parse::check::CheckRules;
use crate::store::bounded_set::Met;
use crate::store::columns::insert;
use crate::store::held::Held;
use crate::store::{
    Anomaly, Concern, Cursor, Digest, Foreseen, KnownStarts, Operations, Position, Projector, Rows,
    StoreError, StoreList, connection, digest, made_by,
};
use coverage::Coverages;
use open::OpenRows;
use pending::Passed;
use read::{LAST_ROWS, check};
use sessions::Touched;
pub use sessions::content_key;
use tallies::Tallies;

pub(crate) use checks::{LIST_BEFORE, ROOT, list};
pub use links::PathRole;
pub use part::IndexPart;
pub use pending::{LOOP_MIN, tried_as};
pub use read::IndexReader;
pub use store::{IndexStore, lookup};
pub use tallies::PROJECT;
pub(crate) use tallies::scopes;

const CURSOR_TABLE: &str = "cursor";
/// The table that has most of it all.
const LARGEST: &str = "executions";

/// `index.db`, open for writing: *live*, or a *load* of a new file.
#[derive(Debug)]
pub struct Index {
    conn: Held,
    path: PathBuf,
    parts: Vec<Box<dyn IndexPart>>,
    anomalies: Vec<Anomaly>,
    declared: Vec<String>,
    /// The project's own checks in force.
    own_checks: CheckRules,
    /// The project's root, as its journal says; empty where it does not.
    root: String,
    /// Whether any start does not count: spares a look-up an event.
    void_starts: bool,
    open: OpenRows,
    /// Of a load: ids and calls that have a row, or will have.
    met: Met,
    tallies: Tallies,
    coverages: RefCell<Coverages>,
    passed: Passed,
    rows: Rows,
    sessions: BTreeMap<[u8; 16], Touched>,
    /// What agents call which tool, as far as it was met: spares a look-up an event.
    native_tools: BTreeSet<(String, String)>,
    /// What was made ahead of an event.
    foreseen: Option<Foreseen>,
    /// Of a load: whether its digest is expected.
    is_digested: bool,
}

impl Index {
    /// Opens an existing store for catching up, and holds its lock shared.
    pub fn open(path: &Path, parts: Vec<Box<dyn IndexPart>>) -> Result<Self, StoreError> {
        let conn = Held::writing(path)?;
        check(&conn, path)?;
        Ok(Self::of(conn, path, parts))
    }

    pub fn create(path: &Path, parts: Vec<Box<dyn IndexPart>>) -> Result<Self, StoreError> {
        let index = Self::of(Held::alone(connection::create_bulk(path)?, path), path, parts);
        schema::tables().try_for_each(|sql| index.conn.run(sql, "making the tables"))?;
        made_by::note(&index.conn, *schema::NUMBER)?;
        Ok(index)
    }

    /// What it holds in memory is read by [`Self::begin`].
    fn of(conn: Held, path: &Path, parts: Vec<Box<dyn IndexPart>>) -> Self {
        Self {
            conn,
            path: path.to_owned(),
            parts,
            anomalies: Vec::new(),
            declared: Vec::new(),
            own_checks: CheckRules::default(),
            root: String::new(),
            void_starts: false,
            open: OpenRows::default(),
            met: Met::default(),
            tallies: Tallies::default(),
            coverages: RefCell::default(),
            passed: Passed::default(),
            rows: Rows::default(),
            sessions: BTreeMap::new(),
            native_tools: BTreeSet::new(),
            foreseen: None,
            is_digested: false,
        }
    }

    fn each_part(
        &mut self,
        run: impl FnMut(&mut Self, &mut dyn IndexPart) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut run = run;
        let mut parts = std::mem::take(&mut self.parts);
        let ran = parts.iter_mut().try_for_each(|part| run(self, part.as_mut()));
        self.parts = parts;
        ran
    }
}

impl Projector for Index {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.conn.begin("beginning to catch up")?;
        self.open = OpenRows::default();
        self.tallies = Tallies::default();
        self.rows = self.found_rows()?;
        let sql = "SELECT name FROM tools ORDER BY number";
        self.declared = self.conn.rows("reading the declared tools", sql, [], |row| row.get(0))?;
        self.own_checks = self.checks_in_force()?;
        self.root = self.find("reading the root", ROOT, [], |row| row.get(0))?.unwrap_or_default();
        let sql = "SELECT 1 FROM void_starts LIMIT 1";
        self.void_starts = self.find("looking for repeated starts", sql, [], |_| Ok(()))?.is_some();
        self.coverages.get_mut().let_go();
        Ok(())
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.conn.cursor(CURSOR_TABLE, "reading the cursor")
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.conn.last_rows("reading the last rows", LAST_ROWS)
    }

    fn apply(
        &mut self,
        recorded: &Recorded,
        _started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        let session = self.touch(recorded)?;
        self.contents(recorded)?;
        if let Some(closed) = Closed::of(recorded) {
            return self.close(recorded, closed, session);
        }
        match &recorded.event.body {
            Body::ExecutionStarted(started) => self.start(recorded, started, session),
            Body::ToolsDeclared(declared) => self.declare(recorded, declared),
            Body::ChecksDeclared(declared) => self.declare_checks(recorded, declared),
            Body::JournalCreated(created) => self.begin_in(recorded, &created.root),
            body => {
                self.fact(recorded, body, session)?;
                self.each_part(|index, part| part.apply(index, recorded, session))
            }
        }
    }

    fn foresee(&mut self, foreseen: Foreseen) {
        self.foreseen = Some(foreseen);
    }

    fn note(&mut self, anomaly: Anomaly) -> Result<(), StoreError> {
        insert!(
            self,
            anomalies {
                seq: anomaly.sequence.0,
                kind: anomaly.kind.as_str(),
                execution: anomaly.execution.map(|id| id.to_string()),
                message: anomaly.message,
            }
        )?;
        self.anomalies.push(anomaly);
        Ok(())
    }

    fn known_starts(&self) -> Option<&dyn KnownStarts> {
        Some(self)
    }

    fn wants_content(&self) -> bool {
        true
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.write_sessions()?;
        self.each_part(|index, part| part.settle(index))?;
        self.write_open()?;
        self.settle_waiting()?;
        self.write_tallies()?;
        // A load has no index yet to look for the newest along: it does so at its end.
        if !self.is_load() {
            self.settle_tallies()?;
        }
        let cursor = Cursor { position, rows: self.rows };
        self.conn.commit(cursor, CURSOR_TABLE)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.sessions.clear();
        self.native_tools.clear();
        self.parts.iter_mut().for_each(|part| part.forget());
        self.anomalies.clear();
        self.open = OpenRows::default();
        self.tallies = Tallies::default();
        self.coverages = RefCell::default();
        self.passed = Passed::default();
        self.conn.rollback("giving up a transaction")
    }

    fn operations(&self, list: &StoreList) -> Result<Option<Operations>, StoreError> {
        let last = |it: &Concern| self.find("looking for events", it.last, [], |row| row.get(0));
        Operations::of(list.concerns(), |it| Ok(last(it)?.flatten())).map(Some)
    }

    fn expect_digest(&mut self) {
        self.is_digested = true;
    }

    /// Makes the indexes after the rows, puts the file into WAL mode and closes it.
    fn finish(mut self: Box<Self>) -> Result<Option<Digest>, StoreError> {
        self.load_labels()?;
        let path = self.path.clone();
        let reading = if self.is_digested { Some(connection::open_still(&path)?) } else { None };
        let failed = |source| StoreError::sql(&path, "reading the new store", source);
        thread::scope(|scope| {
            // What takes longest to read, meanwhile: nothing changes it from here on, and what is made goes behind it.
            // Only when all is made is the file closed that it is read by, since with it go this process's locks.
            let read = reading.map(|still| {
                scope.spawn(move || digest::table(&still, LARGEST).map(|rows| (still, rows)))
            });
            for sql in schema::indexes() {
                self.conn.run(sql, "making the indexes")?;
            }
            self.conn.run("BEGIN", "counting what was loaded")?;
            self.settle_tallies()?;
            self.load_pending()?;
            self.conn.run("COMMIT", "counting what was loaded")?;
            drop(self);
            let read = read.map(|it| it.join().unwrap_or_else(|it| resume_unwind(it)));
            connection::finish_bulk(&path)?;
            let Some(read) = read else { return Ok(None) };
            let rows = vec![(LARGEST, read.map_err(failed)?.1)];
            digest::content_with(&connection::open_still(&path)?, rows).map(Some).map_err(failed)
        })
    }
}
