//! Every odd case a transcript can hold, by the counts it must give.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use super::*;
use crate::agents::claude_code;
use crate::event::Event;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts").join(name)
}

/// The report and the events of these fixtures, read in this order.
fn read(names: &[&str]) -> (ImportReport, Vec<Event>) {
    let mut ledger = Ledger::new("claude-code");
    let mut events = Vec::new();
    for name in names {
        ledger.read_on(name, 1_772_000_000_000, true);
        for item in claude_code::parse(BufReader::new(File::open(fixture(name)).unwrap())) {
            ledger.take(item.unwrap(), &mut events);
        }
    }
    for loose in ledger.loose_results() {
        let event = ledger.give_up(&loose);
        events.push(event);
    }
    ledger.close(&mut events);
    (ledger.report, events)
}

#[test]
fn every_odd_transcript_gives_its_counts() {
    // records, glued, unreadable, calls, results, failed, refused, interrupted, without call,
    // repeated, prompts
    let table: &[(&[&str], [u64; 11])] = &[
        (&["whole.jsonl"], [16, 0, 0, 6, 6, 1, 0, 0, 0, 0, 1]),
        (&["glued.jsonl"], [8, 3, 0, 3, 3, 0, 0, 0, 0, 0, 1]),
        (&["torn.jsonl"], [4, 0, 2, 2, 1, 0, 0, 1, 1, 0, 0]),
        (&["nul.jsonl"], [5, 0, 3, 3, 2, 0, 0, 1, 0, 0, 0]),
        (&["no-result.jsonl"], [4, 0, 0, 2, 1, 0, 0, 1, 0, 0, 1]),
        (&["no-result-grown.jsonl"], [5, 0, 0, 2, 2, 0, 0, 0, 0, 0, 1]),
        (&["no-result.jsonl", "no-result-grown.jsonl"], [9, 0, 0, 2, 2, 0, 0, 0, 0, 4, 1]),
        (&["result-without-call.jsonl"], [3, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0]),
        (&["subagents.jsonl"], [8, 0, 0, 3, 3, 1, 0, 0, 0, 0, 2]),
        (&["subagents.jsonl", "agent-a1b2c3d.jsonl"], [13, 0, 0, 4, 4, 1, 0, 0, 0, 2, 3]),
        (&["resumed.jsonl"], [19, 0, 0, 7, 7, 1, 0, 0, 0, 0, 2]),
        (&["whole.jsonl", "resumed.jsonl"], [35, 0, 0, 7, 7, 1, 0, 0, 0, 13, 2]),
        (&["odd-types.jsonl"], [7, 0, 2, 2, 2, 1, 0, 0, 0, 0, 0]),
        (&["refused.jsonl"], [11, 0, 0, 5, 5, 3, 2, 0, 0, 0, 0]),
    ];
    for (names, expect) in table {
        let (r, _) = read(names);
        let got = [
            r.records,
            r.glued_lines,
            r.unreadable_lines,
            r.calls,
            r.results,
            r.failed,
            r.refused,
            r.interrupted,
            r.results_without_call,
            r.duplicates,
            r.prompts,
        ];
        assert_eq!(got, *expect, "{names:?}: {:?}", r.findings);
    }
}

#[test]
fn every_unreadable_line_is_named_by_file_and_line() {
    let (report, _) = read(&["nul.jsonl", "torn.jsonl"]);
    let named: Vec<_> = report.findings.iter().map(|f| (f.file.as_str(), f.line)).collect();
    let expect = [
        ("nul.jsonl", 3),
        ("nul.jsonl", 4),
        ("nul.jsonl", 5),
        ("torn.jsonl", 3),
        ("torn.jsonl", 5),
        // A result whose call was lost with the first part of the same line.
        ("torn.jsonl", 3),
    ];
    assert_eq!(named, expect);
}
