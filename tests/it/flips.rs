//! A flipped bit at each kind of place: status and verify tell it by the same names and end alike, and
//! whoever is sent to a repair finds it mended there.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use annals::internal::event::{Body, Envelope, Event, Source, ToolsDeclared};
use annals::internal::journal::{Journal, JournalOptions};

use crate::damage::filled;
use crate::project::Project;

/// Where a bit flips, from the end of the events in the segment or from its beginning, and how verifying
/// ends.
const PLACES: &[(&str, Place, i32)] = &[
    ("the header", Place::At(8), 1),
    ("the header's chain", Place::At(100), 1),
    ("between the copies of the header", Place::At(300), 1),
    ("the second copy", Place::At(2_050), 1),
    ("behind the second copy", Place::At(4_000), 1),
    ("the first frame", Place::At(4_096 + 30), 3),
    ("a payload", Place::FromEnd(-120), 3),
    ("the last commit's end", Place::FromEnd(-4), 3),
    ("the first byte behind it", Place::FromEnd(0), 1),
    ("a little behind it", Place::FromEnd(100), 1),
    ("the next sector", Place::FromEnd(600), 1),
    ("far behind it", Place::FromEnd(100_000), 1),
    ("the last byte of all", Place::Last, 1),
];

/// Behind what any clock reads here, Unix milliseconds.
const LATE_MS: u64 = 4_000_000_000_000;

#[derive(Clone, Copy)]
enum Place {
    At(u64),
    FromEnd(i64),
    Last,
}

fn flip(segment: &Path, place: Place) {
    let bytes = fs::read(segment).expect("a segment");
    let last = bytes.iter().rposition(|byte| *byte != 0).expect("events") as u64;
    let at = match place {
        Place::At(at) => at,
        Place::FromEnd(by) => (last / 8 + 1).saturating_mul(8).saturating_add_signed(by),
        Place::Last => bytes.len() as u64 - 1,
    };
    let file = fs::OpenOptions::new().write(true).open(segment).expect("opened");
    file.write_all_at(&[bytes[at as usize] ^ 4], at).expect("written");
}

/// Holds that both end so, and tell the same names and places. Asking for the status opens the journal,
/// which mends what stands right behind the end: so verifying goes first.
fn end_alike(project: &Project, what: &str, code: i32) {
    let verified = project.annals(["verify", "--json"]).code(code).json();
    let findings = verified[0]["findings"].as_array().expect("a list").iter();
    let text = |it: &serde_json::Value| {
        let verdict = it["verdict"].as_str().expect("a name");
        format!("{verdict} in segment {} at byte {}", it["segment"], it["offset"])
    };
    let by_verify: Vec<String> = findings.map(text).collect();
    assert!(!by_verify.is_empty(), "{what}");
    let status = project.annals(["status", "--json"]).code(code).json();
    let told = ["damage", "flaws"].map(|key| status["journal"][key].as_array().expect("a list"));
    let told: Vec<&str> =
        told.into_iter().flatten().map(|it| it.as_str().expect("a text")).collect();
    let alike = told.iter().zip(&by_verify).all(|(it, by_verify)| it.starts_with(by_verify));
    assert!(alike && told.len() == by_verify.len(), "{what}: {told:?}, {by_verify:?}");
    let sent = |text: &str| text.contains("Next: annals repair");
    let verified = project.annals(["verify"]).out();
    assert_eq!(status["next"] == "annals repair", sent(&verified), "{what}: {verified}");
}

#[test]
fn status_and_verify_end_alike_wherever_a_bit_flips() {
    for (what, place, code) in PLACES {
        let project = filled();
        project.annals(["status"]).code(0);
        flip(&project.segment(), *place);
        end_alike(&project, what, *code);
        if matches!(place, Place::At(_) | Place::FromEnd(100..) | Place::Last) {
            end_alike(&project, what, *code);
        }
    }
}

#[test]
fn who_is_sent_to_a_repair_finds_it_mended() {
    for (what, place, code) in PLACES {
        let project = filled();
        flip(&project.segment(), *place);
        if !project.annals(["verify"]).code(*code).out().contains("Next: annals repair") {
            continue;
        }
        let dry = project.annals(["repair", "--dry-run"]).code(1);
        assert!(dry.out().contains("would be tail cut: torn tail in segment 0"), "{what}");
        project.annals(["repair"]).code(0).says("tail cut: torn tail in segment 0");
        project.annals(["verify"]).code(0);
        project.annals(["status"]).code(0);
        project.annals(["repair"]).code(0).says("Nothing to repair.");
        let kept = fs::read_dir(project.path(".annals/journal/quarantine")).expect("kept");
        let kept: Vec<PathBuf> = kept.map(|it| it.expect("an entry").path()).collect();
        let bytes = fs::read(&kept[0]).expect("read");
        assert_eq!((kept.len(), bytes.iter().filter(|byte| **byte != 0).count()), (1, 1), "{what}");
        project.annals(["run", "--", "true"]).code(0);
        project.annals(["verify"]).code(0);
    }
}

#[test]
fn a_closed_segment_is_told_of_as_the_last_one_is() {
    for (what, place, code) in &PLACES[..6] {
        let project = filled();
        let first = project.segment();
        let options = JournalOptions { segment_bytes_max: 8 << 10, ..JournalOptions::default() };
        while project.segment() == first {
            let journal = project.path(".annals/journal");
            let (journal, _) = Journal::open(&journal, &[7; 48], options).expect("opened");
            let tools = vec!["another_tool".repeat(20)];
            let body = Body::ToolsDeclared(ToolsDeclared { tools, by: "a test".to_owned() });
            let envelope = Envelope::new(None, Source::Annals, LATE_MS);
            journal.append(&[Event { envelope, body }], LATE_MS).expect("appended");
        }
        project.annals(["status"]).code(0);
        flip(&first, *place);
        end_alike(&project, what, *code);
    }
}
