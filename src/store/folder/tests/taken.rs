//! Files that are read back and taken away within a transaction.

use super::*;

/// What a transaction leaves of `a.jsonl`, and after it was undone.
fn held(store: &Folder) -> Option<String> {
    let bytes = store.read(&log("a"), 1 << 20).unwrap();
    bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_transaction_reads_what_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Folder::open(&made(folder.path())).unwrap();
    store.begin().unwrap();
    assert_eq!(held(&store).as_deref(), Some("one\n"));
    store.append(log("a"), b"two\n").unwrap();
    assert_eq!(held(&store).as_deref(), Some("one\ntwo\n"));
    store.replace(log("a"), b"whole\n".to_vec()).unwrap();
    assert_eq!(held(&store).as_deref(), Some("whole\n"));
    store.remove(log("a")).unwrap();
    assert_eq!(held(&store), None);
    store.append(log("a"), b"anew\n").unwrap();
    assert_eq!(held(&store).as_deref(), Some("anew\n"));
    store.commit(position(2)).unwrap();
    store.begin().unwrap();
    assert_eq!(held(&store).as_deref(), Some("anew\n"));
}

#[test]
fn a_file_that_was_taken_away_comes_back_where_the_transaction_was_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let before = digest(&path);
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    store.remove(log("a")).unwrap();
    store.remove(log("never there")).unwrap();
    // Written, and not ended.
    store.replace(log("large"), vec![b' '; 5 << 20]).unwrap();
    assert!(!path.join("a.jsonl").exists());
    drop(store);
    assert_eq!(digest(&path), before);
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    store.remove(log("a")).unwrap();
    store.rollback().unwrap();
    assert_eq!(digest(&path), before);
    store.begin().unwrap();
    store.remove(log("a")).unwrap();
    store.commit(position(2)).unwrap();
    assert!(!path.join("a.jsonl").exists());
    // Nothing misses it.
    FolderReader::open(&path).unwrap().found_rows().unwrap();
    store.begin().unwrap();
    store.append(log("a"), b"anew\n").unwrap();
    store.commit(position(3)).unwrap();
    assert_eq!(fs::read_to_string(path.join("a.jsonl")).unwrap(), "anew\n");
}
