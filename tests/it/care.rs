//! What is broken is named, mended where it can be, and kept.

use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::leash::Leash;
use crate::project::Project;

/// A project with six calls.
fn filled() -> Project {
    let project = Project::new();
    for number in 0..6 {
        project.annals(["run", "--", "sh", "-c", &format!("echo {number}")]).code(0);
    }
    project.annals(["status"]).code(0);
    project
}

fn flip(path: &Path, offset: u64) {
    let file = std::fs::OpenOptions::new().read(true).write(true).open(path).expect("opened");
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset).expect("read");
    file.write_all_at(&[byte[0] ^ 4], offset).expect("written");
}

/// Where an event's frame lies, by what verify says of the journal cut behind it.
fn place(project: &Project, sequence: u64) -> u64 {
    let journal = project.path(".annals/journal");
    let sequence = annals::internal::event::Sequence(sequence);
    let place = annals::internal::journal::location::place(&journal, sequence)
        .expect("readable")
        .expect("there");
    place.offset
}

#[test]
fn verify_names_the_flipped_bit_and_exits_with_3() {
    let project = filled();
    let offset = place(&project, 7);
    flip(&project.segment(), offset + 60);
    let found = project.annals(["verify", "--json"]).code(3).json();
    let finding = &found[0]["findings"][0];
    assert_eq!(finding["verdict"], "damage");
    assert_eq!((&finding["first_sequence"], &finding["last_sequence"]), (&7.into(), &7.into()));
    assert_eq!((&finding["segment"], &finding["offset"]), (&0.into(), &offset.into()));
    project.annals(["verify"]).code(3).says("event @7").says("Next: annals salvage");
    let alone = project.segment();
    project.annals(["verify", &alone.to_string_lossy()]).code(3).says("event @7");
    project.annals(["repair"]).code(3).says("DAMAGED");
}

#[test]
fn a_torn_tail_is_a_finding_and_repair_cuts_it_and_keeps_it() {
    let project = filled();
    let before = project.annals(["log", "--json"]).code(0).json();
    // The beginning of a frame that a writer was killed in: its first half, the rest zeros.
    let segment = project.segment();
    let bytes = std::fs::read(&segment).expect("read");
    let frame = usize::try_from(place(&project, 13)).expect("small");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("frames") / 8 * 8 + 8;
    let half = bytes[frame..frame + 100].to_vec();
    let file = std::fs::OpenOptions::new().write(true).open(&segment).expect("opened");
    file.write_all_at(&half, end as u64).expect("written");
    drop(std::fs::remove_file(project.path(".annals/journal/LOCK")));

    project.annals(["verify"]).code(1).says("torn tail").says("Next: annals repair");
    project.annals(["repair", "--dry-run"]).code(1).says("would be tail cut");
    project.annals(["verify"]).code(1);
    project.annals(["repair"]).code(0).says("tail cut");
    project.annals(["verify"]).code(0).says("everything holds");
    let kept = std::fs::read_dir(project.path(".annals/journal/quarantine")).expect("kept").count();
    assert!(kept > 0, "what was cut is kept");
    project.annals(["repair"]).code(0).says("Nothing to repair");
    assert_eq!(project.annals(["log", "--json"]).code(0).json(), before, "no call was lost");
}

#[test]
fn repair_is_idempotent() {
    let project = filled();
    let digest = |project: &Project| {
        let status = project.annals(["status", "--digest", "--json"]).code(0).json();
        status["stores"][1]["digest"].as_str().expect("a digest").to_owned()
    };
    let before = digest(&project);
    std::fs::remove_file(project.path("execution_log.db")).expect("removed");
    std::fs::File::create(project.path(".annals/index.db"))
        .and_then(|mut file| file.write_all(b"no database at all, far from it, and long enough"))
        .expect("written");
    project.annals(["repair", "--dry-run"]).code(1).says("would be rebuilt");
    project.annals(["repair"]).code(0).says("rebuilt: execution_log.db");
    assert_eq!(digest(&project), before);
    project.annals(["repair"]).code(0).says("Nothing to repair");
    project.annals(["repair", "--dry-run"]).code(0).says("Nothing to repair");
    assert_eq!(digest(&project), before);
}

#[test]
fn a_row_changed_by_hand_is_found_and_replaced() {
    let project = filled();
    let database = rusqlite::Connection::open(project.path("execution_log.db")).expect("opened");
    database.execute("UPDATE executions SET exit_code = 9 WHERE rowid = 2", []).expect("updated");
    drop(database);
    project.annals(["rebuild", "--check"]).code(1).says("DIFFERS");
    project.annals(["repair"]).code(0).says("did not hold what the journal says");
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn an_open_store_is_not_replaced_under_its_reader() {
    let project = filled();
    let reader = rusqlite::Connection::open(project.path("execution_log.db")).expect("opened");
    reader.execute_batch("BEGIN; SELECT count(*) FROM executions;").expect("reading");
    project.annals(["rebuild", "execution_log"]).code(4);
    drop(reader);
    project.annals(["rebuild", "execution_log"]).code(0);
}

#[test]
fn a_killed_run_is_recorded_as_interrupted() {
    let project = filled();
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_annals"))
        .args([
            "--dir",
            &project.root().to_string_lossy(),
            "run",
            "--",
            "sh",
            "-c",
            "echo $$; exec sleep 60",
        ])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .map(Leash::of)
        .expect("annals starts");
    let mut out = std::io::BufReader::new(run.stdout.take().expect("piped"));
    let mut sleeping = String::new();
    std::io::BufRead::read_line(&mut out, &mut sleeping).expect("it runs");
    let running = project.annals(["repair", "--dry-run"]).out();
    assert!(!running.contains("interrupted"), "it runs still: {running}");
    run.kill().expect("killed");
    run.wait().expect("reaped");
    let ended =
        std::process::Command::new("kill").arg(sleeping.trim()).status().expect("kill runs");
    assert!(ended.success(), "what it ran goes on without it");
    project.annals(["repair"]).code(0).says("interrupted");
    let last = project.annals(["show", "last", "--json"]).code(0).json();
    assert_eq!(last["outcome"], "interrupted");
}

#[test]
fn salvage_of_a_damaged_journal_loses_the_damaged_event_alone() {
    let project = filled();
    let before = project.annals(["log", "--json"]).code(0).json();
    let offset = place(&project, 8);
    flip(&project.segment(), offset + 60);
    let saved = project.path("saved");
    let ran = project.annals(["salvage", ".annals/journal", "saved", "--json"]).code(1).json();
    assert_eq!(ran["gaps"], serde_json::json!([[8, 8]]));
    assert_eq!(ran["missing"], 1);
    project.annals(["verify", &saved.to_string_lossy()]).code(0);
    project.annals(["salvage", ".", "saved"]).code(2).says("not empty");
    std::fs::rename(project.path(".annals/journal"), project.path("damaged")).expect("moved");
    std::fs::rename(&saved, project.path(".annals/journal")).expect("moved");
    project.annals(["repair"]).code(0);
    let after = project.annals(["log", "--json"]).code(0).json();
    let ids = |log: &serde_json::Value| -> Vec<_> {
        let rows = log.as_array().expect("a list").iter();
        rows.map(|row| row["execution"].as_str().expect("an id").to_owned()).collect()
    };
    let (before, after) = (ids(&before), ids(&after));
    assert!(after.iter().all(|id| before.contains(id)));
    assert!(after.len() + 1 >= before.len(), "{} of {} are left", after.len(), before.len());
}

#[test]
fn inspect_shows_every_frame_of_a_ruined_journal() {
    let project = filled();
    let whole = project.annals(["inspect", "."]).code(0).out();
    let frames = |text: &str| text.lines().filter(|line| line.starts_with("frame")).count();
    flip(&project.segment(), place(&project, 8) + 60);
    let ruined = project.annals(["inspect", "."]).code(1).out();
    assert_eq!(frames(&ruined) + 1, frames(&whole));
    assert!(ruined.lines().any(|line| line.starts_with("finding")));
}
