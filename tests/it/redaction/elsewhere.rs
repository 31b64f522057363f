//! What annals wrote where a person said, and what is found of it when something is redacted.

use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-'31<Grommet";

fn redact(project: &Project, words: &[&str]) -> Ran {
    let mut command = project.command();
    command.args(["redact", "--value-stdin", "--common"]).args(words);
    Ran::of(command.write_stdin(SECRET))
}

#[test]
fn files_that_were_written_from_a_journal_are_looked_through_and_named() {
    let (project, other) = (Project::new(), Project::empty());
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["memory", "fork", "root"]).code(0);
    project.annals(["memory", "set", "root", "k", SECRET]).code(0);
    let merged = other.root().canonicalize().expect("there").join("merged");
    let merged = merged.to_str().expect("a text");
    let written: [&[&str]; 8] = [
        &["report", "-o", "r.html"],
        &["report", "--json", "-o", "r.json"],
        &["export", "jsonl", "-o", "events.jsonl"],
        &["export", "csv", "executions", "-o", "calls.csv"],
        &["bundle", "b.tar"],
        &["memory", "export", "m.sqlite"],
        &["salvage", ".annals/journal", "saved"],
        &["merge", ".", "--into", merged],
    ];
    for words in written {
        project.annals(words).code(0);
    }
    let told = |ran: &Ran| -> Vec<(String, Value)> {
        let list = ran.json()["elsewhere"].as_array().expect("a list").clone();
        let name =
            |it: &Value| it["path"].as_str().expect("a path").rsplit('/').next().map(str::to_owned);
        list.iter().map(|it| (name(it).expect("a name"), it["holds"].clone())).collect()
    };
    let names =
        ["r.html", "r.json", "events.jsonl", "calls.csv", "b.tar", "m.sqlite", "saved", "merged"];
    let all = |holds: &dyn Fn(&str) -> bool| -> Vec<_> {
        names.iter().map(|it| ((*it).to_owned(), json!(holds(it)))).collect()
    };
    assert_eq!(told(&redact(&project, &["--dry-run", "--json"]).code(1)), all(&|_| true));
    let words = ["--yes", "--reason", "leaked", "--bundle", "b.tar"];
    let json = redact(&project, &[&words[..], &["--json"]].concat()).code(1);
    assert_eq!(told(&json), all(&|it| it != "b.tar"));
    assert_eq!(json.json()["is_clean"], false);
    let again = redact(&project, &words).code(1).out();
    assert!(again.contains("r.html: report from before, holds it"), "{again}");
    for name in names.iter().filter(|it| **it != "b.tar") {
        let path = if *name == "merged" { merged.into() } else { project.path(name) };
        match path.is_dir() {
            true => fs::remove_dir_all(path).expect("gone"),
            false => fs::remove_file(path).expect("gone"),
        }
    }
    redact(&project, &words).code(0).says("clean: ").says("or 1 file written from it");
    // Where no value is given a bundle is known by its records, and the rest is told.
    project.annals(["run", "--", "echo", "more"]).code(0);
    project.annals(["bundle", "later.tar"]).code(0);
    project.annals(["export", "jsonl", "-o", "later.jsonl"]).code(0);
    let last = project.annals(["redact", "last", "--yes", "--reason", "no more"]).code(1).out();
    assert!(last.contains("later.tar: bundle from before, holds it"), "{last}");
    assert!(last.contains("later.jsonl: export from before, not looked through"), "{last}");
}

#[test]
fn an_archive_that_was_moved_and_fetched_from_loses_what_goes() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["seal"]).code(0);
    project.annals(["run", "--", "echo", "later"]).code(0);
    project.annals(["archive", "--before", "2999-01-01", "--to", "here"]).code(0);
    fs::rename(project.path("here"), project.path("there")).expect("moved");
    project.annals(["fetch", "--from", "there"]).code(0);
    redact(&project, &["--yes", "--reason", "leaked"]).code(0);
    let left = Ran::of(&mut project.shell("find there -name '*.zst'")).out();
    assert_eq!(left, "");
    project.annals(["verify"]).code(0);
}

#[test]
fn a_list_of_what_was_written_that_says_anything_else_is_told_and_drives_nothing() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["report", "-o", "r.html"]).code(0);
    let state = project.path(".local/state/annals");
    let name = |it: &std::fs::DirEntry| it.file_name().to_string_lossy().starts_with("written-");
    let mut files = fs::read_dir(state).expect("a folder").map(|it| it.expect("listed"));
    let list = files.find(name).expect("a list").path();
    let hostile = "{\"what\":\"report\\u001b[31m\\nclean\",\"at_ms\":1,\"path\":\"/proc/self\"}\n";
    let kept = fs::read_to_string(&list).expect("read");
    let other = kept.replace("\"report\"", "\"re\\u001b[31m\\nclean\"");
    fs::write(&list, format!("{hostile}{other}")).expect("written");
    let said = redact(&project, &["--dry-run"]).code(1).out();
    assert!(!said.contains('\u{1b}') && !said.contains("\nclean"), "{said}");
    assert!(said.contains("r.html") && !said.contains("/proc"), "{said}");
    fs::remove_file(&list).expect("removed");
    std::os::unix::fs::symlink("/dev/null", &list).expect("linked");
    let told = redact(&project, &["--reason", "leaked", "--yes"]).code(1);
    told.says("list of what was written from before, could not be looked through");
}
