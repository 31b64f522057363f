//! What goes by a reference or a policy is looked for where only its records say what it was; the rest is named.

use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-7731-Grommet";

#[test]
fn forget_names_what_was_written_before_and_rewrites_bundles() {
    let project = Project::new();
    let line = json!({"tool": "bash_exec", "arguments": {"command": "cat old"}, "call": "old",
        "stdout": "what is old", "at": "2026-09-01T10:00:00Z"});
    let mut command = project.command();
    Ran::of(command.arg("record").write_stdin(format!("{line}\n"))).code(0);
    for words in
        [&["bundle", "b.tar"][..], &["bundle", "kept.tar"], &["export", "jsonl", "-o", "e.jsonl"]]
    {
        project.annals(words).code(0);
    }
    let forget = |how: &[&str], code: i32| {
        let words = ["forget", "--before", "2026-10-01", "--reason", "old"];
        project.annals(words.iter().chain(how)).code(code)
    };
    let holds = |ran: &Ran| -> Vec<Value> {
        let list = ran.json()["elsewhere"].as_array().expect("a list").clone();
        list.iter().map(|it| it["holds"].clone()).collect()
    };
    let all = [json!(true), json!(true), Value::Null];
    assert_eq!(holds(&forget(&["--dry-run", "--json"], 1)), all);
    let done = forget(&["--yes", "--bundle", "b.tar"], 1).out();
    for line in [
        "bundle b.tar: rewritten without 2 records",
        "kept.tar: bundle from before, holds it (--bundle rewrites it)",
        "e.jsonl: export from before, not looked through, since no value was given",
    ] {
        assert!(done.contains(line), "{line}: {done}");
    }
    // What went before can still be taken out of a bundle, and is named in one until then.
    forget(&["--yes"], 1).says("kept.tar: bundle from before, holds it");
    forget(&["--yes", "--bundle", "kept.tar"], 0).says("rewritten without 2 records");
    project.annals(["verify", "kept.tar"]).code(0);
    let events = project.annals(["--dir", "kept.tar", "export", "jsonl"]).code(0).out();
    assert!(!events.contains("what is old"), "{events}");
}

/// A transcript of this project, as its agent keeps it.
fn transcript(project: &Project) -> String {
    let root = project.root().to_string_lossy().into_owned();
    let session = "0193a5b2-7c1e-4f00-8a00-0000000000ab";
    let line = json!({"type": "user", "uuid": "u1", "sessionId": session, "cwd": root,
        "timestamp": "2026-10-01T10:00:00.000Z",
        "message": {"role": "user", "content": format!("it is {SECRET}")}});
    let name: String =
        root.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' }).collect();
    let path = format!(".claude/projects/{name}/{session}.jsonl");
    project.write(&path, &format!("{line}\n"));
    path
}

#[test]
fn transcripts_that_nobody_can_look_through_without_a_value_are_named() {
    let project = Project::new();
    let path = transcript(&project);
    project.annals(["import"]).code(0).says("withheld (redacted)            0");
    let words = ["redact", "0193a5b2", "--reason", "leaked", "--yes"];
    let refused = project.annals(words.iter().chain(&["--transcripts"])).code(2);
    refused.says("a transcript is rewritten by the value");
    let done = project.annals(words.iter().chain(&["--json"])).code(1).json();
    let named = done["not_looked"][0].as_str().expect("one").to_owned();
    assert!(named.ends_with(&path), "{done}");
    assert!(fs::read_to_string(&named).expect("there").contains(SECRET));
    // An import says that it left something out, and why.
    let again = project.annals(["import", "--json"]).code(0).json();
    assert!(again["withheld"].as_u64() > Some(0) && again["recorded"] == 0, "{again}");
    fs::remove_file(named).expect("gone");
    let last = ["redact", "last", "--reason", "leaked", "--yes"];
    project.annals(["run", "--", "echo", "later"]).code(0);
    project.annals(last).code(0);
}

#[test]
fn the_index_over_texts_is_made_anew_without_a_word_after_a_redaction() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    project.annals(["run", "--", "echo", "other"]).code(0);
    assert_eq!(project.annals(["search", "grommet"]).code(0).err(), "");
    project.annals(["redact", "1", "--reason", "leaked", "--yes"]).code(0);
    assert_eq!(project.annals(["search", "other"]).code(0).err(), "");
}

#[test]
fn numbers_behind_a_redacted_call_become_others_and_events_stay() {
    let project = Project::new();
    for word in ["one", "two", "three"] {
        project.annals(["run", "--", "echo", word]).code(0);
    }
    let two = project.annals(["show", "2", "--json"]).code(0).json();
    let at = format!("@{}", two["sequence"]);
    let id = two["execution"].as_str().expect("an id").to_owned();
    project.annals(["redact", "1", "--reason", "leaked", "--yes"]).code(0);
    project.annals(["show", "2"]).code(0).says("echo three");
    for reference in [at, id] {
        project.annals(["show", &reference]).code(0).says("echo two");
    }
}
