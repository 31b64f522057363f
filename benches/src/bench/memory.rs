//! Branch memory at size: what a prompt costs, a search, a fork, each beside the least that its answer
//! can cost: its own rows, read by their numbers through one prepared statement.

use std::cell::Cell;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use annals::internal::execution::index::IndexReader;
use annals::internal::journal::{Durability, InitOptions, Journal, JournalOptions, Project};
use annals::internal::memory::query::{ArchivalSearch, Matching, Render, render, search};
use annals::internal::memory::store::{MemoryReader, MemoryView};
use annals::internal::memory::{Asker, Memory};
use annals::internal::store::JournalFeed;
use annals::internal::store::StoreName;
use annals::internal::store::rebuild::{RebuildMode, rebuild};
use rusqlite::{Connection, OpenFlags};

use crate::BenchError;
use crate::harness::{Contest, timed};
use crate::request::Request;
use crate::workload::{self, Remembered};

/// Answers a round.
const ASKED: u64 = 20;
/// Forks a round.
const FORKED: u64 = 50;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let branches = request.branches.unwrap_or(10_000);
    let size = Remembered { branches, records: request.archival.unwrap_or(1_000_000) };
    let folder = request.folder()?;
    let (full, empty) = (folder.path().join("full"), folder.path().join("empty"));
    fill(&full, size)?;
    fill(&empty, Remembered { branches: 1, records: 0 })?;
    let places = annals::internal::stores::places(&full);
    let path = places.memory().to_owned();
    let bytes = path.metadata().map_or(0, |about| about.len());
    let title = format!(
        "{branches} branches in chains of {}, {} records, memory.db {} MiB",
        workload::CHAIN.min(branches),
        size.records,
        bytes >> 20
    );
    writeln!(out, "\n{title}").map_err(BenchError::io("printing"))?;
    let reader = MemoryReader::open(&path).map_err(BenchError::program("opening memory"))?;
    let index = IndexReader::open(places.index());
    let index = index.map_err(BenchError::program("opening the index"))?;
    let view = reader.view_beside(&index).map_err(BenchError::program("opening the index"))?;
    let floor = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(BenchError::program("opening memory"))?;
    let deepest = size.deepest();
    for hint in
        [None, Some("hundredth"), Some(MATCHING_NOTHING), Some("nichts dergleichen 該当なし")]
    {
        rendered(request, &view, &floor, (&deepest, hint, size), out)?;
    }
    for (what, query, branch, tags) in searches(&deepest) {
        for matching in [Matching::Any, Matching::All] {
            let asked = ArchivalSearch {
                branch,
                query,
                matching,
                k: 8,
                tags: &tags,
                include_ancestors: true,
                use_fts: true,
            };
            searched(request, &view, &floor, (what, asked), out)?;
        }
    }
    drop((reader, index, floor));
    forked(request, (&empty, &full), &deepest, out)
}

/// A task of which no record has a word.
const MATCHING_NOTHING: &str = "Why does linking the quantised solver with three hundred threads abort under \
    valgrind although every reduction in solve_tridiagonal was privatised yesterday?";

/// What is searched for, and where.
fn searches(deepest: &str) -> Vec<(&'static str, &'static str, &str, Vec<String>)> {
    let tag = vec!["node_id:7".to_owned()];
    vec![
        ("a word that all have", "common", deepest, vec![]),
        ("a word of one in a hundred", "hundredth", deepest, vec![]),
        ("a word of one in a thousand", "thousandth", deepest, vec![]),
        ("a word of one in a hundred thousand", "rare", deepest, vec![]),
        ("two words, of one in ten and of one in a hundred", "tenth hundredth", deepest, vec![]),
        ("two words, of all and of one in a thousand", "common thousandth", deepest, vec![]),
        ("a word that nobody has", "absent", deepest, vec![]),
        ("a word of every other record, but of none here", "elsewhere", deepest, vec![]),
        ("a tag of one branch", "", deepest, tag.clone()),
        ("a word that all have and a tag of one branch", "common", deepest, tag),
        ("a question of many words", MATCHING_NOTHING, deepest, vec![]),
        ("a word in Japanese that nobody has", "該当なし", deepest, vec![]),
        ("a word in German that nobody has", "Größenänderung", deepest, vec![]),
        ("a common word in a chain of one", "tenth", "node-00000", vec![]),
    ]
}

fn rendered(
    request: &Request,
    view: &MemoryView<'_>,
    floor: &Connection,
    (branch, task_hint, size): (&str, Option<&str>, Remembered),
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let asked = Render {
        branch,
        task_hint,
        budget_chars: 24_000,
        no_limit: false,
        now_ms: size.ends_ms(),
        recall_max_events: 20,
        retrieval_k: 8,
    };
    let found = render(view, &asked).map_err(BenchError::program("rendering"))?;
    let records: Vec<u64> = found.archival.iter().map(|record| record.id).collect();
    let events: Vec<u64> = found.recall.iter().map(|event| event.id).collect();
    let keys: Vec<(&str, &str)> =
        found.core.iter().map(|value| (value.branch.as_str(), value.key.as_str())).collect();
    let title = format!(
        "render for {branch}, hint {task_hint:?}: {} characters, {} keys, {} events, {} records",
        found.chars,
        keys.len(),
        events.len(),
        records.len()
    );
    let mut contest = Contest::new(title, ASKED as f64, "prompts");
    contest.enter("floor: its rows by number and key", || {
        repeated(|| {
            read(floor, "SELECT text FROM archival WHERE id = ?1", &records)?;
            read(floor, "SELECT text FROM events WHERE id = ?1", &events)?;
            let sql = "SELECT value FROM core_kv WHERE branch_id = ?1 AND key = ?2";
            let mut find = floor.prepare_cached(sql)?;
            keys.iter().try_for_each(|key| {
                find.query_row(*key, |row| row.get::<_, String>(0)).map(std::hint::black_box)?;
                Ok(())
            })
        })
    });
    contest.enter("annals", || {
        timed(|| {
            (0..ASKED).try_for_each(|_| {
                render(view, &asked).map(drop).map_err(BenchError::program("rendering"))
            })
        })
    });
    contest.run(request.rounds, out).map(drop)
}

fn searched(
    request: &Request,
    view: &MemoryView<'_>,
    floor: &Connection,
    (what, asked): (&str, ArchivalSearch<'_>),
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let ask =
        |asked: &ArchivalSearch<'_>| search(view, asked).map_err(BenchError::program("searching"));
    let ids: Vec<u64> = ask(&asked)?.into_iter().map(|record| record.id).collect();
    let title = format!("search for {what} ({}): {} hits", asked.matching, ids.len());
    let without = ArchivalSearch { use_fts: false, ..asked };
    let mut contest = Contest::new(title, ASKED as f64, "searches");
    contest.enter("floor: its rows by number", || {
        repeated(|| read(floor, "SELECT text FROM archival WHERE id = ?1", &ids))
    });
    contest.enter("annals", || timed(|| (0..ASKED).try_for_each(|_| ask(&asked).map(drop))));
    contest.enter("annals, without the full-text index", || {
        timed(|| ask(&without).map(drop)).map(|took| took * ASKED as u32)
    });
    contest.run(request.rounds, out).map(drop)
}

fn repeated(work: impl Fn() -> rusqlite::Result<()>) -> Result<Duration, BenchError> {
    timed(|| (0..ASKED).try_for_each(|_| work().map_err(BenchError::program("reading rows"))))
}

fn read(floor: &Connection, sql: &str, ids: &[u64]) -> rusqlite::Result<()> {
    let mut find = floor.prepare_cached(sql)?;
    ids.iter().try_for_each(|id| {
        find.query_row([id], |row| row.get::<_, String>(0)).map(std::hint::black_box)?;
        Ok(())
    })
}

/// Forks, each durable, of a branch that is alone and of one at the end of a chain.
fn forked(
    request: &Request,
    (empty, full): (&Path, &Path),
    deepest: &str,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let open = |root| Project::open(root).map_err(BenchError::program("opening a project"));
    let (empty, full) = (open(empty)?, open(full)?);
    let number = Cell::new(0);
    let mut contest = Contest::new("forks, each a durable commit", FORKED as f64, "forks");
    for (name, project, parent) in
        [("floor: memory of one branch", &empty, "node-00000"), ("annals", &full, deepest)]
    {
        let mut memory = Memory::open(project).map_err(BenchError::program("opening memory"))?;
        let number = &number;
        contest.enter(name, move || {
            timed(|| {
                (0..FORKED).try_for_each(|_| {
                    number.set(number.get() + 1);
                    let child = format!("fork-{}", number.get());
                    memory
                        .operate(&Asker::default(), |operation| {
                            operation.mem_node_fork(Some(parent), &child, &[], None).map(drop)
                        })
                        .map_err(BenchError::program("forking"))
                })
            })
        });
    }
    contest.run(request.rounds, out).map(drop)
}

/// A project with this memory, index and memory caught up.
fn fill(root: &Path, size: Remembered) -> Result<(), BenchError> {
    let options = InitOptions::default();
    std::fs::create_dir_all(root).map_err(BenchError::io("making a project"))?;
    drop(Project::init(root, &options).map_err(BenchError::program("making a project"))?);
    let options = JournalOptions { durability: Durability::Buffered, ..JournalOptions::default() };
    let opened = Journal::open(&root.join(".annals/journal"), &workload::entropy(3), options);
    let (journal, _) = opened.map_err(BenchError::program("opening the journal"))?;
    for event in size.events() {
        let at_ms = event.envelope.at_ms;
        journal.stage(&[event], at_ms).map_err(BenchError::program("filling a journal"))?;
    }
    journal.sync().map_err(BenchError::program("filling a journal"))?;
    drop(journal);
    let project = Project::open(root).map_err(BenchError::program("opening a project"))?;
    let feed = JournalFeed::of(&project).map_err(BenchError::program("opening the journal"))?;
    let stores = &[StoreName::INDEX, StoreName::MEMORY];
    rebuild(&annals::internal::stores::places(root), &feed, stores, RebuildMode::Replace)
        .map(drop)
        .map_err(BenchError::program("rebuilding"))
}
