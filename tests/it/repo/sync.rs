//! `annals repo sync`: two machines of one person share a repository's memory through a folder.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::project::{Project, Ran};

const REMOTE: &str = "https://example.org/team/shop.git";

struct Machines {
    here: Project,
    there: Project,
    place: tempfile::TempDir,
}

impl Machines {
    /// Two clones of one repository, each with a home of its own; they reach it by other URLs.
    fn new() -> Self {
        let (here, there) = (Project::empty(), Project::empty());
        for (project, url) in [(&here, REMOTE), (&there, "git@example.org:team/shop.git")] {
            project.write(".git/config", &format!("[remote \"origin\"]\n\turl = {url}\n"));
            project.write(".git/HEAD", "ref: refs/heads/main\n");
            project.annals(["init"]).code(0);
        }
        Self { here, there, place: tempfile::TempDir::new().expect("a folder") }
    }

    fn sync(&self, project: &Project, words: &[&str]) -> Ran {
        let to = self.place.path().to_str().expect("a path");
        project.annals(["repo", "sync", to, "--json"].iter().chain(words))
    }

    fn files(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.place.path().join("_annals/repo")).expect("a folder");
        let files = folders.flat_map(|it| fs::read_dir(it.expect("one").path()).expect("files"));
        files.map(|it| it.expect("a file").path()).collect()
    }
}

fn standings(told: &Value) -> Vec<String> {
    let entries = told["others"][0]["entries"].as_array().cloned().unwrap_or_default();
    let said = |it: &Value| format!("{} {}", it["standing"], it["id"]).replace('"', "");
    entries.iter().map(said).collect()
}

#[test]
fn what_one_machine_remembers_another_takes_over_when_asked() {
    let both = Machines::new();
    let Machines { here, there, .. } = &both;
    here.annals(["repo", "convention", "add", "Format", "cargo fmt", "--id", "fmt"]).code(0);
    here.annals(["repo", "note", "add", "arm takes an hour", "--id", "arm"]).code(0);
    let first = both.sync(here, &[]).code(0).json();
    assert_eq!((&first["shared"], &first["others"]), (&true.into(), &serde_json::json!([])));
    // Nothing is taken over unasked, and a dry run does nothing at all.
    let told = both.sync(there, &["--dry-run", "--adopt"]).code(0).json();
    assert_eq!((&told["taken"], &told["shared"]), (&2.into(), &false.into()), "{told}");
    let told = both.sync(there, &[]).code(0).json();
    assert_eq!(standings(&told), ["new fmt", "new arm"]);
    assert_eq!(both.files().len(), 2);
    there.annals(["repo", "note", "list"]).code(0).says("No note yet");
    let told = both.sync(there, &["--adopt"]).code(0).json();
    assert_eq!(told["taken"], 2, "{told}");
    assert!(told["sequence"].as_u64().is_some());
    there.annals(["repo", "show"]).code(0).says("arm takes an hour");
    // Again: nothing is new.
    let told = both.sync(there, &["--adopt"]).code(0).json();
    assert_eq!(
        (&told["taken"], &told["shared"], standings(&told).len()),
        (&0.into(), &false.into(), 0)
    );
}

#[test]
fn what_differs_and_what_was_removed_is_taken_by_its_id_alone() {
    let both = Machines::new();
    let Machines { here, there, .. } = &both;
    here.annals(["repo", "note", "add", "arm takes an hour", "--id", "arm"]).code(0);
    here.annals(["repo", "note", "add", "old", "--id", "old"]).code(0);
    both.sync(here, &[]).code(0);
    both.sync(there, &["--adopt"]).code(0);
    there.annals(["repo", "note", "edit", "arm", "arm takes ten minutes"]).code(0);
    there.annals(["repo", "note", "remove", "old"]).code(0);
    let told = both.sync(there, &["--adopt"]).code(1).json();
    assert_eq!(standings(&told), ["differs arm", "removed_here old"], "{told}");
    there.annals(["repo", "show"]).code(0).says("ten minutes");
    both.sync(here, &["--adopt"]).code(1);
    here.annals(["repo", "show"]).code(0).says("an hour");
    both.sync(here, &["--theirs", "arm"]).code(0);
    here.annals(["repo", "show"]).code(0).says("ten minutes");
    both.sync(there, &["--theirs", "old"]).code(0);
    there.annals(["repo", "note", "list"]).code(0).says("old");
    both.sync(there, &["--theirs", "nobody"]).code(2);
}

#[test]
fn what_was_learnt_on_one_machine_is_offered_on_the_other() {
    let both = Machines::new();
    let Machines { here, there, .. } = &both;
    let document = serde_json::json!({
        "session_id": "01a20e45-f0f0-7134-b04f-2872740a6b59", "file_path": "src/lib.rs", "status": "passed",
        "executions": [], "learnings": {"patterns_identified": [{
            "pattern": "index_out_of_bounds", "frequency": 3, "fix_template": "values.last().copied()", "effectiveness": 0.9,
        }]},
    });
    here.write("learnt.json", &document.to_string());
    here.annals(["debug", "import", "learnt.json"]).code(0);
    both.sync(here, &[]).code(0);
    let told = both.sync(there, &[]).code(0).json();
    assert_eq!(told["others"][0]["learnt"][0]["patterns"][0], "index_out_of_bounds", "{told}");
    both.sync(there, &["--adopt"]).code(0);
    there.annals(["debug", "show", "01a20e45"]).code(0).says("index_out_of_bounds");
    let told = both.sync(there, &["--adopt"]).code(0).json();
    assert_eq!((&told["taken"], &told["others"][0]["learnt"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn half_a_file_a_wrong_one_and_no_remote_are_told_and_change_nothing() {
    let both = Machines::new();
    let Machines { here, there, .. } = &both;
    here.annals(["repo", "note", "add", "x\u{1b}[2J", "--id", "arm"]).code(0);
    both.sync(here, &[]).code(0);
    let file = both.files().remove(0);
    let whole = fs::read_to_string(&file).expect("a file");
    let told = there.annals(["repo", "sync", both.place.path().to_str().expect("a path")]).code(0);
    assert!(!told.out().contains('\u{1b}'), "{:?}", told.out());
    let hostile = whole.replace("\"arm\"", "\"../evil\"");
    let learnt = whole.replace("\"learnt\": []", "\"learnt\": [{}]");
    let newer = whole.replace("\"version\": 1", "\"version\": 7");
    for text in [&whole[..whole.len() / 2], "[]", &hostile, &learnt, &newer] {
        fs::write(&file, text).expect("written");
        let told = both.sync(there, &["--adopt"]).code(1);
        assert!(told.err().contains("no memory that annals shared"), "{}", told.err());
        assert_eq!(told.json()["taken"], 0);
    }
    let alone = Project::new();
    both.sync(&alone, &[]).code(2).says("no remote");
    both.sync(&alone, &["--called", "mine"]).code(0);
}
