//! Real processes on one real journal, killed at any moment.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use annals_journal_format::JournalId;
use annals_journal_format::reader::{Item, Reader};
use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Durability, Record, Writer, WriterOptions};

const FOLDER: &str = "ANNALS_TEST_JOURNAL";
const NUMBER: &str = "ANNALS_TEST_CHILD";
const PROCESSES: usize = 4;
const KILLS: usize = 60;

fn options(number: usize) -> WriterOptions {
    let durability = [Durability::Group, Durability::Buffered][number % 2];
    // Small segments: kills should meet rolls too.
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&(number as u64).to_le_bytes());
    WriterOptions {
        durability,
        segment_bytes_max: 96 << 10,
        compress_bytes_min: None,
        ..WriterOptions::new(seed)
    }
}

/// What a child does until it is killed; nothing where it is run as a test of its own.
#[test]
fn child_appends_until_killed() {
    let (Ok(folder), Ok(number)) = (std::env::var(FOLDER), std::env::var(NUMBER)) else { return };
    let number: usize = number.parse().unwrap();
    let folder = Path::new(&folder);
    let told = folder.join(format!("../told-{number}"));
    let mut told = OpenOptions::new().append(true).create(true).open(told).unwrap();
    let (writer, _) = Writer::open(FsStorage, folder, options(number)).unwrap();
    for turn in 0_u64.. {
        let text = format!("{number} {turn} {}", "x".repeat((turn % 50 * 40) as usize));
        let record =
            |payload| Record { kind: 7, version: 1, time_ms: 1, skippable: false, payload };
        let appended = writer.append(&[record(text.as_bytes()), record(b"twin")]).unwrap();
        // A kill may cut the line short: one without its end was not told.
        told.write_all(format!("{} {text}\n", appended.first).as_bytes()).unwrap();
    }
}

fn start(folder: &Path, number: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_appends_until_killed", "--nocapture"])
        .env(FOLDER, folder)
        .env(NUMBER, number.to_string())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn processes_killed_while_appending_lose_nothing_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("journal");
    drop(Writer::create(FsStorage, &folder, JournalId([5; 16]), options(0)).unwrap());
    let mut children: Vec<Child> = (0..PROCESSES).map(|number| start(&folder, number)).collect();
    thread::sleep(Duration::from_millis(150));
    for kill in 0..KILLS {
        let victim = (kill * 7 + kill / 3) % PROCESSES;
        thread::sleep(Duration::from_micros(3_000 + 1_711 * (kill as u64 % 13)));
        let child = &mut children[victim];
        assert!(child.try_wait().unwrap().is_none(), "a child ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
        *child = start(&folder, PROCESSES * (kill + 1) + victim);
    }
    thread::sleep(Duration::from_millis(150));
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    check(dir.path(), &folder);
}

fn check(dir: &Path, folder: &Path) {
    // The lock is free at once, though nobody gave it back.
    let (writer, _) = Writer::open(FsStorage, folder, options(PROCESSES)).unwrap();
    writer.sync().unwrap();
    let reader = Reader::open(FsStorage, folder).unwrap();
    let mut entries = reader.entries(annals_journal_format::Sequence(1));
    let mut held = BTreeMap::new();
    let mut last = 0;
    while let Some(item) = entries.next() {
        match item.unwrap() {
            Item::Entry(entry) => {
                assert!(entry.sequence.0 > last && entry.commit_whole);
                last = entry.sequence.0;
                held.insert(last, String::from_utf8(entry.payload.into_owned()).unwrap());
            }
            Item::Commit(_) => {}
            Item::Finding(finding) => panic!("{finding}"),
        }
    }
    let mut acknowledged = 0;
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        for line in fs::read_to_string(path).unwrap().split_inclusive('\n') {
            let Some(line) = line.strip_suffix('\n') else { continue };
            let (sequence, text) = line.split_once(' ').unwrap();
            let sequence: u64 = sequence.parse().unwrap();
            assert_eq!(held.get(&sequence).map(String::as_str), Some(text), "{sequence}");
            assert_eq!(held.get(&(sequence + 1)).map(String::as_str), Some("twin"));
            acknowledged += 2;
        }
    }
    // At most one append of each process that was killed was written and not yet told.
    assert!(held.len() - acknowledged <= 2 * (KILLS + PROCESSES), "{}", held.len());
    assert!(acknowledged > 100, "{acknowledged}");
    // Numbers are left out only where a killed writer's fragment had taken them.
    let cut = fs::read_dir(folder.join("quarantine")).map_or(0, Iterator::count);
    assert!(last as usize - held.len() <= 2 * cut, "{last} {} {cut}", held.len());
}
