//! Reading on from a bookmark, and from what only looks like one.

use std::fs;
use std::path::Path;

use tempfile::tempdir;

use super::written::{journal, lay};
use super::{Bookmark, CommitEnd, Entries, Seen, forward, open};
use crate::storage::FsStorage;
use crate::units::{Chain, JournalId, Mark, Offset, Position, SegmentNumber, Sequence};

const SHAPE: [&[usize]; 3] = [&[1, 3, 1, 40], &[2, 5], &[1, 1, 7]];

fn bookmark(journal: JournalId, end: &CommitEnd) -> Bookmark {
    Bookmark { journal, end: end.end, mark: end.mark }
}

/// What is read from there on; `None` where it is not believed.
fn since(folder: &Path, bookmark: &Bookmark) -> Option<Seen> {
    let mut entries = Entries::since(FsStorage, folder, bookmark).unwrap()?;
    let mut seen = Seen::default();
    while let Some(item) = entries.next() {
        seen.take(item.unwrap());
    }
    Some(seen)
}

#[test]
fn reading_on_from_any_commit_end_gives_the_rest() {
    let folder = tempdir().unwrap();
    lay(folder.path(), &journal(&SHAPE));
    let reader = open(folder.path());
    for end in forward(&reader, 1).ends {
        let rest = forward(&reader, end.mark.sequence.0 + 1);
        let seen = since(folder.path(), &bookmark(reader.id(), &end)).expect("it is there");
        assert_eq!(seen.findings, []);
        assert_eq!(seen.entries, rest.entries, "from {}", end.mark.sequence);
        let places =
            |ends: &[CommitEnd]| -> Vec<_> { ends.iter().map(|end| (end.end, end.mark)).collect() };
        assert_eq!(places(&seen.ends), places(&rest.ends));
    }
}

#[test]
fn a_bookmark_that_names_no_commit_end_is_not_believed() {
    let folder = tempdir().unwrap();
    lay(folder.path(), &journal(&SHAPE));
    let reader = open(folder.path());
    let ends = forward(&reader, 1).ends;
    let true_one = bookmark(reader.id(), &ends[5]);
    let (end, mark) = (true_one.end, true_one.mark);
    let at = |segment, offset| Position { segment: SegmentNumber(segment), offset: Offset(offset) };
    let of = |sequence, chain| Mark { sequence: Sequence(sequence), chain };
    for (what, wrong) in [
        ("another journal", Bookmark { journal: JournalId([9; 16]), ..true_one }),
        ("another segment", Bookmark { end: at(0, end.offset.0), ..true_one }),
        ("a segment to come", Bookmark { end: at(3, end.offset.0), ..true_one }),
        ("no segment", Bookmark { end: at(u64::MAX, u64::MAX), ..true_one }),
        ("eight bytes on", Bookmark { end: at(1, end.offset.0 + 8), ..true_one }),
        ("one byte back", Bookmark { end: at(1, end.offset.0 - 1), ..true_one }),
        ("the file's beginning", Bookmark { end: at(1, 0), ..true_one }),
        ("inside the header", Bookmark { end: at(1, 12), ..true_one }),
        ("beyond the file", Bookmark { end: at(1, 1 << 40), ..true_one }),
        ("beyond all files", Bookmark { end: at(1, u64::MAX), ..true_one }),
        ("another commit's mark", Bookmark { mark: ends[4].mark, ..true_one }),
        ("another sequence", Bookmark { mark: of(mark.sequence.0 + 1, mark.chain), ..true_one }),
        ("another chain", Bookmark { mark: of(mark.sequence.0, Chain([1; 32])), ..true_one }),
    ] {
        assert_eq!(since(folder.path(), &wrong), None, "{what}");
    }
    assert!(since(folder.path(), &true_one).is_some());
}

#[test]
fn a_bookmark_behind_a_tail_that_was_cut_is_not_believed() {
    let folder = tempdir().unwrap();
    let segments = journal(&[&[1, 1, 7]]);
    lay(folder.path(), &segments);
    let reader = open(folder.path());
    let ends = forward(&reader, 1).ends;
    let path = folder.path().join(segments[0].name());
    let cut = ends[1].end.offset.0;
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(cut).unwrap();
    assert_eq!(since(folder.path(), &bookmark(reader.id(), &ends[2])), None);
    let seen = since(folder.path(), &bookmark(reader.id(), &ends[1])).expect("it is there");
    assert_eq!(seen, Seen::default(), "nothing new, and nothing wrong");
}

#[test]
fn a_torn_tail_behind_a_bookmark_is_told() {
    let folder = tempdir().unwrap();
    let mut segments = journal(&[&[1, 1, 7]]);
    let (at, _) = segments[0].commits[2];
    segments[0].bytes[at as usize + 600..].fill(0);
    lay(folder.path(), &segments);
    let reader = open(folder.path());
    let all = forward(&reader, 1);
    let end = all.ends.last().unwrap();
    let seen = since(folder.path(), &bookmark(reader.id(), end)).expect("it is there");
    assert!(!seen.findings.is_empty());
    assert_eq!(seen.findings, all.findings);
}
