//! What the tail slot and the successors witness cannot be cut away unseen.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use annals_journal_format::reader::LockState;
use annals_journal_format::scan::Verdict;
use annals_journal_format::storage::FsStorage;
use annals_journal_format::verify::{VerifyOptions, VerifyReport, verify};
use annals_journal_format::writer::{Durability, Writer, WriterOptions};
use annals_journal_format::{JournalId, Seen, Sequence};

use super::sample;

fn segments(folder: &Path) -> Vec<PathBuf> {
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut names: Vec<_> =
        names.filter(|it| it.extension().is_some_and(|it| it == "seg")).collect();
    names.sort();
    names
}

fn check(folder: &Path) -> VerifyReport {
    verify(&FsStorage, folder, VerifyOptions::default()).unwrap()
}

fn strict(folder: &Path) {
    let options = WriterOptions {
        durability: Durability::Strict,
        segment_bytes_max: 16 << 10,
        ..WriterOptions::new([3; 32])
    };
    let writer = Writer::create(FsStorage, folder, sample::JOURNAL, options).unwrap();
    for first in (1..61).step_by(3) {
        sample::append(&writer, first..first + 3);
    }
}

#[test]
fn a_journal_of_the_real_writer_is_clean() {
    let folder = tempfile::tempdir().unwrap();
    strict(folder.path());
    let report = check(folder.path());
    assert!(report.is_clean(), "{:?}", report.findings);
    assert_eq!(report.events, 60);
    assert_eq!(report.commits_chained, 20);
    assert!(report.segments.len() > 2, "{}", report.segments.len());
    let files: u64 = segments(folder.path()).iter().map(|it| it.metadata().unwrap().len()).sum();
    assert_eq!(report.bytes.total(), files);
}

#[test]
fn a_tail_cut_below_what_was_synced_is_an_acknowledged_loss() {
    let folder = tempfile::tempdir().unwrap();
    strict(folder.path());
    let last = segments(folder.path()).pop().unwrap();
    let header_and_a_bit = 4096 + 100;
    OpenOptions::new().write(true).open(&last).unwrap().set_len(header_and_a_bit).unwrap();
    let report = check(folder.path());
    assert!(report.is_damaged());
    assert_eq!(report.count(Verdict::AcknowledgedLoss), 1, "{:?}", report.findings);
    let (first, last) = report.findings[0].lost.unwrap();
    let read = report.sequences.unwrap().1.0;
    assert_eq!((first.0, last.0), (read + 1, 60));
    // Without the slot nothing vouches for it: then it is a tail that was cut short.
    fs::remove_file(folder.path().join("LOCK")).unwrap();
    let report = check(folder.path());
    assert_eq!(report.count(Verdict::TornTail), 1, "{:?}", report.findings);
    assert_eq!(report.lock, LockState::Absent);
}

#[test]
fn a_last_segment_that_was_taken_away_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    strict(folder.path());
    fs::remove_file(segments(folder.path()).pop().unwrap()).unwrap();
    let report = check(folder.path());
    assert_eq!(report.count(Verdict::SegmentMissing), 1, "{:?}", report.findings);
    assert_eq!(report.findings[0].lost.unwrap().1.0, 60);
}

#[test]
fn a_slot_of_another_journal_says_nothing() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    strict(folder.path());
    sample::journal(other.path(), 64 << 20, &[2]);
    fs::copy(folder.path().join("LOCK"), other.path().join("LOCK")).unwrap();
    let report = check(other.path());
    // The same id on purpose: what differs is the segment and the frame that it names.
    assert_eq!(report.events, 2);
}

#[test]
fn what_somebody_has_seen_is_missed_where_neither_slot_nor_segment_is_left() {
    for is_removed in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        strict(folder.path());
        let last = segments(folder.path()).pop().unwrap();
        match is_removed {
            true => fs::remove_file(last).unwrap(),
            false => OpenOptions::new().write(true).open(last).unwrap().set_len(4096).unwrap(),
        }
        fs::remove_file(folder.path().join("LOCK")).unwrap();
        let left = check(folder.path());
        assert!(left.is_clean(), "nothing vouches for more: {:?}", left.findings);
        let read = left.sequences.unwrap().1.0;
        let seen = |journal| Some(Seen { journal, sequence: Sequence(60) });
        let options = VerifyOptions { seen: seen(sample::JOURNAL), ..VerifyOptions::default() };
        let report = verify(&FsStorage, folder.path(), options).unwrap();
        let lost = |lost: Option<(Sequence, Sequence)>| lost.map(|(first, last)| (first.0, last.0));
        assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
        assert_eq!(lost(report.findings[0].lost), Some((read + 1, 60)));
        let other = VerifyOptions { seen: seen(JournalId([9; 16])), ..options };
        assert!(verify(&FsStorage, folder.path(), other).unwrap().is_clean());

        let writing = |seen| WriterOptions { seen, ..sample::options(16 << 10) };
        let (writer, recoveries) =
            Writer::open(FsStorage, folder.path(), writing(seen(sample::JOURNAL))).unwrap();
        assert_eq!(recoveries.len(), 1, "{recoveries:?}");
        assert_eq!(lost(recoveries[0].lost), Some((read + 1, 60)));
        sample::append(&writer, 61..62);
        drop(writer);
        // What is there again is missed no more.
        let (_, recoveries) =
            Writer::open(FsStorage, folder.path(), writing(seen(sample::JOURNAL))).unwrap();
        assert!(recoveries.is_empty(), "{recoveries:?}");
        assert_eq!(check(folder.path()).sequences.unwrap().1.0, 61);
    }
}
