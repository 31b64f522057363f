//! Journals laid down byte by byte, without the writer.

use std::fs;
use std::path::Path;

use crate::chain;
use crate::frame::{CrcSeed, Draft, Flags, FrameHeader, encode_commit, kind, store_payload};
use crate::segment::{Predecessor, SegmentHeader, SegmentName};
use crate::units::{Chain, JournalId, Offset, SegmentNumber, Sequence};

/// A segment as it is to lie on disk.
pub struct Segment {
    pub header: SegmentHeader,
    pub bytes: Vec<u8>,
    /// Offset and first sequence of every commit.
    pub commits: Vec<(u64, u64)>,
}

impl Segment {
    pub fn name(&self) -> String {
        let (number, first_sequence) = (self.header.number, self.header.first_sequence);
        SegmentName { number, first_sequence }.to_string()
    }
}

pub const JOURNAL: JournalId = JournalId([7; 16]);

pub fn time_of(sequence: u64) -> u64 {
    1_700_000_000_000 + 10 * sequence
}

/// The payload of a sequence: plain, compressible, and full of zeros by turns.
pub fn payload_of(sequence: u64) -> Vec<u8> {
    let length = (sequence * 37 % 900) as usize;
    match sequence % 4 {
        0 => vec![0; 600 + length],
        1 => format!("text of {sequence} ").repeat(length / 8 + 1).into_bytes(),
        2 => sequence.to_le_bytes().iter().cycle().take(length).copied().collect(),
        _ => Vec::new(),
    }
}

/// Segments of commits with these many events each.
pub fn journal(shape: &[&[usize]]) -> Vec<Segment> {
    journal_of(JOURNAL, shape)
}

pub fn journal_of(journal: JournalId, shape: &[&[usize]]) -> Vec<Segment> {
    let mut previous = Predecessor { sequence: Sequence(0), end: Offset(0), chain: Chain([0; 32]) };
    let (mut chain, mut sequence) = (chain::genesis(journal), Sequence(1));
    let mut segments = Vec::new();
    for (number, commits) in shape.iter().enumerate() {
        let header = SegmentHeader {
            journal,
            number: SegmentNumber(number as u64),
            first_sequence: sequence,
            nonce: [journal.0[0].wrapping_mul(31).wrapping_add(number as u8); 16],
            previous,
        };
        let mut segment = Segment { header, bytes: header.to_page(), commits: vec![] };
        for events in *commits {
            segment.commits.push((segment.bytes.len() as u64, sequence.0));
            chain = commit(&mut segment, *events as u64, sequence, chain);
            sequence.0 += *events as u64;
        }
        let end = Offset(segment.bytes.len() as u64);
        previous = Predecessor { sequence: Sequence(sequence.0 - 1), end, chain };
        if number + 1 < shape.len() {
            roll(&mut segment, sequence, chain);
        } else {
            segment.bytes.resize(segment.bytes.len() + 4096, 0);
        }
        segments.push(segment);
    }
    segments
}

fn commit(segment: &mut Segment, events: u64, first: Sequence, chain: Chain) -> Chain {
    let payloads: Vec<_> = (first.0..first.0 + events).map(payload_of).collect();
    let salt = |index: usize| [0x21 + (index % 200) as u8; 16];
    let stored: Vec<_> = payloads
        .iter()
        .enumerate()
        .map(|(index, payload)| store_payload(payload, &salt(index), Some(400)))
        .collect();
    let drafts: Vec<_> = stored
        .iter()
        .enumerate()
        .map(|(index, stored)| Draft {
            kind: 0x0401,
            version: 1,
            flags: stored.flags,
            time_ms: time_of(first.0 + index as u64),
            salt: salt(index),
            stored: &stored.bytes,
            rest: &[],
        })
        .collect();
    put(segment, &drafts, first, chain)
}

fn roll(segment: &mut Segment, next: Sequence, chain: Chain) {
    let mut payload = (segment.header.number.0 + 1).to_le_bytes().to_vec();
    payload.extend(next.0.to_le_bytes());
    let draft = Draft {
        kind: kind::ROLL,
        version: 1,
        flags: Flags::default(),
        time_ms: time_of(next.0),
        salt: [0x55; 16],
        stored: &payload,
        rest: &[],
    };
    put(segment, &[draft], next, chain);
}

pub fn put(segment: &mut Segment, drafts: &[Draft<'_>], first: Sequence, chain: Chain) -> Chain {
    let seed = CrcSeed::new(&segment.header.nonce);
    let offset = Offset(segment.bytes.len() as u64);
    let durable = Sequence(first.0 - 1);
    encode_commit(drafts, &mut segment.bytes, &seed, offset, first, durable, chain)
}

pub fn lay(folder: &Path, segments: &[Segment]) {
    for segment in segments {
        fs::write(folder.join(segment.name()), &segment.bytes).unwrap();
    }
}

/// Changes the first frame of the one-commit-later chain's past: another time, all sums right.
pub fn forge(segment: &mut Segment, at: usize) {
    let seed = CrcSeed::new(&segment.header.nonce);
    let offset = Offset(at as u64);
    let mut header = FrameHeader::parse(&segment.bytes[at..], &seed, offset).unwrap();
    header.time_ms += 1;
    let frame_bytes = header.frame_bytes();
    header.put(&mut segment.bytes[at..], &seed, offset);
    let crc_at = at + frame_bytes - 4;
    let crc = seed.crc(offset, &segment.bytes[at..crc_at]);
    segment.bytes[crc_at..crc_at + 4].copy_from_slice(&crc.to_le_bytes());
}

/// Makes a commit's only frame claim to be compressed, all sums and the chain right.
pub fn forge_payload(segment: &mut Segment, at: usize) {
    let seed = CrcSeed::new(&segment.header.nonce);
    let header = FrameHeader::parse(&segment.bytes[at..], &seed, Offset(at as u64)).unwrap();
    let stored = [0xEE; 64];
    let draft = Draft {
        kind: header.kind,
        version: 1,
        flags: Flags::COMPRESSED,
        time_ms: header.time_ms,
        salt: header.salt,
        stored: &stored,
        rest: &[],
    };
    segment.bytes.truncate(at);
    let chain = put(segment, &[draft], header.sequence, chain::genesis(segment.header.journal));
    let end = segment.bytes.len() as u64;
    commit(segment, 1, header.sequence.next(), chain);
    segment.commits[1].0 = end;
    segment.bytes.resize(segment.bytes.len() + 4096, 0);
}
