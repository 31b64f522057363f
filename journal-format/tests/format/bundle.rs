//! Appendix A and the program say the same, and a bundle of version 1 stays readable.

use annals_journal_format::bundle::{Bundle, BundleWrite, MANIFEST_NAME, Manifest, write_bundle};
use annals_journal_format::reader::Reader;
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::verify::{VerifyOptions, verify};

use super::fixtures::{folder, hold};
use super::text::{fields, place, section};

/// The kept journal in one file.
fn written() -> Vec<u8> {
    let folder = folder().join("journal");
    let storage = SourceStorage::guarding(&folder).unwrap();
    let reader = Reader::open(storage.clone(), &folder).unwrap();
    let out = tempfile::tempdir().unwrap();
    let write = BundleWrite {
        out: &out.path().join("bundle"),
        force: false,
        project: "sample",
        time_s: 1_700_000_000,
        blobs: &[],
        blobs_folder: &folder.join("blobs"),
        leave_out: None,
    };
    write_bundle(&storage, &reader, &write).unwrap();
    std::fs::read(write.out).unwrap()
}

#[test]
fn this_build_writes_and_reads_the_bundle_of_version_1() {
    let path = folder().join("sample.bundle");
    hold(&path, &written());
    let storage = SourceStorage::guarding(&path).unwrap();
    let reader = Reader::open(storage.clone(), &path).unwrap();
    let journal = Reader::open(SourceStorage::open(), &folder().join("journal")).unwrap();
    assert_eq!((reader.id(), reader.mark()), (journal.id(), journal.mark()));
    assert!(verify(&storage, &path, VerifyOptions::default()).unwrap().is_clean());
}

#[test]
fn an_entry_and_the_first_of_them_lie_as_the_text_says() {
    let rows = fields("### A.1 An entry's header");
    let bytes = written();
    let at = |name| &bytes[place(&rows, name)];
    let manifest = Bundle::open(&folder().join("sample.bundle")).unwrap().manifest;
    let text = manifest.to_text();
    assert!(at("name").strip_prefix(MANIFEST_NAME.as_bytes()).unwrap().iter().all(|it| *it == 0));
    assert_eq!(at("mode"), b"0000600\0");
    assert_eq!(at("user id"), b"0000000\0");
    assert_eq!(at("group id"), b"0000000\0");
    assert_eq!(at("bytes of the content"), format!("{:011o}\0", text.len()).as_bytes());
    assert_eq!(at("time of the last event"), format!("{:011o}\0", 1_700_000_000).as_bytes());
    assert_eq!(at("kind"), b"0");
    assert_eq!(at("magic"), b"ustar\x0000");
    let mut header = bytes[..512].to_vec();
    header[place(&rows, "sum")].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    assert_eq!(at("sum"), format!("{sum:06o}\0 ").as_bytes());
    for (from, width, _) in rows.iter().filter(|(_, _, field)| *field == "zero") {
        assert!(bytes[*from..from + width].iter().all(|byte| *byte == 0));
    }
    assert_eq!(rows.last().map(|(at, width, _)| at + width), Some(512));
    assert_eq!(&bytes[512..512 + text.len()], text.as_bytes());
    assert_eq!(Manifest::parse(&text), Some(manifest));
    let told = section("### A.2 The first entry");
    for line in text.lines() {
        let word = line.split(' ').next().unwrap();
        assert!(told.lines().any(|row| row.trim_start().starts_with(word)), "{line}");
    }
}
