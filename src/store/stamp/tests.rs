//! Who changed a store: ours, who say so, and others.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{
    BUILD, BYTES, Files, Known, Reached, Stamp, Stamping, StoreLook, begin, is_doubtful_now,
    is_in_doubt, is_own, known, reached, stands_at, was_changed,
};
use crate::store::Identity;
use crate::store::held::Held;
use crate::store::{Cursor, Position, Rows, StoreError};

const INSERT: &str = "INSERT INTO t VALUES (1)";

/// A store that was just built.
pub(super) fn built() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".annals/x.db");
    fs::create_dir(folder.path().join(".annals")).unwrap();
    others(&path, "PRAGMA journal_mode = WAL; CREATE TABLE t (a); CREATE TABLE c (name, seq)");
    begin(&path);
    (folder, path)
}

pub(super) fn others(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

fn ours(path: &Path) {
    drop(ours_read(path, 1));
}

/// Writes a row, the journal having been read so far; open still.
fn ours_read(path: &Path, sequence: u64) -> Held {
    let mut held = Held::writing(path).unwrap();
    held.begin("writing").unwrap();
    held.execute_batch(INSERT).unwrap();
    let position = Position { journal: [7; 16], sequence, chain: [0; 32] };
    held.commit(Cursor { position, rows: Rows::default() }, "c").unwrap();
    held
}

#[test]
fn a_stamp_of_another_user_s_vouches_for_nothing() {
    let (folder, path) = built();
    let stamp = folder.path().join(".annals/stamps/x");
    assert_eq!(known(&path), Some(Known::Same));
    if std::os::unix::fs::chown(&stamp, Some(65_534), None).is_err() {
        eprintln!("skipped: only root can give a file away");
        return;
    }
    let said = fs::read(&stamp).unwrap();
    assert_eq!(known(&path), None);
    assert!(is_in_doubt(&path));
    ours(&path);
    assert!(StoreLook::begin(&path).is_none(), "what is found is not kept there");
    assert_eq!(fs::read(&stamp).unwrap(), said);
}

#[test]
fn how_far_a_store_has_read_is_asked_once_as_long_as_nobody_writes_it() {
    let (_folder, path) = built();
    let at = |sequence| Some(Reached { journal: [7; 16], sequence, chain: 0 });
    assert_eq!(reached(&path, false, || at(1)), at(1));
    assert_eq!(reached(&path, false, || at(9)), at(9), "who only looks keeps nothing");
    let never = || panic!("its stamp says so");
    assert_eq!(reached(&path, true, || at(1)), at(1));
    assert_eq!(reached(&path, true, never), at(1));
    let open = ours_read(&path, 2);
    assert_eq!(reached(&path, true, never), at(2), "who writes it says so");
    let reader = Held::reading(&path).unwrap();
    drop(open);
    assert_eq!(reached(&path, true, never), at(2));
    drop(reader);
    assert_eq!(reached(&path, true, never), at(2), "whoever closes it last");
    assert_eq!(known(&path), Some(Known::Same), "what else it says stays");
    others(&path, INSERT);
    assert_eq!(reached(&path, true, || at(3)), at(3));
    assert_eq!(
        reached(&path, true, || at(4)),
        at(4),
        "nothing is kept of files that are not known"
    );
    assert_eq!(reached(&path, true, || None), None);
    begin(&path);
    let open = Connection::open(&path).unwrap();
    open.execute_batch(INSERT).unwrap();
    begin(&path);
    assert_eq!(reached(&path, true, || at(5)), at(5));
    assert_eq!(reached(&path, true, || at(6)), at(6), "what lies in a `-wal` is not in it");
}

#[test]
fn only_what_this_build_wrote_and_nobody_changed_need_not_be_opened() {
    let (folder, path) = built();
    let at = |sequence| Position { journal: [7; 16], sequence, chain: [3; 32] }.into();
    let stands = |sequence| stands_at(&path, at(sequence));
    assert!(!stands(0), "it does not say how far it has read");
    assert_eq!(reached(&path, true, || Some(at(1))), Some(at(1)));
    assert!(stands(1) && !stands(0) && !stands(2));
    let other = Position { journal: [7; 16], sequence: 1, chain: [4; 32] };
    assert!(!stands_at(&path, other.into()), "another history");
    let other = Position { journal: [8; 16], sequence: 1, chain: [3; 32] };
    assert!(!stands_at(&path, other.into()));
    let stamp = folder.path().join(".annals/stamps/x");
    let file = fs::File::options().read(true).write(true).open(&stamp).unwrap();
    let is = Stamp::read(&file).unwrap();
    for by in [None, Some(*BUILD ^ 1)] {
        Stamp { by, ..is }.write(&file).unwrap();
        assert!(!stands(1) && !is_own(&path), "another build has other tables: {by:?}");
    }
    Stamp { known: Known::Differs, ..is }.write(&file).unwrap();
    assert!(!stands(1));
    is.write(&file).unwrap();
    assert!(stands(1));
    drop(ours_read(&path, 2));
    let read = Position { journal: [7; 16], sequence: 2, chain: [0; 32] };
    assert!(stands_at(&path, read.into()) && is_own(&path), "who writes it says so");
    others(&path, INSERT);
    assert!(!stands_at(&path, read.into()) && !is_own(&path));
}

#[test]
fn a_stamp_that_grew_too_long_says_the_least_of_it() {
    let (folder, path) = built();
    let stamp = folder.path().join(".annals/stamps/x");
    let file = fs::File::options().read(true).write(true).open(stamp).unwrap();
    let is = Stamp::read(&file).unwrap();
    let (most, ns) = (u64::MAX, i64::MIN);
    let most = serde_json::json!({
        "bytes": most, "device": most, "inode": most, "modified_ns": ns, "changed_ns": ns,
    });
    let most: Identity = serde_json::from_value(most).unwrap();
    let reached = Some(Reached { journal: [255; 16], sequence: u64::MAX, chain: u64::MAX });
    let files = Files { store: most, wal: Some(most), journal: None, content: Some(u64::MAX) };
    Stamp { files, known: Known::Looking(u64::MAX), reached, by: Some(u64::MAX) }
        .write(&file)
        .unwrap();
    let read = Stamp::read(&file).unwrap();
    assert_eq!((read.files, read.known), (files, Known::Looking(u64::MAX)));
    assert_eq!((read.reached, read.by), (None, None));
    is.write(&file).unwrap();
    assert_eq!((known(&path), Stamp::read(&file)), (Some(Known::Same), Some(is)));
}

#[test]
fn an_answer_is_kept_as_long_as_nobody_writes_the_store() {
    let (folder, path) = built();
    let asked = |answer: &'static [u8]| super::answer(&path, super::BROKEN, || Some(answer.into()));
    let never = || super::answer(&path, super::BROKEN, || panic!("it is kept"));
    assert_eq!(asked(b"one"), Some(b"one".to_vec()));
    assert_eq!(never(), Some(b"one".to_vec()));
    ours(&path);
    assert_eq!(asked(b"two"), Some(b"two".to_vec()));
    others(&path, INSERT);
    assert_eq!(asked(b""), Some(Vec::new()));
    assert_eq!(never(), Some(Vec::new()));
    let kept = folder.path().join(".annals/stamps/x.broken");
    let mut bytes = fs::read(&kept).unwrap();
    bytes.push(b'!');
    fs::write(&kept, &bytes).unwrap();
    assert_eq!(asked(b"three"), Some(b"three".to_vec()), "what was changed is none");
    let open = Connection::open(&path).unwrap();
    open.execute_batch(INSERT).unwrap();
    assert_eq!(asked(b"four"), Some(b"four".to_vec()));
    assert_eq!(asked(b"five"), Some(b"five".to_vec()), "nothing is kept beside a `-wal`");
    drop(open);
    super::remove(&path).unwrap();
    assert!(!kept.exists());
    let long = vec![0; super::answer::BYTES_MAX + 1];
    assert_eq!(super::answer(&path, super::BROKEN, || Some(long.clone())), Some(long));
    assert!(!kept.exists());
}

#[test]
fn what_ours_write_and_close_leaves_no_doubt() {
    let (_folder, path) = built();
    ours(&path);
    assert_eq!(known(&path), Some(Known::Same));
    // Each of these closes last once, and so puts the `-wal` into the store.
    let reader = Held::reading(&path).unwrap();
    reader.query_row("SELECT count(*) FROM t", [], |_| Ok(())).unwrap();
    ours(&path);
    assert_eq!(known(&path), Some(Known::Same));
    assert!(fs::metadata(path.with_extension("db-wal")).unwrap().len() > 0);
    drop(Held::reading(&path).unwrap());
    assert_eq!(known(&path), Some(Known::Same), "with a `-wal` that stays");
    drop(reader);
    assert!(!path.with_extension("db-wal").exists());
    assert_eq!(known(&path), Some(Known::Same));
    let mut held = Held::writing(&path).unwrap();
    held.begin("writing").unwrap();
    held.execute_batch(INSERT).unwrap();
    held.rollback("writing").unwrap();
    assert_eq!(known(&path), Some(Known::Same));
    held.begin("writing").unwrap();
    held.execute_batch(INSERT).unwrap();
    drop(held);
    assert_eq!(known(&path), Some(Known::Same));
    // Who only reads changes nothing, whoever it is.
    others(&path, "SELECT count(*) FROM t");
    assert_eq!(known(&path), Some(Known::Same));
}

#[test]
fn what_others_wrote_stays_in_doubt_until_a_look_ends() {
    let (_folder, path) = built();
    others(&path, INSERT);
    assert!(is_in_doubt(&path) && was_changed(&path));
    ours(&path);
    drop(Held::reading(&path).unwrap());
    assert!(is_in_doubt(&path));
    let look = StoreLook::begin(&path).unwrap();
    ours(&path);
    assert!(is_in_doubt(&path), "until it has ended");
    assert!(look.end(Known::Same));
    assert!(!is_in_doubt(&path));
}

#[test]
fn a_look_that_others_wrote_beside_ends_without_a_verdict() {
    let (_folder, path) = built();
    others(&path, INSERT);
    let (one, two) = (StoreLook::begin(&path).unwrap(), StoreLook::begin(&path).unwrap());
    assert!(one.end(Known::Same) && two.end(Known::Same), "two of the same are one");
    others(&path, INSERT);
    let before = StoreLook::begin(&path).unwrap();
    others(&path, INSERT);
    assert!(!before.end(Known::Same));
    let (before, after) = {
        let before = StoreLook::begin(&path).unwrap();
        others(&path, INSERT);
        (before, StoreLook::begin(&path).unwrap())
    };
    assert!(!before.end(Known::Same), "another look began");
    assert!(after.end(Known::Differs));
    assert_eq!(known(&path), Some(Known::Differs));
}

#[test]
fn a_store_that_differs_is_not_opened_for_writing() {
    let (_folder, path) = built();
    let mut open = Held::writing(&path).unwrap();
    assert!(StoreLook::begin(&path).unwrap().end(Known::Differs));
    let refused = |done: Result<(), StoreError>| {
        assert!(matches!(done, Err(StoreError::Differs { .. })), "{done:?}");
    };
    refused(Held::writing(&path).map(drop));
    refused(open.begin("writing"));
    drop(open);
    drop(Held::reading(&path).unwrap());
    assert_eq!(known(&path), Some(Known::Differs));
}

#[test]
fn a_stamp_that_is_none_is_doubt_and_never_more() {
    let (folder, path) = built();
    let stamp = folder.path().join(".annals/stamps/x");
    let whole = fs::read(&stamp).unwrap();
    assert_eq!(whole.len(), BYTES);
    for at in 0..BYTES {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&stamp, &bytes).unwrap();
        assert_eq!(known(&path), None, "byte {at}");
        fs::write(&stamp, &whole[..at]).unwrap();
        assert_eq!(known(&path), None, "{at} bytes");
    }
    fs::write(&stamp, &whole).unwrap();
    assert_eq!(known(&path), Some(Known::Same));
    fs::remove_file(&stamp).unwrap();
    assert!(is_in_doubt(&path) && !was_changed(&path));
    ours(&path);
    assert!(!stamp.exists(), "who writes a store in doubt makes none");
    fs::create_dir(&stamp).unwrap();
    ours(&path);
    assert!(is_in_doubt(&path) && StoreLook::begin(&path).is_none());
}

#[test]
fn whoever_records_waits_for_nobody_s_stamp() {
    let (_folder, path) = built();
    assert!(!is_doubtful_now(&path));
    let held = Stamping::take(&path).unwrap();
    others(&path, INSERT);
    let began = std::time::Instant::now();
    assert!(is_doubtful_now(&path), "somebody else writes it");
    assert!(began.elapsed() < super::stamping::WAIT_MAX / 4);
    drop(held);
    assert!(is_doubtful_now(&path), "another program wrote it");
}
