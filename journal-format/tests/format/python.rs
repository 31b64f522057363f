//! A reader in another language, written from FORMAT.md alone, reads the same.
//!
//! It needs two modules from PyPI; where they cannot be installed the test says so and is passed
//! over, except under `CI=true`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use annals_journal_format::Sequence;
use annals_journal_format::reader::{Item, Reader};
use annals_journal_format::storage::FsStorage;
use sha2::{Digest, Sha256};

use super::sample;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A Python that has what the reader needs; made once under `target/`, and by one test of them
/// all: two that make it side by side break each other's.
fn python() -> Option<PathBuf> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    MADE.get_or_init(make_python).clone()
}

fn make_python() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let folder = target.unwrap_or_else(|| root().join("target")).join("read-journal-venv");
    let python = folder.join("bin/python");
    let runs = |program: &Path, args: &[&str]| {
        let quiet = Command::new(program).args(args).stdout(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    let ready = || runs(&python, &["-c", "import blake3, zstandard"]);
    let made = ready()
        || (runs(Path::new("python3"), &["-m", "venv", "--clear", &folder.to_string_lossy()])
            && runs(&python, &["-m", "pip", "install", "--quiet", "blake3", "zstandard"])
            && ready());
    if !made {
        let ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!ci, "no Python with blake3 and zstandard could be made in {}", folder.display());
        let why = format!("no Python with blake3 and zstandard in {}", folder.display());
        crate::skipped::skipped(&why);
    }
    made.then_some(python)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// What the Rust reader sees, line by line as the Python reader prints it. Findings are compared
/// as a set: their place in the output is not part of the format.
fn by_rust(path: &Path) -> (Vec<String>, BTreeSet<String>) {
    let reader = Reader::open(FsStorage, path).unwrap();
    let (mut entries, mut lines, mut findings) =
        (reader.entries(Sequence(0)), Vec::new(), BTreeSet::new());
    while let Some(item) = entries.next() {
        match item.unwrap() {
            Item::Entry(it) => lines.push(format!(
                r#"{{"event": {}, "kind": {}, "version": {}, "time_ms": {}, "whole": {}, "sha256": "{}"}}"#,
                it.sequence,
                it.kind,
                it.version,
                it.time_ms,
                it.commit_whole,
                hex(&Sha256::digest(&it.payload)),
            )),
            Item::Commit(it) => lines.push(format!(
                r#"{{"commit": {}, "chain": "{}"}}"#,
                it.mark.sequence, it.mark.chain
            )),
            Item::Finding(it) => {
                findings.insert(format!(
                    r#"{{"finding": "{}", "segment": {}, "offset": {}}}"#,
                    it.verdict, it.at.segment, it.at.offset
                ));
            }
        }
    }
    (lines, findings)
}

fn by_python(python: &Path, path: &Path) -> (Vec<String>, BTreeSet<String>) {
    let script = root().join("tests/read_journal.py");
    let output = Command::new(python).arg(script).arg(path).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", path.display());
    let text = String::from_utf8(output.stdout).unwrap();
    let (mut lines, mut findings) = (Vec::new(), BTreeSet::new());
    for line in text.lines().map(str::to_owned) {
        if line.starts_with(r#"{"finding""#) {
            findings.insert(line);
        } else {
            lines.push(line);
        }
    }
    (lines, findings)
}

fn check(python: &Path, path: &Path, what: &str) -> usize {
    let (rust, python) = (by_rust(path), by_python(python, path));
    assert_eq!(python.0.len(), rust.0.len(), "{what}: {:?} {:?}", python.1, rust.1);
    for (theirs, ours) in python.0.iter().zip(&rust.0) {
        assert_eq!(theirs, ours, "{what}");
    }
    assert_eq!(python.1, rust.1, "{what}");
    rust.1.len()
}

#[test]
fn the_python_reader_is_short_enough_to_be_read() {
    let text = fs::read_to_string(root().join("tests/read_journal.py")).unwrap();
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}

#[test]
fn python_reads_what_rust_reads() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let commits: Vec<u64> = (0..60).map(|it| 1 + it * 7 % 11).collect();
    let last = sample::journal(folder.path(), 48 << 10, &commits);
    assert_eq!(check(&python, folder.path(), "whole"), 0);
    let (lines, _) = by_rust(folder.path());
    assert_eq!(lines.len() as u64, last + commits.len() as u64);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1/journal");
    assert_eq!(check(&python, &fixture, "fixture"), 0);
}

#[test]
fn python_judges_damage_as_rust_does() {
    let Some(python) = python() else { return };
    let whole = tempfile::tempdir().unwrap();
    sample::journal(whole.path(), 24 << 10, &[3, 1, 7, 2, 9, 1, 1, 12, 4]);
    let mut names: Vec<_> = fs::read_dir(whole.path())
        .unwrap()
        .map(|it| it.unwrap().file_name())
        .filter(|name| name.to_string_lossy().ends_with(".seg"))
        .collect();
    names.sort();
    let segments: Vec<_> =
        names.iter().map(|name| fs::read(whole.path().join(name)).unwrap()).collect();
    let mut told = 0;
    // A small generator with a fixed seed: places of wounds, not randomness, are what counts.
    let mut state = 7_u64;
    let mut below = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for turn in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let mut segments = segments.clone();
        let wound = below(segments.len());
        let bytes = &mut segments[wound];
        let at = 4096 + below(bytes.len() - 4096);
        match turn % 5 {
            0 => bytes[at] ^= 1 << below(8),
            1 => bytes.truncate(at),
            2 => {
                let end = (at + 700).min(bytes.len());
                bytes[at..end].fill(0);
            }
            3 => {
                let end = (at + 300).min(bytes.len());
                bytes[at..end].iter_mut().for_each(|byte| *byte ^= 0x5A);
            }
            _ => bytes[below(256)] ^= 4,
        }
        for (name, bytes) in names.iter().zip(&segments) {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let what = format!("turn {turn}: segment {wound}, byte {at}");
        told += check(&python, folder.path(), &what);
    }
    assert!(told >= 30, "{told}");
}
