//! What is moved reads as it was, and nothing else does.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::scan::Verdict;
use crate::segment::SegmentName;
use crate::storage::{OpenHow, SourceStorage, Storage, StorageFile, read_full};
use crate::units::{JournalId, Mark};
use crate::verify::{VerifyOptions, VerifyReport, verify};
use crate::writer::{Record, Seal, Writer, WriterOptions};

const NAMES: [&str; 2] =
    ["0000000000-00000000000000000001.seg", "0000000001-00000000000000000041.seg"];

struct Moved {
    _dir: TempDir,
    journal: PathBuf,
    archive: PathBuf,
    manifest: Manifest,
    /// The first segment as it was.
    bytes: Vec<u8>,
}

/// A journal of two segments, the first of them moved.
fn moved() -> Moved {
    let dir = tempfile::tempdir().unwrap();
    let (journal, archive) = (dir.path().join("journal"), dir.path().join("archive"));
    fs::create_dir(&archive).unwrap();
    let options = WriterOptions::new([1; 32]);
    let writer =
        Writer::create(SourceStorage::open(), &journal, JournalId([7; 16]), options).unwrap();
    let mut last = None;
    for number in 0..40_u8 {
        let payload: Vec<u8> =
            (0..40_000_u32).map(|at| (at * 31 + u32::from(number)) as u8).collect();
        let record =
            Record { kind: 1, version: 1, time_ms: 1_000, skippable: false, payload: &payload };
        last = Some(writer.append(&[record]).unwrap());
    }
    let mark: Mark = last.unwrap().mark;
    writer.seal(&Seal { last: mark.sequence, size: 40, root: [0; 32] }).unwrap();
    writer
        .append(&[Record { kind: 1, version: 1, time_ms: 1_001, skippable: false, payload: b"on" }])
        .unwrap();
    drop(writer);
    let path = journal.join(NAMES[0]);
    let bytes = fs::read(&path).unwrap();
    let name = SegmentName::parse(NAMES[0]).unwrap();
    let segment = ToArchive { path: &path, name, mark, size: 40, root: [3; 32] };
    let written = pack(&SourceStorage::open(), &segment, &archive).unwrap();
    assert!(!written.was_there);
    let again = pack(&SourceStorage::open(), &segment, &archive).unwrap();
    assert!(again.was_there && again.manifest == written.manifest);
    let manifest = written.manifest;
    let moved = Moved { _dir: dir, journal, archive, manifest, bytes };
    moved.note(&moved.archive, &moved.manifest.to_text());
    fs::remove_file(&path).unwrap();
    moved
}

impl Moved {
    fn note(&self, folder: &Path, manifest: &str) {
        let text = format!("annals archived 1\nin {}\nevent 41\n{manifest}", folder.display());
        fs::write(self.journal.join(format!("{}{NOTE_SUFFIX}", NAMES[0])), text).unwrap();
    }

    fn data(&self) -> PathBuf {
        self.archive.join(data_name(&self.manifest.name))
    }

    /// The segment as it is read now.
    fn read(&self) -> std::io::Result<Vec<u8>> {
        let file = SourceStorage::open().open(&self.journal.join(NAMES[0]), OpenHow::Read)?;
        let mut bytes = vec![0; self.bytes.len() + 1];
        let read = read_full(&file, &mut bytes, 0)?;
        bytes.truncate(read);
        assert_eq!(file.len()?, read as u64);
        Ok(bytes)
    }

    fn verified(&self) -> VerifyReport {
        verify(&SourceStorage::open(), &self.journal, VerifyOptions::default()).unwrap()
    }
}

#[test]
fn a_segment_that_was_moved_is_read_as_it_was_and_comes_back_the_same() {
    let moved = moved();
    assert!(moved.manifest.blocks.len() >= 2);
    assert_eq!(Manifest::parse(&moved.manifest.to_text()).as_ref(), Some(&moved.manifest));
    assert!(moved.read().unwrap() == moved.bytes);
    let report = moved.verified();
    assert!(report.unreadable.is_empty() && report.events == 41, "{:?}", report.findings);
    // As evidence as well, and by whoever lists the folder.
    let guarded = SourceStorage::guarding(&moved.journal).unwrap();
    assert_eq!(verify(&guarded, &moved.journal, VerifyOptions::default()).unwrap().events, 41);
    // Any tool that knows zstd takes it apart: the blocks are frames one behind the other.
    let plain = zstd::decode_all(fs::File::open(moved.data()).unwrap()).unwrap();
    assert!(plain == moved.bytes);
    let back = moved.journal.join(NAMES[0]);
    unpack(&moved.archive, &moved.manifest, &back).unwrap();
    assert!(
        fs::read(&back).unwrap() == moved.bytes
            && fs::metadata(&back).unwrap().permissions().readonly()
    );
}

#[test]
fn what_an_archive_gives_instead_is_never_believed() {
    type Change = fn(&Moved);
    // What is done, whether the archive is wrong (and not just away), and what is told.
    let cases: [(&str, Change, bool, &str); 9] = [
        ("gone", |it| fs::remove_file(it.data()).unwrap(), false, "could not be opened"),
        ("cut", |it| cut(&it.data(), 1), true, "were archived"),
        ("longer", |it| append(&it.data(), b"x"), true, "were archived"),
        ("flipped", |it| flip(&it.data(), 100), true, "block 0 is not the one"),
        (
            "flipped at its end",
            |it| flip_last(&it.data()),
            true,
            "is not the one that was archived",
        ),
        ("a link", |it| link(&it.data()), false, "could not be opened"),
        ("a folder", |it| folder(&it.data()), false, "could not be opened"),
        ("a bomb", bomb, true, "block 0 is not the one"),
        (
            "a note of nothing",
            |it| it.note(&it.archive, "annals archive 1\n"),
            true,
            "does not say where",
        ),
    ];
    for (name, change, is_wrong, told) in cases {
        let moved = moved();
        change(&moved);
        let error = moved.read().expect_err(name);
        let fault = ArchiveFault::of(&error).unwrap_or_else(|| panic!("{name}: {error}")).clone();
        assert_eq!(fault.is_wrong, is_wrong, "{name}: {fault}");
        assert!(fault.to_string().contains(told), "{name}: {fault}");
        let to = moved.journal.join("back");
        if name != "a note of nothing" && name != "a bomb" {
            assert!(unpack(&moved.archive, &moved.manifest, &to).is_err(), "{name}");
            assert!(!to.exists(), "{name}: nothing is left");
            // What stands behind it is read, and nothing is said to be lost.
            let report = moved.verified();
            // (The root of its seal is made up, which shows where the records can be read.)
            let lost = report.findings.iter().find(|it| it.verdict != Verdict::SealBroken);
            assert!(lost.is_none(), "{name}: {lost:?}");
            assert_eq!((report.unreadable.len(), report.events >= 1), (1, true), "{name}");
        }
    }
}

#[test]
fn manifests_that_cannot_be_are_none() {
    let moved = moved();
    let text = moved.manifest.to_text();
    let line = |name: &str| text.lines().find(|it| it.starts_with(name)).unwrap().to_owned();
    for (from, to) in [
        ("annals archive 1".to_owned(), "annals archive 2".to_owned()),
        (line("journal"), format!("journal {}", "0".repeat(32))),
        (line("segment"), "segment 1 1".to_owned()),
        (line("before"), format!("before {}", "0".repeat(64))),
        (line("bytes"), "bytes 18446744073709551615".to_owned()),
        (line("bytes"), "bytes 1".to_owned()),
        (line("block"), "block 99999999999 00".to_owned()),
        (line("block"), format!("block 0 {}", "0".repeat(64))),
        (line("tree"), "tree 040 00".to_owned()),
        (format!("{}\n", line("block")), String::new()),
        (text.clone(), format!("{text}\n")),
        (text.clone(), format!("{text}block 1 {}\n", "0".repeat(64))),
    ] {
        let forged = text.replacen(&from, &to, 1);
        assert!(forged != text && Manifest::parse(&forged).is_none(), "{to}");
    }
    for folder in ["relative", "/a\nevent 1\nb", ""] {
        assert!(!Note::takes(Path::new(folder)), "{folder}");
    }
}

#[test]
fn another_copy_of_a_segment_is_not_written_over() {
    let moved = moved();
    let path = moved.archive.join("other.seg");
    let mut bytes = moved.bytes.clone();
    bytes[9_000] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let Manifest { name, mark, size, root, .. } = moved.manifest;
    let other = ToArchive { path: &path, name, mark, size, root };
    let refused = pack(&SourceStorage::open(), &other, &moved.archive).unwrap_err();
    assert!(matches!(refused, ArchiveError::Other { .. }), "{refused}");
    // What an interrupted run left of the same is made whole.
    cut(&moved.data(), 7);
    fs::write(&path, &moved.bytes).unwrap();
    assert!(!pack(&SourceStorage::open(), &other, &moved.archive).unwrap().was_there);
    assert!(moved.read().unwrap() == moved.bytes);
}

fn cut(path: &Path, bytes: u64) {
    let file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - bytes).unwrap();
}

fn append(path: &Path, bytes: &[u8]) {
    let mut all = fs::read(path).unwrap();
    all.extend(bytes);
    fs::write(path, all).unwrap();
}

fn flip(path: &Path, at: usize) {
    let mut all = fs::read(path).unwrap();
    all[at] ^= 1;
    fs::write(path, all).unwrap();
}

fn flip_last(path: &Path) {
    flip(path, fs::read(path).unwrap().len() - 1);
}

fn link(path: &Path) {
    let real = path.with_extension("real");
    fs::rename(path, &real).unwrap();
    std::os::unix::fs::symlink(real, path).unwrap();
}

fn folder(path: &Path) {
    fs::remove_file(path).unwrap();
    fs::create_dir(path).unwrap();
}

/// The first block is of what decompresses to 64 MiB, and the manifest vouches for its bytes.
fn bomb(moved: &Moved) {
    let bomb = zstd::encode_all(&vec![0; 64 << 20][..], 19).unwrap();
    let mut all = fs::read(moved.data()).unwrap();
    all.splice(..moved.manifest.blocks[0].bytes as usize, bomb.iter().copied());
    fs::write(moved.data(), all).unwrap();
    let mut manifest = moved.manifest.clone();
    manifest.blocks[0] =
        Block { bytes: bomb.len() as u64, blake3: *blake3::hash(&bomb).as_bytes() };
    moved.note(&moved.archive, &manifest.to_text());
}
