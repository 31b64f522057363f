//! Real processes on a real disk: appending while they are killed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use annals_journal_format::storage::FsStorage;
use annals_journal_format::storage::sim::Random;
use annals_journal_format::writer::{Durability, Writer};

use crate::child::{Child, end_with_parent};
use crate::history::{ID, append, options};
use crate::image::read;
use crate::parallel::is_full;

const FOLDER_VARIABLE: &str = "ANNALS_TORTURE_CHILD_FOLDER";
const SEED_VARIABLE: &str = "ANNALS_TORTURE_CHILD_SEED";
const NUMBERS_PER_CHILD: u64 = 100_000;

/// The child: appends and says what was acknowledged, until it is killed. Without the variables it
/// is no test at all.
#[test]
fn child_that_appends_until_it_is_killed() {
    let (Ok(folder), Ok(seed)) = (std::env::var(FOLDER_VARIABLE), std::env::var(SEED_VARIABLE))
    else {
        return;
    };
    end_with_parent();
    let seed: u64 = seed.parse().unwrap();
    let options = options(Durability::Group, 96 << 10, seed);
    let (writer, _) = Writer::open(FsStorage, Path::new(&folder), options).unwrap();
    let mut out = std::io::stdout().lock();
    for turn in 0..NUMBERS_PER_CHILD / 2 {
        let first = seed * NUMBERS_PER_CHILD + turn * 2;
        let numbers: Vec<u64> = (first..=first + turn % 2).collect();
        append(&writer, &numbers).unwrap();
        for number in numbers {
            writeln!(out, "acknowledged {number}").unwrap();
        }
        out.flush().unwrap();
    }
}

fn spawn(folder: &Path, seed: u64) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["sigkill::child_that_appends_until_it_is_killed", "--exact", "--nocapture"])
        .env(FOLDER_VARIABLE, folder)
        .env(SEED_VARIABLE, seed.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    Child::start(&mut command)
}

/// Starts children one after the other, kills each after a while; returns what they were told.
fn lane(folder: &Path, lane: u64, kills: u64, acknowledged: &Mutex<BTreeSet<u64>>) {
    let mut random = Random::new(lane);
    for turn in 0..kills {
        let mut child = spawn(folder, 1 + lane * 10_000 + turn);
        let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
        let heard = thread::spawn(move || {
            let told = lines.map_while(Result::ok);
            told.filter_map(|line| line.strip_prefix("acknowledged ")?.parse().ok())
                .collect::<Vec<u64>>()
        });
        thread::sleep(Duration::from_millis(20 + random.below(60)));
        drop(child);
        acknowledged.lock().unwrap().extend(heard.join().unwrap());
    }
}

#[test]
fn four_processes_killed_again_and_again_lose_nothing_acknowledged() {
    let (lanes, kills) = if is_full() { (8, 125) } else { (4, 12) };
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("journal");
    drop(Writer::create(FsStorage, &folder, ID, options(Durability::Group, 96 << 10, 1)).unwrap());
    let acknowledged = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for number in 0..lanes {
            let (folder, acknowledged) = (&folder, &acknowledged);
            scope.spawn(move || lane(folder, number, kills, acknowledged));
        }
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    let (writer, _) =
        Writer::open(FsStorage, &folder, options(Durability::Group, 96 << 10, 2)).unwrap();
    append(&writer, &[5]).unwrap();
    let found = read(&FsStorage, &folder);
    assert_eq!(found.findings, [], "the lock is free and the journal whole");
    let there: BTreeMap<u64, u64> =
        found.entries.iter().map(|(sequence, number)| (*number, *sequence)).collect();
    assert_eq!(there.len(), found.entries.len(), "a record is there twice");
    let lost: Vec<_> = acknowledged.iter().filter(|number| !there.contains_key(number)).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let kept = std::fs::read_dir(folder.join("quarantine")).map_or(0, |it| it.flatten().count());
    let gaps = found.entries.windows(2).filter(|pair| pair[1].0 != pair[0].0 + 1).count();
    assert!(gaps <= kept, "{gaps} gaps in the sequence, {kept} fragments in quarantine");
    println!("{} acknowledged, {} there, {gaps} gaps", acknowledged.len(), there.len());
    assert!(acknowledged.len() > 50, "only {} acknowledged", acknowledged.len());
}
