//! Journals with wounds: told exactly, costing no more than they must, salvaged whole.

use std::fs;
use std::path::Path;

use proptest::prelude::ProptestConfig;
use tempfile::tempdir;

use super::wounds::{ALL, CASES, SHAPE, path};
use super::written::{journal, lay};
use super::{CommitEnd, Seen, backward, forward, open};
use crate::limits::HEADER_PAGE_BYTES;
use crate::salvage::{SalvageOptions, salvage};
use crate::scan::Verdict;
use crate::storage::FsStorage;
use crate::verify::{VerifyOptions, verify};

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
    told.sort_by_key(|(at, verdict)| (*at, verdict.as_str()));
    wanted.sort_by_key(|(at, verdict)| (*at, verdict.as_str()));
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
