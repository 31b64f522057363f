//! A bundle without the events of some kinds: their frames are redacted in it, and all else is as in the journal.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;

use annals_journal_format::Sequence;
use annals_journal_format::bundle::{
    Bundle, BundleError, BundleReport, BundleWrite, LeaveOut, write_bundle,
};
use annals_journal_format::frame::{Flags, leaf};
use annals_journal_format::reader::{Item, OwnedEntry, Reader};
use annals_journal_format::segment::SegmentName;
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::verify::{VerifyOptions, verify};
use tempfile::tempdir;

use super::fixtures::folder;
use super::sample::{kind_of, payload_of};

/// Sequences of these kinds have empty, short, compressed, masked and long payloads.
const KINDS: [u16; 2] = [0x0200, 0x0401];

fn write(source: &Path, out: &Path) -> Result<BundleReport, BundleError> {
    let storage = SourceStorage::guarding(source).unwrap();
    let reader = Reader::open(storage.clone(), source).unwrap();
    let write = BundleWrite {
        out,
        force: false,
        project: "sample",
        time_s: 1_700_000_000,
        blobs: &[],
        blobs_folder: &source.join("blobs"),
        leave_out: Some(LeaveOut {
            orders: &[],
            kinds: &KINDS,
            records: &BTreeSet::new(),
            before: 0,
            what: "answers",
        }),
    };
    write_bundle(&storage, &reader, &write)
}

fn entries(path: &Path) -> Vec<OwnedEntry> {
    let reader = Reader::open(SourceStorage::guarding(path).unwrap(), path).unwrap();
    let (mut entries, mut all) = (reader.entries(Sequence(1)), Vec::new());
    while let Some(item) = entries.next() {
        if let Item::Entry(entry) = item.unwrap() {
            all.push(entry.into_owned());
        }
    }
    all
}

/// The bytes that begin with a frame, and its leaf.
fn frame(file: &fs::File, at: u64) -> (Vec<u8>, [u8; 32]) {
    let mut bytes = vec![0; 48];
    file.read_exact_at(&mut bytes, at).unwrap();
    let payload = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    bytes.resize(48 + payload.next_multiple_of(8).max(16), 0);
    file.read_exact_at(&mut bytes, at).unwrap();
    let leaf = leaf(&bytes);
    (bytes, leaf)
}

#[test]
fn what_is_left_out_leaves_its_leaf_and_nothing_else() {
    let (source, made) = (folder().join("journal"), tempdir().unwrap());
    let out = made.path().join("bundle");
    let report = write(&source, &out).unwrap();
    let wanted: Vec<u64> =
        (1..=report.mark.sequence.0).filter(|it| KINDS.contains(&kind_of(*it))).collect();
    assert!(wanted.len() > 1 && report.left_out == wanted.len() as u64, "{wanted:?} {report:?}");

    let bundle = Bundle::open(&out).unwrap();
    assert_eq!(bundle.manifest.left_out, Some((report.left_out, "answers".to_owned())));
    let verified =
        verify(&SourceStorage::guarding(&out).unwrap(), &out, VerifyOptions::default()).unwrap();
    assert!(verified.is_clean(), "{:?}", verified.findings);
    assert_eq!((verified.redacted, verified.events), (report.left_out, report.mark.sequence.0));
    let whole = verify(&SourceStorage::open(), &source, VerifyOptions::default()).unwrap();
    assert_eq!((verified.mark, whole.redacted), (whole.mark, 0), "the journal is untouched");

    let (before, after) = (entries(&source), entries(&out));
    assert_eq!(before.len(), after.len());
    let names: Vec<SegmentName> = bundle.segments.keys().copied().collect();
    for (was, is) in before.iter().zip(&after) {
        let name = names.iter().find(|it| it.number == was.position.segment).unwrap();
        let at = was.position.offset.0;
        let (old, old_leaf) = frame(&fs::File::open(source.join(name.to_string())).unwrap(), at);
        let (new, new_leaf) = frame(&bundle.file(), bundle.segments[name].offset + at);
        assert_eq!(old_leaf, new_leaf, "{}", was.sequence.0);
        let is_out = wanted.contains(&was.sequence.0);
        assert_eq!(is.flags.has(Flags::REDACTED), is_out, "{}", was.sequence.0);
        if !is_out {
            assert_eq!((&is.payload, &old), (&was.payload, &new));
            continue;
        }
        assert!(is.payload.is_empty() && new[64..].iter().all(|it| *it == 0xFF));
        assert_ne!(old[32..64], new[32..64], "salt and payload are gone");
        assert_eq!(*was.payload, payload_of(was.sequence.0));
    }
    let again = made.path().join("again");
    write(&out, &again).unwrap();
    assert!(fs::read(again).unwrap() == fs::read(&out).unwrap(), "of itself it is the same");
}

#[test]
fn of_a_damaged_journal_nobody_knows_what_is_to_be_left_out() {
    let made = tempdir().unwrap();
    let source = made.path().join("journal");
    fs::create_dir(&source).unwrap();
    let mut files = fs::read_dir(folder().join("journal")).unwrap().map(|it| it.unwrap().path());
    let first = files.by_ref().map(|path| {
        let to = source.join(path.file_name().unwrap());
        fs::copy(&path, &to).unwrap();
        to
    });
    let first = first.min().unwrap();
    let mut bytes = fs::read(&first).unwrap();
    bytes[4096 + 60] ^= 1;
    fs::write(&first, bytes).unwrap();
    let out = made.path().join("bundle");
    let refused = write(&source, &out).unwrap_err();
    assert!(matches!(refused, BundleError::Unsure { segment: 0, at: 4096 }), "{refused}");
    assert!(!out.exists());
}
