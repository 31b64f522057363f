//! Two who catch up, one who asks and one who records, interleaved at every lock, read and commit in
//! orders that a seed decides: whatever the order, every store is as a rebuild makes it.

mod actors;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use std::{fs, thread};

use tempfile::TempDir;

use super::super::Feeding as From;
use super::catch_up_by;
use crate::execution::log::ExecutionLogReader;
use crate::journal::{InitOptions, Project};
use crate::store::JournalFeed;
use crate::store::rebuild::{RebuildMode, StoreRebuild, rebuild};
use crate::store::turn::Turns;
use actors::{Asking, Feeding, Recording};

/// Of the suite; the long form has so many more.
const SCHEDULES: u64 = 40;
const SCHEDULES_LONG: u64 = 10_000;
/// Runs seeds from this one on, and so many.
const FIRST_VARIABLE: &str = "ANNALS_INTERLEAVED_FIRST";
const COUNT_VARIABLE: &str = "ANNALS_INTERLEAVED_COUNT";

type Tried<T> = Result<T, String>;

/// What an error says, with where it was met.
fn at<E: std::fmt::Debug>(place: &'static str) -> impl Fn(E) -> String {
    move |error| format!("{place}: {error:?}")
}

fn held(is: bool, what: impl FnOnce() -> String) -> Tried<()> {
    if is { Ok(()) } else { Err(what()) }
}

/// A folder in memory where there is one: what is asked here is order, not durability.
fn folder() -> TempDir {
    match Path::new("/dev/shm").is_dir() {
        true => tempfile::tempdir_in("/dev/shm").unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

/// A project as a seed wants it to begin: its stores missing, whole, behind or half of them made.
fn begun(folder: &Path, seed: u64) -> Tried<Vec<String>> {
    let (project, _) = Project::init(folder, &InitOptions::default()).map_err(at("init"))?;
    let places = crate::stores::places(folder);
    let mut recording = Recording::of(&project, 0)?;
    recording.executions(2)?;
    let feed = JournalFeed::of(&project).map_err(at("feed"))?;
    match seed / 5 % 4 {
        0 => {}
        1 => drop(catch_up_by(&places, &feed, 1)),
        2 => {
            drop(catch_up_by(&places, &feed, 1));
            recording.executions(2)?;
        }
        _ => drop(From { batch: 1, ..From::of(&places, &feed) }.index().map_err(at("index"))?),
    }
    Ok(recording.done)
}

/// One schedule; who got the turn in it, or what went wrong.
fn tried(seed: u64) -> Tried<(u64, Vec<u8>)> {
    let folder = folder();
    let root = folder.path();
    let done = begun(root, seed)?;
    let turns = Turns::of(seed, 4);
    let acted = thread::scope(|scope| {
        let as_one =
            |me: usize, act: &'static (dyn Fn(&Project, u64) -> Tried<Vec<String>> + Sync)| {
                let turns = Arc::clone(&turns);
                scope.spawn(move || {
                    turns.take(me, || act(&Project::open(root).map_err(at("open"))?, seed))
                })
            };
        let threads = [
            as_one(0, &|project, seed| Feeding::of(project, 1 + seed % 3).act()),
            as_one(1, &|project, seed| Feeding::of(project, 10_000 - seed % 2 * 9_998).act()),
            as_one(2, &|project, _| Asking::of(project).act()),
            as_one(3, &|project, _| Recording::of(project, 100)?.act()),
        ];
        threads.map(|thread| thread.join().unwrap_or_else(|_| Err("it panicked".to_owned())))
    });
    let order = turns.order();
    let mut done = done;
    for acted in acted {
        done.extend(acted?);
    }
    judged(root, &done)?;
    Ok(order)
}

/// Holds that nothing was set aside or built anew, and that every store has what the journal has.
fn judged(root: &Path, done: &[String]) -> Tried<()> {
    let places = crate::stores::places(root);
    let kept = fs::read_dir(&places.quarantine).map_or(0, Iterator::count);
    held(kept == 0, || format!("{kept} files in quarantine"))?;
    let told = fs::read_to_string(&places.errors).unwrap_or_default();
    held(told.is_empty(), || told)?;
    let project = Project::open(root).map_err(at("open"))?;
    Feeding::of(&project, 10_000).feed()?;
    let log = ExecutionLogReader::open(places.execution_log()).map_err(at("log"))?;
    let rows = actors::rows_count(&log).map_err(at("log"))?;
    held(rows == done.len() as u64, || format!("{rows} rows"))?;
    actors::rows_are(&log, done)?;
    drop(log);
    let feed = JournalFeed::of(&project).map_err(at("feed"))?;
    let report = rebuild(&places, &feed, &[], RebuildMode::Check).map_err(at("rebuild"))?;
    let found = |store: &StoreRebuild| (store.store, store.same, store.problem.clone());
    let found: Vec<_> = report.stores.iter().map(found).collect();
    let is_same = found.iter().all(|(_, same, problem)| *same == Some(true) && problem.is_none());
    held(is_same && found.len() == 5, || format!("not as rebuilt: {found:?}"))
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn in_any_order_stores_stay_and_become_what_a_rebuild_makes() {
    let long = std::env::var_os("ANNALS_TORTURE").is_some_and(|form| form == "full");
    let count = if long { SCHEDULES_LONG } else { SCHEDULES };
    let (first, count) =
        (number(FIRST_VARIABLE).unwrap_or(0), number(COUNT_VARIABLE).unwrap_or(count));
    let (begun, next, seen) =
        (Instant::now(), AtomicU64::new(first), Mutex::new((0, 0, Vec::new())));
    let by_turns = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            let tried = tried(seed);
            let mut seen = seen.lock().unwrap();
            match tried {
                Ok((points, order)) => (seen.0, seen.1) = (seen.0 + points, seen.1 + order.len()),
                Err(why) => {
                    eprintln!("seed {seed}: {why}");
                    seen.2.push(seed);
                }
            }
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(by_turns))));
    let (took, (points, turns, failed)) = (begun.elapsed(), seen.into_inner().unwrap());
    println!("{count} schedules, {points} points, {turns} turns, {took:?}");
    let again = |seed| format!("{FIRST_VARIABLE}={seed} {COUNT_VARIABLE}=1");
    assert!(failed.is_empty(), "{} of {count}; again: {}", failed.len(), again(failed[0]));
}

#[test]
fn a_seed_says_the_order() {
    for seed in [0, 6, 12, 18] {
        let (once, twice) = (tried(seed).unwrap(), tried(seed).unwrap());
        assert!(once.1.len() > 10, "{once:?}");
        assert_eq!(once, twice, "seed {seed}");
    }
}
