//! `execution_log.db` from nothing: the journal replayed against the best bulk load of the same
//! rows, which has them in memory and reads nothing. Then all stores, against the bulk loads of all their rows.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use annals::internal::event::Event;
use annals::internal::journal::{Durability, Journal, JournalOptions, Project};
use annals::internal::store::JournalFeed;
use annals::internal::store::StoreName;
use annals::internal::store::rebuild::{RebuildMode, rebuild};

use crate::BenchError;
use crate::floor::{Rows, bulk_load, load_in_order, make_durable};
use crate::harness::{Contest, Program, Watched, board, timed, watched};
use crate::request::Request;
use crate::workload::{self, Execution};

const STORES: [&str; 3] = ["execution_log.db", "codegraph.db", ".annals/index.db"];

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(200_000);
    let folder = request.folder()?;
    let project = folder.path().join("project");
    prepare(&project, count)?;
    let executions: Vec<Execution> = (0..count).map(workload::execution).collect();
    let fresh = || tempfile::tempdir_in(&folder).map_err(BenchError::io("making a folder"));
    let (mut peak_log, mut peak_all) = (0, 0);
    let title = "rebuild execution_log.db (rows of executions)";
    let mut contest = Contest::new(title, count as f64, "rows");
    contest.enter("floor: bulk load from memory, flushed", || {
        let dir = fresh()?;
        let path = dir.path().join("execution_log.db");
        timed(|| bulk_load(&path, &executions).and_then(|()| make_durable(&path)))
    });
    contest.enter("annals: replay, fold, load, digest; no file before", || {
        remove(&project, &["execution_log.db"])?;
        let Watched { took, peak_bytes } = rebuilt(&project, "execution_log")?;
        peak_log = peak_bytes.max(peak_log);
        Ok(took)
    });
    contest.aim(0.9);
    contest.enter("annals: one before, digested and replaced", || {
        rebuilt(&project, "execution_log").map(|it| it.took)
    });
    contest.enter("bulk load from memory, not flushed", || {
        let dir = fresh()?;
        timed(|| bulk_load(&dir.path().join("execution_log.db"), &executions))
    });
    contest.enter("in order, triggers and indexes there", || {
        let dir = fresh()?;
        timed(|| load_in_order(&dir.path().join("execution_log.db"), &executions))
    });
    contest.run(request.rounds, out)?;
    drop(contest);

    let rows = STORES.map(|store| Rows::of(&project.join(store)));
    let rows: Vec<Rows> = rows.into_iter().collect::<Result<_, _>>()?;
    let mut contest = Contest::new("rebuild of all stores", count as f64, "executions");
    contest.enter("floor: their bulk loads, one after the other", || {
        let dir = fresh()?;
        timed(|| {
            rows.iter().zip(["log", "graph", "index"]).try_for_each(|(rows, name)| {
                let path = dir.path().join(name);
                rows.load(&path).and_then(|()| make_durable(&path))
            })
        })
    });
    contest.enter("annals: replay, folds, loads, digests; no files before", || {
        remove(&project, &STORES)?;
        let Watched { took, peak_bytes } = rebuilt(&project, "all")?;
        peak_all = peak_bytes.max(peak_all);
        Ok(took)
    });
    contest.aim(0.6);
    contest.enter("annals: some before, digested and replaced", || {
        rebuilt(&project, "all").map(|it| it.took)
    });
    contest.run(request.rounds, out)?;
    drop(contest);
    board::note_limit("rebuild of all stores: peak memory", (peak_all >> 20) as f64, 64.0, "MiB");
    writeln!(
        out,
        "  peak memory: {} MiB (execution_log.db), {} MiB (all)",
        peak_log >> 20,
        peak_all >> 20
    )
    .map_err(BenchError::io("printing"))
}

/// As in a project that never had these stores.
pub(super) fn remove(project: &Path, stores: &[&str]) -> Result<(), BenchError> {
    for path in stores.iter().flat_map(|it| ["", "-wal", "-shm"].map(|end| format!("{it}{end}"))) {
        match std::fs::remove_file(project.join(path)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(BenchError::io("removing a store")(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What the process does whose memory is watched: `ROOT STORE`.
pub fn child(words: &[String]) -> Result<(), BenchError> {
    let [root, store] = words else { return Err(BenchError::Usage("ROOT STORE".into())) };
    let root = Path::new(root);
    let project = Project::open(root).map_err(BenchError::program("opening a project"))?;
    let feed = JournalFeed::of(&project).map_err(BenchError::program("opening the journal"))?;
    const LOG: StoreName = StoreName::EXECUTION_LOG;
    const GRAPH: StoreName = StoreName::CODE_GRAPH;
    // Those of a group side by side, one group after the other; none: all.
    let groups: &[&[StoreName]] = match store.as_str() {
        "execution_log" => &[&[LOG]],
        "graph" => &[&[GRAPH]],
        "both" => &[&[LOG, GRAPH]],
        "one-after-the-other" => &[&[LOG], &[GRAPH]],
        _ => &[&[]],
    };
    groups.iter().try_for_each(|stores| {
        rebuild(&annals::internal::stores::places(root), &feed, stores, RebuildMode::Replace)
            .map(drop)
            .map_err(BenchError::program("rebuilding"))
    })
}

pub(super) fn rebuilt(project: &Path, store: &str) -> Result<Watched, BenchError> {
    let own = std::env::current_exe().map_err(BenchError::io("finding this program"))?;
    watched(Command::new(own).arg("child-rebuild").arg(project).arg(store), &[0])
}

/// A project whose journal holds the workload and whose index is caught up.
fn prepare(root: &Path, count: u64) -> Result<(), BenchError> {
    fill(
        root,
        (0..count).map(|index| {
            let execution = workload::execution(index);
            (execution.events(), execution.at_ms)
        }),
    )
}

/// A project whose journal holds these executions, and whose stores are caught up.
pub(super) fn fill(
    root: &Path,
    executions: impl Iterator<Item = ([Event; 2], u64)>,
) -> Result<(), BenchError> {
    Program::find()?.init(root)?;
    let options = JournalOptions { durability: Durability::Buffered, ..JournalOptions::default() };
    let dir = root.join(".annals/journal");
    let opened = Journal::open(&dir, &workload::entropy(3), options);
    let (journal, _) = opened.map_err(BenchError::program("opening the journal"))?;
    for (events, at_ms) in executions {
        let staged = journal.stage(&events, at_ms);
        staged.map_err(BenchError::program("filling a journal"))?;
    }
    journal.sync().map_err(BenchError::program("filling a journal"))?;
    drop(journal);
    rebuilt(root, "all").map(drop)
}
