//! The walk over a small segment: whole, with every bit flipped, and cut at every length.

use super::*;
use crate::chain;
use crate::frame::{CrcSeed, Draft, encode_commit, store_payload};
use crate::limits::HEADER_PAGE_BYTES;
use crate::segment::{Predecessor, SegmentHeader};
use crate::storage::sim::SimStorage;
use crate::storage::{OpenHow, Storage};
use crate::units::{Chain, JournalId, Offset, SegmentNumber, Sequence};

const PAYLOADS: [&[&[u8]]; 4] = [
    &[b"one"],
    &[b"two, of the second commit", &[0; 3000], b"four"],
    &[&[7; 1500]],
    &[b"", b"seven"],
];

fn segment() -> (Vec<u8>, SegmentHeader, usize) {
    let header = SegmentHeader {
        journal: JournalId([3; 16]),
        number: SegmentNumber(0),
        first_sequence: Sequence(1),
        nonce: [9; 16],
        previous: Predecessor { sequence: Sequence(0), end: Offset(0), chain: Chain([0; 32]) },
    };
    let mut bytes = header.to_page();
    let seed = CrcSeed::new(&header.nonce);
    let (mut sequence, mut chain) = (Sequence(1), chain::genesis(header.journal));
    for commit in PAYLOADS {
        let salts: Vec<[u8; 16]> =
            (0..commit.len()).map(|index| [0x41 + index as u8; 16]).collect();
        let stored: Vec<_> =
            commit.iter().zip(&salts).map(|(it, salt)| store_payload(it, salt, None)).collect();
        let drafts: Vec<_> = stored
            .iter()
            .zip(&salts)
            .map(|(it, salt)| Draft {
                kind: 0x0401,
                version: 1,
                flags: it.flags,
                time_ms: 1_700_000_000_000 + sequence.0,
                salt: *salt,
                stored: &it.bytes,
                rest: &[],
            })
            .collect();
        let offset = Offset(bytes.len() as u64);
        let durable = Sequence(sequence.0 - 1);
        chain = encode_commit(&drafts, &mut bytes, &seed, offset, sequence, durable, chain);
        sequence = Sequence(sequence.0 + commit.len() as u64);
    }
    let end = bytes.len();
    bytes.resize(end + 2048, 0);
    (bytes, header, end)
}

struct Seen {
    sequences: Vec<u64>,
    findings: Vec<Finding>,
    chains: Vec<ChainCheck>,
    end: ScanEnd,
}

fn walk(bytes: &[u8], header: &SegmentHeader, witness: u64) -> Seen {
    let mut scan = SegmentScan::new(SliceBytes(bytes), header, None, Sequence(witness));
    let (mut sequences, mut findings, mut chains) = (vec![], vec![], vec![]);
    while let Some(step) = scan.next_step().unwrap() {
        match step {
            Step::Commit(commit) => {
                chains.push(commit.chain);
                for frame in commit.frames {
                    let payload = commit.payload(frame).unwrap();
                    let expected: Vec<&[u8]> = PAYLOADS.concat();
                    assert_eq!(*payload, *expected[frame.header.sequence.0 as usize - 1]);
                    sequences.push(frame.header.sequence.0);
                }
            }
            Step::Finding(finding) => findings.push(finding),
        }
    }
    Seen { sequences, findings, chains, end: scan.end() }
}

#[test]
fn a_whole_segment_is_read_whole() {
    let (bytes, header, end) = segment();
    let seen = walk(&bytes, &header, 0);
    assert_eq!(seen.sequences, [1, 2, 3, 4, 5, 6, 7]);
    assert!(seen.findings.is_empty(), "{:?}", seen.findings);
    assert!(seen.chains.iter().all(|check| *check == ChainCheck::Holds));
    assert_eq!(seen.end.offset, Offset(end as u64));
    assert_eq!(seen.end.cause, EndCause::Clean);
    assert_eq!(seen.end.next_sequence, Sequence(8));
}

#[test]
fn every_flipped_bit_costs_its_frame_alone() {
    let (mut bytes, header, end) = segment();
    for bit in HEADER_PAGE_BYTES as usize * 8..end * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let seen = walk(&bytes, &header, 0);
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(seen.findings.len(), 1, "bit {bit}: {:?}", seen.findings);
        let finding = seen.findings[0];
        assert_eq!(finding.verdict, Verdict::Damage, "bit {bit}: {finding}");
        let (first, last) = finding.lost.unwrap();
        assert_eq!(first, last, "bit {bit}: {finding}");
        let others: Vec<u64> = (1..=7).filter(|sequence| *sequence != first.0).collect();
        assert_eq!(seen.sequences, others, "bit {bit}: {finding}");
        assert!(seen.end.next_sequence.0 >= 8, "bit {bit}");
    }
}

#[test]
fn every_flipped_bit_behind_the_end_is_a_torn_tail() {
    let (mut bytes, header, end) = segment();
    for bit in end * 8..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let seen = walk(&bytes, &header, 0);
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(seen.sequences, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(seen.findings.len(), 1);
        assert_eq!(seen.findings[0].verdict, Verdict::TornTail, "bit {bit}");
        assert_eq!(seen.end.offset, Offset(end as u64));
    }
}

#[test]
fn every_truncation_ends_at_a_commit_or_is_told_as_a_loss() {
    let (bytes, header, end) = segment();
    let ends = [1, 4, 5, 7];
    for len in HEADER_PAGE_BYTES as usize..end {
        let seen = walk(&bytes[..len], &header, 0);
        assert!(seen.findings.iter().all(|it| it.verdict == Verdict::TornTail), "length {len}");
        let last = seen.sequences.last().copied().unwrap_or(0);
        assert!(last == 0 || ends.contains(&last), "length {len}: ends at {last}");
        let seen = walk(&bytes[..len], &header, 7);
        assert!(!seen.findings.is_empty(), "length {len}");
        assert!(
            seen.findings.iter().all(|it| it.verdict == Verdict::AcknowledgedLoss),
            "length {len}: {:?}",
            seen.findings
        );
    }
}

#[test]
fn a_commit_longer_than_the_window_is_read_in_long_pieces() {
    let (disk, path) = (SimStorage::new(1), std::path::Path::new("/segment"));
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    disk.put(path, &bytes);
    let file = std::sync::Arc::new(disk.open(path, OpenHow::Read).unwrap());
    let mut window = Window::new(file).unwrap();
    let before = disk.operations();
    // As a walk asks: from the commit's beginning to the end of one frame after the other.
    for want in (500..2_000_000).step_by(500) {
        let (from, held) = (want - 500, window.bytes(7, want).unwrap());
        assert_eq!(held[from..want], bytes[7 + from..7 + want], "{want}");
    }
    let reads = disk.operations() - before;
    assert!(reads <= 10, "{reads} reads");
}

#[test]
fn what_somebody_keeps_of_a_window_stays_as_it_was_read() {
    let (disk, path) = (SimStorage::new(1), std::path::Path::new("/segment"));
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|at| (at % 251) as u8).collect();
    disk.put(path, &bytes);
    let mut window =
        Window::new(std::sync::Arc::new(disk.open(path, OpenHow::Read).unwrap())).unwrap();
    let mut kept = std::collections::VecDeque::new();
    let mut buffers = std::collections::BTreeSet::new();
    for at in (0..2_900_000).step_by(70_000) {
        let held = window.bytes(at as u64, 90_000).unwrap();
        assert_eq!(held[..90_000], bytes[at..at + 90_000], "{at}");
        let first = held.as_ptr().addr();
        let shared = std::sync::Arc::clone(window.shared().unwrap());
        buffers.insert(shared.as_ptr().addr());
        kept.push_back((at, first - shared.as_ptr().addr(), shared));
        for (at, from, shared) in &kept {
            assert_eq!(shared[*from..from + 90_000], bytes[*at..at + 90_000], "{at}");
        }
        if kept.len() > 3 {
            kept.pop_front();
        }
    }
    assert!(buffers.len() <= 6, "{} buffers", buffers.len());
}
