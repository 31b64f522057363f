//! What somebody can do to a journal who may write in its folder: each script of `tests/attacks/`, run against
//! a copy, and how `verify` names it. What no key, no lock and no store tells of is told by what was seen.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::project::{Project, Ran};

/// The attack, what becomes of `LOCK`, the exit code, and the words that name it.
const ATTACKS: [(&str, &str, i32, &str); 12] = [
    ("rewritten.py", "kept", 6, "rewritten after @"),
    ("rewritten.py", "removed", 6, "rewritten after @"),
    ("rewritten.py", "forged", 6, "rewritten after @"),
    ("times.py", "kept", 6, "rewritten after @2"),
    ("times.py", "forged", 6, "rewritten after @2"),
    // A lock that is left vouches for the end, and so does what was seen: that was on disk.
    ("cut.py", "kept", 6, "cut: it ends at @9, and @11 was seen"),
    ("cut.py", "removed", 6, "cut: it ends at @9, and @11 was seen"),
    ("cut.py", "forged", 6, "cut: it ends at @9, and @11 was seen"),
    ("dropped.py", "forged", 6, "rewritten after @7"),
    ("linked.sh", "forged", 6, "cut: it ends at @7, and @11 was seen"),
    ("old_copy.sh", "kept", 6, "cut: it ends at @7, and @11 was seen"),
    ("old_copy.sh", "forged", 6, "cut: it ends at @7, and @11 was seen"),
];

/// Has the user's state, a project, and a copy of that from before its last two calls.
fn begun() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("project");
    fs::create_dir(&root).expect("made");
    annals(&root, "init").code(0);
    for number in 0..4 {
        if number == 2 {
            shell(dir.path(), "cp -a project before");
        }
        annals(&root, &format!("run -- echo line-{number}")).code(0);
    }
    annals(&root, "log").code(0);
    // Without stores nobody else knows.
    shell(&root, "rm *.db .annals/*.db");
    shell(dir.path(), "cp -a project whole");
    dir
}

fn annals(root: &Path, words: &str) -> Ran {
    let home = root.parent().expect("a folder");
    let mut command = Project::empty().command();
    Ran::of(command.current_dir(root).env("HOME", home).args(words.split(' ')))
}

fn shell(folder: &Path, script: &str) {
    let ran = Command::new("sh").args(["-ec", script]).current_dir(folder).status();
    assert!(ran.expect("a shell").success(), "{script}");
}

fn attack(script: &str, lock: &str, root: &Path) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks").join(script);
    let ran = Command::new(path).arg(root).arg(lock).env("PYTHONDONTWRITEBYTECODE", "1").status();
    assert!(ran.expect("it runs").success(), "{script} {lock}");
}

#[test]
fn each_is_named_and_nothing_is_built_over_the_stores() {
    let dir = begun();
    let root = dir.path().join("project");
    for (script, lock, code, name) in ATTACKS {
        shell(dir.path(), "rm -rf project moved; cp -a whole project");
        annals(&root, "verify").code(0);
        attack(script, lock, &root);
        let case = format!("{script} {lock}");
        let told = annals(&root, "verify").code(code);
        assert!(told.out().contains(name), "{case}: {}", told.out());
        if code != 6 {
            continue;
        }
        let json = annals(&root, "verify --json").code(6).json();
        let change = json[0]["contradiction"]["change"].as_str().expect("a name");
        assert!(name.starts_with(change), "{case}: {json}");
        assert!(annals(&root, "status").code(6).out().contains(name), "{case}");
        let asked = annals(&root, "log").code(6).err();
        assert!(asked.contains("is not the one that was seen"), "{case}: {asked}");
        for refused in ["repair", "rebuild"] {
            assert!(annals(&root, refused).code(6).err().contains("annals seen forget"), "{case}");
        }
        let replayed = annals(&root, "replay").code(6).out();
        assert!(!replayed.contains("The journal verified"), "{case}: {replayed}");
    }
}

#[test]
fn what_nobody_remembers_and_what_lies_elsewhere_is_said() {
    let dir = begun();
    let root = dir.path().join("project");
    // A lock that is left does not make a loss on record of it.
    attack("cut.py", "kept", &root);
    annals(&root, "run -- true").code(0);
    for question in ["verify", "status", "log"] {
        annals(&root, question).code(6);
    }
    // Damage is damage: a fragment of what was seen is there.
    shell(dir.path(), "rm -r project .local/state/annals/seen-*; cp -a whole project");
    annals(&root, "verify").code(0);
    let segment = root.join(".annals/journal/0000000000-00000000000000000001.seg");
    let mut bytes = fs::read(&segment).expect("read");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events");
    bytes[end - 100..=end].fill(0);
    fs::write(&segment, bytes).expect("written");
    annals(&root, "verify").code(3).says("acknowledged loss");
    // An older copy in another folder is told by questions as well.
    shell(dir.path(), "rm -r project .local/state/annals/seen-*; cp -a whole project");
    annals(&root, "log").code(0);
    annals(&dir.path().join("before"), "log").code(6).says("or an older copy: it ends at @7");
    // Where nothing can be remembered, that is said.
    shell(dir.path(), "chmod 777 .local/state/annals");
    for question in ["verify", "status"] {
        annals(&root, question).code(0).says("not held against what was seen");
    }
}

#[test]
fn recording_goes_on_and_the_finding_is_an_event_until_it_is_accepted() {
    let dir = begun();
    let root = dir.path().join("project");
    attack("cut.py", "forged", &root);
    for number in 0..2 {
        annals(&root, &format!("run -- echo after-{number}")).code(0);
    }
    let events = annals(&root, "export jsonl").out();
    let found: Vec<_> = events.lines().filter(|it| it.contains("HistoryContradicted")).collect();
    assert_eq!(found.len(), 1, "{events}");
    assert!(found[0].contains("\"seen_sequence\":11"), "{}", found[0]);
    annals(&root, "verify").code(6).says("cut");
    annals(&root, "seen forget").code(0).says("accepted");
    // What is lost stays on record.
    annals(&root, "verify").code(1).says("events @10 to @11 are lost");
    annals(&root, "repair").code(0);
    annals(&root, "run -- echo more").code(0);
    annals(&root, "verify").code(1);
}

#[test]
fn what_was_put_back_and_accepted_is_on_record_at_once() {
    let dir = begun();
    let root = dir.path().join("project");
    shell(
        dir.path(),
        "rm -r project/.annals/journal; cp -a before/.annals/journal project/.annals/",
    );
    annals(&root, "verify").code(6);
    annals(&root, "seen forget").code(0).says("stays on record");
    annals(&root, "verify").code(1).says("events @8 to @11 are lost").says("and this accepted");
    assert!(annals(&root, "export jsonl").out().contains("HistoryContradicted"));
    annals(&root, "run -- echo more").code(0);
    annals(&root, "verify").code(1).says("and this accepted");
    annals(&root, "status").code(1).says("events @8 to @11 are lost");
}

#[test]
fn a_fork_is_named_in_another_folder_and_an_honest_copy_goes_its_own_way() {
    let dir = begun();
    let root = dir.path().join("project");
    shell(dir.path(), "cp -a project copy; cp -a before fork");
    // Met whole, it is a copy, whatever becomes of either.
    for folder in ["copy", "project"] {
        annals(&dir.path().join(folder), "run -- echo here").code(0);
        annals(&dir.path().join(folder), "run -- echo there").code(0);
    }
    annals(&dir.path().join("copy"), "verify").code(0);
    annals(&root, "verify").code(0);
    // One that somebody else went on with.
    shell(dir.path(), "mkdir elsewhere; mv fork elsewhere/fork");
    for number in 0..5 {
        annals(&dir.path().join("elsewhere/fork"), &format!("run -- echo other-{number}")).code(0);
    }
    shell(dir.path(), "mv elsewhere/fork fork");
    let fork = dir.path().join("fork");
    annals(&fork, "verify").code(6).says("at the latest: @").says("verify both copies");
    annals(&root, "verify").code(0);
}

#[test]
fn another_journal_in_its_place_and_damage_that_hides_a_rewrite_are_named() {
    let dir = begun();
    let root = dir.path().join("project");
    // That of somebody else.
    shell(dir.path(), "mkdir -p elsewhere/other");
    annals(&dir.path().join("elsewhere/other"), "init").code(0);
    shell(&root, "rm -r .annals/journal; cp -a ../elsewhere/other/.annals/journal .annals/journal");
    annals(&root, "verify").code(6).says("replaced: journal ");
    annals(&root, "seen forget").code(0);
    annals(&root, "verify").code(0);
    // A byte of the last commit is damaged as well, and what vouched for the end is gone.
    shell(dir.path(), "rm -rf project .local/state/annals/seen-*; cp -a whole project");
    annals(&root, "log").code(0);
    attack("rewritten.py", "removed", &root);
    let segment = fs::read_dir(root.join(".annals/journal")).expect("listed");
    let segment = segment.map(|it| it.expect("an entry").path());
    let segment = segment.into_iter().find(|it| it.extension().is_some_and(|it| it == "seg"));
    let segment = segment.expect("a segment");
    let mut bytes = fs::read(&segment).expect("read");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events");
    bytes[end - 20] ^= 1;
    fs::write(&segment, bytes).expect("written");
    annals(&root, "verify").code(6).says("rewritten");
}

#[test]
fn what_was_seen_goes_along_to_where_a_copy_is_checked() {
    let dir = begun();
    let root = dir.path().join("project");
    let seen = annals(&root, "seen export").code(0).out();
    fs::write(dir.path().join("seen.jsonl"), &seen).expect("written");
    shell(dir.path(), "mkdir elsewhere; cp -a project elsewhere/copy");
    let copy = dir.path().join("elsewhere/copy");
    annals(&copy, "verify --seen ../../seen.jsonl").code(0);
    attack("rewritten.py", "forged", &copy);
    shell(dir.path(), "rm -rf elsewhere/.local");
    annals(&copy, "verify").code(0);
    annals(&copy, "verify --seen ../../seen.jsonl").code(6).says("forked");
    fs::write(dir.path().join("seen.jsonl"), "{}\n").expect("written");
    let refused = annals(&copy, "verify --seen ../../seen.jsonl").code(2).err();
    assert!(refused.contains("line 1"), "{refused}");
    // A copy that was verified is known from then on, also where nobody writes to it.
    shell(dir.path(), "rm -rf elsewhere/.local elsewhere/copy; cp -a project elsewhere/copy");
    annals(&copy, "--evidence verify").code(0);
    attack("rewritten.py", "forged", &copy);
    annals(&copy, "--evidence verify").code(6).says("rewritten");
    let listed = annals(&root, "seen list").code(0).out();
    assert!(listed.contains("@11") && listed.contains("/project/.annals/journal"), "{listed}");
}

#[test]
fn what_is_taken_from_a_journal_that_is_not_the_one_that_was_seen_is_told() {
    let dir = begun();
    let root = dir.path().join("project");
    attack("cut.py", "forged", &root);
    for words in ["merge . --into ../merged", "redact @3 --dry-run"] {
        let told = annals(&root, words).code(6).err();
        assert!(told.contains("is not the one that was seen. It was cut"), "{words}: {told}");
    }
}
