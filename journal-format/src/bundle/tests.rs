//! What a bundle may be, and what is refused.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use super::ustar::{BLOCK_BYTES, Header};
use super::*;
use crate::reader::tests::written::{journal, lay};
use crate::reader::{Item, Reader};
use crate::segment::SegmentName;
use crate::storage::{SourceStorage, Storage};
use crate::units::{Chain, JournalId, Mark, SegmentNumber, Sequence};
use crate::verify::{VerifyOptions, verify};

const SEGMENT: &str = "journal/0000000000-00000000000000000001.seg";

fn manifest() -> Vec<u8> {
    let mark = Mark { sequence: Sequence(7), chain: Chain([0xab; 32]) };
    let journal = JournalId([0x0c; 16]);
    let manifest = Manifest {
        journal,
        first: Sequence(1),
        mark,
        project: "a b".to_owned(),
        left_out: None,
        orders: Vec::new(),
    };
    manifest.to_text().into_bytes()
}

#[test]
fn a_manifest_tells_by_which_orders_records_went_and_is_read_in_no_other_form() {
    let text = String::from_utf8(manifest()).unwrap();
    let order = BundleOrder {
        id: "01a2".to_owned(),
        frames: 2,
        at: "2026-01-01T00:00:00Z".to_owned(),
        by: "me@here".to_owned(),
        reason: "the door\nkey ".to_owned() + &"x".repeat(600),
    };
    let mut told = Manifest::parse(&text).unwrap();
    told.left_out = Some((2, "records".to_owned()));
    told.orders = vec![order; ORDERS_MAX];
    let text = told.to_text();
    assert!(text.len() as u64 <= MANIFEST_BYTES_MAX, "{}", text.len());
    let read = Manifest::parse(&text).unwrap();
    assert_eq!((read.orders.len(), read.to_text()), (ORDERS_MAX, text.clone()));
    assert_eq!((read.orders[0].by.as_str(), read.orders[0].reason.len()), ("me@here", 512));
    assert!(read.orders[0].reason.starts_with("the door key x"));
    for (from, to) in
        [("order 01a2 2", "order 01a2 02"), ("\nby ", "\nBy "), ("reason the", "why the")]
    {
        assert!(
            text.contains(from) && Manifest::parse(&text.replacen(from, to, 1)).is_none(),
            "{to}"
        );
    }
    assert!(Manifest::parse(&format!("{text}order 01a2 2 x\nby me\nreason y\n")).is_none());
}

/// An archive of these entries.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, content) in entries {
        let header = Header { name: (*name).to_owned(), bytes: content.len() as u64 };
        bytes.extend(header.to_block(1_700_000_000).unwrap());
        bytes.extend(*content);
        bytes.resize(bytes.len().next_multiple_of(BLOCK_BYTES), 0);
    }
    bytes.resize(bytes.len() + 2 * BLOCK_BYTES, 0);
    bytes
}

/// Changes a header's bytes and makes its checksum right again.
fn forge(bytes: &mut [u8], at: usize, with: &[u8]) {
    let block = at / BLOCK_BYTES * BLOCK_BYTES;
    bytes[at..at + with.len()].copy_from_slice(with);
    bytes[block + 148..block + 156].fill(b' ');
    let sum: u32 = bytes[block..block + BLOCK_BYTES].iter().map(|byte| u32::from(*byte)).sum();
    bytes[block + 148..block + 156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

fn laid(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.bundle");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn opened(bytes: &[u8]) -> Result<Bundle, BundleError> {
    let (_folder, path) = laid(bytes);
    Bundle::open(&path)
}

#[test]
fn an_archive_of_what_a_bundle_has_is_one() {
    let blob = format!("journal/blobs/{}", "5a".repeat(32));
    let text = manifest();
    let bytes = archive(&[(MANIFEST_NAME, &text), (SEGMENT, b"abc"), (&blob, &[9; 600])]);
    let bundle = opened(&bytes).unwrap();
    assert_eq!(bundle.manifest.to_text().into_bytes(), text);
    let name = SegmentName { number: SegmentNumber(0), first_sequence: Sequence(1) };
    assert_eq!(bundle.segments[&name], Extent { offset: 1_536, bytes: 3 });
    assert_eq!(bundle.blobs[&[0x5a; 32]].bytes, 600);
    // tar fills up its records.
    let padded = [bytes.as_slice(), &[0; 9_000 / 512 * 512]].concat();
    assert!(opened(&padded).is_ok());
}

#[test]
fn what_no_bundle_has_is_refused() {
    let text = manifest();
    let good = archive(&[(MANIFEST_NAME, &text), (SEGMENT, b"abc")]);
    // Where the segment's header lies.
    let second = 2 * BLOCK_BYTES;
    let named = |name: &str| archive(&[(MANIFEST_NAME, text.as_slice()), (name, b"abc")]);
    let forged = |at: usize, with: &[u8]| {
        let mut bytes = good.clone();
        forge(&mut bytes, at, with);
        bytes
    };
    let mut flipped = good.clone();
    flipped[second + 3] ^= 1;
    let name = |name: &str| Fault::Name { name: name.to_owned() };
    for (what, bytes, fault) in [
        ("no entry", archive(&[]), Fault::Manifest),
        ("no manifest", archive(&[(SEGMENT, b"abc")]), Fault::Manifest),
        ("another's manifest", archive(&[(MANIFEST_NAME, b"annals bundle 2\n")]), Fault::Manifest),
        ("a large manifest", archive(&[(MANIFEST_NAME, &[b'a'; 3_000])]), Fault::Manifest),
        ("a way up", named("../x"), name("../x")),
        ("from the root", named("/etc/passwd"), name("/etc/passwd")),
        ("a way up inside", named("journal/../../x.seg"), name("journal/../../x.seg")),
        ("another file", named("journal/LOCK"), name("journal/LOCK")),
        ("a blob's name too short", named("journal/blobs/5a"), name("journal/blobs/5a")),
        ("the manifest again", named(MANIFEST_NAME), name(MANIFEST_NAME)),
        ("a prefix", forged(second + 345, b"..\0"), name(SEGMENT)),
        ("a link", forged(second + 156, b"2"), Fault::NotAFile),
        ("a hard link", forged(second + 156, b"1"), Fault::NotAFile),
        ("a folder", forged(second + 156, b"5"), Fault::NotAFile),
        ("a fifo", forged(second + 156, b"6"), Fault::NotAFile),
        ("an extended header", forged(second + 156, b"x"), Fault::NotAFile),
        ("another format", forged(second + 257, b"ustar  \0"), Fault::NotUstar),
        ("a flipped bit", flipped, Fault::Checksum),
        ("a size that lies", forged(second + 124, b"77777777777"), Fault::Truncated),
        (
            "a size of 2^63",
            forged(second + 124, b"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"),
            Fault::NotUstar,
        ),
        ("a size below nothing", forged(second + 124, b"-0000000003"), Fault::NotUstar),
        ("a size too small", forged(second + 124, b"00000000000"), Fault::NotUstar),
        ("cut in a header", good[..second + 9].to_vec(), Fault::Truncated),
        ("cut in a content", good[..second + BLOCK_BYTES + 1].to_vec(), Fault::Truncated),
        ("cut before the end", good[..good.len() - 2 * BLOCK_BYTES].to_vec(), Fault::Truncated),
        ("one block of the end", good[..good.len() - BLOCK_BYTES].to_vec(), Fault::Truncated),
        ("something behind", [good.as_slice(), &good].concat(), Fault::Trailing),
        ("much behind", [good.as_slice(), &[0; 20_480]].concat(), Fault::Trailing),
        (
            "twice",
            archive(&[(MANIFEST_NAME, text.as_slice()), (SEGMENT, b"a"), (SEGMENT, b"b")]),
            Fault::Twice { name: SEGMENT.to_owned() },
        ),
    ] {
        match opened(&bytes) {
            Err(BundleError::Fault { fault: found, .. }) => assert_eq!(found, fault, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn a_manifest_is_read_as_it_is_written_and_not_otherwise() {
    let text = String::from_utf8(manifest()).unwrap();
    assert_eq!(Manifest::parse(&text).unwrap().to_text(), text);
    for (from, to) in [
        ("annals bundle 1", "annals bundle 2"),
        ("last 7", "last 07"),
        ("last 7", "last +7"),
        ("last 7", "last"),
        ("first 1", "first 99999999999999999999"),
        ("chain ab", "chain AB"),
        ("project a b\n", "project a b"),
        ("project a b\n", "project a b\nmore\n"),
        ("project a b\n", ""),
    ] {
        assert_eq!(Manifest::parse(&text.replacen(from, to, 1)), None, "{from:?} → {to:?}");
    }
}

#[test]
fn a_name_or_a_size_that_does_not_fit_is_no_header() {
    let header = |name: &str, bytes| Header { name: name.to_owned(), bytes }.to_block(0);
    assert!(header(&"a".repeat(99), (1 << 33) - 1).is_some());
    assert!(header(&"a".repeat(100), 1).is_none());
    assert!(header("a", 1 << 33).is_none());
}

#[test]
fn a_journal_written_into_one_file_is_the_same_journal() {
    let folder = tempdir().unwrap();
    let (source, out) = (folder.path().join("journal"), folder.path().join("out"));
    fs::create_dir(&source).unwrap();
    let segments = journal(&[&[1, 2], &[3]]);
    lay(&source, &segments);
    let storage = SourceStorage::guarding(&source).unwrap();
    let reader = Reader::open(storage.clone(), &source).unwrap();
    let nowhere = source.join("blobs");
    let write = |force| BundleWrite {
        out: &out,
        force,
        project: "p",
        time_s: 1,
        blobs: &[[1; 32]],
        blobs_folder: &nowhere,
        leave_out: None,
    };
    let report = write_bundle(&storage, &reader, &write(false)).unwrap();
    assert_eq!((report.segments, report.blobs, report.blobs_missing.len()), (2, 0, 1));
    assert_eq!((report.first, report.mark), (Sequence(1), reader.mark()));
    assert_eq!(report.bytes, fs::metadata(&out).unwrap().len());
    let first = fs::read(&out).unwrap();
    assert!(matches!(
        write_bundle(&storage, &reader, &write(false)),
        Err(BundleError::Exists { .. })
    ));
    write_bundle(&storage, &reader, &write(true)).unwrap();
    assert_eq!(fs::read(&out).unwrap(), first, "the same journal, the same bytes");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing temporary is left");

    assert!(is_bundle(&out) && !is_bundle(&source));
    let inside = SourceStorage::guarding(&out).unwrap();
    let bundled = Reader::open(inside.clone(), &out).unwrap();
    assert_eq!((bundled.id(), bundled.mark()), (reader.id(), reader.mark()));
    let events = |reader: &Reader<SourceStorage>| {
        let mut entries = reader.entries(Sequence(0));
        let mut found = Vec::new();
        while let Some(item) = entries.next() {
            match item.unwrap() {
                Item::Entry(entry) => found.push((entry.sequence, entry.payload.to_vec())),
                Item::Commit(_) => {}
                Item::Finding(finding) => panic!("{finding}"),
            }
        }
        found
    };
    assert_eq!(events(&bundled), events(&reader));
    let verified = verify(&inside, &out, VerifyOptions::default()).unwrap();
    assert!(verified.is_clean(), "{:?}", verified.findings);
    assert_eq!((verified.events, verified.commits_chained), (6, 3));
    assert_eq!(verified.bytes.free, 0, "no space that is filled ahead");
    assert!(inside.list(&out.join("elsewhere")).is_err());
}

proptest! {
    /// Whatever the bytes, reading them ends, and no extent lies outside of the file.
    #[test]
    fn no_bytes_lead_out_of_the_file(
        changes in prop::collection::vec((0_usize..3_072, any::<u8>()), 1..12),
        cut in 0_usize..4_096,
        sums_hold in any::<bool>(),
    ) {
        let text = manifest();
        let mut bytes = archive(&[(MANIFEST_NAME, &text), (SEGMENT, &[7; 700])]);
        for (at, byte) in changes {
            bytes[at] = byte;
            if sums_hold && at % BLOCK_BYTES < 500 && (at < 512 || (1_024..1_536).contains(&at)) {
                forge(&mut bytes, at, &[byte]);
            }
        }
        bytes.truncate(bytes.len().min(cut.max(600)));
        if let Ok(bundle) = opened(&bytes) {
            for extent in bundle.segments.values().chain(bundle.blobs.values()) {
                prop_assert!(extent.offset + extent.bytes <= bytes.len() as u64);
            }
        }
    }
}
