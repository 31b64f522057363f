//! The last messages of real turns, labelled by hand: how many claims are found, and how many that
//! are found are some.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::Message;

/// Messages that were tuned to, and messages that were measured before anything was.
const LABELS: [(&str, &str, usize); 5] = [
    ("labels", include_str!("../../../../tests/fixtures/claims/labels.tsv"), 200),
    ("unseen", include_str!("../../../../tests/fixtures/claims/unseen.tsv"), 100),
    ("further", include_str!("../../../../tests/fixtures/claims/further.tsv"), 100),
    ("last", include_str!("../../../../tests/fixtures/claims/last.tsv"), 25),
    ("later", include_str!("../../../../tests/fixtures/claims/later.tsv"), 100),
];

const SHARE_MIN: f64 = 0.95;

/// Of sentences in unusual words, which nothing was tuned to or not to the end.
const HARDER_SHARE_MIN: f64 = 0.75;

/// The texts of all turns' last messages by their digest, as a script tells that shares no code with
/// annals; `None` where something that it takes is missing.
fn texts() -> Option<HashMap<String, String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = root.join("../shared/data/claude-code-sessions/sessions-100.tar.xz");
    if !archive.is_file() {
        eprintln!("skipped: no {}", archive.display());
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = |command: &mut Command| {
        let ran = command.stdin(Stdio::null()).output();
        let good = ran.ok().filter(|it| it.status.success());
        if good.is_none() {
            eprintln!("skipped: {:?} does not run here", command.get_program());
        }
        good
    };
    output(Command::new("tar").arg("-xJf").arg(&archive).arg("-C").arg(folder.path()))?;
    let script = root.join("tests/sample_last_messages.py");
    let told = output(Command::new("python3").arg(script).arg(folder.path()).arg("1000000"))?;
    let lines = String::from_utf8(told.stdout).unwrap();
    let text = |line: &str| {
        let one: serde_json::Value = serde_json::from_str(line).unwrap();
        let digest = one["sha256"].as_str().unwrap()[..16].to_owned();
        (digest, one["text"].as_str().unwrap().to_owned())
    };
    Some(lines.lines().map(text).collect())
}

/// What is read of the messages that have these labels, against the labels.
fn hold<'a>(
    name: &str,
    share_min: f64,
    rows: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
) {
    let (mut right, mut missed, mut wrong) = (0.0, Vec::new(), Vec::new());
    for (mark, label, text) in rows {
        match (label == "claims", Message::of(text) == Message::Claim) {
            (true, true) => right += 1.0,
            (true, false) => missed.push(mark),
            (false, true) => wrong.push(mark),
            (false, false) => {}
        }
    }
    let recall = right / (right + missed.len() as f64);
    let precision = right / (right + wrong.len() as f64);
    println!("{name}: recall {recall:.3}, precision {precision:.3}");
    assert!(recall >= share_min, "{name}: recall {recall:.3}, missed {missed:?}");
    assert!(precision >= share_min, "{name}: precision {precision:.3}, wrong {wrong:?}");
}

/// A fixture's rows.
fn rows(labels: &str) -> Vec<Vec<&str>> {
    let rows = labels.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect()).collect()
}

#[test]
fn claims_of_real_turns_are_found_and_nothing_else_is() {
    let Some(texts) = texts() else { return };
    for (name, labels, count) in LABELS {
        let rows = rows(labels);
        assert_eq!(rows.len(), count, "{name}");
        let text = |row: &[&str]| {
            texts.get(row[2]).unwrap_or_else(|| panic!("{name}: {} is not there", row[0]))
        };
        hold(name, SHARE_MIN, rows.iter().map(|row| (row[0], row[3], text(row).as_str())));
    }
}

#[test]
fn claims_in_other_words_are_found_and_nothing_else_is() {
    for (name, labels, count, share_min) in [
        (
            "sentences",
            include_str!("../../../../tests/fixtures/claims/sentences.tsv"),
            60,
            SHARE_MIN,
        ),
        (
            "harder",
            include_str!("../../../../tests/fixtures/claims/harder.tsv"),
            65,
            HARDER_SHARE_MIN,
        ),
        ("shares", include_str!("../../../../tests/fixtures/claims/shares.tsv"), 318, 1.0),
    ] {
        let rows = rows(labels);
        assert_eq!(rows.len(), count, "{name}");
        hold(name, share_min, rows.iter().map(|row| (row[1], row[0], row[1])));
    }
}
