//! Whole journals: forward, backward, by sequence, by time.

use proptest::prelude::*;
use tempfile::tempdir;

use super::written::{journal, lay, payload_of, time_of};
use super::{backward, forward, open};
use crate::scan::ChainCheck;
use crate::units::Sequence;

const SHAPE: [&[usize]; 3] = [&[1, 3, 1, 40], &[2, 5], &[1, 1, 7]];
const EVENTS: u64 = 45 + 7 + 9;

#[test]
fn every_entry_of_every_segment_is_read_as_it_was_written() {
    let folder = tempdir().unwrap();
    lay(folder.path(), &journal(&SHAPE));
    let reader = open(folder.path());
    let seen = forward(&reader, 1);
    assert_eq!(seen.findings, []);
    assert_eq!(seen.sequences(), (1..=EVENTS).collect::<Vec<_>>());
    for entry in &seen.entries {
        assert_eq!(*entry.payload, payload_of(entry.sequence.0), "{}", entry.sequence);
        assert_eq!(entry.time_ms, time_of(entry.sequence.0));
        assert!(entry.commit_whole);
    }
    assert_eq!(seen.ends.len(), 9);
    assert!(seen.ends.iter().all(|end| end.whole && end.chain == ChainCheck::Holds));
    assert_eq!(seen.ends.last().unwrap().mark, reader.mark());
    assert_eq!(reader.mark().sequence, Sequence(EVENTS));
}

#[test]
fn one_segment_alone_is_read() {
    let folder = tempdir().unwrap();
    let segments = journal(&SHAPE);
    lay(folder.path(), &segments);
    for (index, first) in [(0, 1), (1, 46), (2, 53)] {
        let alone = folder.path().join(segments[index].name());
        let seen = forward(&open(&alone), 1);
        assert_eq!(seen.findings, [], "segment {index}");
        assert_eq!(seen.sequences()[0], first);
        assert!(seen.ends.iter().all(|end| end.chain == ChainCheck::Holds));
        let renamed = folder.path().join("evidence.bin");
        std::fs::copy(&alone, &renamed).unwrap();
        assert_eq!(forward(&open(&renamed), 1), seen);
        assert_eq!(backward(&open(&renamed), None).entries.len(), seen.entries.len());
    }
}

#[test]
fn a_time_leads_to_the_first_entry_at_or_after_it() {
    let folder = tempdir().unwrap();
    lay(folder.path(), &journal(&SHAPE));
    let reader = open(folder.path());
    for sequence in 1..=EVENTS {
        let at = Some(Sequence(sequence));
        assert_eq!(reader.seek_time(time_of(sequence)).unwrap(), at);
        assert_eq!(reader.seek_time(time_of(sequence) - 9).unwrap(), at);
    }
    assert_eq!(reader.seek_time(0).unwrap(), Some(Sequence(1)));
    assert_eq!(reader.seek_time(time_of(EVENTS) + 1).unwrap(), None);
}

#[test]
fn a_mark_is_found_at_commit_ends_and_nowhere_else() {
    let folder = tempdir().unwrap();
    lay(folder.path(), &journal(&SHAPE));
    let reader = open(folder.path());
    let ends = forward(&reader, 1).ends;
    for sequence in 1..=EVENTS + 3 {
        let expected = ends.iter().map(|end| end.mark).find(|it| it.sequence.0 == sequence);
        assert_eq!(reader.mark_at(Sequence(sequence)).unwrap(), expected, "{sequence}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn seeks_and_backward_agree_with_forward(
        shape in prop::collection::vec(prop::collection::vec(1usize..60, 0..12), 1..5),
        seeks in prop::collection::vec(0.0f64..1.1, 6),
    ) {
        let folder = tempdir().unwrap();
        let shape: Vec<&[usize]> = shape.iter().map(Vec::as_slice).collect();
        lay(folder.path(), &journal(&shape));
        let reader = open(folder.path());
        let all = forward(&reader, 0);
        prop_assert!(all.findings.is_empty());
        let mut back = backward(&reader, None);
        back.entries.reverse();
        prop_assert_eq!(&back.entries, &all.entries);
        prop_assert_eq!(back.ends.len(), all.ends.len());
        let last = all.entries.len() as u64;
        prop_assert_eq!(reader.mark().sequence.0, last);
        for seek in seeks {
            let at = (seek * last as f64) as u64;
            let after = forward(&reader, at);
            let skip = at.saturating_sub(1).min(last) as usize;
            prop_assert_eq!(&after.entries[..], &all.entries[skip..]);
            let got = reader.get(Sequence(at)).unwrap();
            let wanted = at.checked_sub(1).and_then(|it| all.entries.get(it as usize));
            prop_assert_eq!(got.as_ref(), wanted);
            let mut before = backward(&reader, Some(at)).entries;
            before.reverse();
            prop_assert_eq!(&before[..], &all.entries[..at.min(last) as usize]);
        }
    }
}
