//! Damage is told by whoever notices: every command that asks, once, with its place and the next
//! command, and for as long as it stands.

use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::project::{Project, Ran};

/// Questions, and whether what they print as JSON is an object.
const QUESTIONS: &[(&str, bool)] = &[
    ("log", false),
    ("show 1", true),
    ("failures", false),
    ("timeline", true),
    ("trace 1", true),
    ("sessions", false),
    ("query recurring", false),
    ("sql select(1)", false),
    ("export csv", false),
    ("replay", false),
    ("context", true),
    ("memory branches", false),
    ("repo show", true),
    ("debug list", false),
    ("status", true),
];

pub fn filled() -> Project {
    let project = Project::new();
    for number in 0..4 {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    project
}

/// Flips a bit in an event in the middle.
pub fn flip(project: &Project) {
    let (journal, sequence) =
        (project.path(".annals/journal"), annals::internal::event::Sequence(6));
    let place = annals::internal::journal::location::place(&journal, sequence)
        .expect("readable")
        .expect("there");
    let segment = project.segment();
    let file = std::fs::OpenOptions::new().read(true).write(true).open(segment).expect("opened");
    let mut byte = [0];
    file.read_exact_at(&mut byte, place.offset + 60).expect("read");
    file.write_all_at(&[byte[0] ^ 4], place.offset + 60).expect("written");
}

/// What a question says of damage: its exit code and its lines on standard error.
fn told(project: &Project, words: &str) -> (Option<i32>, String) {
    let ran = project.annals(words.split(' '));
    let lines = ran.err();
    let lines: Vec<_> = lines.lines().filter(|line| line.contains("is damaged")).collect();
    assert!(lines.len() <= 1, "{words}: told more than once: {lines:?}");
    (ran.output.status.code(), lines.join(""))
}

#[test]
fn every_question_tells_of_a_flipped_bit_before_anybody_else_looked() {
    for (words, is_object) in QUESTIONS {
        let project = filled();
        flip(&project);
        for how in ["", " --evidence"] {
            let (code, line) = told(&project, &format!("{words}{how}"));
            assert_eq!(code, Some(3), "{words}{how}");
            assert!(line.contains("segment 0 at byte"), "{words}{how}: {line:?}");
            assert!(line.contains("Next: annals verify"), "{words}{how}: {line:?}");
        }
        if *is_object {
            let mut words: Vec<_> = words.split(' ').collect();
            words.push("--json");
            let json = project.annals(words).code(3).json();
            assert!(json["incomplete"][0].as_str().is_some_and(|it| it.contains("damage")));
        }
    }
}

#[test]
fn damage_stays_told_and_what_records_goes_on() {
    let project = filled();
    flip(&project);
    let ran = project.annals(["run", "--", "sh", "-c", "exit 7"]).code(7);
    assert!(ran.err().contains("is damaged"), "{}", ran.err());
    let line = r#"{"tool":"file_read","arguments":{},"outcome":"ok"}"#;
    crate::project::Ran::of(project.command().arg("record").write_stdin(line)).code(0);
    for _ in 0..3 {
        assert_eq!(told(&project, "log").0, Some(3));
    }
    // Nothing of the memory is needed.
    std::fs::remove_file(project.path(".annals/look.json")).expect("a memory");
    assert_eq!(told(&project, "log").0, Some(3));
    std::fs::write(project.path(".annals/look.json"), "[1]").expect("forged");
    assert_eq!(told(&project, "log").0, Some(3));
}

#[test]
fn what_a_run_records_of_a_loss_is_not_called_damage_itself() {
    let project = filled();
    project.annals(["log"]).code(0);
    let segment = project.segment();
    let mut bytes = std::fs::read(&segment).expect("read");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("frames");
    bytes[end - 29] ^= 1;
    std::fs::write(&segment, bytes).expect("written");
    let ran = project.annals(["run", "--", "true"]).code(0);
    assert!(!ran.err().contains("chain"), "{}", ran.err());
    assert!(ran.err().contains("on record now: event @"), "{}", ran.err());
    assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "", "it is told once");
    let verified = project.annals(["verify"]).code(1);
    assert!(!verified.out().contains("chain broken"), "{}", verified.out());
}

/// Makes the segment larger than a question looks at, as space for what comes is.
fn grow(project: &Project) {
    cut(&project.segment(), 9 << 20);
}

#[test]
fn a_bit_that_flips_in_a_large_segment_after_a_look_is_noticed_by_a_question() {
    let project = filled();
    grow(&project);
    project.annals(["status"]).code(0);
    assert_eq!(told(&project, "log").0, Some(0));
    flip(&project);
    let (code, line) = told(&project, "log");
    assert_eq!(code, Some(3));
    assert!(line.contains("segment 0 at byte"), "{line:?}");
    // It stays told while the journal goes on.
    project.annals(["run", "--", "true"]).code(0);
    assert_eq!(told(&project, "sessions").0, Some(3));
}

#[test]
fn who_records_reads_of_a_segment_that_grows_what_was_added_and_a_question_all_of_it() {
    let project = filled();
    let line = |nth: u32| {
        format!(r#"{{"tool":"file_read","paths":["src/file_{nth}.rs"],"outcome":"ok"}}"#) + "\n"
    };
    let lines: String = (0..400).map(line).collect();
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    project.annals(["status"]).code(0);
    flip(&project);
    // What was known is not read again for every command that is run.
    assert_eq!(project.annals(["run", "--", "true"]).code(0).err(), "");
    let (code, line) = told(&project, "log");
    assert_eq!(code, Some(3));
    assert!(line.contains("segment 0 at byte"), "{line:?}");
    let ran = project.annals(["run", "--", "true"]).code(0);
    assert!(ran.err().contains("is damaged"), "it stays told: {}", ran.err());
}

#[test]
fn what_building_a_store_misses_is_told_where_no_look_had_met_it() {
    for words in ["log", "log --at @7", "sessions --json"] {
        let project = filled();
        grow(&project);
        flip(&project);
        for derived in ["execution_log.db", ".annals/index.db", ".annals/look.json"] {
            std::fs::remove_file(project.path(derived)).expect("removed");
        }
        let (code, line) = told(&project, words);
        assert_eq!(code, Some(3), "{words}");
        assert!(line.contains("segment 0 at byte"), "{words}: {line:?}");
        // And remembered.
        assert_eq!(told(&project, "failures").0, Some(3), "{words}");
    }
}

#[test]
fn a_sound_journal_is_told_of_by_nobody() {
    let project = filled();
    for (words, _) in QUESTIONS {
        for how in ["", " --evidence", " --json"] {
            let (code, line) = told(&project, &format!("{words}{how}"));
            assert_eq!((code, line.as_str()), (Some(0), ""), "{words}{how}");
        }
    }
}

/// An output too large to be read in passing, which an event names.
#[test]
fn a_sound_output_of_10_mib_is_told_of_by_nobody() {
    let project = Project::new();
    let told = serde_json::json!({
        "session_id": "s", "cwd": project.root(), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_use_id": "1", "tool_input": {"command": "cat large"},
        "tool_response": {"stdout": "x".repeat(10 << 20), "stderr": "", "interrupted": false},
    });
    let mut hook = project.command();
    Ran::of(hook.args(["hook", "claude-code"]).write_stdin(told.to_string())).code(0);
    for words in ["timeline", "log", "failures", "log", "status"] {
        let ran = project.annals([words]).code(0);
        assert!(!ran.err().contains("damaged"), "{words}: {}", ran.err());
    }
    project.annals(["verify"]).code(0);
    let blobs = std::fs::read_dir(project.path(".annals/journal/blobs")).expect("blobs");
    let blob = blobs.last().expect("one").expect("read").path();
    let mut bytes = std::fs::read(&blob).expect("read");
    bytes[5 << 20] ^= 1;
    std::fs::write(&blob, bytes).expect("written");
    project.annals(["verify"]).code(3).says("blob ");
    let (code, _) = self::told(&project, "log");
    assert_eq!(code, Some(3), "and what was found stays told");
}

#[test]
fn a_journal_cut_to_nothing_is_damage_and_no_new_beginning() {
    // No commit ends at 5 001: frames are aligned.
    for bytes in [0, 100, 4_096, 5_001] {
        for words in ["log", "status", "log --evidence", "sessions"] {
            let project = filled();
            project.annals(["log"]).code(0);
            cut(&project.segment(), bytes);
            let (code, line) = told(&project, words);
            // What is gone without a trace was seen: a cut.
            let expected = if bytes == 4_096 { 6 } else { 3 };
            assert_eq!(code, Some(expected), "{words} after a cut to {bytes}");
            assert!(line.contains("Next: annals verify"), "{words} after a cut to {bytes}");
        }
    }
}

#[test]
fn a_blob_that_changed_or_went_is_told() {
    for gone in [false, true] {
        let project = Project::new();
        project.annals(["run", "--", "sh", "-c", "seq 100000"]).code(0);
        let blobs = project.path(".annals/journal/blobs");
        let blob = std::fs::read_dir(blobs).expect("blobs").next().expect("one").expect("read");
        project.annals(["status"]).code(0);
        match gone {
            true => std::fs::remove_file(blob.path()).expect("removed"),
            false => std::fs::write(blob.path(), vec![7; 300_000]).expect("written"),
        }
        let (code, line) = told(&project, "status");
        assert_eq!(code, Some(3), "gone: {gone}");
        assert!(line.contains("blob"), "{line}");
        assert_eq!(told(&project, "log").0, Some(3), "gone: {gone}");
    }
}

fn cut(path: &Path, bytes: u64) {
    let file = std::fs::OpenOptions::new().write(true).open(path).expect("opened");
    file.set_len(bytes).expect("cut");
}

#[test]
fn a_journal_that_is_not_the_projects_own_is_named_where_it_is_damaged() {
    let (project, other) = (filled(), filled());
    flip(&other);
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .args([other.root(), &project.path("damaged")])
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    for words in ["scan ./damaged", "--dir ./damaged log", "--dir ./damaged --evidence log"] {
        let said = project.annals(words.split(' ')).err();
        assert!(said.contains("the journal of ./damaged is damaged"), "{words}: {said}");
        assert!(said.contains("Next: annals verify ./damaged"), "{words}: {said}");
    }
    let said = project.annals(["--dir", "./damaged", "status"]).code(3).out();
    assert!(said.contains("Next: annals verify ./damaged"), "{said}");
    project.annals(["log"]).code(0);
    let said = other.annals(["scan", "."]).err();
    assert!(
        said.contains("the journal is damaged") && said.contains("Next: annals verify\n"),
        "{said}"
    );
}

#[test]
fn a_hole_of_a_terabyte_keeps_nobody_waiting() {
    for is_written in [false, true] {
        let project = filled();
        let segment = project.segment();
        let file = std::fs::OpenOptions::new().write(true).open(&segment).expect("opened");
        file.set_len(1 << 40).expect("a hole");
        if is_written {
            file.write_all_at(b"x", (1 << 40) - 1).expect("written");
        }
        project.annals(["run", "--", "echo", "there"]).code(0).says("there");
        project.annals(["log"]).says("echo there");
        project.annals(["verify"]).code(i32::from(is_written));
        project.annals(["repair"]);
        project.annals(["run", "--", "true"]).code(0);
        assert_eq!(project.annals(["verify", "--json"]).json()[0]["damaged"], false);
    }
}
