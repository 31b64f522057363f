//! Bytes of format version 1, kept: this build reads them, and writes the same.
//!
//! `ANNALS_WRITE_FIXTURES=1 cargo test -p annals-journal-format --test format` makes them anew;
//! until 1.0 the format may change, and CHANGELOG says how. Compressed bytes are zstd's own: a
//! new zstd may make new fixtures, which older ones must not stop being read.

use std::fs;
use std::path::{Path, PathBuf};

use annals_journal_format::frame::{
    CrcSeed, Draft, Flags, FrameView, encode_commit, kind, open_payload, store_payload,
};
use annals_journal_format::reader::{Item, Reader};
use annals_journal_format::storage::FsStorage;
use annals_journal_format::{Chain, Offset, Sequence};

use super::sample;

const COMMITS: &[u64] = &[1, 4, 1, 9, 2, 1, 12, 3];
const NONCE: [u8; 16] = *b"a fixture nonce!";
const SALT: [u8; 16] = *b"a salt of a kind";

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1")
}

/// Holds bytes to those kept, or keeps them.
pub fn hold(path: &Path, bytes: &[u8]) {
    if std::env::var_os("ANNALS_WRITE_FIXTURES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let kept = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(kept == bytes, "{} is not what this build writes", path.display());
}

#[test]
fn this_build_writes_the_journal_of_version_1() {
    let made = tempfile::tempdir().unwrap();
    sample::journal(made.path(), 24 << 10, COMMITS);
    let mut names: Vec<_> = fs::read_dir(made.path())
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".seg"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        hold(&folder().join("journal").join(&name), &fs::read(made.path().join(name)).unwrap());
    }
}

#[test]
fn this_build_reads_the_journal_of_version_1() {
    let reader = Reader::open(FsStorage, &folder().join("journal")).unwrap();
    assert_eq!(reader.id(), sample::JOURNAL);
    let (mut entries, mut next, mut commits) = (reader.entries(Sequence(1)), 1, 0);
    while let Some(item) = entries.next() {
        match item.unwrap() {
            Item::Entry(entry) => {
                assert_eq!(entry.sequence.0, next);
                assert_eq!(*entry.payload, sample::payload_of(next));
                assert_eq!(entry.kind, sample::kind_of(next));
                assert_eq!(entry.time_ms, sample::time_of(next));
                next += 1;
            }
            Item::Commit(end) => {
                assert!(end.whole && end.chain_holds());
                commits += 1;
            }
            Item::Finding(finding) => panic!("{finding}"),
        }
    }
    assert_eq!(next - 1, COMMITS.iter().sum::<u64>());
    assert_eq!(commits, COMMITS.len());
}

/// Name, kind, payload, smallest size to compress, flags that must be set.
type Case<'a> = (&'a str, u16, &'a [u8], Option<usize>, Flags);

/// Single frames, each the whole of a commit at offset 4096 behind 32 zero bytes of chain.
#[test]
fn frames_of_version_1_are_written_and_read() {
    let zeros = [0; 600];
    let text = b"what is said thrice is true. ".repeat(40);
    let roll = [1_u64.to_le_bytes(), 8_u64.to_le_bytes()].concat();
    let cases: [Case<'_>; 6] = [
        ("empty", 0x0100, b"", None, Flags::default()),
        ("short", 0x0401, b"hello", None, Flags::default()),
        ("skippable", 0x7FFF, b"sixteen bytes ok", None, Flags::SKIPPABLE),
        ("masked", 0x0402, &zeros, None, Flags::MASKED),
        ("compressed", 0x0403, &text, Some(100), Flags::COMPRESSED),
        ("roll", kind::ROLL, &roll, None, Flags::default()),
    ];
    let seed = CrcSeed::new(&NONCE);
    for (name, kind, payload, compress, flags) in cases {
        let stored = store_payload(payload, &SALT, compress);
        let draft = Draft {
            kind,
            version: 1,
            flags: flags.with(stored.flags),
            time_ms: 1_750_000_000_000,
            salt: SALT,
            stored: &stored.bytes,
            rest: &[],
        };
        let mut bytes = Vec::new();
        let (at, first) = (Offset(4096), Sequence(7));
        let zero = Chain([0; 32]);
        encode_commit(&[draft], &mut bytes, &seed, at, first, Sequence(6), zero);
        let path = folder().join(format!("frames/{name}.bin"));
        hold(&path, &bytes);
        let kept = fs::read(&path).unwrap();
        let frame = FrameView::parse(&kept, &seed, at).unwrap();
        assert!(frame.header.flags.has(flags), "{name}: {:?}", frame.header.flags);
        assert_eq!(frame.header.kind, kind, "{name}");
        assert_eq!(*open_payload(&frame.header, frame.stored).unwrap(), *payload, "{name}");
        assert!(FrameView::parse(&kept, &seed, Offset(4104)).is_err(), "{name}: moved");
    }
}
