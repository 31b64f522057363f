//! Contents outside the segments that are gone or changed are told wherever the journal lies, by whoever
//! asks it first.

use std::fs;
use std::path::{Path, PathBuf};

use crate::project::Project;

/// What befalls the one blob.
const WOUNDS: [(&str, fn(&Path)); 6] = [
    ("gone", |blob| fs::remove_file(blob).expect("removed")),
    ("its folder gone", |blob| fs::remove_dir_all(folder(blob)).expect("removed")),
    ("other bytes", |blob| fs::write(blob, vec![7; 300_000]).expect("written")),
    ("cut", |blob| {
        let file = fs::OpenOptions::new().write(true).open(blob).expect("opened");
        file.set_len(299_999).expect("cut");
    }),
    ("a folder", |blob| {
        fs::remove_file(blob).expect("removed");
        fs::create_dir(blob).expect("made");
    }),
    ("a pipe", |blob| {
        fs::remove_file(blob).expect("removed");
        let made = std::process::Command::new("mkfifo").arg(blob).status().expect("mkfifo");
        assert!(made.success());
    }),
];

fn folder(blob: &Path) -> &Path {
    blob.parent().expect("a folder")
}

fn scene() -> Project {
    let project = Project::new();
    project.annals(["run", "--", "sh", "-c", "seq 100000"]).code(0);
    project.annals(["run", "--", "true"]).code(0);
    project
}

fn blob(journal: &Path) -> PathBuf {
    let mut listed = fs::read_dir(journal.join("blobs")).expect("blobs");
    listed.next().expect("one").expect("read").path()
}

/// Asks the journal at `path`, of which nothing is known yet.
fn asked(project: &Project, path: &Path, is_lost: bool, about: &str) {
    let code = if is_lost { 3 } else { 0 };
    let path = path.to_str().expect("text");
    for words in ["log", "sessions", "status"] {
        let told = project.annals(["--dir", path, words]).code(code);
        assert_eq!(told.err().contains("is damaged"), is_lost, "{about}: {words}: {}", told.err());
    }
    let found = project.annals(["verify", path, "--json"]).code(code).json();
    let blobs = found[0]["blobs"].as_array().expect("a list");
    assert_eq!((blobs.len(), &found[0]["damaged"]), (usize::from(is_lost), &is_lost.into()));
    let told = project.annals(["verify", path]).code(code).out();
    assert_eq!(told.contains("blob "), is_lost, "{about}: {told}");
    assert!(!told.contains("salvage"), "{about}: that brings nothing back: {told}");
}

#[test]
fn a_blob_that_an_event_names_is_missed_by_who_never_saw_it() {
    for (about, wound) in WOUNDS {
        let project = scene();
        let journal = project.path(".annals/journal");
        let copied = |name: &str| {
            let to = project.path(name);
            let copied = std::process::Command::new("cp").arg("-r").args([&journal, &to]).status();
            assert!(copied.expect("cp runs").success());
            to
        };
        let segment = |journal: &Path| {
            let name = project.segment();
            journal.join(name.file_name().expect("a name"))
        };
        for name in ["folder", "segment"] {
            let whole = copied(&format!("whole {name}"));
            let lost = copied(name);
            wound(&blob(&lost));
            let of = |journal: PathBuf| if name == "segment" { segment(&journal) } else { journal };
            asked(&project, &of(whole), false, &format!("{name}, {about}"));
            asked(&project, &of(lost), true, &format!("{name}, {about}"));
        }
        // Nobody has looked at the project's own since the blob was written.
        drop(fs::remove_file(project.path(".annals/look.json")));
        wound(&blob(&journal));
        asked(&project, project.root(), true, about);
        project.annals(["repair", "--dry-run"]).code(3).says("blob ");
    }
}

#[test]
fn a_bundle_misses_what_was_missing_and_what_changed_in_it() {
    let project = scene();
    project.annals(["bundle", "whole.bundle"]).code(0);
    asked(&project, &project.path("whole.bundle"), false, "whole");
    let mut bytes = fs::read(project.path("whole.bundle")).expect("read");
    let at = bytes.windows(8).position(|it| it == b"\n77777\n7").expect("in the blob");
    bytes[at + 3] = b'8';
    fs::write(project.path("changed.bundle"), &bytes).expect("written");
    asked(&project, &project.path("changed.bundle"), true, "changed");
    fs::remove_file(blob(&project.path(".annals/journal"))).expect("removed");
    project.annals(["bundle", "missing.bundle"]).code(3).says("missing: blob ");
    asked(&project, &project.path("missing.bundle"), true, "missing");
}

/// A segment alone says what it names, and nothing of what lies beside it for other segments.
#[test]
fn a_segment_is_not_asked_for_another_s_blobs() {
    let project = scene();
    let journal = project.path(".annals/journal");
    fs::write(journal.join("blobs").join("ab".repeat(32)), "another's").expect("written");
    let segment = project.segment();
    asked(&project, &segment, false, "beside another's");
}
