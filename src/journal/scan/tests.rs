//! Streams cut at every place, and trees of everything that is no file.

use std::io::{self, Cursor, Read};
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{
    AHEAD_BYTES, BEHIND_BYTES, BLOCK_BYTES, Entry, Hit, Tree, cover_values, scan_stream,
    scan_values,
};
use crate::redact::Redactor;
use crate::redact::value::Values;

fn redactor() -> Redactor {
    Redactor::new(&[])
}

/// What no host of repositories takes for one.
fn secret() -> String {
    ["gh", "p_", "x7Rk2mQ9tLw4Zb8nVc3J", "h6Fd1Gs5Py0AeU1hZ"].concat()
}

fn hits(input: &mut dyn Read) -> (Vec<Hit>, io::Result<u64>) {
    let mut hits = Vec::new();
    let read = scan_stream(&redactor(), input, &mut |hit| hits.push(hit));
    (hits, read)
}

/// Gives its bytes in pieces of another size each time.
struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.size = self.size % 70_001 + 4_099;
        let upto = self.size.min(into.len()).min(self.bytes.len());
        let (now, rest) = self.bytes.split_at(upto);
        into[..upto].copy_from_slice(now);
        self.bytes = rest;
        Ok(upto)
    }
}

#[test]
fn a_secret_over_the_edge_of_a_block_is_found_once_with_its_place() {
    let secret = secret();
    let len = 2 * BLOCK_BYTES + AHEAD_BYTES;
    let edges = [BLOCK_BYTES, BLOCK_BYTES + AHEAD_BYTES, 2 * BLOCK_BYTES];
    for at in edges.into_iter().flat_map(|edge| [edge - 41, edge - 20, edge - 1, edge, edge + 1]) {
        for feed in [b"\n" as &[u8], b"plain words and nothing else in this line\n", b"."] {
            let mut bytes: Vec<u8> = feed.iter().copied().cycle().take(len).collect();
            let line = format!(" {secret} ");
            bytes[at - 1..=at + secret.len()].copy_from_slice(line.as_bytes());
            let before = &bytes[..at];
            let lines = before.iter().filter(|byte| **byte == b'\n').count() as u64;
            let begins = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let (found, read) = hits(&mut Pieces { bytes: &bytes, size: at });
            assert_eq!(read.expect("all of it"), len as u64);
            let place = |hit: &Hit| (hit.offset, hit.bytes, hit.line, hit.column);
            let expect = (at as u64, secret.len() as u64, lines + 1, (at - begins) as u64 + 1);
            assert_eq!(found.iter().map(place).collect::<Vec<_>>(), [expect], "{at} {feed:?}");
        }
    }
}

#[test]
fn a_stream_has_the_findings_that_its_bytes_have() {
    let secret = secret();
    let mut text = String::new();
    for line in 0..6_000 {
        match line % 149 {
            0 => text += &format!("line {line}: export GITHUB_TOKEN={secret}\n"),
            70 => text += &format!("https://deploy:{}@git.example.org/a.git\n", &secret[9..33]),
            _ => text += &format!("line {line} of {line} lines, in which nothing is said\n"),
        }
    }
    let redactor = redactor();
    let whole = redactor.find(text.as_bytes()).into_iter();
    let whole: Vec<_> = whole.map(|one| (one.range.start as u64, one.range.len() as u64)).collect();
    assert!(whole.len() > 70, "{}", whole.len());
    let (found, _) = hits(&mut Pieces { bytes: text.as_bytes(), size: 1 });
    let found: Vec<_> = found.iter().map(|hit| (hit.offset, hit.bytes)).collect();
    assert_eq!(found, whole);
}

#[test]
fn a_stream_that_fails_gives_what_came_before() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("a bad sector"))
        }
    }
    let text = format!("token: {}\n", secret());
    let (found, read) = hits(&mut Cursor::new(text).chain(Fails));
    assert_eq!(found.len(), 1);
    assert!(read.is_err());
}

#[test]
fn of_a_tree_regular_files_are_given_and_nothing_else_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::write(outside.path().join("far"), "far").expect("a file");
    std::fs::create_dir_all(at("b/.c")).expect("folders");
    for name in ["a", "b/.c/d", "z"] {
        std::fs::write(at(name), name).expect("a file");
    }
    symlink(outside.path(), at("folder-link")).expect("a link");
    symlink(outside.path().join("far"), at("file-link")).expect("a link");
    symlink(at("b"), at("b/loop")).expect("a link");
    // Who opens it waits for ever.
    let made = std::process::Command::new("mkfifo").arg(at("fifo")).status();
    assert!(made.is_ok_and(|status| status.success()));
    std::fs::create_dir(at("journal")).expect("a folder");
    std::fs::write(at("journal/0.seg"), "").expect("a file");
    std::fs::write(at("journal/LOCK"), "").expect("a file");
    let name = |path: &Path| {
        path.strip_prefix(folder.path()).expect("below it").to_string_lossy().into_owned()
    };
    let seen: Vec<_> = Tree::of(folder.path())
        .expect("a tree")
        .map(|entry| match entry {
            Entry::File { path, .. } => name(&path),
            Entry::Journal { path } => format!("journal in {}", name(&path)),
            Entry::Unreadable { path, source } => panic!("{}: {source}", path.display()),
        })
        .collect();
    assert_eq!(seen, ["a", "b/.c/d", "journal in journal", "journal/LOCK", "z"]);
    assert!(Tree::of(&at("fifo")).is_err());
    assert!(Tree::of(Path::new("/dev/zero")).is_err());
    assert!(Tree::of(&at("none")).is_err());
    // What is named is meant, by whatever name.
    assert_eq!(Tree::of(&at("file-link")).expect("a file").count(), 1);
}

#[test]
fn a_value_is_found_over_every_edge_of_a_stream_with_its_line_and_once() {
    let values = Values::new(&[b"plumbus-7731".to_vec()]).expect("one");
    let edge = BLOCK_BYTES + BEHIND_BYTES;
    for at in [0, 5, edge - 12, edge - 6, edge, BLOCK_BYTES, 2 * edge - 3] {
        let mut bytes = vec![b'a'; 3 * BLOCK_BYTES];
        (99..bytes.len()).step_by(100).for_each(|at| bytes[at] = b'\n');
        bytes[at..at + 12].copy_from_slice(b"plumbus-7731");
        let line = 1 + bytes[..at].iter().filter(|it| **it == b'\n').count() as u64;
        let mut found = Vec::new();
        let mut input = Pieces { bytes: &bytes, size: 7 };
        let read = scan_values(&values, &mut input, &mut |hit| found.push((hit.offset, hit.line)));
        assert_eq!(read.expect("all of it"), bytes.len() as u64);
        assert_eq!(found, [(at as u64, line)], "{at}");
    }
}

#[test]
fn a_file_is_covered_where_it_stands_and_a_line_of_json_stays_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.jsonl");
    let values = Values::new(&[b"plumbus\"7731".to_vec(), b"hidden".to_vec()]).expect("two");
    let text = r#"{"a":"is plumbus\"7731","b":"%70lumbus%227731"}"#;
    std::fs::write(&path, text).expect("written");
    let modified = std::fs::metadata(&path).expect("there").modified().expect("a time");
    let inode =
        |path: &Path| std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(path).expect("there"));
    let before = inode(&path);
    assert_eq!(cover_values(&values, &path).expect("covered"), 2);
    let covered = std::fs::read_to_string(&path).expect("readable");
    assert_eq!(covered, r#"{"a":"is XXXXXXXXXXXXX","b":"XXXXXXXXXXXXXXXX"}"#);
    assert_eq!(inode(&path), before);
    assert_eq!(std::fs::metadata(&path).expect("there").modified().expect("a time"), modified);
    // A number is part of the JSON itself.
    let values = Values::new(&[b"1234567890".to_vec()]).expect("one");
    std::fs::write(&path, "{\"a\":1234567890}\n").expect("written");
    assert!(cover_values(&values, &path).is_err());
    let kept = std::fs::read_to_string(&path).expect("readable");
    assert_eq!(kept, "{\"a\":1234567890}\n");
    let link = folder.path().join("link");
    symlink(&path, &link).expect("a link");
    assert!(cover_values(&values, &link).is_err());
}
