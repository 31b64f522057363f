//! Journals with wounds: told exactly, costing no more than they must, salvaged whole.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use proptest::prelude::ProptestConfig;
use tempfile::tempdir;

use super::written::{Segment, journal, journal_of, lay};
use super::{CommitEnd, Seen, backward, forward, open};
use crate::limits::HEADER_PAGE_BYTES;
use crate::salvage::{SalvageOptions, salvage};
use crate::scan::Verdict;
use crate::storage::FsStorage;
use crate::units::JournalId;
use crate::verify::{VerifyOptions, verify};

const SHAPE: [&[usize]; 3] = [&[1, 3, 1, 40], &[2, 5], &[1, 1, 7]];
const ALL: RangeInclusive<u64> = 1..=61;

/// Verdict, segment, first and last sequence lost.
type Told = (Verdict, u64, Option<(u64, u64)>);

struct Case {
    name: &'static str,
    wound: fn(&Path, &[Segment]),
    findings: &'static [Told],
    lost: &'static [RangeInclusive<u64>],
    damaged: bool,
}

fn path(folder: &Path, segment: &Segment) -> std::path::PathBuf {
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

const CASES: &[Case] = &[
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
        findings: &[(Verdict::Foreign, 1, Some((46, 52)))],
        lost: &[46..=52],
        damaged: true,
    },
    Case {
        name: "two segments changed names",
        wound: |folder, it| {
            fs::write(path(folder, &it[0]), &it[1].bytes).unwrap();
            fs::write(path(folder, &it[1]), &it[0].bytes).unwrap();
        },
        findings: &[(Verdict::Foreign, 0, Some((1, 52))), (Verdict::Foreign, 1, None)],
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
            super::written::forge(&mut other[1], at);
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

#[test]
fn every_wound_is_told_exactly_and_costs_no_more_than_it_must() {
    for case in CASES {
        let folder = tempdir().unwrap();
        let segments = journal(&SHAPE);
        lay(folder.path(), &segments);
        (case.wound)(folder.path(), &segments);
        let reader = open(folder.path());
        let seen = forward(&reader, 1);
        let told: Vec<_> = seen
            .findings
            .iter()
            .map(|it| (it.verdict, it.at.segment.0, it.lost.map(|(a, b)| (a.0, b.0))))
            .collect();
        assert_eq!(told, case.findings, "{}: {:?}", case.name, seen.findings);
        let kept: Vec<u64> =
            ALL.filter(|it| !case.lost.iter().any(|lost| lost.contains(it))).collect();
        assert_eq!(seen.sequences(), kept, "{}", case.name);
        if case.lost.is_empty() && case.findings.iter().all(|it| it.0 != Verdict::ChainBroken) {
            assert!(seen.ends.iter().all(CommitEnd::chain_holds), "{}: {:?}", case.name, seen.ends);
        }
        told_the_same_backward(case.name, &seen, folder.path());

        let before = contents(folder.path());
        let report = verify(&FsStorage, folder.path(), VerifyOptions::default()).unwrap();
        assert_eq!(report.findings, seen.findings, "{}", case.name);
        assert_eq!(report.is_damaged(), case.damaged, "{}", case.name);
        assert_eq!(report.events, kept.len() as u64, "{}", case.name);
        salvaged(case.name, folder.path(), &seen);
        assert!(contents(folder.path()) == before, "{}: something was written", case.name);
    }
}

fn told_the_same_backward(name: &str, seen: &Seen, folder: &Path) {
    let mut back = backward(&open(folder), None);
    back.entries.reverse();
    assert_eq!(back.entries, seen.entries, "{name}");
    let mut told: Vec<_> = back.findings.iter().map(|it| (it.at, it.verdict)).collect();
    let mut wanted: Vec<_> = seen.findings.iter().map(|it| (it.at, it.verdict)).collect();
    // The chain runs forward only.
    wanted.retain(|(_, verdict)| *verdict != Verdict::ChainBroken);
    told.sort_by_key(|(at, _)| *at);
    wanted.sort_by_key(|(at, _)| *at);
    assert_eq!(told, wanted, "{name}");
}

fn salvaged(name: &str, folder: &Path, seen: &Seen) {
    let to = tempdir().unwrap();
    let to = to.path().join("fresh");
    let options = SalvageOptions { segment_bytes_max: 16 << 10, ..SalvageOptions::new([5; 32]) };
    let report = salvage(&FsStorage, folder, &to, options).unwrap();
    let copy = forward(&open(&to), 1);
    assert_eq!(copy.findings, [], "{name}");
    let content = |seen: &Seen| {
        let entries = seen.entries.iter().cloned();
        entries.map(|it| (it.sequence, it.kind, it.time_ms, it.payload)).collect::<Vec<_>>()
    };
    assert_eq!(content(&copy), content(seen), "{name}");
    assert_eq!(report.events, seen.entries.len() as u64, "{name}");
    assert_eq!(report.findings, seen.findings, "{name}");
    let check = verify(&FsStorage, &to, VerifyOptions::default()).unwrap();
    assert!(check.is_clean(), "{name}: {:?}", check.findings);
    assert_eq!(check.commits_chained, check.commits, "{name}");
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap())
        .map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn without_any_whole_frame_a_segment_without_a_header_is_lost() {
    let folder = tempdir().unwrap();
    let segments = journal(&SHAPE);
    lay(folder.path(), &segments);
    let mut bytes = segments[1].bytes.clone();
    bytes.iter_mut().step_by(40).for_each(|byte| *byte ^= 0x41);
    fs::write(path(folder.path(), &segments[1]), bytes).unwrap();
    let seen = forward(&open(folder.path()), 1);
    assert_eq!(seen.findings.len(), 1, "{:?}", seen.findings);
    assert_eq!(seen.findings[0].verdict, Verdict::HeaderDamaged);
    assert_eq!(seen.findings[0].lost.map(|(a, b)| (a.0, b.0)), Some((46, 52)));
    told_the_same_backward("no header, no frame", &seen, folder.path());
    salvaged("no header, no frame", folder.path(), &seen);
}

#[test]
fn hostile_files_are_contained() {
    let folder = tempdir().unwrap();
    let segments = journal(&SHAPE);
    lay(folder.path(), &segments);
    let fifo = folder.path().join("0000000003-00000000000000000070.seg");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let link = folder.path().join("0000000004-00000000000000000080.seg");
    std::os::unix::fs::symlink("/dev/zero", link).unwrap();
    fs::create_dir(folder.path().join("0000000005-00000000000000000090.seg")).unwrap();
    let seen = forward(&open(folder.path()), 1);
    assert_eq!(seen.findings, []);
    assert_eq!(seen.sequences(), ALL.collect::<Vec<_>>());
}

proptest::proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_read_without_panic_and_told_the_same_both_ways(
        patches in proptest::collection::vec(
            (0usize..3, 0.0f64..1.0, proptest::collection::vec(proptest::num::u8::ANY, 1..900)),
            1..6,
        ),
    ) {
        let folder = tempdir().unwrap();
        let mut segments = journal(&SHAPE);
        for (index, place, patch) in &patches {
            let bytes = &mut segments[*index].bytes;
            let room = bytes.len() - HEADER_PAGE_BYTES as usize;
            let at = HEADER_PAGE_BYTES as usize + (place * room as f64) as usize;
            let end = (at + patch.len()).min(bytes.len());
            bytes[at..end].copy_from_slice(&patch[..end - at]);
        }
        lay(folder.path(), &segments);
        let seen = forward(&open(folder.path()), 1);
        told_the_same_backward("patched", &seen, folder.path());
        let report = verify(&FsStorage, folder.path(), VerifyOptions::default()).unwrap();
        proptest::prop_assert_eq!(&report.findings, &seen.findings);
        proptest::prop_assert_eq!(
            report.bytes.total(),
            segments.iter().map(|it| it.bytes.len() as u64).sum::<u64>()
        );
        salvaged("patched", folder.path(), &seen);
    }
}
