//! `annals repo`: what each command does, and what a look leaves alone.

mod kin;
mod sync;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

const URL: &str = "https://user:S3CRETvalue@example.com/o/r.git";

/// A project that lies in a working tree of git's.
fn in_git() -> Project {
    let project = Project::empty();
    project.write(".git/config", &format!("[remote \"origin\"]\n\turl = {URL}\n"));
    on_branch(&project, "main");
    project.annals(["init"]).code(0);
    let settings = "[journal]\ndurability = \"buffered\"\n";
    project.write(".annals/config.toml", settings);
    project
}

fn on_branch(project: &Project, branch: &str) {
    project.write(".git/HEAD", &format!("ref: refs/heads/{branch}\n"));
}

fn hash(project: &Project) -> String {
    let out = project.annals(["repo", "hash"]).code(0).out();
    out.lines().next().expect("a hash").to_owned()
}

fn file(project: &Project, hash: &str, name: &str) -> PathBuf {
    project.path(&format!(".codex-toolloop/repos/{hash}/{name}"))
}

/// Commands on one project in order, what they say, and their exit code.
#[test]
fn each_command_does_what_it_says() {
    let project = in_git();
    let (add, edit) = (["convention", "add"], ["convention", "edit"]);
    let with = |verbs: [&'static str; 2], more: &[&'static str]| [&verbs, more].concat();
    for (words, code, says) in [
        (vec!["show"], 0, "Nothing is remembered yet. Next: annals repo note add"),
        (vec!["hash"], 0, "remote  https://example.com/o/r.git"),
        (vec!["list"], 0, "Nothing is remembered yet"),
        (vec!["convention", "list"], 0, "No convention yet"),
        (
            with(add, &["Format", "cargo fmt", "--id", "fmt", "--tag", "style"]),
            0,
            "Added convention fmt (@",
        ),
        (with(add, &["Format", "x", "--id", "fmt"]), 2, "there is a convention fmt already"),
        (with(add, &["Format", " "]), 2, "content is empty"),
        (with(edit, &["fmt"]), 2, "required arguments"),
        (with(edit, &["fmt", "--text", "cargo fmt -q"]), 0, "Changed convention fmt (@"),
        (with(edit, &["fmt", "--tag", "style"]), 0, "says that already: nothing was changed"),
        (with(edit, &["nope", "--no-tags"]), 2, "there is no convention nope"),
        (vec!["convention", "list", "--tag", "style"], 0, "cargo fmt -q"),
        (vec!["convention", "list", "--tag", "other"], 0, "No convention yet"),
        (
            vec!["decision", "add", "One journal", "Two disagree", "--path", "src"],
            0,
            "Added decision",
        ),
        (vec!["decision", "add", "x", "y", "--path", "/etc"], 2, "impactedPaths[0] must be rel"),
        (vec!["decision", "list"], 0, "Two disagree"),
        (vec!["note", "add", "slow on arm", "--id", "n", "--source", "agent"], 0, "Added note n"),
        (vec!["note", "add", "x", "--source", "me"], 2, "must be manual, agent or tool"),
        (vec!["note", "edit", "n", "--source", "tool"], 0, "Changed note n"),
        (vec!["note", "list", "--source", "tool"], 0, "slow on arm"),
        (vec!["summary", "add", "did it", "--step", "step-1", "--run", "r1"], 0, "step-1 of r1"),
        (vec!["summary", "list", "-n", "1"], 0, "did it"),
        (vec!["show"], 0, "- Format [style]  (fmt)"),
        (vec!["list"], 0, "example.com/o/r.git"),
        (vec!["link", "1234"], 2, "annals repo list"),
        (vec!["--repo", "1234", "show"], 2, "annals repo list"),
        (vec!["note", "remove", "n"], 0, "Removed note n (@"),
        (vec!["note", "remove", "n"], 2, "there is no note n"),
        (vec!["diff", "--exit-code"], 0, "The files say what is recorded"),
        (vec!["adopt"], 0, "The files say what is recorded"),
    ] {
        project.annals(["repo"].into_iter().chain(words)).code(code).says(says);
    }
    let mut command = project.command();
    let text = "from\nstandard input\n";
    let ran = Ran::of(command.args(["repo", "note", "add", "-"]).write_stdin(text)).code(0);
    assert!(!ran.out().contains("S3CRETvalue"));
    project.annals(["repo", "show"]).code(0).says("  standard input");
    project.annals(["rebuild", "--check"]).code(0);
}

/// What the spec wants to be in the folder, in the form it says.
#[test]
fn the_files_have_the_specs_form_and_no_credential() {
    let project = in_git();
    let hash = hash(&project);
    project.annals(["repo", "convention", "add", "T", "C", "--id", "c"]).code(0);
    project.annals(["repo", "summary", "add", "S", "--step", "step-1", "--run", "r"]).code(0);
    let text = std::fs::read_to_string(file(&project, &hash, "memory.json")).expect("the file");
    let memory: Value = serde_json::from_str(&text).expect("JSON");
    let names =
        |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(memory["version"], json!(1));
    assert_eq!(memory["repoHash"], json!(hash));
    let convention = &memory["conventions"][0];
    let expect = ["content", "createdAt", "id", "tags", "title", "updatedAt"];
    assert_eq!(names(convention), expect);
    let created = convention["createdAt"].as_str().expect("a time");
    assert!(created.len() == 24 && created.ends_with('Z'), "{created}");
    let lines = std::fs::read_to_string(file(&project, &hash, "summaries.jsonl")).expect("lines");
    let line: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(names(&line), ["createdAt", "runId", "stepId", "summary"]);
    assert!(!text.contains("S3CRETvalue") && !lines.contains("S3CRETvalue"));
    // Deleted, nothing is lost.
    std::fs::remove_dir_all(project.path(".codex-toolloop")).expect("removed");
    project.annals(["repair"]).code(0);
    let again = std::fs::read_to_string(file(&project, &hash, "memory.json")).expect("the file");
    assert_eq!(again, text);
}

/// Each branch has a memory of its own, until they are linked.
#[test]
fn branches_have_memories_of_their_own_until_they_are_linked() {
    let project = in_git();
    project.annals(["repo", "note", "add", "of main", "--id", "a"]).code(0);
    let main = hash(&project);
    on_branch(&project, "topic");
    let topic = hash(&project);
    assert_ne!(main, topic);
    project.annals(["repo", "note", "add", "of topic", "--id", "b"]).code(0);
    let notes = |words: &[&str]| {
        let words = ["repo", "note", "list", "--format", "jsonl"].iter().chain(words);
        project.annals(words).code(0).out().lines().count()
    };
    assert_eq!((notes(&[]), notes(&["--repo", &main[..8]])), (1, 1));
    // Files of another branch are named in what is to be done about them.
    let other = file(&project, &main, "memory.json");
    let text = std::fs::read_to_string(&other).expect("the file");
    std::fs::write(&other, text.replace("of main", "of old")).expect("edited");
    let next = format!("Next: annals repo diff --repo {}", &main[..12]);
    project.annals(["status"]).code(1).says(&next);
    std::fs::write(&other, text).expect("put back");
    let refresh = ["repo", "--repo", &main[..8], "map", "--refresh"];
    project.annals(refresh).code(2).says("--repo names another repository");
    project.annals(["repo", "link", &main[..12]]).code(0).says("2 repositories have one memory");
    project.annals(["repo", "link", &main[..12]]).code(0).says("Linked already");
    assert_eq!((notes(&[]), notes(&["--repo", &main])), (2, 2));
    // As it was, and as a copy has it.
    assert_eq!(notes(&["--at", "@6", "--repo", &topic]), 1);
    let copy = Project::empty();
    let status = std::process::Command::new("cp")
        .args(["-r", ".annals"])
        .arg(copy.root())
        .current_dir(project.root())
        .status();
    assert!(status.expect("cp").success());
    let listed = copy.annals(["repo", "note", "list", "--json"]).code(0).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(2), "{listed}");
    let both = [copy.root().to_str().expect("text"), project.root().to_str().expect("text")];
    let several = copy.annals(["--dir", both[0], "--dir", both[1], "repo", "list", "--json"]);
    assert_eq!(several.code(0).json().as_array().map(Vec::len), Some(4));
}

/// A hand-edited file is left and told, until it is taken over.
#[test]
fn a_hand_edited_file_is_told_and_taken_over() {
    let project = in_git();
    let path = file(&project, &hash(&project), "memory.json");
    project.annals(["repo", "note", "add", "slow", "--id", "n"]).code(0);
    let text = std::fs::read_to_string(&path).expect("the file");
    std::fs::write(&path, text.replace("slow", "slow on arm")).expect("edited");
    project.annals(["repo", "note", "add", "another"]).code(0);
    project.annals(["status"]).code(1).says("annals repo adopt");
    project.annals(["repo", "diff", "--exit-code"]).code(1).says("~ note n: slow on arm");
    let dry = project.annals(["repo", "adopt", "--dry-run", "--json"]).code(0).json();
    assert_eq!((&dry["items"], &dry["sequence"]), (&json!(1), &Value::Null));
    project.annals(["repo", "adopt"]).code(0).says("Took over 1 (@");
    project.annals(["status"]).code(0);
    let text = std::fs::read_to_string(&path).expect("the file");
    assert!(text.contains("slow on arm") && text.contains("another"), "{text}");

    std::fs::write(&path, text.replace("\"manual\"", "\"me\"")).expect("edited");
    project.annals(["repo", "adopt"]).code(2).says("memory.json: notes[0].source");
}
