//! Many threads on one writer.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;
use std::{io, thread};

use super::readback::Readback;
use super::{options, record};
use crate::storage::sim::{Fault, FaultKind, SimStorage};
use crate::storage::{FsFile, FsStorage, LockKind, OpenHow, Storage, StorageFile};
use crate::units::JournalId;
use crate::writer::{AppendError, Durability, Writer};

#[test]
fn threads_share_flushes_and_every_one_gets_its_own_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("journal");
    let id = JournalId([3; 16]);
    let writer =
        Arc::new(Writer::create(FsStorage, &folder, id, options(Durability::Group, 1)).unwrap());
    let threads: Vec<_> = (0..8_u8)
        .map(|thread| {
            let writer = Arc::clone(&writer);
            thread::spawn(move || {
                let append = |turn: u8| {
                    let payload = [thread, turn, 1, 2, 3];
                    let appended = writer.append(&[record(&payload), record(&payload)]).unwrap();
                    (appended.first.0, appended.last.0, payload)
                };
                (0..25).map(append).collect::<Vec<_>>()
            })
        })
        .collect();
    let mut all: Vec<_> = threads.into_iter().flat_map(|it| it.join().unwrap()).collect();
    all.sort_unstable();
    let state = Readback::of(&FsStorage, &folder);
    assert!(state.is_gap_free() && state.findings.is_empty());
    assert_eq!(state.events.len(), 2 * all.len());
    for (index, (first, last, payload)) in all.iter().enumerate() {
        assert_eq!((*first, *last), (2 * index as u64 + 1, 2 * index as u64 + 2));
        assert_eq!(state.events[2 * index].1, payload);
        assert_eq!(state.events[2 * index + 1].1, payload);
    }
}

#[test]
fn a_failing_leader_tells_its_followers() {
    let disk = SimStorage::new(4);
    disk.wait_for_locks(Duration::from_secs(10));
    let folder = std::path::Path::new("/p/journal");
    let options = options(Durability::Group, 1);
    let writer =
        Arc::new(Writer::create(disk.clone(), folder, JournalId([3; 16]), options).unwrap());
    disk.plan(Fault::sticky(disk.operations() + 20, FaultKind::Eio));
    let threads: Vec<_> = (0..6)
        .map(|_| {
            let writer = Arc::clone(&writer);
            thread::spawn(move || {
                (0..10).filter(|_| writer.append(&[record(b"some")]).is_ok()).count()
            })
        })
        .collect();
    let done: usize = threads.into_iter().map(|it| it.join().unwrap()).sum();
    disk.heal();
    assert!(Readback::of(&disk, folder).events.len() >= done);
}

/// A disk on which something happens before its next sync, once it is armed.
#[derive(Clone)]
struct ArmedDisk {
    armed: Arc<AtomicBool>,
    happens: Arc<dyn Fn() + Send + Sync>,
}

struct ArmedFile {
    file: FsFile,
    disk: ArmedDisk,
}

impl ArmedDisk {
    fn on_which(happens: impl Fn() + Send + Sync + 'static) -> Self {
        Self { armed: Arc::default(), happens: Arc::new(happens) }
    }
}

impl Storage for ArmedDisk {
    type File = ArmedFile;
    fn open(&self, path: &std::path::Path, how: OpenHow) -> io::Result<ArmedFile> {
        Ok(ArmedFile { file: FsStorage.open(path, how)?, disk: self.clone() })
    }
    fn list(&self, folder: &std::path::Path) -> io::Result<Vec<String>> {
        FsStorage.list(folder)
    }
    fn rename(&self, from: &std::path::Path, to: &std::path::Path) -> io::Result<()> {
        FsStorage.rename(from, to)
    }
    fn remove(&self, path: &std::path::Path) -> io::Result<()> {
        FsStorage.remove(path)
    }
    fn create_folder(&self, folder: &std::path::Path) -> io::Result<()> {
        FsStorage.create_folder(folder)
    }
    fn sync_folder(&self, folder: &std::path::Path) -> io::Result<()> {
        FsStorage.sync_folder(folder)
    }
    fn identity_of(&self, path: &std::path::Path) -> io::Result<(u64, u64)> {
        FsStorage.identity_of(path)
    }
    fn boot_id(&self) -> [u8; 16] {
        FsStorage.boot_id()
    }
}

impl StorageFile for ArmedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset)
    }
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.file.write_at(bytes, offset)
    }
    fn sync_data(&self) -> io::Result<()> {
        if self.disk.armed.swap(false, Ordering::SeqCst) {
            (self.disk.happens)();
        }
        self.file.sync_data()
    }
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }
    fn lock(&self, kind: LockKind) -> io::Result<()> {
        self.file.lock(kind)
    }
    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        self.file.try_lock(kind)
    }
    fn unlock(&self) -> io::Result<()> {
        self.file.unlock()
    }
    fn identity(&self) -> io::Result<((u64, u64), u64)> {
        self.file.identity()
    }
}

#[test]
fn followers_are_never_left_waiting() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("journal");
    let waiting = Arc::<AtomicUsize>::default();
    let disk = ArmedDisk::on_which({
        let waiting = Arc::clone(&waiting);
        move || {
            // Everyone has arrived.
            while waiting.load(Ordering::SeqCst) < 4 {
                thread::yield_now();
            }
            thread::sleep(Duration::from_millis(50));
            panic!("the leader dies here");
        }
    });
    let options = options(Durability::Group, 1);
    let writer =
        Arc::new(Writer::create(disk.clone(), &folder, JournalId([3; 16]), options).unwrap());
    disk.armed.store(true, Ordering::SeqCst);
    let barrier = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (writer, barrier) = (Arc::clone(&writer), Arc::clone(&barrier));
            let waiting = Arc::clone(&waiting);
            thread::spawn(move || {
                barrier.wait();
                waiting.fetch_add(1, Ordering::SeqCst);
                writer.append(&[record(b"some")])
            })
        })
        .collect();
    let answers: Vec<_> = threads.into_iter().map(thread::JoinHandle::join).collect();
    let panicked = answers.iter().filter(|answer| answer.is_err()).count();
    assert_eq!(panicked, 1, "{answers:?}");
    for answer in answers.into_iter().flatten() {
        let told = matches!(answer, Err(AppendError::LeaderLost | AppendError::Fenced { .. }));
        assert!(told, "{answer:?}");
    }
    // The journal itself is fine: opened again, it goes on.
    drop(writer);
    let (writer, _) = Writer::open(FsStorage, &folder, options_again()).unwrap();
    writer.append(&[record(b"after")]).unwrap();
    assert!(Readback::of(&FsStorage, &folder).findings.is_empty());
}

#[test]
fn nothing_is_acknowledged_that_was_flushed_into_a_segment_without_a_name() {
    for durability in [Durability::Group, Durability::Strict] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("journal");
        let segment = folder.join("0000000000-00000000000000000001.seg");
        let disk = ArmedDisk::on_which(move || std::fs::remove_file(&segment).unwrap());
        let id = JournalId([3; 16]);
        let writer = Writer::create(disk.clone(), &folder, id, options(durability, 1)).unwrap();
        writer.append(&[record(b"one")]).unwrap();
        disk.armed.store(true, Ordering::SeqCst);
        let refused = writer.append(&[record(b"two")]).unwrap_err();
        assert!(refused.to_string().contains("recorded"), "{durability:?}: {refused}");
    }
}

fn options_again() -> crate::writer::WriterOptions {
    options(Durability::Group, 2)
}
