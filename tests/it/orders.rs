//! Orders of redaction: one that is given is carried out in many journals, once; one of a stranger nowhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-7731-Grommet";

/// A project with a secret in events 3 and 4, a key, and a copy of it as another machine has one.
fn begun() -> Project {
    let project = Project::empty();
    for name in ["one", "two", "other"] {
        fs::create_dir(project.path(name)).expect("made");
    }
    in_folder(&project, "one", &["init"]).code(0);
    in_folder(&project, "one", &["run", "--", "echo", SECRET]).code(0);
    in_folder(&project, "other", &["init"]).code(0);
    in_folder(&project, "other", &["run", "--", "printf", SECRET]).code(0);
    project.annals(["key", "new", "--name", "me@here"]).code(0);
    let mut copy = Command::new("cp");
    let copied = copy.args(["-a", "one/.annals", "two/"]).current_dir(project.root()).status();
    assert!(copied.expect("cp").success());
    project
}

fn in_folder(project: &Project, folder: &str, words: &[&str]) -> Ran {
    let mut command = project.command();
    Ran::of(command.current_dir(project.path(folder)).args(words).write_stdin(SECRET))
}

fn order(project: &Project, code: i32) {
    let words =
        ["redact", "--value-stdin", "--reason", "leaked", "--yes", "--write-order", "../order"];
    in_folder(project, "one", &words).code(code);
}

fn attack(script: &str, words: &[&Path]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks").join(script);
    assert!(Command::new(path).args(words).status().expect("it runs").success(), "{script}");
}

fn holds(project: &Project, folder: &str) -> bool {
    in_folder(project, folder, &["export", "jsonl"]).out().contains(SECRET)
}

#[test]
fn an_order_is_carried_out_once_with_a_receipt_each() {
    let project = begun();
    in_folder(&project, "two", &["bundle", "../b.tar"]).code(0);
    order(&project, 1);
    let text = fs::read_to_string(project.path("order")).expect("written");
    assert!(text.contains("\nleaf 3 ") && text.contains("\nleaf 4 "), "{text}");
    assert!(!text.contains(SECRET));
    let words = ["redact", "--order", "order", "--yes", "--dir", "two", "--bundle", "b.tar"];
    let receipts = |name: &str| {
        project.annals(words.iter().chain(&["--receipts", name])).code(0);
        let text = fs::read_to_string(project.path(name)).expect("written");
        text.lines()
            .map(|it| serde_json::from_str(it).expect("JSON"))
            .collect::<Vec<serde_json::Value>>()
    };
    let first = receipts("first");
    assert_eq!(first.len(), 2);
    for receipt in &first {
        assert_eq!(receipt["redacted"].as_array().expect("some").len(), 2, "{receipt}");
        let note = receipt["note"].as_str().expect("signed");
        assert!(note.starts_with("annals redaction receipt v1\n") && note.contains("— me@here "));
    }
    assert!(!holds(&project, "two"));
    let event = in_folder(&project, "two", &["export", "jsonl"]).out();
    let count = |text: &str| text.matches("\"PayloadRedacted\"").count();
    assert_eq!(count(&event), 1, "{event}");
    // Once more: nothing changes, and the receipts say so.
    let bundle = fs::read(project.path("b.tar")).expect("there");
    for receipt in receipts("second") {
        assert_eq!(receipt["redacted"], json!([]), "{receipt}");
        assert_eq!(receipt["before"].as_array().expect("some").len(), 2, "{receipt}");
    }
    assert_eq!(fs::read(project.path("b.tar")).expect("there"), bundle);
    assert_eq!(count(&in_folder(&project, "two", &["export", "jsonl"]).out()), 1);
    in_folder(&project, "two", &["verify"]).code(0);
    project.annals(["verify", "b.tar"]).code(0);
    // Each says which it is; a bundle is named as one, and a journal's folder is in no project.
    project
        .annals(&words[..6])
        .code(0)
        .says("two: no record is left")
        .says("2 records of it redacted before");
    let alone = project.annals([&words[..4], &words[6..]].concat()).code(0).out();
    assert!(!alone.contains("no record") && alone.contains("bundle b.tar: holds none"), "{alone}");
    for (dir, why) in [("b.tar", "named by --bundle"), ("two/.annals/journal", "a copy of one")] {
        project.annals(["redact", "--order", "order", "--yes", "--dir", dir]).code(2).says(why);
    }
}

#[test]
fn an_order_that_was_changed_or_is_a_stranger_s_is_carried_out_nowhere() {
    let project = begun();
    let (one, program) = (project.path("one"), Path::new(env!("CARGO_BIN_EXE_annals")));
    attack("order_of_a_stranger.sh", &[&one, program, &project.path("strange")]);
    order(&project, 0);
    attack("order_again.sh", &[&project.path("order"), &project.path("changed")]);
    for (name, why) in [
        ("strange", "no key that this user trusts signed the order"),
        ("changed.reason", "this is not the order that me@here signed: its text was changed"),
        ("changed.leaf", "this is not the order that me@here signed: its text was changed"),
    ] {
        let words = ["redact", "--order", name, "--yes", "--dir", "two"];
        project.annals(words).code(2).says(why);
    }
    project
        .annals(["redact", "--order", "one/.annals/config.toml", "--yes", "--dir", "two"])
        .code(2);
    assert!(holds(&project, "two"));
}

#[test]
fn to_a_journal_that_an_order_does_not_name_the_value_comes_by_standard_input() {
    let project = begun();
    order(&project, 0);
    let words = ["redact", "--order", "../order", "--yes", "--json"];
    in_folder(&project, "other", &words).code(2).says("other is journal ").says("--value-stdin");
    // One of several: nothing is done in any.
    let both = ["--receipts", "none", "--dir", "../two", "--dir", "."];
    in_folder(&project, "other", &[&words[..5], &both].concat()).code(2);
    assert!(holds(&project, "two") && !project.path("other/none").exists());
    let told =
        in_folder(&project, "other", &[&words[..], &["--value-stdin"]].concat()).code(0).json();
    assert_eq!(told["redacted"], json!([3, 4]), "{told}");
    assert!(!holds(&project, "other"));
    let id = fs::read_to_string(project.path("order")).expect("written");
    assert!(id.contains(told["order"].as_str().expect("an id")), "{told}");
}
