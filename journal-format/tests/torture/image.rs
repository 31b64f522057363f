//! What every disk image must show, whatever happened before it.

use std::collections::BTreeSet;
use std::path::Path;

use annals_journal_format::reader::{Item, Reader};
use annals_journal_format::scan::{ChainCheck, Finding};
use annals_journal_format::storage::Storage;
use annals_journal_format::storage::sim::SimStorage;
use annals_journal_format::writer::{Writer, WriterOptions};

use crate::history::{Commit, FOLDER, History, Told, append};
use crate::script::payload;

/// What a reader finds in a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// (sequence, number of the record), in order.
    pub entries: Vec<(u64, u64)>,
    pub findings: Vec<Finding>,
}

/// Reads a journal; every payload must be the one its record had.
pub fn read(storage: &impl Storage, folder: &Path) -> Read {
    let reader = Reader::open(storage.clone(), folder).unwrap();
    let mut found = Read::default();
    let mut entries = reader.entries(annals_journal_format::Sequence(1));
    while let Some(item) = entries.next() {
        match item.unwrap() {
            Item::Entry(entry) => {
                assert!(*entry.payload == *payload(entry.time_ms), "not the payload recorded");
                found.entries.push((entry.sequence.0, entry.time_ms));
            }
            Item::Commit(end) => {
                assert_ne!(end.chain, ChainCheck::Broken, "{:?} {:?}", end.mark, found.findings)
            }
            Item::Finding(finding) => found.findings.push(finding),
        }
    }
    found
}

/// What the callers knew when power was lost or the processes died.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    pub history: &'a History,
    pub operations: u64,
    /// Power was lost, so that only what was durable must be there.
    pub power_lost: bool,
}

impl Moment<'_> {
    fn submitted(&self) -> impl Iterator<Item = &Commit> {
        self.history.commits.iter().filter(|it| it.submitted_at <= self.operations)
    }

    fn must_be_there(&self, commit: &Commit) -> bool {
        match commit.told_at(self.operations) {
            Some(Told::Durable) => true,
            Some(Told::Written) => !self.power_lost,
            _ => false,
        }
    }

    /// Acknowledged ⊆ found ⊆ submitted, in order, whole commits only.
    pub fn check(&self, found: &[(u64, u64)]) {
        let sequences: Vec<u64> = found.iter().map(|(sequence, _)| *sequence).collect();
        assert!(sequences.is_sorted_by(|a, b| a < b), "sequences out of order: {sequences:?}");
        let numbers: Vec<u64> = found.iter().map(|(_, number)| *number).collect();
        let there: BTreeSet<u64> = numbers.iter().copied().collect();
        assert_eq!(there.len(), numbers.len(), "a record is there twice: {numbers:?}");
        let mut expected = Vec::new();
        for commit in self.submitted() {
            let count = commit.numbers.iter().filter(|number| there.contains(number)).count();
            let told = commit.told_at(self.operations);
            // A buffered writer grows the file as it goes: after power loss the disk may show in
            // it whatever lay there before, which is damage and not a torn tail.
            let may_tear = self.power_lost && self.history.buffered && !self.must_be_there(commit);
            let whole = count == 0 || count == commit.numbers.len();
            assert!(whole || may_tear, "half a commit: {commit:?} in {found:?}");
            assert!(count > 0 || !self.must_be_there(commit), "lost: {commit:?}");
            assert!(
                count == 0 || told != Some(Told::NotRecorded),
                "recorded after all: {commit:?}"
            );
            if count > 0 {
                expected.extend(commit.numbers.iter().filter(|number| there.contains(number)));
            }
        }
        assert_eq!(numbers, expected, "not in the order of submission, or never submitted");
        let watermark = self.history.watermark_at(self.operations);
        let last = sequences.last().copied().unwrap_or(0);
        assert!(last >= watermark, "watermark {watermark} above the last sequence {last}");
    }
}

/// Recovers an image, and checks what is then there; recovering again changes nothing, and the
/// next append works and lasts.
pub fn check_recovery(image: &SimStorage, moment: Moment<'_>, options: &WriterOptions) {
    let folder = Path::new(FOLDER);
    let opened = Writer::open(image.clone(), folder, options.clone());
    let Ok((writer, first)) = opened else {
        let any = moment.submitted().any(|commit| moment.must_be_there(commit));
        assert!(!any, "cannot be opened: {:?}", opened.err());
        return check_new(image, options);
    };
    let recovered = read(image, folder);
    moment.check(&recovered.entries);
    drop(writer);
    let again = image.process();
    let (writer, recoveries) = Writer::open(again.clone(), folder, options.clone()).unwrap();
    // A loss stays where it is, and is told until it is on record: that is the caller's.
    assert!(
        recoveries.iter().all(|it| it.verdict.is_loss()),
        "recovered twice: {recoveries:?} after {first:?}, findings {:?}",
        recovered.findings
    );
    let next = 1_000_000;
    append(&writer, &[next, next + 1]).unwrap();
    let after = read(&again, folder);
    let unchanged = after.entries.starts_with(&recovered.entries);
    assert!(unchanged, "the second recovery changed something: {recovered:?} {after:?}");
    // How much a loss at the tail cost is known better once there is something behind it; what was
    // never acknowledged may be overwritten.
    let losses = |read: &Read| -> Vec<_> {
        let losses = read.findings.iter().filter(|it| it.verdict.is_loss());
        losses.map(|it| (it.verdict, it.at)).collect()
    };
    assert_eq!(losses(&after), losses(&recovered));
    let new: Vec<u64> =
        after.entries[recovered.entries.len()..].iter().map(|(_, number)| *number).collect();
    assert_eq!(new, [next, next + 1], "the next append");
}

/// A journal that was never made whole can be made.
fn check_new(image: &SimStorage, options: &WriterOptions) {
    let folder = Path::new(FOLDER);
    let writer =
        Writer::create(image.clone(), folder, crate::history::ID, options.clone()).unwrap();
    append(&writer, &[1]).unwrap();
    assert_eq!(read(image, folder).entries, [(1, 1)]);
}
