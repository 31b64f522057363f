//! Copies, bundles and several projects at once.

use crate::project::{Project, Ran};

/// Two projects, each with one call, in folders of one user.
fn two() -> Project {
    let project = Project::empty();
    for name in ["a", "b"] {
        std::fs::create_dir(project.path(name)).expect("made");
        for words in [&["init"][..], &["run", "--", "true"]] {
            Ran::of(project.command().current_dir(project.path(name)).args(words)).code(0);
        }
    }
    project
}

#[test]
fn a_copy_in_which_nothing_is_wrong_asks_for_no_repair() {
    let project = two();
    let annals = |name: &str, words: &[&str]| {
        Ran::of(project.command().current_dir(project.path(name)).args(words))
    };
    annals("a", &["repo", "note", "add", "x"]).code(0);
    let copied = std::process::Command::new("cp")
        .args(["-a", "a", "copy"])
        .current_dir(project.root())
        .status();
    assert!(copied.expect("cp runs").success());
    let told = annals("copy", &["status"]).code(0).says("made in another folder");
    assert!(!told.out().contains("annals repair"), "{}", told.out());
    assert_eq!(annals("copy", &["status", "--json"]).code(0).json()["fine"], true);
    annals("copy", &["repair"]).code(0).says("Nothing to repair");
    annals("copy", &["status"]).code(0);
}

#[test]
fn a_check_of_several_projects_answers_for_each() {
    let project = two();
    let rebuild = |words: &[&str]| {
        let mut command = project.command();
        command.args(["--dir", "a", "--dir", "b", "rebuild"]).args(words);
        Ran::of(&mut command)
    };
    let same = rebuild(&["--check"]).code(0);
    assert_eq!(same.out().matches("index.db: nothing differs").count(), 2, "{}", same.out());
    assert!(same.out().contains("a:\n") && same.out().contains("b:\n"), "{}", same.out());
    let store = rusqlite::Connection::open(project.path("b/execution_log.db")).expect("opened");
    store.execute("UPDATE executions SET exit_code = 9", []).expect("changed");
    drop(store);
    rebuild(&["--check", "execution_log"]).code(1).says("DIFFERS");
    let rows = rebuild(&["--check", "execution_log", "--json"]).code(1).json();
    let told: Vec<_> =
        rows.as_array().expect("a list").iter().map(|row| (&row["path"], &row["same"])).collect();
    assert_eq!(told, [(&"a".into(), &true.into()), (&"b".into(), &false.into())]);
    rebuild(&[]).code(2).says("give one --dir");
}

#[test]
fn a_bundle_is_not_repaired_and_says_what_can_be_done() {
    let project = Project::new();
    project.annals(["run", "--", "true"]).code(0);
    project.annals(["bundle", "out.bundle"]).code(0);
    for words in [&["repair", "--dry-run"][..], &["repair"]] {
        let mut command = project.command();
        let ran = Ran::of(command.args(["--dir", "out.bundle"]).args(words)).code(2);
        ran.says("annals verify").says("annals salvage");
    }
}

#[test]
fn record_takes_when_a_call_ended() {
    let project = Project::new();
    let help = project.annals(["record", "--help"]).code(0).out();
    assert!(help.contains("--at <TIME>") && help.contains("When it ended"), "{help}");
    assert!(!help.contains("Answer as of then"), "{help}");
    let call = ["record", "--tool", "file_read"];
    let record = |at: &str| {
        let mut command = project.command();
        Ran::of(command.args(call).args(["--at", at]))
    };
    let then_ms = annals::internal::journal::clock::now_ms() - 60_000;
    record(&then_ms.to_string()).code(0).says("Recorded");
    record("yesterday").code(2).says("RFC 3339");
    record("1960-01-01T00:00:00Z").code(2).says("1970");
    project.annals(["record", "--at", "5"]).code(2).says("--tool");
    // Before the command it means the same.
    let mut before = project.command();
    before.args(["--at", &(then_ms + 1_000).to_string()]).args(call);
    Ran::of(&mut before).code(0);
    let rows = project.annals(["sql", "select timestamp from executions order by id", "--json"]);
    for at_ms in [then_ms, then_ms + 1_000] {
        assert!(rows.out().contains(&at_ms.to_string()), "{at_ms}: {}", rows.out());
    }
}
