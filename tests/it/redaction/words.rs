//! What a person says in words that stay: reasons, names, paths. None of it holds what was redacted.

use std::fs;

use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-7731-Grommet";

#[test]
fn a_reason_and_a_name_that_hold_what_was_redacted_are_refused_in_every_form() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    let take = |reason: &str| {
        let mut command = project.command();
        command.args(["redact", "--value-stdin", "--common", "--yes", "--reason", reason]);
        Ran::of(command.write_stdin(SECRET))
    };
    let encoded = data_encoding::BASE64.encode(SECRET.as_bytes());
    for word in [SECRET, &encoded] {
        take(&format!("leaked {word} there")).code(2);
    }
    take("leaked").code(0);
    project.annals(["run", "--", "echo", "nothing"]).code(0);
    for word in [SECRET, &encoded] {
        let reason = format!("leaked {word} there");
        let told = project.annals(["redact", "last", "--yes", "--reason", &reason]).code(2).err();
        assert!(told.contains("the reason holds the value, or another secret"), "{told}");
        project.annals(["forget", "--before", "2999-01-01", "--yes", "--reason", &reason]).code(2);
        let name = format!("{word}@there");
        let told = project.annals(["key", "new", "--name", &name]).code(2).err();
        assert!(!told.contains(word), "{told}");
    }
    let events = project.annals(["export", "jsonl"]).out();
    assert!(!events.contains(SECRET) && !events.contains(&encoded), "{events}");
    assert!(!events.contains("RetentionApplied"), "{events}");
}

#[test]
fn a_project_is_not_called_by_what_was_redacted_and_its_path_is_told() {
    let project = Project::new();
    project.annals(["run", "--", "echo", SECRET]).code(0);
    let mut redact = project.command();
    redact.args(["redact", "--value-stdin", "--common", "--yes", "--reason", "leaked"]);
    Ran::of(redact.write_stdin(SECRET)).code(0);
    let folder = project.path(&format!("p-{SECRET}"));
    fs::create_dir(&folder).expect("made");
    let mut init = project.command();
    let told = Ran::of(init.current_dir(&folder).arg("init")).code(0).err();
    assert!(told.contains("this folder's path holds a secret"), "{told}");
    let mut export = project.command();
    let events = Ran::of(export.current_dir(&folder).args(["export", "jsonl"])).code(0).out();
    assert!(events.contains("\"project\":\"p-[REDACTED:redacted-before]\""), "{events}");
}
