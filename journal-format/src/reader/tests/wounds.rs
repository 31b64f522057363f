//! Wounds, each with what has to be told of it.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use super::written::{Segment, forge, journal, journal_of};
use crate::scan::Verdict;
use crate::units::JournalId;

pub const SHAPE: [&[usize]; 3] = [&[1, 3, 1, 40], &[2, 5], &[1, 1, 7]];
pub const ALL: RangeInclusive<u64> = 1..=61;

/// Verdict, segment, first and last sequence lost.
pub type Told = (Verdict, u64, Option<(u64, u64)>);

/// A wound, and what has to be told of it.
pub struct Case {
    pub name: &'static str,
    pub wound: fn(&Path, &[Segment]),
    pub findings: &'static [Told],
    pub lost: &'static [RangeInclusive<u64>],
    pub damaged: bool,
}

pub fn path(folder: &Path, segment: &Segment) -> std::path::PathBuf {
    folder.join(segment.name())
}

fn flip(folder: &Path, segment: &Segment, at: u64) {
    let mut bytes = fs::read(path(folder, segment)).unwrap();
    bytes[at as usize] ^= 0x10;
    fs::write(path(folder, segment), bytes).unwrap();
}

fn truncate(folder: &Path, segment: &Segment, len: u64) {
    let file = fs::OpenOptions::new().write(true).open(path(folder, segment)).unwrap();
    file.set_len(len).unwrap();
}

pub const CASES: &[Case] = &[
    Case { name: "nothing", wound: |_, _| {}, findings: &[], lost: &[], damaged: false },
    Case {
        name: "the middle segment is missing",
        wound: |folder, it| fs::remove_file(path(folder, &it[1])).unwrap(),
        findings: &[(Verdict::SegmentMissing, 1, Some((46, 52)))],
        lost: &[46..=52],
        damaged: true,
    },
    Case {
        name: "the first segment is missing",
        wound: |folder, it| fs::remove_file(path(folder, &it[0])).unwrap(),
        findings: &[(Verdict::SegmentMissing, 0, Some((1, 45)))],
        lost: &[1..=45],
        damaged: true,
    },
    Case {
        name: "the middle segment is another journal's",
        wound: |folder, it| {
            let other = journal_of(JournalId([9; 16]), &SHAPE);
            fs::write(path(folder, &it[1]), &other[1].bytes).unwrap();
        },
        findings: &[(Verdict::Foreign, 1, None), (Verdict::SegmentMissing, 1, Some((46, 52)))],
        lost: &[46..=52],
        damaged: true,
    },
    Case {
        name: "two segments changed names",
        wound: |folder, it| {
            fs::write(path(folder, &it[0]), &it[1].bytes).unwrap();
            fs::write(path(folder, &it[1]), &it[0].bytes).unwrap();
        },
        findings: &[
            (Verdict::Foreign, 0, None),
            (Verdict::Foreign, 1, None),
            (Verdict::SegmentMissing, 0, Some((1, 52))),
        ],
        lost: &[1..=52],
        damaged: true,
    },
    Case {
        name: "the first copy of a header",
        wound: |folder, it| flip(folder, &it[1], 70),
        findings: &[(Verdict::HeaderCopyDamaged, 1, None)],
        lost: &[],
        damaged: false,
    },
    Case {
        name: "the second copy of a header",
        wound: |folder, it| flip(folder, &it[2], 2048 + 70),
        findings: &[(Verdict::HeaderCopyDamaged, 2, None)],
        lost: &[],
        damaged: false,
    },
    Case {
        name: "both copies of a middle segment's header",
        wound: |folder, it| {
            flip(folder, &it[1], 70);
            flip(folder, &it[1], 2048 + 90);
        },
        findings: &[(Verdict::HeaderDamaged, 1, None)],
        lost: &[],
        damaged: true,
    },
    Case {
        name: "the whole header page of the first segment",
        wound: |folder, it| {
            let mut bytes = it[0].bytes.clone();
            bytes[..4096].fill(0xFF);
            fs::write(path(folder, &it[0]), bytes).unwrap();
        },
        findings: &[(Verdict::HeaderDamaged, 0, None)],
        lost: &[],
        damaged: true,
    },
    Case {
        name: "the last segment's header page, and a bit of its first frame",
        wound: |folder, it| {
            let mut bytes = it[2].bytes.clone();
            bytes[..4096].fill(0);
            bytes[4096 + 20] ^= 1;
            fs::write(path(folder, &it[2]), bytes).unwrap();
        },
        findings: &[(Verdict::HeaderDamaged, 2, None), (Verdict::Damage, 2, Some((53, 53)))],
        lost: &[53..=53],
        damaged: true,
    },
    Case {
        name: "one bit of one frame of a rolled segment",
        wound: |folder, it| flip(folder, &it[0], it[0].commits[2].0 + 60),
        findings: &[(Verdict::Damage, 0, Some((5, 5)))],
        lost: &[5..=5],
        damaged: true,
    },
    Case {
        name: "one bit of the last frame of the journal",
        wound: |folder, it| flip(folder, &it[2], it[2].bytes.len() as u64 - 4096 - 1),
        findings: &[(Verdict::Damage, 2, Some((61, 61)))],
        lost: &[61..=61],
        damaged: true,
    },
    Case {
        name: "a commit replaced by another of the same length",
        wound: |folder, it| {
            // Same nonce, offset and sequences; another time in one frame.
            let mut other = journal(&SHAPE);
            let at = other[1].commits[0].0 as usize;
            forge(&mut other[1], at);
            fs::write(path(folder, &it[1]), &other[1].bytes).unwrap();
        },
        findings: &[(Verdict::ChainBroken, 1, None)],
        lost: &[],
        damaged: true,
    },
    Case {
        name: "the last segment is cut inside its last commit",
        wound: |folder, it| truncate(folder, &it[2], it[2].commits[2].0 + 200),
        findings: &[(Verdict::TornTail, 2, Some((55, 57)))],
        lost: &[55..=61],
        damaged: false,
    },
    Case {
        name: "a rolled segment is cut inside its last commit",
        wound: |folder, it| truncate(folder, &it[1], it[1].commits[1].0 + 200),
        findings: &[(Verdict::AcknowledgedLoss, 1, Some((50, 52)))],
        lost: &[50..=52],
        damaged: true,
    },
];
