//! The cache: named by what stores depend on, bounded, and safe under two builders.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::{TempDir, tempdir};

use super::cache::{ENTRIES_MAX, prune};
use super::entry::Entry;
use super::*;
use crate::event::{
    Body, CoreSet, Envelope, Event, MemoryDoor, MemoryOrigin, PromptSubmitted, Source as From,
};
use crate::journal::{Journal, JournalOptions, Source, id};
use crate::stores::STORES;

pub(super) struct Journals {
    folder: TempDir,
    journal: Journal,
}

impl Journals {
    /// A journal of three commits, of one, two and one events.
    pub fn new() -> Self {
        let folder = tempdir().unwrap();
        let dir = folder.path().join("journal");
        let journal = Journal::create(&dir, &id::entropy(), JournalOptions::default()).unwrap();
        let journals = Self { folder, journal };
        for texts in [&["a"] as &[&str], &["b", "c"], &["d"]] {
            journals.append(texts);
        }
        journals
    }

    fn append(&self, texts: &[&str]) {
        let events: Vec<Event> = texts.iter().map(|text| prompt(text)).collect();
        self.journal.append(&events, 1_000).unwrap();
    }

    pub fn dir(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    pub fn cache(&self) -> Cache {
        let folder = Some(self.folder.path().join("cache"));
        Cache::new(folder, self.folder.path().to_owned(), "this build".to_owned())
    }

    pub fn cached(&self) -> Vec<String> {
        let names = fs::read_dir(self.folder.path().join("cache")).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

fn prompt(text: &str) -> Event {
    let session = Some(crate::event::SessionId([1; 16]));
    let body = PromptSubmitted {
        text: crate::event::Content::Inline(text.as_bytes().to_vec()),
        native_id: None,
        actor: None,
        attachments: Vec::new(),
    };
    Event { envelope: Envelope::new(session, From::Live, 1_000), body: Body::PromptSubmitted(body) }
}

pub(super) fn prompts(built: &BuiltStores) -> u64 {
    crate::execution::query::Stores::open(&built.places).unwrap().counts().unwrap().prompts
}

pub(super) fn ask(journals: &Journals, at: Option<u64>) -> BuiltStores {
    let at = at.map(Sequence);
    evidence_stores(&STORES, &journals.dir(), Reading::Evidence, at, &journals.cache()).unwrap()
}

#[test]
fn stores_are_cut_where_one_asks_also_inside_a_commit() {
    let journals = Journals::new();
    for (at, expect) in [(None, 4), (Some(0), 0), (Some(1), 1), (Some(2), 2), (Some(3), 3)] {
        let built = ask(&journals, at);
        assert_eq!(prompts(&built), expect, "{at:?}");
        assert_eq!(built.through.sequence.0, at.unwrap_or(4));
    }
    assert_eq!(journals.cached().len(), 5, "each is kept: {:?}", journals.cached());
    let two = ask(&journals, Some(2)).through.chain;
    assert_ne!(two, ask(&journals, Some(3)).through.chain);
    assert_eq!(two, ask(&journals, Some(2)).through.chain);
    assert_eq!(journals.cached().len(), 5, "and found again");
}

#[test]
fn a_journal_that_went_on_or_was_damaged_is_not_answered_from_older_stores() {
    let journals = Journals::new();
    assert_eq!(prompts(&ask(&journals, None)), 4);
    journals.append(&["e"]);
    assert_eq!(prompts(&ask(&journals, None)), 5);
    drop(ask(&journals, Some(4)));
    let segment = fs::read_dir(journals.dir())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|it| it == "seg"))
        .unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    bytes[4096 + 60] ^= 4;
    fs::write(&segment, bytes).unwrap();
    assert_eq!(prompts(&ask(&journals, Some(4))), 3, "one is lost by now");
}

#[test]
fn stores_of_a_journal_that_grows_are_caught_up_where_they_lie() {
    let journals = Journals::new();
    let ask = || growing_stores(&STORES, &journals.dir(), &journals.cache()).unwrap();
    let inode = |built: &BuiltStores| {
        std::os::unix::fs::MetadataExt::ino(&fs::metadata(built.places.index()).unwrap())
    };
    let first = ask();
    assert_eq!((prompts(&first), prompts(&ask())), (4, 4));
    let index = inode(&first);
    // Held by who reads them: built anew.
    journals.append(&["e"]);
    assert!(prompts(&ask()) == 5 && journals.cached().len() == 2, "{:?}", journals.cached());
    drop(first);
    // The newest is taken.
    journals.append(&["f"]);
    let grown = ask();
    assert!(prompts(&grown) == 6 && inode(&grown) != index);
    let newest = inode(&grown);
    drop(grown);
    journals.append(&["g"]);
    let again = ask();
    assert_eq!((prompts(&again), inode(&again)), (7, newest));
    assert_eq!(journals.cached().len(), 2, "{:?}", journals.cached());
}

#[test]
fn stores_that_were_damaged_are_built_again() {
    let journals = Journals::new();
    let built = ask(&journals, None);
    let index = built.places.index().to_owned();
    drop(built);
    fs::write(&index, "no database").unwrap();
    assert_eq!(prompts(&ask(&journals, None)), 4);
}

#[test]
fn where_no_cache_can_be_written_stores_are_private_and_go() {
    let journals = Journals::new();
    let in_the_way = journals.folder.path().join("file");
    fs::write(&in_the_way, "").unwrap();
    let temporary = tempdir().unwrap();
    for folder in [None, Some(in_the_way.join("annals"))] {
        let cache = Cache::new(folder, temporary.path().to_owned(), String::new());
        let built =
            evidence_stores(&STORES, &journals.dir(), Reading::Evidence, None, &cache).unwrap();
        assert!(built.is_private());
        assert_eq!(prompts(&built), 4);
        drop(built);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    }
}

#[test]
fn two_that_build_at_once_both_answer() {
    let journals = Journals::new();
    std::thread::scope(|scope| {
        let asked: Vec<_> =
            (0..4).map(|_| scope.spawn(|| prompts(&ask(&journals, None)))).collect();
        for one in asked {
            assert_eq!(one.join().unwrap(), 4);
        }
    });
    assert_eq!(journals.cached().len(), 1, "{:?}", journals.cached());
}

#[test]
fn what_was_used_last_stays_and_what_is_read_is_not_cleared_away() {
    let folder = tempdir().unwrap();
    let place = |number: usize| folder.path().join(format!("stores-{number:02}"));
    let make = |root: &Path| {
        let mut entry = Entry::make(&folder.path().join("building-0-0")).unwrap();
        entry.publish(root).unwrap();
    };
    for number in 0..ENTRIES_MAX + 8 {
        make(&place(number));
        let used = fs::File::options().write(true).open(place(number).join("held")).unwrap();
        let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(number as u64);
        used.set_modified(then).unwrap();
    }
    fs::create_dir(folder.path().join("building-9-9")).unwrap();
    fs::write(folder.path().join("building-9-9/held"), "").unwrap();
    let held = Entry::hold(&place(1)).unwrap();
    let used = fs::File::options().write(true).open(place(1).join("held")).unwrap();
    used.set_modified(std::time::UNIX_EPOCH).unwrap();
    let new = place(ENTRIES_MAX + 7);
    prune(folder.path(), &new);
    assert!(place(1).exists(), "it is read");
    assert!(new.exists() && !place(0).exists() && !folder.path().join("building-9-9").exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), ENTRIES_MAX + 1);
    drop(held);
}

fn remembered(key: &str, value: &str) -> Event {
    let body = CoreSet {
        branch: "root".to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        importance: 3,
        ttl: None,
        origin: MemoryOrigin::by(MemoryDoor::Api),
    };
    Event { envelope: Envelope::new(None, From::Live, 1_000), body: Body::CoreSet(body) }
}

/// A core value, and how the memory is told by `sql`.
fn value(built: &BuiltStores) -> Option<String> {
    let memory = crate::execution::query::Stores::open(&built.places).unwrap().memory().unwrap()?;
    let sql = "SELECT value FROM core_kv WHERE key = 'k'";
    memory.view().row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn memory_is_as_it_was_then_and_held_against_the_one_in_a_copy() {
    let journals = Journals::new();
    journals.journal.append(&[remembered("k", "one"), remembered("l", "x")], 1_000).unwrap();
    journals.append(&["e"]);
    journals.journal.append(&[remembered("k", "two")], 1_000).unwrap();
    journals.append(&["f"]);
    // Events 1 to 4, memory's 5 and 6, 7, memory's 8, 9.
    for (at, expect) in [
        (Some(4), None),
        (Some(5), Some("one")),
        (Some(6), Some("one")),
        (Some(7), Some("one")),
        (Some(8), Some("two")),
        (None, Some("two")),
    ] {
        let built = ask(&journals, at);
        assert_eq!(value(&built).as_deref(), expect, "{at:?}");
        assert_eq!(built.lag, None);
        assert_eq!(built.places.memory().exists(), expect.is_some(), "{at:?}");
    }

    let now = ask(&journals, None);
    let copied = crate::stores::places(journals.folder.path());
    fs::create_dir_all(copied.memory().parent().unwrap()).unwrap();
    let root = Some(journals.folder.path().to_owned());
    let source = Source { root, ..Source::of(&journals.dir()).unwrap() };
    let verdict = || {
        let found = found_stores(&source, Reading::Evidence, &now, &journals.cache()).unwrap();
        let memory = found.into_iter().find(|found| found.store == StoreName::MEMORY).unwrap();
        serde_json::to_value(&memory.verdict).unwrap()["verdict"].clone()
    };
    assert_eq!(verdict(), "absent");
    for at in [None, Some(7), Some(6)] {
        fs::copy(ask(&journals, at).places.memory(), copied.memory()).unwrap();
        assert_eq!(verdict(), "same", "{at:?}");
    }
    let conn = rusqlite::Connection::open(copied.memory()).unwrap();
    conn.execute_batch("UPDATE core_kv SET value = 'forged'").unwrap();
    drop(conn);
    assert_eq!(verdict(), "differs");
    fs::write(copied.memory(), "no database".repeat(99)).unwrap();
    assert_eq!(verdict(), "unreadable");
}

#[test]
fn stores_that_come_to_more_than_the_journal_may_cost_are_thrown_away() {
    let journals = Journals::new();
    let feed = JournalFeed::pinned(&journals.dir(), Reading::Evidence).unwrap();
    let cache = journals.cache();
    let entry = cache.private().unwrap();
    let mut budget = Budget::of(entry.root(), 1);
    budget.bytes_max = 16 << 10;
    let budget = Arc::new(budget);
    fs::write(entry.root().join("store"), vec![0; 32 << 10]).unwrap();
    let report = catch_up(&places(&entry, &STORES, &feed), &feed.within(&budget));
    assert!(budget.is_over());
    assert!(lag(report).is_err());
    drop(entry);
    assert!(journals.cached().is_empty(), "nothing of them stays");
    let enough = evidence_stores(&STORES, &journals.dir(), Reading::Evidence, None, &cache);
    assert!(enough.is_ok(), "{enough:?}");
}
