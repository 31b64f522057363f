//! R7: readers at the heels of a writer, on a real disk.

use std::sync::atomic::{AtomicBool, Ordering};
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
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let reader = || {
                let (mut rounds, mut had) = (0, 0);
                while !done.load(Ordering::Relaxed) {
                    let found = read(&FsStorage, &folder);
                    assert_eq!(found.findings, [], "a frame that is being written is no damage");
                    let now = found.entries.len();
                    assert!(now >= had, "what was there went away");
                    // Commits of three: never a part of one.
                    assert!(now.is_multiple_of(3), "part of a commit: {now}");
                    (had, rounds) = (now, rounds + 1);
                }
                rounds
            };
            let readers = [scope.spawn(reader), scope.spawn(reader)];
            for commit in 0..600 {
                append(&writer, &[commit * 3 + 1, commit * 3 + 2, commit * 3 + 3]).unwrap();
            }
            done.store(true, Ordering::Relaxed);
            let rounds: u64 = readers.into_iter().map(|it| it.join().unwrap()).sum();
            assert!(rounds > 2, "the readers never had a turn");
        });
        let found = read(&FsStorage, &folder);
        assert_eq!(found.entries.len(), 1800);
    }
}
