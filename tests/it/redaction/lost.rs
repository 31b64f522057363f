//! What keeps a redaction from being undone is lost; and where a redacted end of a call stands.

use std::fs;

use crate::project::{Project, Ran};

const SECRET: &str = "plumbus-7731-Grommet";

fn redact(project: &Project, value: &str) -> Ran {
    let mut command = project.command();
    command.args(["redact", "--value-stdin", "--common", "--yes", "--reason", "leaked"]);
    Ran::of(command.write_stdin(value))
}

#[test]
fn a_list_of_what_is_withheld_that_is_lost_is_told_until_it_is_back_or_accepted() {
    let project = Project::new();
    for value in [SECRET, "another-7731-Grommet"] {
        project.annals(["run", "--", "echo", value]).code(0);
    }
    redact(&project, SECRET).code(0);
    project.annals(["status"]).code(0);
    let list = project.path(".config/annals/withheld");
    let away = project.path("away");
    fs::rename(&list, &away).expect("moved");
    project.annals(["status"]).code(1).says("has nothing of 1 of 1 redactions here");
    project.annals(["verify"]).code(0).says("nothing keeps what 1 order took out");
    let json = project.annals(["verify", "--json"]).code(0).json();
    assert_eq!(json[0]["redactions"][0]["withheld"], false, "{json}");
    // A new list knows nothing of it either.
    redact(&project, "another-7731-Grommet").code(0);
    project.annals(["status"]).code(1).says("has nothing of 1 of 2 redactions here");
    fs::rename(&away, &list).expect("back");
    project.annals(["status"]).code(1).says("has nothing of 1 of 2 redactions here");
    project.annals(["seen", "forget"]).code(0);
    project.annals(["status"]).code(0);
}

#[test]
fn a_call_whose_end_was_redacted_stands_where_it_was() {
    let project = Project::new();
    project.write("told", SECRET);
    project.annals(["run", "--", "cat", "told"]).code(0);
    project.annals(["run", "--", "echo", "later"]).code(0);
    redact(&project, SECRET).code(1).says("told:1: still holds it");
    let log = project.annals(["log"]).code(0).out();
    let (first, second) =
        (log.find("cat told").expect("there"), log.find("echo later").expect("there"));
    assert!(first < second, "{log}");
    // Its number is that of the event that ended it, which is new.
    let shown = project.annals(["show", "2"]).code(0).out();
    assert!(shown.contains("its end was redacted by order"), "{shown}");
    let events = crate::pipe::journal(&project);
    let of = |kind: &str| -> Vec<_> {
        events.iter().filter(|it| it["kind"] == kind).map(|it| it["at"].clone()).collect()
    };
    let (ended, finished) = (of("ExecutionInterrupted"), of("ExecutionFinished"));
    assert!(ended[0].as_str() < finished[1].as_str(), "{ended:?} {finished:?}");
}
