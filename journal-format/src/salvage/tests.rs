//! Salvaging: what is refused, what is kept aside, what goes with it.

use std::collections::BTreeMap;
use std::fs;

use tempfile::tempdir;

use super::*;
use crate::frame::inner_hash;
use crate::reader::Reader;
use crate::reader::tests::written::{JOURNAL, journal, lay, payload_of};
use crate::storage::FsStorage;
use crate::tree::{LeafStep, leaves};
use crate::units::Sequence;
use crate::verify::{VerifyOptions, verify};
use crate::writer::{Doomed, Record, Writer, WriterOptions};

const OPTIONS: fn() -> SalvageOptions = || SalvageOptions::new([1; 32]);

#[test]
fn a_folder_with_anything_in_it_is_never_written_to() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    lay(from.path(), &journal(&[&[2]]));
    fs::write(to.path().join("mine"), "mine").unwrap();
    let refused = salvage(&FsStorage, from.path(), to.path(), OPTIONS()).unwrap_err();
    assert!(matches!(refused, SalvageError::NotEmpty { .. }), "{refused}");
    assert_eq!(fs::read_dir(to.path()).unwrap().count(), 1);
}

#[test]
fn one_segment_alone_is_salvaged_with_its_sequences() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    let segments = journal(&[&[2, 3], &[4], &[1]]);
    lay(from.path(), &segments);
    let alone = from.path().join(segments[1].name());
    let report = salvage(&FsStorage, &alone, to.path(), OPTIONS()).unwrap();
    assert_eq!((report.events, report.missing), (4, 0), "{:?}", report.gaps);
    assert_ne!(report.to, JOURNAL);
    let check = verify(&FsStorage, to.path(), VerifyOptions::default()).unwrap();
    assert!(check.is_clean(), "{:?}", check.findings);
    assert_eq!(check.sequences, Some((Sequence(6), Sequence(9))));
}

#[test]
fn gaps_are_declared() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    let segments = journal(&[&[2, 3], &[4], &[1]]);
    lay(from.path(), &segments);
    fs::remove_file(from.path().join(segments[1].name())).unwrap();
    let report = salvage(&FsStorage, from.path(), to.path(), OPTIONS()).unwrap();
    assert_eq!(report.gaps, [(Sequence(6), Sequence(9))]);
    assert_eq!((report.events, report.missing), (6, 4));
}

#[test]
fn whole_frames_of_a_cut_append_are_kept_aside_when_asked() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    let mut segments = journal(&[&[2, 6]]);
    // The last commit loses its last frame: what is whole of it was never acknowledged.
    let torn = segments[0].bytes.len() - 4096 - 100;
    segments[0].bytes.truncate(torn);
    lay(from.path(), &segments);
    let options = SalvageOptions { voided: true, ..OPTIONS() };
    let report = salvage(&FsStorage, from.path(), to.path(), options).unwrap();
    assert_eq!(report.events, 2);
    let sequences: Vec<_> = report.voided.iter().map(|it| it.sequence.0).collect();
    assert_eq!(sequences, [3, 4, 5, 6, 7]);
    for voided in &report.voided {
        let kept = fs::read(to.path().join("voided").join(&voided.file)).unwrap();
        assert_eq!(kept, payload_of(voided.sequence.0));
    }
}

#[test]
fn blobs_go_along_if_they_are_what_their_name_says() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    lay(from.path(), &journal(&[&[2]]));
    let blobs = from.path().join("blobs");
    fs::create_dir(&blobs).unwrap();
    let (good, bad) = (blake3::hash(b"good").to_hex(), blake3::hash(b"bad").to_hex());
    fs::write(blobs.join(good.as_str()), b"good").unwrap();
    fs::write(blobs.join(bad.as_str()), b"changed").unwrap();
    fs::write(blobs.join("not a blob"), b"").unwrap();
    let report = salvage(&FsStorage, from.path(), to.path(), OPTIONS()).unwrap();
    assert_eq!((report.blobs, report.blobs_damaged), (1, vec![bad.to_string()]));
    assert_eq!(fs::read(to.path().join("blobs").join(good.as_str())).unwrap(), b"good");
}

#[test]
fn what_is_left_of_a_redacted_payload_is_salvaged_however_short_it_was() {
    let (from, to) = (tempdir().unwrap(), tempdir().unwrap());
    let (from, to) = (from.path().join("journal"), to.path());
    let options = WriterOptions::new([1; 32]);
    let writer = Writer::create(FsStorage, &from, JOURNAL, options).unwrap();
    for bytes in 0..24 {
        let payload = vec![7; bytes];
        let record =
            Record { kind: 1, version: 1, time_ms: 1, skippable: false, payload: &payload };
        writer.append(&[record]).unwrap();
    }
    let place = |reader: &Reader<FsStorage>, sequence| {
        reader.get(Sequence(sequence)).unwrap().unwrap().position
    };
    let reader = Reader::open(FsStorage, &from).unwrap();
    let before = left(&from);
    let doomed: Vec<_> = before
        .iter()
        .map(|(sequence, (leaf, _))| Doomed {
            at: place(&reader, *sequence),
            sequence: Sequence(*sequence),
            leaf: *leaf,
        })
        .collect();
    assert_eq!(writer.redact(&doomed).unwrap().records.len(), 24);
    assert_eq!(left(&from), before);
    salvage(&FsStorage, &from, to, OPTIONS()).unwrap();
    assert_eq!(left(to), before);
}

/// Of each record its leaf and its inner hash.
fn left(folder: &std::path::Path) -> BTreeMap<u64, ([u8; 32], [u8; 32])> {
    let mut all = BTreeMap::new();
    leaves(&FsStorage, folder, None, true, &mut |step| {
        if let LeafStep::Leaf { sequence, leaf, frame } = step {
            all.insert(sequence.0, (leaf, inner_hash(frame)));
        }
        true
    })
    .unwrap();
    all
}
