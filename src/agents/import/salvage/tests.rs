//! Salvage of damaged transcripts.

use std::collections::HashSet;
use std::path::PathBuf;

use super::*;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts").join(name)
}

fn salvaged(bytes: &[u8]) -> (TranscriptSalvage, String) {
    let mut out = Vec::new();
    let report = salvage_bytes(bytes, &mut out).unwrap();
    (report, String::from_utf8(out).unwrap())
}

/// Every line parses, and every parent that the file names stands before its child.
fn check_whole(text: &str) {
    let mut known = HashSet::new();
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(parent) = record["parentUuid"].as_str() {
            assert!(known.contains(parent), "{parent} is lost: {line}");
        }
        known.extend(record["uuid"].as_str().map(str::to_owned));
    }
}

#[test]
fn a_whole_transcript_comes_out_as_it_went_in() {
    for name in ["whole.jsonl", "subagents.jsonl", "refused.jsonl", "no-result.jsonl"] {
        let bytes = std::fs::read(fixture(name)).unwrap();
        let (report, text) = salvaged(&bytes);
        assert_eq!(text.as_bytes(), bytes, "{name}");
        assert!(!report.has_findings(), "{name}: {report:?}");
    }
}

#[test]
fn every_damage_is_named_and_every_whole_record_saved() {
    // records, glued lines, pieces lost, relinked, calls without result, results without call
    for (name, expect) in [
        ("glued.jsonl", [8, 3, 0, 0, 0, 0]),
        ("torn.jsonl", [4, 0, 2, 2, 1, 1]),
        ("nul.jsonl", [5, 0, 3, 1, 1, 0]),
        ("odd-types.jsonl", [7, 0, 2, 0, 0, 0]),
    ] {
        let (report, text) = salvaged(&std::fs::read(fixture(name)).unwrap());
        let got = [
            report.records,
            report.glued_lines,
            report.lost_total,
            report.relinked_total,
            report.calls_without_result.len() as u64,
            report.results_without_call.len() as u64,
        ];
        assert_eq!(got, expect, "{name}: {report:#?}");
        assert_eq!(text.lines().count() as u64, report.records, "{name}");
        if name != "odd-types.jsonl" {
            // That one holds JSON too deep for a test to parse.
            check_whole(&text);
        }
    }
}

#[test]
fn a_record_changes_in_nothing_but_a_lost_parent() {
    let bytes = std::fs::read(fixture("torn.jsonl")).unwrap();
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let (report, text) = salvaged(&bytes);
    let changed: Vec<&str> = text.lines().filter(|line| !source.contains(line)).collect();
    assert_eq!(changed.len() as u64, report.relinked_total);
    for (line, relinked) in changed.iter().zip(&report.relinked) {
        let to = relinked.to.as_ref().map_or("null".to_owned(), |to| format!("\"{to}\""));
        assert!(source.contains(&line.replacen(&to, &format!("\"{}\"", relinked.from), 1)));
    }
}

#[test]
fn no_record_follows_on_a_result_whose_call_was_lost() {
    let (report, text) = salvaged(&std::fs::read(fixture("torn.jsonl")).unwrap());
    let lone = &report.results_without_call[0].call;
    let line = text.lines().find(|line| line.contains(lone.as_str())).unwrap();
    let record: serde_json::Value = serde_json::from_str(line).unwrap();
    let parent = format!("\"parentUuid\":{}", record["uuid"]);
    assert!(!text.contains(&parent), "{text}");
}

#[test]
fn nothing_is_overwritten_and_the_source_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (src, dst) = (dir.path().join("src.jsonl"), dir.path().join("dst.jsonl"));
    std::fs::copy(fixture("nul.jsonl"), &src).unwrap();
    let before = std::fs::read(&src).unwrap();
    let report = salvage_transcript(&src, &dst).unwrap();
    assert_eq!(std::fs::metadata(&dst).unwrap().len(), report.bytes_written);
    assert!(matches!(salvage_transcript(&src, &dst), Err(SalvageError::Exists { .. })));
    assert!(matches!(salvage_transcript(&src, &src), Err(SalvageError::Exists { .. })));
    assert_eq!(std::fs::read(&src).unwrap(), before);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "something was left behind");
    let again = salvage_transcript(&dst, &dir.path().join("again.jsonl")).unwrap();
    assert_eq!((again.lost_total, again.relinked_total), (0, 0));
}

#[test]
fn what_is_no_transcript_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (src, dst) = (dir.path().join("photo"), dir.path().join("dst"));
    std::fs::write(&src, b"\x89PNG\r\n\x1a\n").unwrap();
    assert!(matches!(salvage_transcript(&src, &dst), Err(SalvageError::NotATranscript { .. })));
    assert!(!dst.exists());
}
