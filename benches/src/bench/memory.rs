//! Branch memory at size: what a prompt costs, a search, a fork, each beside the least that its answer
//! can cost: its own rows, read by their numbers through one prepared statement.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};

use annals::internal::execution::index::IndexReader;
use annals::internal::journal::{Durability, InitOptions, Journal, JournalOptions, Project};
use annals::internal::memory::query::{ArchivalSearch, Matching, Render, render, search};
use annals::internal::memory::store::{MemoryReader, MemoryView};
use annals::internal::memory::{Asker, Memory};
use annals::internal::store::rebuild::{RebuildMode, rebuild};
use annals::internal::store::{JournalFeed, StoreName, StorePlaces};
use rusqlite::{Connection, OpenFlags};

use crate::BenchError;
use crate::harness::{Asking, Contest, Family, Question, Questions, timed};
use crate::request::Request;
use crate::workload::{self, Remembered};

/// Forks a round.
const FORKED: u64 = 50;
/// What a search is to be answered in, and a prompt, milliseconds.
const SEARCH_MS: f64 = 20.0;
const RENDER_MS: f64 = 10.0;

/// The memory that is asked.
struct Opened {
    reader: MemoryReader,
    index: IndexReader,
    floor: Connection,
    size: Remembered,
}

impl Opened {
    fn open(places: &StorePlaces, size: Remembered) -> Result<Self, BenchError> {
        let reader = MemoryReader::open(places.memory());
        let reader = reader.map_err(BenchError::program("opening memory"))?;
        let index = IndexReader::open(places.index());
        let index = index.map_err(BenchError::program("opening the index"))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let floor = Connection::open_with_flags(places.memory(), flags);
        let floor = floor.map_err(BenchError::program("opening memory"))?;
        Ok(Self { reader, index, floor, size })
    }

    fn view(&self) -> Result<MemoryView<'_>, BenchError> {
        self.reader.view_beside(&self.index).map_err(BenchError::program("opening the index"))
    }
}

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let tenth = if request.quick { 10 } else { 1 };
    let branches = request.branches.unwrap_or(10_000 / tenth);
    let records = request.archival.unwrap_or(1_000_000 / tenth);
    let size = Remembered { branches, records };
    let folder = request.folder()?;
    let (full, empty) = (folder.path().join("full"), folder.path().join("empty"));
    fill(&full, size)?;
    fill(&empty, Remembered { branches: 1, records: 0 })?;
    let places = annals::internal::stores::places(&full);
    let files: Vec<PathBuf> = vec![places.memory().to_owned(), places.index().to_owned()];
    let bytes = files.iter().filter_map(|it| it.metadata().ok()).map(|it| it.len()).sum::<u64>();
    writeln!(
        out,
        "\n{branches} branches in chains of {}, {records} records, memory.db and index.db {} MiB",
        workload::CHAIN.min(branches),
        bytes >> 20
    )
    .map_err(BenchError::io("printing"))?;
    let open = || Opened::open(&places, size);
    let at = format!("{branches} branches, {records} records");
    let families: [(&str, f64, Questions<Opened>); 3] = [
        ("prompts", RENDER_MS, prompts),
        ("searches", SEARCH_MS, searches),
        ("searches without the full-text index", SEARCH_MS, plain_searches),
    ];
    for (what, limit, questions) in families {
        let what = &format!("memory, {what} at {at}");
        let family =
            Family { what, limit_ms: Some(limit), files: files.clone(), cold: 3, warm: 200 };
        family.run(&open, questions, out)?;
    }
    forked(request, (&empty, &full), &size.deepest(), out)
}

/// A task of which no record has a word.
const MATCHING_NOTHING: &str = "Why does linking the quantised solver with three hundred threads abort under \
    valgrind although every reduction in solve_tridiagonal was privatised yesterday?";

/// What is searched for, and where: at the end of a chain, or in a chain of one.
fn searched() -> Vec<(&'static str, &'static str, bool, Vec<String>)> {
    let tag = vec!["node_id:7".to_owned()];
    vec![
        ("a word that all have", "common", true, vec![]),
        ("a word of one in a hundred", "hundredth", true, vec![]),
        ("a word of one in a thousand", "thousandth", true, vec![]),
        ("a word of one in a hundred thousand", "rare", true, vec![]),
        ("two words, of one in ten and of one in a hundred", "tenth hundredth", true, vec![]),
        ("two words, of all and of one in a thousand", "common thousandth", true, vec![]),
        ("a word that nobody has", "absent", true, vec![]),
        ("a word of every other record, but of none here", "elsewhere", true, vec![]),
        ("a tag of one branch", "", true, tag.clone()),
        ("a word that all have and a tag of one branch", "common", true, tag),
        ("a question of many words", MATCHING_NOTHING, true, vec![]),
        ("a word in Japanese that nobody has", "該当なし", true, vec![]),
        ("a word in German that nobody has", "Größenänderung", true, vec![]),
        ("a common word in a chain of one", "tenth", false, vec![]),
    ]
}

fn prompts(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    let view = opened.view()?;
    let branch = opened.size.deepest();
    let hints =
        [None, Some("hundredth"), Some(MATCHING_NOTHING), Some("nichts dergleichen 該当なし")];
    let asking = |hint: Option<&'static str>| {
        let branch = branch.clone();
        let asked = move |branch: &str| {
            let asked = Render {
                branch,
                task_hint: hint,
                budget_chars: 24_000,
                no_limit: false,
                now_ms: opened.size.ends_ms(),
                recall_max_events: 20,
                retrieval_k: 8,
            };
            render(&view, &asked).map_err(BenchError::program("rendering"))
        };
        let ask = {
            let branch = branch.clone();
            move || Ok(asked(&branch)?.archival.len())
        };
        let floor = move || -> Result<Question<'_>, BenchError> {
            let found = asked(&branch)?;
            let records: Vec<u64> = found.archival.iter().map(|record| record.id).collect();
            let events: Vec<u64> = found.recall.iter().map(|event| event.id).collect();
            let keys: Vec<(String, String)> =
                found.core.into_iter().map(|value| (value.branch, value.key)).collect();
            Ok(Box::new(move || {
                read(&opened.floor, "SELECT text FROM archival WHERE id = ?1", &records)?;
                read(&opened.floor, "SELECT text FROM events WHERE id = ?1", &events)?;
                let sql = "SELECT value FROM core_kv WHERE branch_id = ?1 AND key = ?2";
                let mut find = opened.floor.prepare_cached(sql)?;
                for key in &keys {
                    find.query_row((&key.0, &key.1), |row| row.get::<_, String>(0))
                        .map(std::hint::black_box)?;
                }
                Ok(records.len())
            }))
        };
        let name = format!("a prompt, {}", hint.map_or("no hint", |it| it));
        let name = name.chars().take(60).collect();
        Asking { name, ask: Box::new(ask), floor: Some(Box::new(floor)) }
    };
    Ok(hints.map(asking).into())
}

fn searches(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    all_searches(opened, true)
}

fn plain_searches(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    all_searches(opened, false)
}

/// Every search, for any of the words and for all.
fn all_searches(opened: &Opened, use_fts: bool) -> Result<Vec<Asking<'_>>, BenchError> {
    let view = opened.view()?;
    let mut all = Vec::new();
    for (what, query, is_deep, tags) in searched() {
        let branch = if is_deep { opened.size.deepest() } else { "node-00000".to_owned() };
        // For any of the words the full-text index is not asked.
        let matchings =
            if use_fts { &[Matching::Any, Matching::All][..] } else { &[Matching::All] };
        for &matching in matchings {
            let (branch, tags) = (branch.clone(), tags.clone());
            let found = move || {
                let asked = ArchivalSearch {
                    branch: &branch,
                    query,
                    matching,
                    k: 8,
                    tags: &tags,
                    include_ancestors: true,
                    use_fts,
                };
                search(&view, &asked).map_err(BenchError::program("searching"))
            };
            let ask = found.clone();
            let floor = move || -> Result<Question<'_>, BenchError> {
                let ids: Vec<u64> = found()?.into_iter().map(|record| record.id).collect();
                let sql = "SELECT text FROM archival WHERE id = ?1";
                Ok(Box::new(move || Ok(read(&opened.floor, sql, &ids).map(|()| ids.len())?)))
            };
            all.push(Asking {
                name: format!("{what} ({matching})"),
                ask: Box::new(move || Ok(ask()?.len())),
                floor: Some(Box::new(floor)),
            });
        }
    }
    Ok(all)
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
    contest.aim(0.9);
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
