//! What can be named to be asked about, alone and together.

use std::fs;

use super::{Evidence, copy};
use crate::project::Ran;

#[test]
fn what_holds_a_journal_can_be_named_in_every_way() {
    let evidence = Evidence::new();
    let copied = evidence.copy("copied");
    let nowhere = evidence.outside.path();
    let live = evidence.run(evidence.root(), "log --json").code(0).json();
    let journal = copied.join(".annals/journal");
    let renamed = nowhere.join("found on a disk");
    copy(&journal, &renamed);
    let inner = nowhere.join("case/journal");
    fs::create_dir(nowhere.join("case")).expect("made");
    copy(&journal, &inner);
    let segment = fs::read_dir(&journal)
        .expect("a journal")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.extension().is_some_and(|it| it == "seg"))
        .expect("a segment");
    let alone = nowhere.join("alone.seg");
    copy(&segment, &alone);
    let places =
        [&copied, &copied.join(".annals"), &journal, &renamed, &nowhere.join("case"), &alone];
    for place in places {
        let mut command = evidence.project.command();
        command.current_dir(nowhere).env("XDG_CACHE_HOME", evidence.cache());
        let shown = Ran::of(command.arg("--dir").arg(place).args(["log", "--json"])).code(0).json();
        assert_eq!(shown, live, "{}", place.display());
    }
    let mut command = evidence.project.command();
    command.current_dir(nowhere).env("ANNALS_DIR", &alone).env("XDG_CACHE_HOME", evidence.cache());
    assert_eq!(Ran::of(command.args(["log", "--json"])).code(0).json(), live);
    evidence.run(nowhere, "--dir case --dir case/journal log").code(2).says("named twice");
    evidence.run(nowhere, "--dir cache log").code(2).says("no project");
}

#[test]
fn several_journals_are_asked_at_once_and_say_which_is_which() {
    let evidence = Evidence::new();
    let other = Evidence::new();
    other.record(9);
    let nowhere = evidence.outside.path();
    copy(evidence.root(), &nowhere.join("one"));
    copy(other.root(), &nowhere.join("two"));
    let rows = evidence.run(nowhere, "--dir one --dir two log --json").code(0).json();
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 9);
    let count = |name: &str| rows.iter().filter(|row| row["journal"] == name).count();
    assert_eq!((count("one"), count("two")), (4, 5));
    let keys: Vec<_> = rows
        .iter()
        .map(|row| (row["at"].as_str().expect("a time"), row["sequence"].as_u64().expect("one")))
        .collect();
    assert!(keys.is_sorted(), "{keys:?}");
    let last = evidence.run(nowhere, "--dir one --dir two log --json -n 2").code(0).json();
    assert_eq!(last.as_array().expect("a list"), &rows[7..]);
    evidence.run(nowhere, "--dir one --dir two log").code(0).says("journal").says("two ");
    evidence.run(nowhere, "--dir one --dir two sessions").code(0).says("journal");
    let found = evidence.run(nowhere, "--dir one --dir two show 5 --json").code(0).json();
    assert_eq!(found["journal"], "two");
    evidence.run(nowhere, "--dir one --dir two show 1").code(2).says("several journals: one, two");
    evidence.run(nowhere, "--dir one --dir two show 77").code(2).says("nothing is recorded");
    let states = evidence.run(nowhere, "--dir one --dir two status --json").code(0).json();
    assert_eq!((&states[0]["name"], &states[1]["name"]), (&"one".into(), &"two".into()));
    evidence.run(nowhere, "--dir one --dir two verify").code(0).says("everything holds");
    evidence.run(nowhere, "--dir one --dir two --at 0s log").code(0);
    evidence.run(nowhere, "--dir one --dir two --at 2 log").code(2).says("only a time");
    evidence.run(nowhere, "--dir one log --dir two").code(2).says("same side");
    let alone = evidence.run(nowhere, "--dir one log --json").code(0).json();
    assert!(alone[0]["journal"].is_null());
}
