//! R7: readers at the heels of a writer, on a real disk.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Durability, Writer};

use crate::history::{ID, append, options};
use crate::image::read;

#[test]
fn a_reader_chasing_a_writer_sees_only_whole_commits_and_no_damage() {
    for durability in [Durability::Buffered, Durability::Group] {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("journal");
        let options = options(durability, 256 << 10, 3);
        let writer = Writer::create(FsStorage, &folder, ID, options).unwrap();
        let (done, rounds, mut commits) = (AtomicBool::new(false), AtomicU64::new(0), 0);
        thread::scope(|scope| {
            let reader = || {
                let mut had = 0;
                while !done.load(Ordering::Relaxed) {
                    let found = read(&FsStorage, &folder);
                    assert_eq!(found.findings, [], "a frame that is being written is no damage");
                    let now = found.entries.len();
                    assert!(now >= had, "what was there went away");
                    // Commits of three: never a part of one.
                    assert!(now.is_multiple_of(3), "part of a commit: {now}");
                    had = now;
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
            };
            let readers = [scope.spawn(reader), scope.spawn(reader)];
            // On a busy machine the readers come late.
            while commits < 600 || rounds.load(Ordering::Relaxed) <= 2 && commits < 20_000 {
                append(&writer, &[commits * 3 + 1, commits * 3 + 2, commits * 3 + 3]).unwrap();
                commits += 1;
            }
            done.store(true, Ordering::Relaxed);
            readers.into_iter().for_each(|it| it.join().unwrap());
            assert!(rounds.load(Ordering::Relaxed) > 2, "the readers never had a turn");
        });
        let found = read(&FsStorage, &folder);
        assert_eq!(found.entries.len() as u64, commits * 3);
    }
}
