//! Questions to a writable copy of a project, or to one that moved, leave its journal as it is.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ASKING, Evidence};
use crate::leash::Leash;

/// A call that runs until its standard input ends.
fn running(root: &Path) -> Leash {
    let mut run = Command::new(env!("CARGO_BIN_EXE_annals"));
    run.arg("--dir").arg(root).args(["run", "--", "sh", "-c", "echo on; cat"]);
    run.env_remove("ANNALS_SESSION").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut run = run.spawn().map(Leash::of).expect("annals starts");
    let out = run.stdout.as_mut().expect("piped");
    BufReader::new(out).read_line(&mut String::new()).expect("it runs");
    run
}

/// What the journal's segments hold, by name.
fn segments(root: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(root.join(".annals/journal")).expect("a journal");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|it| it == "seg"));
    let mut found: Vec<_> = paths
        .map(|path| (path.to_string_lossy().into_owned(), fs::read(&path).expect("read")))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Asks everything; afterwards every byte of every segment is what it was.
fn ask(evidence: &Evidence, folder: &Path) {
    let before = segments(folder);
    let bundle = format!("bundle {}.bundle", folder.display());
    for arguments in ASKING.iter().copied().chain([bundle.as_str(), "repair --dry-run"]) {
        let ran = evidence.run(folder, arguments);
        // Findings are told as such; everything is answered.
        let code = ran.output.status.code();
        assert!(code.is_some_and(|code| code < 2), "{}: {code:?}\n{}", ran.what, ran.err());
        assert!(segments(folder) == before, "annals {arguments} wrote to the journal");
    }
}

fn outcome(evidence: &Evidence, folder: &Path) -> serde_json::Value {
    evidence.run(folder, "show last --json").code(0).json()["outcome"].clone()
}

#[test]
fn a_copy_taken_while_a_call_ran_is_not_changed_by_questions() {
    let evidence = Evidence::new();
    let mut run = running(evidence.root());
    let copied = evidence.copy("copied");
    // As it would lie there had the copy met a writer in the middle of a frame.
    let torn = evidence.copy("torn");
    let (segment, bytes) = segments(&torn).pop().expect("a segment");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("frames") / 8 * 8 + 8;
    let file = fs::OpenOptions::new().write(true).open(segment).expect("opened");
    file.write_all_at(&bytes[4096..4196], end as u64).expect("written");
    fs::remove_file(torn.join(".annals/journal/LOCK")).expect("removed");
    for folder in [&copied, &torn] {
        ask(&evidence, folder);
        assert_eq!(outcome(&evidence, folder), "open");
    }
    ask(&evidence, evidence.root());

    // What is recorded in the copy is no word on the call that runs elsewhere; a repair closes it.
    evidence.run(&copied, "run -- true").code(0);
    assert_eq!(evidence.run(&copied, "status --json").code(0).json()["counts"]["open"], 1);
    evidence.run(&copied, "repair").code(0).says("interrupted");
    evidence.run(&torn, "repair").code(0).says("tail cut");
    drop(run.stdin.take());
    assert!(run.wait().expect("reaped").success());
    assert_eq!(outcome(&evidence, evidence.root()), "ok");
}

#[test]
fn a_killed_call_is_closed_by_questions_at_home_and_by_recording_where_it_moved() {
    let evidence = Evidence::new();
    for moves in [false, true] {
        let mut run = running(evidence.root());
        run.kill().expect("killed");
        run.wait().expect("reaped");
        if !moves {
            assert_eq!(outcome(&evidence, evidence.root()), "interrupted");
            continue;
        }
        let moved = evidence.outside.path().join("moved");
        fs::create_dir(&moved).expect("made");
        for entry in fs::read_dir(evidence.root()).expect("a project") {
            let entry = entry.expect("an entry");
            fs::rename(entry.path(), moved.join(entry.file_name())).expect("moved");
        }
        ask(&evidence, &moved);
        assert_eq!(outcome(&evidence, &moved), "open");
        evidence.run(&moved, "run -- true").code(0);
        let log = evidence.run(&moved, "log --json").code(0).json();
        let outcomes = log.as_array().expect("a list").iter().map(|row| &row["outcome"]);
        assert_eq!(outcomes.filter(|it| *it == "interrupted").count(), 2);
    }
}
