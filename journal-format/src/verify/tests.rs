//! What a report counts, and what it calls damage.

use std::fs;

use tempfile::tempdir;

use super::*;
use crate::reader::tests::written::{forge_payload, journal, lay};
use crate::scan::Verdict;
use crate::storage::FsStorage;

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
