//! What somebody put into the folder, and what names somebody thought of.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::{digest, go_on, made, position};
use crate::store::StoreError;
use crate::store::folder::{FilePlace, Folder, FolderReader};

#[test]
fn a_file_that_somebody_changed_is_noticed_before_anything_is_put_behind_it() {
    type Wound = fn(&Path);
    let elsewhere = tempfile::tempdir().unwrap();
    let victim = elsewhere.path().join("victim");
    let wounds: [(&str, Wound); 9] = [
        ("appended to", |path| fs::write(path, b"one\nmore\n").unwrap()),
        ("changed", |path| fs::write(path, b"ONE\n").unwrap()),
        ("cut short", |path| fs::write(path, b"on").unwrap()),
        ("emptied", |path| fs::write(path, b"").unwrap()),
        ("removed", |path| fs::remove_file(path).unwrap()),
        ("a folder", |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
        ("a pipe", |path| {
            fs::remove_file(path).unwrap();
            rustix::fs::mknodat(
                rustix::fs::CWD,
                path,
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::RWXU,
                0,
            )
            .unwrap();
        }),
        ("another user's", |path| {
            // Who cannot give it away leaves it as it is not either.
            if std::os::unix::fs::chown(path, Some(65_534), None).is_err() {
                fs::write(path, b"ONE\n").unwrap();
            }
        }),
        ("with a second name", |path| {
            fs::hard_link(path, path.with_extension("second")).unwrap();
        }),
    ];
    for (name, wound) in wounds {
        let folder = tempfile::tempdir().unwrap();
        let path = made(folder.path());
        let before = digest(&path);
        wound(&path.join("a.jsonl"));
        let mut store = Folder::open(&path).unwrap();
        store.begin().unwrap();
        let done = go_on(&mut store).and_then(|()| store.commit(position(2)));
        assert!(matches!(done, Err(StoreError::FilesDiffer { .. })), "{name}: {done:?}");
        store.rollback().unwrap();
        let reader = FolderReader::open(&path).unwrap();
        assert!(reader.found_rows().is_err(), "{name}");
        let digest = reader.digest().map(|(_, digest)| digest);
        assert!(digest.is_err() || digest.unwrap() != before, "{name}");
    }
    // A link is not followed, whether it leads somewhere or not.
    for target in [victim.as_path(), Path::new("/nowhere")] {
        let folder = tempfile::tempdir().unwrap();
        let path = made(folder.path());
        fs::write(&victim, b"one\n").unwrap();
        fs::remove_file(path.join("a.jsonl")).unwrap();
        symlink(target, path.join("a.jsonl")).unwrap();
        let mut store = Folder::open(&path).unwrap();
        store.begin().unwrap();
        let done = go_on(&mut store).and_then(|()| store.commit(position(2)));
        assert!(matches!(done, Err(StoreError::FilesDiffer { .. })), "{done:?}");
        assert_eq!(fs::read(&victim).unwrap(), b"one\n");
    }
}

#[test]
fn nothing_is_written_through_a_link_in_the_place_of_a_folder() {
    let elsewhere = tempfile::tempdir().unwrap();
    for planted in ["store", "store/run", "store/run/logs", "store/new"] {
        let folder = tempfile::tempdir().unwrap();
        let path = made(folder.path());
        let at = folder.path().join(planted);
        if at.exists() {
            fs::rename(&at, folder.path().join("moved")).unwrap();
        }
        symlink(elsewhere.path(), &at).unwrap();
        let done = Folder::open(&path).and_then(|mut store| {
            store.begin()?;
            store.append(FilePlace::of(&["run", "logs"], "other", "json"), b"{}")?;
            store.append(FilePlace::of(&["new"], "other", "json"), b"{}")?;
            store.commit(position(2))
        });
        assert!(matches!(done, Err(StoreError::FilesDiffer { .. })), "{planted}: {done:?}");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "{planted}");
    }
}

#[test]
fn names_stay_inside_and_apart_whatever_they_are() {
    let long = "x".repeat(300);
    let wide = "ü".repeat(100);
    let names = [
        "plain",
        "a/b",
        "a_b",
        "a_b~0000000000000000",
        "..",
        ".",
        "",
        "/etc/passwd",
        "../../x",
        "a\0b",
        "a\nb",
        ".hidden",
        ".cursor.json",
        ".undo",
        "con\u{202e}x",
        "a\\b",
        &long,
        &wide,
        "x y",
        "_",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let mut store = Folder::create(&path).unwrap();
    store.begin().unwrap();
    for (at, name) in names.iter().enumerate() {
        for place in [
            FilePlace::of(&[], name, "log"),
            FilePlace::of(&[name, name], "inner", "log"),
            FilePlace::of(&["outer"], name, "log"),
        ] {
            assert!(place.to_string().split('/').all(|part| part.len() <= 125), "{place}");
            assert_eq!(FilePlace::parse(&place.to_string()).as_ref(), Some(&place));
            store.append(place, format!("{at}\n").as_bytes()).unwrap();
        }
    }
    store.commit(position(1)).unwrap();
    let mut found = 0;
    let mut folders = vec![path.clone()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false if entry.file_name() == ".cursor.json" => {}
                false => {
                    // One line: no two names share a file.
                    assert_eq!(fs::read_to_string(entry.path()).unwrap().lines().count(), 1);
                    assert_eq!(entry.metadata().unwrap().nlink(), 1);
                    found += 1;
                }
            }
        }
    }
    assert_eq!(found, 3 * names.len());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing beside the store");
    for hostile in ["../x", "a/../b", "/x", "a//b", "", ".undo", "a/.kept-0", "a\0"] {
        assert_eq!(FilePlace::parse(hostile), None, "{hostile:?}");
    }
}

#[test]
fn a_cursor_or_undo_that_nobody_wrote_leads_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let outside = folder.path().join("outside");
    fs::write(&outside, b"mine").unwrap();
    let cursor = fs::read_to_string(path.join(".cursor.json")).unwrap();
    let name = cursor.split('"').nth(3).unwrap().to_owned();
    let undo = [
        format!("{name} 1"),
        r#"{"path":"../outside"}"#.to_owned(),
        r#"{"path":"a.jsonl","kept":"../outside"}"#.to_owned(),
        r#"{"path":"run/../../outside","bytes":0}"#.to_owned(),
        r#"{"path":"#.to_owned(),
    ];
    fs::write(path.join(".undo"), undo.join("\n")).unwrap();
    drop(Folder::open(&path).unwrap());
    assert_eq!(fs::read(&outside).unwrap(), b"mine");
    for text in ["", "{", "[1]", r#"{"cursor":"x","sequence":1,"files":[]}"#] {
        fs::write(path.join(".cursor.json"), text).unwrap();
        assert_eq!(Folder::open(&path).unwrap().cursor().unwrap(), None, "{text}");
    }
}
