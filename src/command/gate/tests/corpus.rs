//! The last messages of real turns, labelled by hand: how many claims are found, and how many that
//! are found are some.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::Message;

/// Messages that were tuned to, and messages that were measured before anything was.
const LABELS: [(&str, &str, usize); 2] = [
    ("labels", include_str!("../../../../tests/fixtures/claims/labels.tsv"), 200),
    ("unseen", include_str!("../../../../tests/fixtures/claims/unseen.tsv"), 100),
];

const SHARE_MIN: f64 = 0.95;

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

#[test]
fn claims_of_real_turns_are_found_and_nothing_else_is() {
    let Some(texts) = texts() else { return };
    for (name, labels, count) in LABELS {
        let rows: Vec<Vec<&str>> = labels
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        assert_eq!(rows.len(), count, "{name}");
        let (mut right, mut missed, mut wrong) = (0.0, Vec::new(), Vec::new());
        for row in &rows {
            let (uuid, digest, label) = (row[0], row[2], row[3]);
            let text = texts.get(digest).unwrap_or_else(|| panic!("{name}: {uuid} is not there"));
            match (label == "claims", Message::of(text) == Message::Claim) {
                (true, true) => right += 1.0,
                (true, false) => missed.push(uuid),
                (false, true) => wrong.push(uuid),
                (false, false) => {}
            }
        }
        let recall = right / (right + missed.len() as f64);
        let precision = right / (right + wrong.len() as f64);
        println!("{name}: recall {recall:.3}, precision {precision:.3}");
        assert!(recall >= SHARE_MIN, "{name}: recall {recall:.3}, missed {missed:?}");
        assert!(precision >= SHARE_MIN, "{name}: precision {precision:.3}, wrong {wrong:?}");
    }
}
