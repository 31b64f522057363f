//! A project of one size, and what each row takes in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use annals::internal::execution::query::Stores;
use annals::internal::grounding::timeline::TimelineScope;
use annals::internal::journal::{Durability, Journal, JournalOptions};
use annals_journal_format::storage::FsStorage;
use annals_journal_format::verify::{VerifyOptions, verify};
use tempfile::TempDir;

use super::Point;
use crate::bench::rebuild::rebuilt;
use crate::bench::{hook, open, replay};
use crate::floor::RawFile;
use crate::harness::{Program, Spread, Watched, settle, timed, watched};
use crate::request::Request;
use crate::{BenchError, workload};

/// Bytes of disk that one size needs at most: the project with a store beside its old one, or transcripts with the
/// project made of them.
pub fn disk_bytes(count: u64) -> u64 {
    count * 4_500 + (256 << 20)
}

/// Readings of a call that must not grow with what lies behind it.
const CALLS: usize = 100;
const OPENINGS: usize = 40;
const HOOKS: u64 = 40;

/// A project of so many executions.
pub struct Fixture {
    folder: TempDir,
    program: Program,
    count: u64,
    /// Where it is there.
    root: Option<PathBuf>,
    has_stores: bool,
}

impl Fixture {
    pub fn new(request: &Request, count: u64) -> Result<Self, BenchError> {
        let (folder, program) = (request.folder()?, Program::find()?);
        Ok(Self { folder, program, count, root: None, has_stores: false })
    }

    /// Readings of what takes longer the more there is.
    fn rounds(&self) -> usize {
        match self.count {
            ..50_000 => 5,
            50_000..5_000_000 => 3,
            _ => 1,
        }
    }

    pub fn measure(&mut self, row: &str) -> Result<Point, BenchError> {
        match row {
            "buffered append" => self.buffered(row),
            "verify, the chain too" => {
                let journal = self.project()?.join(".annals/journal");
                self.straight(row, || timed(|| verified(&journal)))
            }
            "replay" => {
                let journal = self.project()?.join(".annals/journal");
                self.straight(row, || timed(|| replay::replayed(&journal).map(drop)))
            }
            "rebuild execution_log.db" => self.rebuild(row, "execution_log"),
            "rebuild codegraph.db" => self.rebuild(row, "graph"),
            "rebuild all stores" => self.rebuild(row, "all"),
            "open a writer" => {
                let journal = self.project()?.join(".annals/journal");
                self.flat(row, OPENINGS, || open::writer(&journal))
            }
            "open a reader" => {
                let journal = self.project()?.join(".annals/journal");
                self.flat(row, OPENINGS, || open::reader(&journal))
            }
            "timeline position" => {
                let stores = self.stores()?;
                self.flat(row, CALLS, || {
                    timed(|| {
                        let asked = stores.get_timeline_position(TimelineScope::Project);
                        asked.map(drop).map_err(BenchError::program("asking"))
                    })
                })
            }
            "pending failures" => {
                let stores = self.stores()?;
                self.flat(row, CALLS, || {
                    timed(|| {
                        let asked = stores.get_pending_failures(TimelineScope::Project);
                        asked.map(drop).map_err(BenchError::program("asking"))
                    })
                })
            }
            "durable append" => self.durable(row),
            "hook" => self.hook(row),
            "import" => self.import(row),
            _ => Err(BenchError::Usage(format!("no row is called {row}"))),
        }
    }

    /// The project, made where it is not there yet.
    fn project(&mut self) -> Result<PathBuf, BenchError> {
        if let Some(root) = &self.root {
            return Ok(root.clone());
        }
        let root = self.folder.path().join("project");
        self.fill(&root)?;
        self.root = Some(root.clone());
        Ok(root)
    }

    /// Its stores, caught up.
    fn stores(&mut self) -> Result<Stores, BenchError> {
        let root = self.project()?;
        if !self.has_stores {
            rebuilt(&root, "all")?;
            self.has_stores = true;
        }
        Stores::open(&annals::internal::stores::places(&root))
            .map_err(BenchError::program("opening the stores"))
    }

    /// Makes a project with the executions in its journal; how long those took.
    fn fill(&self, root: &Path) -> Result<Duration, BenchError> {
        self.program.init(root)?;
        let options =
            JournalOptions { durability: Durability::Buffered, ..JournalOptions::default() };
        let journal = opened(root, options)?;
        timed(|| {
            for index in 0..self.count {
                let one = workload::linked(index);
                let staged = journal.stage(&one.events(), one.at_ms);
                staged.map_err(BenchError::program("filling a journal"))?;
            }
            journal.sync().map(drop).map_err(BenchError::program("filling a journal"))
        })
    }

    fn buffered(&mut self, row: &str) -> Result<Point, BenchError> {
        let (root, mut took) = (self.folder.path().join("project"), Vec::new());
        for _ in 0..self.rounds() {
            if root.exists() {
                fs::remove_dir_all(&root).map_err(BenchError::io("removing a project"))?;
            }
            settle()?;
            took.push(self.fill(&root)?.as_secs_f64());
        }
        (self.root, self.has_stores) = (Some(root), false);
        Ok(Point::new(row, self.count, Spread::of(&took).median, took.len()))
    }

    fn straight(
        &self,
        row: &str,
        work: impl Fn() -> Result<Duration, BenchError>,
    ) -> Result<Point, BenchError> {
        work()?;
        let took = (0..self.rounds()).map(|_| Ok(work()?.as_secs_f64()));
        let took = took.collect::<Result<Vec<f64>, BenchError>>()?;
        Ok(Point::new(row, self.count, Spread::of(&took).median, took.len()))
    }

    fn flat(
        &self,
        row: &str,
        calls: usize,
        work: impl Fn() -> Result<Duration, BenchError>,
    ) -> Result<Point, BenchError> {
        // The first reads what the others have in memory.
        (0..3).try_for_each(|_| work().map(drop))?;
        let took = (0..calls).map(|_| Ok(work()?.as_secs_f64()));
        let took = took.collect::<Result<Vec<f64>, BenchError>>()?;
        Ok(Point::new(row, self.count, Spread::of(&took).median, took.len()))
    }

    /// From nothing: what was there before is taken away.
    fn rebuild(&mut self, row: &str, stores: &str) -> Result<Point, BenchError> {
        let root = self.project()?;
        let (mut took, mut peak) = (Vec::new(), 0);
        for _ in 0..self.rounds() {
            remove_stores(&root)?;
            self.has_stores = false;
            settle()?;
            let one = rebuilt(&root, stores)?;
            took.push(one.took.as_secs_f64());
            peak = one.peak_bytes.max(peak);
        }
        self.has_stores = stores == "all";
        let mut point = Point::new(row, self.count, Spread::of(&took).median, took.len());
        point.peak_bytes = Some(peak);
        Ok(point)
    }

    /// One commit with its flush behind so many others, in turns with a raw one.
    fn durable(&mut self, row: &str) -> Result<Point, BenchError> {
        let root = self.project()?;
        let journal = opened(&root, JournalOptions::default())?;
        let mut raw = RawFile::zero_filled(&self.folder.path().join("raw"), 1 << 20)?;
        let (mut took, mut floor) = (Vec::new(), Vec::new());
        for call in 0..CALLS as u64 * 2 {
            let one = workload::linked(self.count + call);
            let events = one.events();
            let frame = workload::payload_pairs(std::slice::from_ref(&events))?.concat().concat();
            let raw = timed(|| raw.write(&frame).and_then(|()| raw.sync()))?;
            let start = Instant::now();
            journal.append(&events, one.at_ms).map_err(BenchError::program("appending"))?;
            took.push(start.elapsed().as_secs_f64());
            floor.push(raw.as_secs_f64());
        }
        let mut point = Point::new(row, self.count, Spread::of(&took).median, took.len());
        point.floor_seconds = Some(Spread::of(&floor).median);
        Ok(point)
    }

    /// One call of an agent's hook, process start to exit, in turns with the least such a process can do.
    fn hook(&mut self, row: &str) -> Result<Point, BenchError> {
        drop(self.stores()?);
        let root = self.project()?;
        let raw = self.folder.path().join("raw-hook");
        RawFile::zero_filled(&raw, 1 << 20)?;
        let empty = Program::floor()?;
        let (mut took, mut floor) = (Vec::new(), Vec::new());
        for call in 0..HOOKS + 3 {
            let raw = hook::floor_call(&empty, &raw)?.as_secs_f64();
            let one = hook::call(&self.program, self.folder.path(), &root, call)?.as_secs_f64();
            if call >= 3 {
                floor.push(raw);
                took.push(one);
            }
        }
        let mut point = Point::new(row, self.count, Spread::of(&took).median, took.len());
        point.floor_seconds = Some(Spread::of(&floor).median);
        Ok(point)
    }

    /// Transcripts of so many calls, into a new project whose stores are caught up. The other project makes room.
    fn import(&mut self, row: &str) -> Result<Point, BenchError> {
        let io = || BenchError::io("removing a project");
        if let Some(root) = self.root.take() {
            self.has_stores = false;
            fs::remove_dir_all(root).map_err(io())?;
        }
        let (corpus, root) =
            (self.folder.path().join("corpus"), self.folder.path().join("imported"));
        workload::lean_transcripts(&corpus, self.count)?;
        let (mut took, mut peak) = (Vec::new(), 0);
        for _ in 0..self.rounds().min(2) {
            self.program.init(&root)?;
            settle()?;
            let mut command = self.program.in_project(&root);
            let Watched { took: one, peak_bytes } =
                watched(command.arg("import").arg(&corpus), &[0, 1])?;
            took.push(one.as_secs_f64());
            peak = peak_bytes.max(peak);
            fs::remove_dir_all(&root).map_err(io())?;
        }
        fs::remove_dir_all(&corpus).map_err(io())?;
        let mut point = Point::new(row, self.count, Spread::of(&took).min, took.len());
        point.peak_bytes = Some(peak);
        Ok(point)
    }
}

fn opened(root: &Path, options: JournalOptions) -> Result<Journal, BenchError> {
    let journal = root.join(".annals/journal");
    let opened = Journal::open(&journal, &workload::entropy(3), options);
    opened.map(|it| it.0).map_err(BenchError::program("opening the journal"))
}

fn verified(journal: &Path) -> Result<(), BenchError> {
    let options = VerifyOptions { chain: true, payloads: false, ..VerifyOptions::default() };
    let report = verify(&FsStorage, journal, options).map_err(BenchError::program("verifying"))?;
    if report.is_clean() { Ok(()) } else { Err(BenchError::Wrong { path: journal.to_owned() }) }
}

/// As in a project that never had one.
fn remove_stores(root: &Path) -> Result<(), BenchError> {
    let annals = root.join(".annals");
    let stores = ["execution_log.db", "codegraph.db"].map(|name| root.join(name));
    let stores =
        stores.into_iter().chain(["index.db", "memory.db", "state.db"].map(|it| annals.join(it)));
    for store in stores {
        for suffix in ["", "-wal", "-shm"] {
            let mut path = store.clone().into_os_string();
            path.push(suffix);
            match fs::remove_file(path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(BenchError::io("removing a store")(error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
