//! `LOCK`, which writers go by: whatever becomes of it is told and mended, and what it witnessed is not
//! forgotten with it.

use std::fs;
use std::os::unix::fs::FileExt;

use crate::project::{Project, Ran};

const LOCK: &str = ".annals/journal/LOCK";

/// What becomes of it, what is told then, and whether anything can be recorded.
const WOUNDS: &[(&str, &str, bool)] = &[
    ("rm L", "LOCK is missing", true),
    (": > L", "LOCK is missing", true),
    ("head -c 5000 /dev/urandom > L", "LOCK is damaged", true),
    ("truncate -s 100 L", "LOCK is damaged", true),
    ("printf garbage | dd of=L conv=notrunc bs=1 seek=520", "LOCK is damaged", true),
    ("rm L; ln -s /nowhere L", "in the place of LOCK", false),
    ("mv L other; ln other L", "in the place of LOCK", false),
    ("rm L; mkfifo L", "in the place of LOCK", false),
    ("rm L; mkdir L; echo mine > L/file", "in the place of LOCK", false),
];

fn filled() -> Project {
    let project = Project::new();
    for number in 0..3 {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    project.annals(["status"]).code(0);
    project
}

fn wound(project: &Project, how: &str) {
    let how = how.replace('L', LOCK);
    Ran::of(&mut project.shell(&how)).code(0);
}

#[test]
fn what_becomes_of_it_is_told_and_mended() {
    for (how, says, is_writable) in WOUNDS {
        let project = filled();
        wound(&project, how);
        for _ in 0..2 {
            project.annals(["verify"]).code(1).says(says).says("Next: annals repair");
            let dry = project.annals(["repair", "--dry-run"]).code(1);
            assert!(dry.out().contains("would be lock made anew: "), "{how}: {}", dry.out());
        }
        let verified = project.annals(["verify", "--json"]).code(1).json();
        assert!(verified[0]["lock"].as_str().expect("a text").contains(says), "{how}");
        assert_eq!(
            (&verified[0]["clean"], &verified[0]["damaged"]),
            (&false.into(), &false.into())
        );
        let status = project.annals(["status", "--json"]).code(1).json();
        assert!(status["journal"]["lock"].as_str().expect("a text").contains(says), "{how}");
        if !is_writable {
            assert_eq!(status["next"], "annals repair", "{how}");
            // The copy that a user keeps needs none.
            project.annals(["verify", "--evidence"]).code(0);
        }
        project.annals(["repair"]);
        for verb in ["verify", "status"] {
            project.annals([verb]).code(0);
        }
        project.annals(["repair"]).code(0).says("Nothing to repair.");
        project.annals(["run", "--", "true"]).code(0);
        project.annals(["verify"]).code(0);
    }
}

#[test]
fn who_records_says_so_in_one_line_and_goes_on() {
    for (how, says, is_writable) in WOUNDS {
        let project = filled();
        wound(&project, how);
        let ran = project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
        let told = ran.err();
        if *is_writable {
            let lines: Vec<_> = told.lines().filter(|line| line.contains(says)).collect();
            assert_eq!((lines.len(), told.lines().count()), (1, 1), "{how}: {told}");
            assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "", "{how}");
            project.annals(["verify"]).code(0);
            project.annals(["status"]).code(0);
        } else {
            assert!(told.contains("not recorded: ") && told.contains("LOCK"), "{how}: {told}");
            project.annals(["status"]).code(1).says(says);
        }
    }
}

#[test]
fn what_a_repair_moves_away_is_kept() {
    let project = filled();
    wound(&project, "rm L; mkdir L; echo mine > L/file");
    project.annals(["repair"]).says("lock made anew: something else was in its place");
    let kept = fs::read_to_string(project.path(".annals/journal/quarantine/LOCK.1/file"));
    assert_eq!(kept.expect("kept"), "mine\n");
    assert!(fs::metadata(project.path(LOCK)).expect("there").is_file());
}

fn end(project: &Project) -> u64 {
    let bytes = fs::read(project.segment()).expect("read");
    (bytes.iter().rposition(|byte| *byte != 0).expect("events") as u64 / 8 + 1) * 8
}

/// Zeros over the last events, and no lock that says that there were any.
fn lose_both(project: &Project, bytes: u64) {
    let end = end(project);
    let file = fs::OpenOptions::new().write(true).open(project.segment()).expect("opened");
    file.write_all_at(&vec![0; bytes as usize], end - bytes).expect("written");
    fs::remove_file(project.path(LOCK)).expect("removed");
    project.unsee();
}

fn recorded(project: &Project) -> Vec<String> {
    let found = project.annals(["verify", "--json"]).code(1).json();
    assert_eq!(found[0]["damaged"], false, "{found}");
    let list = found[0]["recorded"].as_array().expect("a list").clone();
    list.iter().map(|it| it["message"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_tail_that_is_lost_with_it_is_a_loss_by_what_the_last_look_remembers() {
    // Part of the last event, and several whole ones.
    for bytes in [152, 1_200] {
        let project = filled();
        let last = project.annals(["verify", "--json"]).json()[0]["last_sequence"].clone();
        lose_both(&project, bytes);
        let verified = project.annals(["verify", "--json"]).code(3).json();
        let findings = verified[0]["findings"].as_array().expect("a list");
        assert!(findings.iter().all(|it| it["verdict"] == "acknowledged loss"), "{verified}");
        assert_eq!(findings.last().expect("one")["last_sequence"], last);
        // Before anything else is recorded an event tells of it.
        project.annals(["run", "--", "true"]).code(0).says("LOCK is missing");
        let next = last.as_u64().expect("a number") + 1;
        let replayed = project.annals(["replay"]).out();
        let first = replayed.lines().find(|line| line.contains(&format!("@{next} ")));
        assert!(first.is_some_and(|line| line.contains("RecoveryPerformed")), "{replayed}");
        assert!(replayed.contains("verdict acknowledged loss"), "{replayed}");
        for _ in 0..2 {
            assert_eq!(recorded(&project).len(), findings.len());
            project.annals(["status"]).says("acknowledged loss");
            project.annals(["run", "--", "true"]).code(0);
            fs::remove_file(project.path(LOCK)).expect("removed");
            project.annals(["run", "--", "true"]).code(0);
        }
        assert_eq!(recorded(&project).len(), findings.len());
    }
}

#[test]
fn every_question_tells_of_it_as_of_other_losses() {
    for words in ["log", "status", "sessions", "failures"] {
        let project = filled();
        lose_both(&project, 152);
        project.annals([words]).code(3).says("acknowledged loss in segment 0");
    }
}

#[test]
fn an_older_copy_put_back_without_it_is_told_and_recording_goes_on() {
    let project = filled();
    let segment = project.segment();
    let older = fs::read(&segment).expect("read");
    project.annals(["run", "--", "echo", "newer"]).code(0);
    fs::write(&segment, older).expect("put back");
    fs::remove_file(project.path(LOCK)).expect("removed");
    project.unsee();
    project.annals(["verify"]).code(3).says("acknowledged loss");
    for _ in 0..2 {
        project.annals(["run", "--", "true"]).code(0);
    }
    assert_eq!(recorded(&project).len(), 1);
}

#[test]
fn what_was_remembered_of_another_journal_witnesses_nothing() {
    let (project, other) = (filled(), filled());
    for number in 0..5 {
        other.annals(["run", "--", "echo", &number.to_string()]).code(0);
    }
    for memory in [Some(".annals/look.json"), None] {
        let look = project.path(".annals/look.json");
        match memory {
            Some(name) => drop(fs::copy(other.path(name), &look).expect("copied")),
            None => fs::remove_file(&look).expect("removed"),
        }
        fs::remove_file(project.path(LOCK)).expect("removed");
        project.annals(["run", "--", "true"]).code(0);
        project.annals(["verify"]).code(0);
        project.annals(["status"]).code(0);
    }
}

#[test]
fn a_torn_tail_that_an_append_cuts_without_it_is_recorded() {
    let project = filled();
    let (from, end) = (4_096, end(&project));
    let file = fs::OpenOptions::new().read(true).write(true).open(project.segment());
    let file = file.expect("opened");
    let mut half = [0; 100];
    file.read_exact_at(&mut half, from).expect("read");
    file.write_all_at(&half, end).expect("written");
    fs::remove_file(project.path(LOCK)).expect("removed");
    project.annals(["run", "--", "true"]).code(0);
    let replayed = project.annals(["replay"]).out();
    assert!(replayed.contains("torn tail"), "{replayed}");
    project.annals(["status"]).says("cut by recovery in journal/quarantine/");
    project.annals(["verify"]).code(0);
}
