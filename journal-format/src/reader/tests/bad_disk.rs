//! A disk with a sector that it does not give: an error value where it is acted on, and no more
//! than its own frames where damage is looked for.

use std::io;
use std::path::Path;

use tempfile::tempdir;

use super::written::{journal, lay};
use super::{Ahead, Item, ReadError, Reader};
use crate::salvage::{SalvageOptions, salvage};
use crate::scan::Verdict;
use crate::storage::{FsFile, FsStorage, LockKind, OpenHow, Storage, StorageFile};
use crate::units::Sequence;
use crate::verify::{VerifyOptions, verify};

/// The real disk, with one block of segment 0 gone bad.
#[derive(Clone)]
struct BadDisk {
    from: u64,
    to: u64,
}

struct BadFile {
    file: FsFile,
    bad: Option<(u64, u64)>,
}

impl Storage for BadDisk {
    type File = BadFile;

    fn open(&self, path: &Path, how: OpenHow) -> io::Result<BadFile> {
        let file = FsStorage.open(path, how)?;
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned());
        let is_it = how == OpenHow::Read && name.is_some_and(|it| it.starts_with("0000000000-"));
        Ok(BadFile { file, bad: is_it.then_some((self.from, self.to)) })
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        FsStorage.list(folder)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        FsStorage.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        FsStorage.remove(path)
    }
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        FsStorage.create_folder(folder)
    }
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        FsStorage.sync_folder(folder)
    }
    fn identity_of(&self, path: &Path) -> io::Result<(u64, u64)> {
        FsStorage.identity_of(path)
    }
    fn boot_id(&self) -> [u8; 16] {
        FsStorage.boot_id()
    }
}

impl StorageFile for BadFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = offset + buffer.len() as u64;
        match self.bad {
            Some((from, to)) if offset < to && from < end => {
                Err(io::Error::other("input/output error"))
            }
            _ => self.file.read_at(buffer, offset),
        }
    }
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.file.write_at(bytes, offset)
    }
    fn sync_data(&self) -> io::Result<()> {
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
fn a_bad_sector_costs_its_frames_alone() {
    let (folder, to) = (tempdir().unwrap(), tempdir().unwrap());
    lay(folder.path(), &journal(&[&[1; 90], &[4]]));
    let disk = BadDisk { from: 12288, to: 16384 };

    let reader = Reader::open(disk.clone(), folder.path()).unwrap();
    let mut entries = reader.entries(Sequence(1));
    let mut errors = 0;
    while let Some(item) = entries.next() {
        match item {
            Ok(Item::Finding(finding)) => panic!("who acts on it is told no verdict: {finding}"),
            Ok(_) => {}
            Err(ReadError::Segment { .. }) => errors += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(errors, 1);
    let mut ahead = Ahead::behind(reader.entries(Sequence(1)), 0);
    while let Some(item) = ahead.next() {
        errors += usize::from(item.is_err());
    }
    assert_eq!(errors, 2, "another thread tells it as well");

    let forgiving = Reader::open_forgiving(disk.clone(), folder.path()).unwrap();
    let (mut entries, mut read, mut told) = (forgiving.entries(Sequence(1)), 0, 0);
    while let Some(item) = entries.next() {
        match item.unwrap() {
            Item::Entry(_) => read += 1,
            Item::Finding(finding) => told += u64::from(finding.lost.is_some()),
            Item::Commit(_) => {}
        }
    }

    let report = verify(&disk, folder.path(), VerifyOptions::default()).unwrap();
    assert_eq!(report.unreadable.len(), 1, "{:?}", report.unreadable);
    assert_eq!(report.count(Verdict::Damage), report.findings.len(), "{:?}", report.findings);
    assert!(report.is_damaged());
    let lost: u64 =
        report.findings.iter().filter_map(|it| it.lost).map(|(a, b)| b.0 - a.0 + 1).sum();
    assert_eq!(report.events + lost, 94);
    assert_eq!(read, report.events, "who only asks reads on behind it");
    assert!(told > 0);
    assert!((1..40).contains(&lost), "{lost}");
    assert!(report.bytes.damaged >= 4096 && report.bytes.damaged < 8192, "{:?}", report.bytes);

    let saved = salvage(&disk, folder.path(), to.path(), SalvageOptions::new([2; 32])).unwrap();
    assert_eq!((saved.events, saved.missing), (report.events, lost));
    let check = verify(&FsStorage, to.path(), VerifyOptions::default()).unwrap();
    assert!(check.is_clean(), "{:?}", check.findings);
}

#[test]
fn a_segment_that_the_disk_does_not_give_costs_itself_alone() {
    let folder = tempdir().unwrap();
    lay(folder.path(), &journal(&[&[1; 9], &[4]]));
    let disk = BadDisk { from: 0, to: 1 << 20 };
    assert!(matches!(Reader::open(disk.clone(), folder.path()), Err(ReadError::Io { .. })));
    let forgiving = Reader::open_forgiving(disk, folder.path()).unwrap();
    let (mut entries, mut read, mut lost) = (forgiving.entries(Sequence(1)), Vec::new(), 0);
    while let Some(item) = entries.next() {
        match item.unwrap() {
            Item::Entry(entry) => read.push(entry.sequence.0),
            Item::Finding(finding) => lost += u64::from(finding.verdict == Verdict::HeaderDamaged),
            Item::Commit(_) => {}
        }
    }
    assert_eq!((read, lost), (vec![10, 11, 12, 13], 1));
}
