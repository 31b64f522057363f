//! What a report counts, and what it calls damage.

use std::fs;

use tempfile::tempdir;

use super::*;
use crate::chain;
use crate::frame::{CrcSeed, FrameHeader, layout};
use crate::reader::tests::written::{JOURNAL, Segment, forge_payload, journal, journal_of, lay};
use crate::scan::{Finding, Verdict};
use crate::storage::FsStorage;
use crate::units::{Chain, JournalId, Offset, SegmentNumber, Sequence};

#[test]
fn every_byte_has_its_state() {
    let folder = tempdir().unwrap();
    let segments = journal(&[&[1, 2], &[3]]);
    lay(folder.path(), &segments);
    let report = verify(&FsStorage, folder.path(), VerifyOptions::default()).unwrap();
    assert!(report.is_clean());
    assert_eq!((report.events, report.commits, report.commits_chained), (6, 3, 3));
    assert_eq!(report.bytes.header, 2 * 4096);
    assert_eq!(report.bytes.free, 4096);
    // The ROLL lies beyond the bound that the successor set.
    assert!(report.bytes.void > 0 && report.bytes.void < 256, "{:?}", report.bytes);
    let files: u64 = segments.iter().map(|it| it.bytes.len() as u64).sum();
    assert_eq!(report.bytes.total(), files);
    assert_eq!(report.segments[0].bytes.total(), segments[0].bytes.len() as u64);
}

#[test]
fn a_payload_that_does_not_open_is_lost_although_its_sums_hold() {
    let folder = tempdir().unwrap();
    let mut segments = journal(&[&[1, 1]]);
    let at = segments[0].commits[0].0 as usize;
    forge_payload(&mut segments[0], at);
    lay(folder.path(), &segments);
    let report = verify(&FsStorage, folder.path(), VerifyOptions::default()).unwrap();
    assert_eq!(report.count(Verdict::PayloadDamaged), 1, "{:?}", report.findings);
    assert!(report.is_damaged());
    let options = VerifyOptions { payloads: false, ..VerifyOptions::default() };
    let report = verify(&FsStorage, folder.path(), options).unwrap();
    assert_eq!(report.count(Verdict::PayloadDamaged), 0);
}

#[test]
fn a_look_begins_where_the_one_before_ended() {
    let folder = tempdir().unwrap();
    let segments = journal(&[&[1, 2], &[3]]);
    lay(folder.path(), &segments);
    let all = verify(&FsStorage, folder.path(), VerifyOptions::default()).unwrap();
    let (end, mark) = (all.end.unwrap(), all.mark.unwrap());
    let from = |segment, at| {
        let from = Some(VerifyFrom { segment, at });
        verify(&FsStorage, folder.path(), VerifyOptions { from, ..VerifyOptions::default() })
    };
    let rest = from(end.segment, Some((end.offset, mark))).unwrap();
    assert!(rest.is_clean() && rest.events == 0, "{:?}", rest.findings);
    let last = from(end.segment, None).unwrap();
    assert!(last.is_clean(), "{:?}", last.findings);
    assert_eq!((last.events, last.mark, last.end), (3, all.mark, all.end));
}

#[test]
fn what_is_no_journal_is_an_error_with_its_place() {
    let folder = tempdir().unwrap();
    let told = |path: &std::path::Path| {
        verify(&FsStorage, path, VerifyOptions::default()).unwrap_err().to_string()
    };
    assert!(told(folder.path()).contains("holds no segment"));
    assert!(told(&folder.path().join("absent")).contains("absent"));
    let file = folder.path().join("notes.seg");
    fs::write(&file, "not a segment").unwrap();
    assert!(told(&file).contains("notes.seg"));
}

/// What verifying some segments finds, and whether that is damage.
fn found(segments: &[Segment]) -> (Vec<Finding>, bool) {
    let folder = tempdir().unwrap();
    lay(folder.path(), segments);
    let report = verify(&FsStorage, folder.path(), VerifyOptions::default()).unwrap();
    let damaged = report.is_damaged();
    (report.findings, damaged)
}

/// Makes every sum of a commit right, and its chain.
fn reseal(segment: &mut Segment, at: usize, previous: Chain) {
    let seed = CrcSeed::new(&segment.header.nonce);
    let (bytes, mut frame) = (&mut segment.bytes, at);
    loop {
        let offset = Offset(frame as u64);
        let sum =
            seed.crc(offset, &bytes[frame + layout::PAYLOAD_LEN_AT..frame + layout::HEADER_BYTES]);
        bytes[frame + 4..frame + 8].copy_from_slice(&sum.to_le_bytes());
        let header = FrameHeader::parse(&bytes[frame..], &seed, offset).unwrap();
        let end = frame + header.frame_bytes();
        if header.is_last() {
            let chain_at = end - layout::END_BYTES - 32;
            let chain = chain::link(previous, &bytes[at..chain_at]);
            bytes[chain_at..chain_at + 32].copy_from_slice(&chain.0);
        }
        let sum = seed.crc(offset, &bytes[frame..end - 4]);
        bytes[end - 4..end].copy_from_slice(&sum.to_le_bytes());
        if header.is_last() {
            return;
        }
        frame = end;
    }
}

/// Of a commit of one frame: where its trailer begins.
fn trailer_at(segment: &Segment, at: usize) -> usize {
    let seed = CrcSeed::new(&segment.header.nonce);
    let header = FrameHeader::parse(&segment.bytes[at..], &seed, Offset(at as u64)).unwrap();
    at + header.frame_bytes() - layout::END_BYTES - layout::TRAILER_BYTES
}

type Forge = fn(&mut Segment, usize);

#[test]
fn what_was_written_wrong_is_told_although_every_sum_and_the_chain_hold() {
    let forgeries: [(&str, Verdict, bool, usize, Forge); 8] = [
        ("a wrong first sequence", Verdict::CommitMalformed, true, 1, |it, at| {
            let at = trailer_at(it, at) + layout::TRAILER_FIRST_SEQUENCE_AT;
            it.bytes[at] ^= 4;
        }),
        ("a wrong commit length", Verdict::CommitMalformed, true, 1, |it, at| {
            let at = trailer_at(it, at) + layout::TRAILER_COMMIT_BYTES_AT;
            it.bytes[at] ^= 8;
        }),
        ("no FIRST", Verdict::CommitMalformed, true, 1, |it, at| {
            it.bytes[at + layout::FLAGS_AT] &= !1;
        }),
        ("a number left out", Verdict::CommitMalformed, true, 2, |it, at| {
            let seed = CrcSeed::new(&it.header.nonce);
            let first = FrameHeader::parse(&it.bytes[at..], &seed, Offset(at as u64)).unwrap();
            it.bytes[at + first.frame_bytes() + layout::SEQUENCE_AT] = 9;
        }),
        ("a durable that is its own", Verdict::DurableBeyond, true, 1, |it, at| {
            let at = trailer_at(it, at) + layout::TRAILER_DURABLE_AT;
            it.bytes[at] = 2;
        }),
        ("a durable beyond the end", Verdict::DurableBeyond, true, 1, |it, at| {
            let at = trailer_at(it, at) + layout::TRAILER_DURABLE_AT;
            it.bytes[at + 2] = 7;
        }),
        ("bytes behind a payload", Verdict::PaddingNotZero, false, 1, |it, at| {
            let at = trailer_at(it, at) - 1;
            it.bytes[at] = 1;
        }),
        ("an hour back", Verdict::TimeRunsBack, false, 1, |it, at| {
            let at = at + layout::TIME_AT;
            let time = u64::from_le_bytes(it.bytes[at..at + 8].try_into().unwrap()) - 3_600_000;
            it.bytes[at..at + 8].copy_from_slice(&time.to_le_bytes());
        }),
    ];
    for (what, verdict, damaged, events, forge) in forgeries {
        let mut segments = journal(&[&[1, events]]);
        let (first, at) = (segments[0].commits[0].0 as usize, segments[0].commits[1].0 as usize);
        let chain_at = trailer_at(&segments[0], first) + layout::TRAILER_CHAIN_AT;
        let before = Chain(segments[0].bytes[chain_at..chain_at + 32].try_into().unwrap());
        reseal(&mut segments[0], at, before);
        assert_eq!(found(&segments), (vec![], false), "{what}: before");
        forge(&mut segments[0], at);
        reseal(&mut segments[0], at, before);
        let (findings, is_damaged) = found(&segments);
        let verdicts: Vec<_> = findings.iter().map(|it| it.verdict).collect();
        assert_eq!(verdicts, [verdict], "{what}: {findings:?}");
        assert_eq!(is_damaged, damaged, "{what}");
    }
}

#[test]
fn a_header_is_read_in_both_its_copies_and_between_them() {
    let verdicts = |segments: &[Segment]| -> Vec<_> {
        found(segments).0.iter().map(|it| (it.verdict, it.at.offset.0)).collect()
    };
    let mut segments = journal(&[&[1, 2], &[1]]);
    let other = crate::segment::SegmentHeader { nonce: [9; 16], ..segments[1].header };
    segments[1].bytes[2048..2304].copy_from_slice(&other.to_page()[2048..2304]);
    assert_eq!(verdicts(&segments), [(Verdict::HeaderCopiesDiffer, 2048 + 64)]);
    let mut segments = journal(&[&[1, 2], &[1]]);
    segments[1].bytes[3000] = 1;
    assert_eq!(verdicts(&segments), [(Verdict::PaddingNotZero, 3000)]);
    for change in 0..3 {
        let mut segments = journal(&[&[1, 2]]);
        let mut header = segments[0].header;
        header.previous.chain = chain::genesis(JOURNAL);
        segments[0].bytes[..4096].copy_from_slice(&header.to_page());
        assert_eq!(verdicts(&segments), [], "as a writer makes it");
        match change {
            0 => header.previous.chain = Chain([1; 32]),
            1 => header.previous.end = Offset(4096),
            _ => header.previous.sequence = Sequence(1),
        }
        segments[0].bytes[..4096].copy_from_slice(&header.to_page());
        assert_eq!(verdicts(&segments), [(Verdict::ChainBroken, 0)]);
    }
}

#[test]
fn a_foreign_segment_is_named_and_invents_no_loss() {
    let stranger = |number, first_sequence| {
        let mut segment = journal_of(JournalId([9; 16]), &[&[3]]).remove(0);
        segment.header.number = SegmentNumber(number);
        segment.header.first_sequence = Sequence(first_sequence);
        segment.bytes[..4096].copy_from_slice(&segment.header.to_page());
        segment
    };
    let told = |segments: &[Segment]| -> Vec<_> {
        let lost = |it: &Finding| it.lost.map(|(first, last)| (first.0, last.0));
        found(segments).0.iter().map(|it| (it.verdict, it.at.segment.0, lost(it))).collect()
    };
    // Behind all, between two, and under a number that is there.
    for (number, first) in [(9, 82_394), (1, 82_394), (0, 82_394)] {
        let mut segments = journal(&[&[2], &[2], &[1]]);
        segments.push(stranger(number, first));
        assert_eq!(told(&segments), [(Verdict::Foreign, number, None)]);
    }
    // In the place of one.
    let mut segments = journal(&[&[2], &[2], &[1]]);
    segments[1] = stranger(1, 3);
    let missing = (Verdict::SegmentMissing, 1, Some((3, 4)));
    assert_eq!(told(&segments), [(Verdict::Foreign, 1, None), missing]);
}
