//! Records of every shape, written by the real writer.

use std::path::Path;

use annals_journal_format::JournalId;
use annals_journal_format::storage::FsStorage;
use annals_journal_format::writer::{Durability, Record, Writer, WriterOptions};

pub const JOURNAL: JournalId = JournalId(*b"a sample journal");

pub fn options(segment_bytes_max: u64) -> WriterOptions {
    WriterOptions {
        durability: Durability::Buffered,
        segment_bytes_max,
        // Plain and compressed by turns, as the kept journals have them.
        compress_bytes_min: Some(1_024),
        ..WriterOptions::new([0x5A; 32])
    }
}

/// What is recorded under a sequence: empty, short, compressed, full of zeros by turns.
pub fn payload_of(sequence: u64) -> Vec<u8> {
    match sequence % 5 {
        0 => Vec::new(),
        1 => format!("the event {sequence}").into_bytes(),
        2 => {
            format!("{{\"line\":{sequence},\"text\":\"again and again\"}}").repeat(60).into_bytes()
        }
        // Too short to be compressed, with a run of zeros: masked.
        3 => [vec![7; 40], vec![0; 700], sequence.to_le_bytes().to_vec()].concat(),
        // Long and without a pattern: stored as it is.
        _ => blake3::Hasher::new().update(&sequence.to_le_bytes()).finalize_xof().take_bytes(1500),
    }
}

trait TakeBytes {
    fn take_bytes(self, count: usize) -> Vec<u8>;
}

impl TakeBytes for blake3::OutputReader {
    fn take_bytes(mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.fill(&mut bytes);
        bytes
    }
}

pub fn kind_of(sequence: u64) -> u16 {
    0x0100 * (1 + (sequence % 7) as u16) + (sequence % 3) as u16
}

pub fn time_of(sequence: u64) -> u64 {
    1_750_000_000_000 + 1234 * sequence
}

/// Appends one commit with these sequences.
pub fn append(writer: &Writer<FsStorage>, sequences: std::ops::Range<u64>) {
    let payloads: Vec<_> = sequences.clone().map(payload_of).collect();
    let records: Vec<_> = sequences
        .zip(&payloads)
        .map(|(sequence, payload)| Record {
            kind: kind_of(sequence),
            version: 1 + (sequence % 2) as u8,
            time_ms: time_of(sequence),
            skippable: sequence.is_multiple_of(2),
            payload,
        })
        .collect();
    writer.append(&records).unwrap();
}

/// A journal with commits of these many events; returns the last sequence.
pub fn journal(folder: &Path, segment_bytes_max: u64, commits: &[u64]) -> u64 {
    let options = options(segment_bytes_max);
    let writer = Writer::create(FsStorage, folder, JOURNAL, options).unwrap();
    let mut next = 1;
    for count in commits {
        append(&writer, next..next + count);
        next += count;
    }
    writer.sync().unwrap();
    next - 1
}
