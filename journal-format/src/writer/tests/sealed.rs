//! Segments that are sealed: what they vouch for, and who goes on behind them.

use std::path::Path;

use super::{options, record};
use crate::scan::Verdict;
use crate::storage::FsStorage;
use crate::tree::{Builder, LeafStep, leaves};
use crate::units::{JournalId, Sequence};
use crate::verify::{VerifyOptions, VerifyReport, verify};
use crate::writer::{AppendError, Durability, Seal, Writer};

fn tree(folder: &Path) -> Builder {
    let mut builder = Builder::default();
    let mut take = |step: LeafStep<'_>| {
        if let LeafStep::Leaf { leaf, .. } = step {
            builder.push(leaf, &mut |_, _| {});
        }
        true
    };
    leaves(&FsStorage, folder, None, true, &mut take).unwrap();
    builder
}

fn verified(folder: &Path) -> VerifyReport {
    verify(&FsStorage, folder, VerifyOptions::default()).unwrap()
}

#[test]
fn a_sealed_segment_vouches_for_all_before_it_and_others_go_on_behind() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("journal");
    let open = |seed| Writer::open(FsStorage, &folder, options(Durability::Group, seed)).unwrap().0;
    let one = Writer::create(FsStorage, &folder, JournalId([9; 16]), options(Durability::Group, 1));
    let (one, other) = (one.unwrap(), open(2));
    for round in 0..3_u64 {
        for number in 0..5_u8 {
            one.append(&[record(&[number])]).unwrap();
            other.append(&[record(b"from elsewhere"), record(b"twice")]).unwrap();
        }
        let builder = tree(&folder);
        let last = Sequence(15 * (round + 1));
        let seal = Seal { last, size: builder.size(), root: builder.root() };
        // By what it was decided, or not at all.
        let early = Seal { last: Sequence(last.0 - 1), ..seal };
        assert!(matches!(one.seal(&early), Err(AppendError::Overtaken { .. })));
        assert_eq!(one.seal(&seal).unwrap().map(|it| it.0), Some(round));
        assert_eq!(one.seal(&seal).unwrap(), None);
    }
    other.append(&[record(b"behind")]).unwrap();
    open(3).append(&[record(b"and again")]).unwrap();
    let report = verified(&folder);
    assert!(report.is_clean(), "{:?}", report.findings);
    assert_eq!((report.events, report.seals.len(), report.segments.len()), (47, 3, 4));
}

#[test]
fn a_seal_that_says_something_else_is_broken() {
    for (size, root) in [(3, [7; 32]), (2, [0; 32]), (9, [0; 32])] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("journal");
        let options = options(Durability::Group, 1);
        let writer = Writer::create(FsStorage, &folder, JournalId([9; 16]), options).unwrap();
        for _ in 0..3 {
            writer.append(&[record(b"one")]).unwrap();
        }
        writer.seal(&Seal { last: Sequence(3), size, root }).unwrap();
        writer.append(&[record(b"behind")]).unwrap();
        let report = verified(&folder);
        assert_eq!(report.count(Verdict::SealBroken), 1, "{:?}", report.findings);
        assert!(report.is_damaged());
    }
}
