//! What was acknowledged and is gone: recorded once, told for ever, and no new damage each time.

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use crate::project::{Project, Ran};

fn filled() -> Project {
    let project = Project::new();
    for number in 0..3 {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    project.annals(["status"]).code(0);
    project
}

/// Zeros where the last event was, as a disk leaves it that forgot a flush.
fn lose_the_end(project: &Project) {
    let path = project.segment();
    let bytes = std::fs::read(&path).expect("a segment");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events") as u64 + 1;
    let file = std::fs::OpenOptions::new().write(true).open(path).expect("opened");
    file.write_all_at(&[0; 150], end - 150).expect("written");
}

fn copy(project: &Project) -> Project {
    let copied = Project::empty();
    let from = project.path(".annals");
    let ran = Command::new("cp").arg("-a").args([&from, copied.root()]).status().expect("cp runs");
    assert!(ran.success());
    copied
}

fn told_times(text: &str) -> usize {
    text.lines().filter(|line| line.contains("is lost")).count()
}

fn recorded(project: &Project) -> usize {
    let found = project.annals(["verify", "--json"]).code(1).json();
    assert_eq!((&found[0]["clean"], &found[0]["damaged"]), (&false.into(), &false.into()));
    found[0]["recorded"].as_array().expect("a list").len()
}

#[test]
fn what_is_recorded_behind_a_cut_is_there() {
    let whole = filled();
    let big =
        format!("{{\"tool\":\"bash_exec\",\"arguments\":{{\"command\":\"{}\"}}}}\n", noise(30_000));
    Ran::of(whole.command().arg("record").write_stdin(big)).code(0);
    let bytes = std::fs::read(whole.segment()).expect("a segment");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events") as u64 + 1;
    for cut in [end - 1, end - 7_001, end - 12_000, end - 15_400, end - 15_601, end - 15_999] {
        let project = copy(&whole);
        let file = std::fs::OpenOptions::new().write(true).open(project.segment()).expect("opened");
        file.set_len(cut).expect("cut");
        for number in 0..3 {
            project.annals(["run", "--", "echo", &format!("after {number}")]).code(0);
        }
        let replayed = project.annals(["replay"]).out();
        for number in 0..3 {
            assert!(replayed.contains(&format!("after {number}")), "cut at {cut}: {replayed}");
        }
        // Once a frame.
        assert!(recorded(&project) >= 1, "cut at {cut}");
    }
}

/// A text that does not compress.
fn noise(chars: usize) -> String {
    let mut state = 1_u64;
    let letters = (0..chars).map(|_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + ((state >> 33) % 26) as u8)
    });
    letters.collect()
}

/// Who appends behind a loss gives the journal a chain that the stores' cursors fit.
#[test]
fn a_store_that_read_what_was_lost_is_evidence_behind_the_next_append_too() {
    let whole = filled();
    whole.annals(["memory", "fork", "root"]).code(0);
    whole.annals(["memory", "set", "root", "plan", "lost"]).code(0);
    whole.annals(["run", "--", "echo", "lost"]).code(0);
    whole.annals(["log"]).code(0);
    for (zeroed, bytes, is_asked) in [
        (false, 10, false),
        (false, 300, true),
        (false, 1_500, false),
        (true, 150, false),
        (true, 900, true),
    ] {
        let project = Project::empty();
        let from = format!("{}/.", whole.root().display());
        let ran = Command::new("cp").args(["-a", &from]).arg(project.root()).status();
        assert!(ran.expect("cp runs").success());
        project.annals(["status"]).code(0);
        let segment = std::fs::read(project.segment()).expect("a segment");
        let end = segment.iter().rposition(|byte| *byte != 0).expect("events") as u64 + 1;
        let file = std::fs::OpenOptions::new().write(true).open(project.segment()).expect("opened");
        match zeroed {
            true => file.write_all_at(&vec![0; bytes], end - bytes as u64).expect("written"),
            false => file.set_len(end - bytes as u64).expect("cut"),
        }
        if is_asked {
            project.annals(["log"]).code(3);
        }
        let case = format!("zeroed {zeroed}, {bytes} bytes, asked {is_asked}");
        project.annals(["run", "--", "true"]).code(0);
        let said = project.annals(["log"]).code(3).err();
        assert!(said.contains("kept as evidence"), "{case}: {said}");
        project.annals(["run", "--", "true"]).code(0);
        let log = project.annals(["log"]).code(3).out();
        assert!(!has_lost(&log), "{case}: {log}");
        let told = project.annals(["status"]).out();
        assert!(told.contains("evidence"), "{case}: {told}");
        project.annals(["repair"]);
        project.annals(["rebuild", "--check"]).code(0);
        assert!(!has_lost(&project.annals(["log"]).out()), "{case}");
        assert!(project.annals(["status"]).code(1).out().contains("lost"), "{case}");
    }
}

/// Whether a log tells how the call ended whose end was lost.
fn has_lost(log: &str) -> bool {
    log.lines().any(|line| line.contains("echo lost") && !line.contains(" open "))
}

/// What was built after a loss never read what it lacks.
#[test]
fn a_store_that_was_built_behind_a_loss_is_no_evidence() {
    for bit in [40_u64, 120, 200, 400] {
        let project = filled();
        project.annals(["log"]).code(0);
        let segment = std::fs::read(project.segment()).expect("a segment");
        let end = segment.iter().rposition(|byte| *byte != 0).expect("events") as u64 + 1;
        let file = std::fs::OpenOptions::new().write(true).open(project.segment()).expect("opened");
        let byte = segment[(end - bit) as usize] ^ 4;
        file.write_all_at(&[byte], end - bit).expect("flipped");
        for store in ["execution_log.db", "codegraph.db", ".annals/index.db"] {
            std::fs::remove_file(project.path(store)).expect("removed");
        }
        project.annals(["log"]).code(3);
        for _ in 0..2 {
            let said = project.annals(["run", "--", "true"]).code(0).err();
            assert!(!said.contains("evidence"), "{bit}: {said}");
        }
        let checked = project.annals(["rebuild", "--check"]).out();
        assert!(checked.contains("nothing differs") && !checked.contains("DIFFERS"), "{checked}");
    }
}

#[test]
fn a_loss_is_recorded_once_and_stays_told() {
    let project = filled();
    lose_the_end(&project);
    project.annals(["verify"]).code(3).says("acknowledged loss").says("Next: annals salvage");
    project.annals(["run", "--", "true"]).code(0);
    let replayed = project.annals(["replay"]).code(1);
    assert!(replayed.out().contains("acknowledged loss"), "{}", replayed.out());
    // The stores that had it are set aside.
    project.annals(["repair"]);
    for turn in 0..3 {
        assert_eq!(recorded(&project), 1);
        let verified = project.annals(["verify"]).code(1).says("stays on record").out();
        assert!(!verified.contains("Next:"), "{verified}");
        let status = project.annals(["status"]).code(1).says("Next: annals verify").out();
        assert_eq!(told_times(&status), 1, "{status}");
        // It is no new damage.
        for words in ["log", "show 1", "sessions", "failures"] {
            assert_eq!(project.annals(words.split(' ')).code(0).err(), "", "{words}");
        }
        let repaired = project.annals(["repair", "--dry-run", "--json"]).json();
        assert_eq!(repaired["damage"], serde_json::json!([]));
        if turn == 0 {
            let line = "{\"tool\":\"file_read\",\"arguments\":{},\"outcome\":\"ok\"}\n";
            let lines = line.repeat(1_000);
            Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
        } else {
            // Whoever opens the journal now reads it to its end, and finds the loss again.
            for _ in 0..3 {
                std::fs::remove_file(project.path(".annals/journal/LOCK")).expect("a lock");
                project.annals(["run", "--", "true"]).code(0);
            }
        }
    }
    assert_eq!(recorded(&project), 1);
    let made = project.annals(["rebuild"]);
    assert_ne!(made.output.status.code(), Some(3), "{}", made.err());
    let status = project.annals(["status"]).code(1).out();
    assert_eq!(told_times(&status), 1, "{status}");
}

#[test]
fn salvage_counts_a_lost_end_as_a_loss() {
    let project = filled();
    project.annals(["salvage", ".", "whole"]).code(0).says("0 lost");
    lose_the_end(&project);
    project.annals(["salvage", ".", "saved"]).code(1).says("1 lost").says("acknowledged loss");
}

#[test]
fn journals_of_one_id_that_part_are_a_fork_and_a_beginning_is_none() {
    let project = filled();
    let (beginning, parted) = (copy(&project), copy(&project));
    project.annals(["run", "--", "echo", "here"]).code(0);
    let verify = |one: &Path, other: &Path| project.annals(["verify".as_ref(), one, other]);
    let (root, beginning) = (project.root(), beginning.root());
    // What was seen is not all in it; which is no fork.
    for found in [verify(root, beginning), verify(beginning, root)] {
        assert!(!found.code(6).says("an older copy").out().contains("fork"));
    }
    parted.annals(["run", "--", "echo", "there"]).code(0);
    for found in [verify(root, parted.root()), verify(parted.root(), root)] {
        found.code(6).says("fork: another journal than").says("after event @9");
    }
    let found = project.annals(["verify".as_ref(), root, parted.root(), "--json".as_ref()]);
    let found = found.code(6).json();
    assert_eq!(found[1]["forks"][0]["after"], 9);
    assert_eq!(found[1]["contradiction"]["change"], "forked");
}
