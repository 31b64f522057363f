//! What people, crashes and other programs make of the files: a row each.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::{MEMORY, Part, REPO, RepoFolder, Rows, SUMMARIES, part, repo_folder};

/// What is done to a folder that was published whole.
type Wound = fn(&Path);

fn append(path: &Path, text: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    bytes.extend(text);
    fs::write(path, bytes).unwrap();
}

fn cut(path: &Path, bytes: usize) {
    let was = fs::read(path).unwrap();
    fs::write(path, &was[..was.len() - bytes]).unwrap();
}

/// Whether the next writer mends it or leaves it, by the file.
const WOUNDS: &[(&str, &str, Part, Wound)] = &[
    ("a torn last line", SUMMARIES, Part::Written, |folder| cut(&folder.join(SUMMARIES), 9)),
    ("no newline at the end", SUMMARIES, Part::Written, |folder| {
        cut(&folder.join(SUMMARIES), 1);
    }),
    ("the beginning of a line too many", SUMMARIES, Part::Written, |folder| {
        append(&folder.join(SUMMARIES), b"{\"runId\":\"r");
    }),
    ("zeros of a machine that lost power", SUMMARIES, Part::Written, |folder| {
        append(&folder.join(SUMMARIES), &[0; 700]);
    }),
    ("no lines at all", SUMMARIES, Part::Written, |folder| {
        fs::write(folder.join(SUMMARIES), "").unwrap();
    }),
    ("deleted lines file", SUMMARIES, Part::Written, |folder| {
        fs::remove_file(folder.join(SUMMARIES)).unwrap();
    }),
    ("a line of a person's", SUMMARIES, Part::Edited, |folder| {
        append(&folder.join(SUMMARIES), b"{\"summary\":\"mine\"}\n");
    }),
    ("a person's line without its end", SUMMARIES, Part::Edited, |folder| {
        append(&folder.join(SUMMARIES), b"{\"summary\":\"mine\"}");
    }),
    ("lines taken away", SUMMARIES, Part::Edited, |folder| {
        let text = fs::read_to_string(folder.join(SUMMARIES)).unwrap();
        let first = text.find('\n').unwrap();
        fs::write(folder.join(SUMMARIES), &text[..=first]).unwrap();
    }),
    ("a line changed in the middle", SUMMARIES, Part::Edited, |folder| {
        let text = fs::read_to_string(folder.join(SUMMARIES)).unwrap();
        fs::write(folder.join(SUMMARIES), text.replace("step 4", "step FOUR")).unwrap();
    }),
    ("a link for the lines", SUMMARIES, Part::NoFile("a symbolic link"), |folder| {
        fs::rename(folder.join(SUMMARIES), folder.join("../elsewhere")).unwrap();
        symlink("../elsewhere", folder.join(SUMMARIES)).unwrap();
    }),
    ("edited memory", MEMORY, Part::Edited, |folder| {
        fs::write(folder.join(MEMORY), "{\"of\": 1, \"mine\": true}\n").unwrap();
    }),
    ("memory cut short by a person", MEMORY, Part::Edited, |folder| {
        cut(&folder.join(MEMORY), 5);
    }),
    ("deleted memory", MEMORY, Part::Written, |folder| {
        fs::remove_file(folder.join(MEMORY)).unwrap();
    }),
    ("a link for memory", MEMORY, Part::NoFile("a symbolic link"), |folder| {
        fs::rename(folder.join(MEMORY), folder.join("../elsewhere")).unwrap();
        symlink("../elsewhere", folder.join(MEMORY)).unwrap();
    }),
    ("memory with a second name", MEMORY, Part::NoFile("a file that has another name too"), |at| {
        fs::hard_link(at.join(MEMORY), at.join("../elsewhere")).unwrap();
    }),
    ("a folder for memory", MEMORY, Part::NoFile("a folder"), |folder| {
        fs::remove_file(folder.join(MEMORY)).unwrap();
        fs::create_dir(folder.join(MEMORY)).unwrap();
    }),
    ("a fifo for memory", MEMORY, Part::NoFile("no regular file"), |folder| {
        fs::remove_file(folder.join(MEMORY)).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.join(MEMORY)).status();
        assert!(made.unwrap().success());
    }),
    ("an edited index", "indexes/repo-map.json", Part::Edited, |folder| {
        fs::write(folder.join("indexes/repo-map.json"), "{}").unwrap();
    }),
    ("no indexes", "indexes/repo-map.json", Part::Written, |folder| {
        fs::remove_dir_all(folder.join("indexes")).unwrap();
    }),
    ("no sidecar, nothing edited", MEMORY, Part::Current, |folder| {
        fs::remove_file(folder.join(".cursor.json")).unwrap();
    }),
    ("no sidecar, memory edited", MEMORY, Part::Edited, |folder| {
        fs::remove_file(folder.join(".cursor.json")).unwrap();
        append(&folder.join(MEMORY), b" ");
    }),
    ("a sidecar that is none", MEMORY, Part::Current, |folder| {
        fs::write(folder.join(".cursor.json"), "{\"journal\":").unwrap();
    }),
    ("a link for the sidecar", MEMORY, Part::Current, |folder| {
        fs::remove_file(folder.join(".cursor.json")).unwrap();
        symlink("/etc/passwd", folder.join(".cursor.json")).unwrap();
    }),
    ("what a dead writer left beside them", MEMORY, Part::Current, |folder| {
        fs::write(folder.join(".memory.json.new"), "half").unwrap();
        fs::write(folder.join(".summaries.jsonl.new"), "half").unwrap();
        fs::write(folder.join(".cursor.json.new"), "half").unwrap();
    }),
];

#[test]
fn damage_is_mended_and_what_a_person_did_is_left() {
    for (what, name, expected, wound) in WOUNDS {
        let home = tempfile::tempdir().unwrap();
        let rows = Rows::of(1, 8);
        // Of a file that was written once, lines may be missing since its writer died.
        Rows::of(1, 4).publish(home.path());
        rows.publish(home.path());
        let folder = repo_folder(home.path(), REPO);
        wound(&folder);
        let before = fs::symlink_metadata(folder.join(name)).ok().map(|it| it.file_type());
        // Nobody waits for a fifo.
        let read = || before.is_some_and(|it| !it.is_file()).then(Vec::new);
        let read = || read().or_else(|| fs::read(folder.join(name)).ok());
        let bytes = read();

        let looked = rows.look(home.path());
        let was = part(&looked, name);
        let seen = if *expected == Part::Written { Part::Behind } else { expected.clone() };
        assert_eq!(was, seen, "{what}, looked at");
        let standing = rows.publish(home.path());
        assert_eq!(part(&standing, name), *expected, "{what}");
        let others = standing.parts.iter().filter(|(other, _)| other != name);
        assert!(others.clone().all(|(_, part)| !part.is_left()), "{what}: {standing:?}");
        if expected.is_left() {
            let after = fs::symlink_metadata(folder.join(name)).ok().map(|it| it.file_type());
            assert_eq!(before, after, "{what}");
            assert_eq!(bytes, read(), "{what}");
            // Others go on.
            Rows::of(1, 12).publish(home.path());
        } else {
            rows.are_in(home.path());
        }
        let discarded = Rows::of(1, 12);
        let held = RepoFolder::hold(home.path(), REPO).unwrap();
        let done = held.publish(&discarded.wanted(), true);
        drop(held);
        match expected {
            // Nobody throws a folder away.
            Part::NoFile("a folder") => {
                let told = std::error::Error::source(&done.unwrap_err()).unwrap().to_string();
                assert_eq!(told, "memory.json is a folder: move it away");
            }
            _ => {
                assert_eq!(done.unwrap().left().count(), 0, "{what}");
                discarded.are_in(home.path());
            }
        }
    }
}

#[test]
fn another_journals_files_are_left_until_they_are_discarded() {
    let home = tempfile::tempdir().unwrap();
    let ours = Rows::of(1, 8);
    ours.publish(home.path());
    let theirs = Rows::of(2, 5);
    let mut wanted = theirs.wanted();
    wanted.journal = "bb";
    let folder = RepoFolder::hold(home.path(), REPO).unwrap();
    let standing = folder.publish(&wanted, false).unwrap();
    assert_eq!(standing.other_journal.as_deref(), Some("aa"));
    ours.are_in(home.path());
    assert_eq!(folder.publish(&wanted, true).unwrap().left().count(), 0);
    drop(folder);
    let memory = fs::read_to_string(repo_folder(home.path(), REPO).join(MEMORY)).unwrap();
    assert_eq!(memory, theirs.memory);
}

#[test]
fn files_that_know_more_than_the_rows_are_not_gone_back_on() {
    let home = tempfile::tempdir().unwrap();
    let newer = Rows::of(1, 8);
    newer.publish(home.path());
    let standing = Rows::of(1, 6).publish(home.path());
    assert!(standing.is_ahead && standing.written() == 0, "{standing:?}");
    newer.are_in(home.path());
    // Who has read as far and has fewer of them is believed: one was redacted.
    let redacted = Rows { sequence: 6, ..Rows::of(1, 6) };
    let mut wanted = redacted.wanted();
    wanted.read = 8;
    RepoFolder::hold(home.path(), REPO).unwrap().publish(&wanted, false).unwrap();
    redacted.are_in(home.path());
}

#[test]
fn a_link_on_the_way_is_not_followed() {
    for name in ["repos", "repos/00ff"] {
        let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        if let Some(parent) = home.path().join(name).parent() {
            fs::create_dir_all(parent).unwrap();
        }
        symlink(elsewhere.path(), home.path().join(name)).unwrap();
        let error = RepoFolder::hold(home.path(), REPO).unwrap_err();
        let told = std::error::Error::source(&error).unwrap().to_string();
        assert!(told.ends_with("is a symbolic link: move it away"), "{name}: {told}");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "{name}");
    }
    // The home itself a person may have put elsewhere.
    let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let linked = home.path().join("home");
    symlink(elsewhere.path(), &linked).unwrap();
    Rows::of(1, 4).publish(&linked);
    Rows::of(1, 4).are_in(elsewhere.path());
}

#[test]
fn a_home_that_cannot_be_written_is_an_error_that_names_it() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let error = RepoFolder::hold(&file, REPO).unwrap_err();
    assert!(error.to_string().contains("file/repos/00ff"), "{error}");
    if rustix::process::geteuid().is_root() {
        return crate::skipped::skipped("root may write anywhere");
    }
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o500)).unwrap();
    assert!(RepoFolder::hold(home.path(), REPO).is_err());
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
}
