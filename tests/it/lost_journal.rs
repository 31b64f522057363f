//! A journal that nothing can be appended to, or that is gone: every command tells the same way out, and
//! that way, followed to the letter, leads to recording again with nothing lost that was whole.

use std::fs;
use std::path::PathBuf;

use crate::project::{Project, Ran};
use crate::salvaged::{ids, lines, of};

const CALLS: usize = 5;

fn filled() -> Project {
    let project = Project::new();
    for number in 0..CALLS {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    project
}

fn last_sequence(project: &Project) -> u64 {
    project.annals(["verify", "--json"]).code(0).json()[0]["last_sequence"]
        .as_u64()
        .expect("events")
}

fn cut(project: &Project) {
    let file = fs::OpenOptions::new().write(true).open(project.segment()).expect("opened");
    file.set_len(100).expect("cut");
}

/// The commands that a line offers, run by a shell with the names that a reader makes up.
fn follow(project: &Project, told: &str, begin: &str) {
    let way = told.lines().find_map(|line| line.strip_prefix(begin));
    let way = way.unwrap_or_else(|| panic!("no {begin:?} in\n{told}"));
    let way = way.replace("OLD-FOLDER", "old").replace("NEW-FILE", "rows.jsonl");
    let script =
        format!("set -x; annals() {{ '{}' \"$@\"; }}\n{way}", env!("CARGO_BIN_EXE_annals"));
    let ran = Ran::of(&mut project.shell(&script));
    // A repair that did something says so.
    assert!(matches!(ran.output.status.code(), Some(0 | 1)), "{way}\n{}{}", ran.out(), ran.err());
}

/// Holds that recording works again, and that of what there was nothing is gone.
fn goes_on(project: &Project, calls_left: usize, lost: &[String]) {
    project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
    assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "");
    let calls = project.annals(["log", "--json"]).code(0).json();
    assert_eq!(calls.as_array().expect("a list").len(), calls_left + 2);
    project.annals(["verify"]).code(0);
    project
        .annals(["salvage", "--from-store", ".", "left.jsonl"])
        .code(i32::from(!lost.is_empty()));
    if !lost.is_empty() {
        let rows = lines(&project.path("left.jsonl"));
        let kept = of(&rows, "execution_log.db", "executions");
        for id in lost {
            assert!(kept.iter().any(|row| row["row"]["id"] == id.as_str()), "{id}");
        }
    }
}

#[test]
fn a_journal_cut_to_a_stub_is_told_alike_by_all_and_the_way_out_is_one() {
    let project = filled();
    let last = last_sequence(&project);
    let calls: Vec<String> = ids(&project.path("execution_log.db")).into_iter().collect();
    cut(&project);
    let stub = fs::read(project.segment()).expect("a stub");
    for words in [
        "status",
        "log",
        "sessions",
        "failures",
        "timeline",
        "verify",
        "repair --dry-run",
        "repair",
    ] {
        let told = project.annals(words.split(' ')).code(3);
        let all = format!("{}{}", told.out(), told.err());
        assert!(!all.contains("is recorded yet") && !all.contains("annals init"), "{words}: {all}");
        let is_end = ["verify", "repair"].contains(&words.split(' ').next().expect("a word"));
        let next = if is_end { "Next: annals salvage" } else { "Next: annals verify" };
        assert!(all.contains(next), "{words}: {all}");
    }
    let ran = project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
    assert!(
        ran.err().contains("annals verify") && !ran.err().contains("annals tool declare"),
        "{}",
        ran.err()
    );
    let said = project.annals(["salvage", ".annals/journal", "saved"]).code(1);
    assert!(said.out().starts_with(&format!("no event is whole, {last} lost\n")), "{}", said.out());
    assert!(!project.path("saved").exists());
    follow(&project, &said.out(), "To go on, recording: ");
    goes_on(&project, 0, &calls);
    let old: Vec<PathBuf> = fs::read_dir(project.path("old"))
        .expect("kept")
        .map(|it| it.expect("kept").path())
        .collect();
    let old =
        old.iter().find(|it| it.extension().is_some_and(|it| it == "seg")).expect("a segment");
    assert_eq!(fs::read(old).expect("read"), stub);
}

#[test]
fn without_a_lock_file_nobody_says_that_nothing_was_lost() {
    let project = filled();
    cut(&project);
    fs::remove_file(project.path(".annals/journal/LOCK")).expect("removed");
    let said = project.annals(["salvage", ".", "saved"]).code(1);
    said.says("no event is whole, and nothing says how many are lost");
}

#[test]
fn a_journal_whose_header_is_gone_goes_on_from_what_was_saved() {
    let project = filled();
    let mut bytes = fs::read(project.segment()).expect("read");
    bytes[..4096].fill(0);
    fs::write(project.segment(), bytes).expect("written");
    project.annals(["repair"]).code(3).says("nothing can be repaired").says("Next: annals salvage");
    let elsewhere = project.path("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    let mut command = project.command();
    let dir = project.root().to_str().expect("a path");
    let said = Ran::of(command.current_dir(&elsewhere).args(["salvage", dir, "../saved"])).code(1);
    assert!(said.out().contains(", 0 lost\n"), "{}", said.out());
    let told = said.out().replace(" ../saved ", " saved ");
    follow(&project, &told, "To go on, recording: ");
    goes_on(&project, CALLS, &[]);
}
