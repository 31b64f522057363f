//! Segments that lie elsewhere: moved, read from there, brought back, and nothing lost wherever it stops.

mod behind;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::json_shapes::check;
use crate::project::{Project, Ran};

/// A project of three segments; the first two are sealed.
fn filled() -> Project {
    let project = Project::new();
    for text in ["one", "two"] {
        project.annals(["run", "--", "echo", text]).code(0);
        project.annals(["seal"]).code(0);
    }
    project.annals(["run", "--", "false"]).code(1);
    project
}

fn archive(project: &Project) -> Ran {
    project.annals(["archive", "--before", "2999-01-01", "--to", "elsewhere", "--json"])
}

fn names(project: &Project, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.path(".annals/journal")).expect("a journal");
    let mut paths: Vec<_> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.retain(|it| it.to_string_lossy().ends_with(end));
    paths.sort();
    paths
}

/// The journal's own folder in the archive.
fn inside(project: &Project) -> PathBuf {
    let mut entries = fs::read_dir(project.path("elsewhere")).expect("an archive");
    entries.next().expect("a journal's").expect("an entry").path()
}

fn data(project: &Project, number: usize) -> PathBuf {
    let entries = fs::read_dir(inside(project)).expect("an archive");
    let mut paths: Vec<_> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "zst"));
    paths.sort();
    paths.swap_remove(number)
}

fn events(project: &Project, kind: &str) -> Vec<Value> {
    let told = project.annals(["export", "jsonl", "events"]).out();
    let events = told.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    events.filter(|it| it["kind"] == kind).collect()
}

#[test]
fn what_is_archived_is_read_from_there_and_fetched_as_it_was() {
    let project = filled();
    let before: Vec<_> = names(&project, ".seg").iter().map(|it| fs::read(it).unwrap()).collect();
    let log = project.annals(["log", "--json"]).code(0).out();
    let moved = archive(&project).code(0);
    check("archive", &moved.out());
    let moved = moved.json();
    assert_eq!(moved["segments"].as_array().map(Vec::len), Some(2));
    assert_eq!((names(&project, ".seg").len(), names(&project, ".archived").len()), (1, 2));
    // Every question, the stores made anew, every byte verified, also as evidence.
    assert_eq!(project.annals(["log", "--json"]).code(0).out(), log);
    project.annals(["rebuild"]).code(0);
    assert_eq!(project.annals(["log", "--json"]).code(0).out(), log);
    let verified = project.annals(["verify", "--json"]).code(0).json();
    assert_eq!((&verified[0]["archived"], &verified[0]["segments"]), (&2.into(), &3.into()));
    assert_eq!(project.annals(["--evidence", "log", "--json"]).code(0).out(), log);
    let told = events(&project, "SegmentsArchived");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["sequence"], moved["sequence"]);
    // Another tool finds the same bytes, by the hash that the event has.
    if let Ok(plain) = Command::new("zstd").arg("-dc").arg(data(&project, 0)).output() {
        assert!(plain.stdout == before[0]);
    }
    project.annals(["archive", "--before", "2999-01-01", "--to", "elsewhere"]).code(0);
    assert_eq!(events(&project, "SegmentsArchived").len(), 1, "nothing was left to move");
    let back = project.annals(["fetch", "--json"]).code(0);
    check("fetch", &back.out());
    let back = back.json();
    assert_eq!(back["segments"].as_array().map(Vec::len), Some(2));
    let after: Vec<_> = names(&project, ".seg").iter().map(|it| fs::read(it).unwrap()).collect();
    assert!(before[..2] == after[..2] && names(&project, ".archived").is_empty());
    assert!(
        names(&project, ".seg")[..2]
            .iter()
            .all(|it| fs::metadata(it).unwrap().permissions().readonly())
    );
    assert_eq!(events(&project, "SegmentsFetched").len(), 1);
    // Once more to the same place: it is all there.
    assert_eq!(archive(&project).code(0).json()["segments"].as_array().map(Vec::len), Some(2));
    project.annals(["verify"]).code(0);
}

#[test]
fn only_segments_that_are_old_and_followed_are_moved() {
    let project = filled();
    let none = project.annals(["archive", "--before", "2001-01-01", "--to", "elsewhere"]).code(0);
    assert!(none.out().contains("nothing is moved"));
    assert_eq!((names(&project, ".seg").len(), project.path("elsewhere").exists()), (3, false));
    #[cfg(not(feature = "object-store"))]
    let store = ("s3://bucket/annals", "cargo install --path . --features object-store");
    #[cfg(feature = "object-store")]
    let store = ("s3://who:secret@bucket/annals", "an address is s3://BUCKET");
    for (to, told) in [
        store,
        ("gs://bucket/annals", "gs:// is no kind of archive"),
        (".annals/journal/inside", "in the journal's own folder"),
    ] {
        let refused = project.annals(["archive", "--before", "2999-01-01", "--to", to]).code(2);
        assert!(refused.err().contains(told), "{to}: {}", refused.err());
    }
    assert_eq!(names(&project, ".seg").len(), 3);
}

/// What is done to the archive or the note, what `verify` ends with, and what it says.
#[test]
fn an_archive_that_lies_or_is_away_is_told_and_loses_nothing() {
    type Change = fn(&Project);
    let cases: [(&str, Change, i32, i32, &str); 7] = [
        ("away", |it| rename(it, "elsewhere", "gone"), 5, 5, "could not be opened"),
        ("cut", |it| cut(&data(it, 1)), 3, 3, "were archived"),
        (
            "swapped",
            |it| assert!(fs::copy(data(it, 0), data(it, 1)).unwrap() > 0),
            3,
            3,
            "were archived",
        ),
        ("flipped", |it| flip(&data(it, 1)), 3, 3, "is not the one that was archived"),
        (
            "no note",
            |it| fs::remove_file(&names(it, ".archived")[1]).unwrap(),
            3,
            0,
            "segment missing",
        ),
        (
            "a note of nothing",
            |it| fs::write(&names(it, ".archived")[1], "x").unwrap(),
            3,
            0,
            "header damaged",
        ),
        ("a note that nobody vouches for", forge, 3, 0, "segment missing"),
    ];
    for (name, change, verify, fetch, told) in cases {
        let project = filled();
        archive(&project).code(0);
        change(&project);
        let verified = project.annals(["verify"]);
        let said = format!("{}{}", verified.out(), verified.err());
        assert!(said.contains(told), "{name}: {said}");
        assert!(said.lines().count() < 12, "{name}: once is enough: {said}");
        verified.code(verify);
        match name {
            "away" => {
                let status = project.annals(["status"]).code(5).out();
                assert!(
                    status.contains(" more in an archive") && status.contains("AWAY: "),
                    "{status}"
                );
                assert!(status.contains("annals fetch --from DIR"), "{status}");
            }
            "cut" | "swapped" | "flipped" => {
                assert!(said.contains("fetch --from DIR, of another copy"), "{name}: {said}");
            }
            _ => {}
        }
        // Recording goes on, and what is here is answered.
        project.annals(["run", "--", "true"]).code(0);
        assert_eq!(
            project.annals(["log", "-n", "9", "--json"]).json().as_array().map(Vec::len),
            Some(4),
            "{name}"
        );
        project.annals(["fetch"]).code(fetch);
    }
}

#[test]
fn a_segment_that_was_just_deleted_is_missing_whatever_lies_in_its_place() {
    let project = filled();
    archive(&project).code(0);
    let note = names(&project, ".archived").remove(0);
    let kept = fs::read(&note).unwrap();
    project.annals(["fetch"]).code(0);
    // Back again, and nobody archives it since: the note of before is vouched for, the deletion is not hidden by
    // another journal's.
    let other = filled();
    fs::remove_file(&names(&other, ".seg")[0]).unwrap();
    fs::write(other.path(".annals/journal").join(note.file_name().unwrap()), kept).unwrap();
    let said = other.annals(["verify"]).code(3);
    assert!(
        said.out().contains("segment missing") || said.out().contains("foreign"),
        "{}",
        said.out()
    );
}

#[test]
fn a_lost_note_is_made_good_by_the_event_and_an_archive_that_moved_by_its_new_place() {
    let project = filled();
    let before = fs::read(&names(&project, ".seg")[0]).unwrap();
    archive(&project).code(0);
    fs::remove_file(&names(&project, ".archived")[0]).unwrap();
    let said = project.annals(["verify"]).code(3).out();
    assert!(
        said.contains("segment 0 was archived, as @") && said.contains("annals fetch 0"),
        "{said}"
    );
    rename(&project, "elsewhere", "there");
    project.annals(["fetch", "0"]).code(5);
    project.annals(["fetch", "--from", "there"]).code(0);
    assert!(fs::read(&names(&project, ".seg")[0]).unwrap() == before);
    project.annals(["verify"]).code(0);
}

#[test]
fn damage_that_was_met_in_an_archive_is_told_by_questions_until_it_is_gone() {
    let project = filled();
    archive(&project).code(0);
    project.annals(["log"]).code(0);
    flip(&data(&project, 0));
    project.annals(["verify"]).code(3);
    let told = project.annals(["log"]).code(3).err();
    assert!(told.contains("is damaged") && told.contains(".zst"), "{told}");
    // What is recorded behind it changes nothing.
    project.annals(["run", "--", "true"]);
    for words in [&["show", "1"][..], &["failures"], &["stats"], &["timeline"]] {
        project.annals(words).code(3);
    }
    flip(&data(&project, 0));
    project.annals(["verify"]).code(0);
    project.annals(["log"]).code(0);
}

/// Killed before each thing that the system is asked to do to a file, and done again.
#[test]
fn killed_anywhere_and_done_again_it_is_whole() {
    let project = filled();
    let before: Vec<_> = names(&project, ".seg").iter().map(|it| fs::read(it).unwrap()).collect();
    let root = project.root().to_owned();
    let script = "annals archive --before 2999-01-01 --to elsewhere >/dev/null & \
        pid=$!; sleep 0.0$1; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null; true";
    for wait in ["02", "05", "1", "2", "3", "4", "5", "6"] {
        let mut command = project.shell(script);
        let path = PathBuf::from(env!("CARGO_BIN_EXE_annals"));
        let path =
            format!("{}:{}", path.parent().unwrap().display(), std::env::var("PATH").unwrap());
        command.arg("sh").arg(wait).env("PATH", path).output().unwrap();
        let verified = project.annals(["verify", "--json"]).code(0).json();
        assert_eq!(verified[0]["segments"], 3, "{wait}");
    }
    archive(&project).code(0);
    assert_eq!(names(&project, ".archived").len(), 2);
    let left = fs::read_dir(inside(&project)).unwrap().map(|it| it.unwrap().file_name());
    let left: Vec<_> = left.filter(|it| !it.to_string_lossy().ends_with(".tmp")).collect();
    assert_eq!(left.len(), 5, "two segments, their manifests, the tiles: {left:?}");
    assert_eq!(events(&project, "SegmentsArchived").len(), 1);
    project.annals(["fetch"]).code(0);
    let after: Vec<_> = names(&project, ".seg").iter().map(|it| fs::read(it).unwrap()).collect();
    assert!(before[..2] == after[..2], "{}", root.display());
}

fn rename(project: &Project, from: &str, to: &str) {
    fs::rename(project.path(from), project.path(to)).expect("renamed");
}

fn cut(path: &PathBuf) {
    let bytes = fs::read(path).expect("there");
    fs::write(path, &bytes[..bytes.len() - 3]).expect("written");
}

fn flip(path: &PathBuf) {
    let mut bytes = fs::read(path).expect("there");
    bytes[200] ^= 1;
    fs::write(path, bytes).expect("written");
}

/// Another size of the tree: the segment holds, and no event tells of this note.
fn forge(project: &Project) {
    let note = names(project, ".archived").remove(1);
    let text = fs::read_to_string(&note).expect("there");
    let tree = text.lines().find(|it| it.starts_with("tree ")).expect("a line").to_owned();
    let forged = tree.replacen("tree ", "tree 1", 1);
    fs::write(note, text.replacen(&tree, &forged, 1)).expect("written");
}
