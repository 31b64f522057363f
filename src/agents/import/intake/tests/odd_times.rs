//! Times that are none, or that cannot be.

use super::*;
use crate::event::Envelope;

/// Whether each call and result, in order, has a time of its source's own, and which it has.
fn times(project: &Project) -> Vec<(u64, bool)> {
    let is_of_call =
        |body: &Body| matches!(body, Body::ExecutionStarted(_) | Body::ExecutionFinished(_));
    let of = |it: &Envelope| (it.at_ms, !it.is_untimed());
    let events = recorded(project);
    let calls = events.iter().filter(|it| is_of_call(&it.event.body));
    calls.map(|it| of(&it.event.envelope)).collect()
}

fn told(report: &ImportReport) -> Vec<(u64, &'static str)> {
    report.findings.iter().map(|it| (it.line, it.kind)).collect()
}

const TEN: u64 = 1_770_112_800_000;

#[test]
fn a_record_of_a_time_that_cannot_be_stands_beside_its_neighbour_and_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let line = |number: u64, at: &str, content: &str| {
        let kind = if content.contains("tool_use\"") { "assistant" } else { "user" };
        format!(
            "{{\"type\":\"{kind}\",\"uuid\":\"u{number}\",\"sessionId\":\"s\",\"timestamp\":{at},\
             \"message\":{{\"content\":[{content}]}}}}\n"
        )
    };
    let call = |id: u64| {
        format!(
            "{{\"type\":\"tool_use\",\"id\":\"toolu_{id}\",\"name\":\"Bash\",\"input\":{{\"command\":\"true\"}}}}"
        )
    };
    let result = |id: u64| {
        format!("{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_{id}\",\"content\":\"x\"}}")
    };
    let good = |second: u64| format!("\"2026-02-03T10:00:0{second}Z\"");
    let lines = [
        line(1, "\"0001-01-01T00:00:00Z\"", &call(1)),
        line(2, &good(2), &result(1)),
        line(3, "\"9999-01-01T00:00:00Z\"", &call(2)),
        line(4, "\"yesterday\"", &result(2)),
        line(5, "17", &call(3)),
        line(6, &good(9), &result(3)),
    ];
    let file = dir.path().join("s.jsonl");
    std::fs::write(&file, lines.concat()).unwrap();
    let report = import_all(&project, std::slice::from_ref(&file));
    let odd = "time that cannot be";
    assert_eq!(told(&report), [(1, odd), (3, odd), (4, odd), (5, odd)], "{report:?}");
    assert_eq!((report.odd_times, report.calls, report.results), (4, 3, 3));
    assert!(report.findings[1].detail.contains("9999-01-01"), "{report:?}");
    assert!(report.findings[2].detail.contains("yesterday"), "{report:?}");
    let (two, nine) = (TEN + 2_000, TEN + 9_000);
    let expect =
        [(two, false), (two, true), (two, false), (two, false), (two, false), (nine, true)];
    assert_eq!(times(&project), expect);
    assert!(report.has_findings());
}

/// The log with times seven thousand years later.
fn odd(text: &str) -> String {
    let date = regex::Regex::new(r"\b20(\d\d-\d\d-\d\dT)").unwrap();
    let text = date.replace_all(text, "90$1");
    let number = regex::Regex::new(r"([^0-9.])1(77\d{7}|77\d{10}|77\d{16})\b").unwrap();
    number.replace_all(&text, "${1}9$2").into_owned()
}

#[test]
fn every_source_with_times_tells_of_those_that_cannot_be_and_keeps_its_records() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sources");
    let files = [
        sources.join("atif/trajectory.json"),
        sources.join("cline/ui_messages.json"),
        sources.join("gemini-cli/session-2026-02-03T10-00-11111111.jsonl"),
        sources.join("gemini-cli/session-2026-02-03T10-00-0b6f0a1c.json"),
        sources.join("github-actions/1_build.txt"),
        sources.join("mcp/server.log"),
        sources.join("opencode/export.json"),
        sources.join("otlp/traces.json"),
        sources.join("asciinema/shell.cast"),
        fixture("whole.jsonl"),
    ];
    for file in files {
        let imported = |text: &str| {
            let dir = tempfile::tempdir().unwrap();
            let project = project(dir.path());
            let copy = dir.path().join(file.file_name().unwrap());
            std::fs::write(&copy, text).unwrap();
            let report = import_all(&project, &[copy]);
            let untimed = times(&project).iter().filter(|(_, is_own)| !is_own).count();
            (report, untimed)
        };
        let text = std::fs::read_to_string(&file).unwrap();
        let (whole, before) = imported(&text);
        assert_eq!((whole.odd_times, before), (0, 0), "{}\n{whole:?}", file.display());
        let (report, untimed) = imported(&odd(&text));
        assert!(report.odd_times > 0 && untimed > 0, "{}\n{report:?}", file.display());
        assert_eq!(
            (report.calls, report.results, report.prompts, report.unreadable_lines),
            (whole.calls, whole.results, whole.prompts, whole.unreadable_lines),
            "{}",
            file.display()
        );
    }
}

#[test]
fn an_execution_log_of_any_times_keeps_its_rows_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let path = dir.path().join("old.db");
    let base = rusqlite::Connection::open(&path).unwrap();
    base.execute_batch(
        "CREATE TABLE executions (id TEXT PRIMARY KEY, tool_name TEXT, arguments_json TEXT, timestamp, success INTEGER,
         exit_code INTEGER, duration_ms INTEGER, error_message TEXT);
         CREATE TABLE execution_artifacts (id INTEGER PRIMARY KEY, execution_id TEXT, artifact_type TEXT, content_json TEXT)",
    )
    .unwrap();
    let times = ["1770112800000", "4611686018427387904", "-5", "'soon'", "1770112809000"];
    for (number, at) in times.iter().enumerate() {
        let sql = format!(
            "INSERT INTO executions VALUES ('3f0c2a51-7f59-4a7e-9d5c-2f1f6a4b8c0{number}', 'bash_exec', '{{}}', {at}, 1, 0, NULL, NULL)"
        );
        base.execute(&sql, []).unwrap();
    }
    drop(base);
    let report = import_all(&project, &[path]);
    assert_eq!((report.calls, report.odd_times, report.unreadable_lines), (5, 3, 0), "{report:?}");
    let odd = "time that cannot be";
    assert_eq!(told(&report), [(2, odd), (3, odd), (4, odd)]);
    let ends: Vec<_> = super::odd_times::times(&project).into_iter().step_by(2).collect();
    let (first, last) = (TEN, TEN + 9_000);
    assert_eq!(ends, [(first, true), (first, false), (first, false), (first, false), (last, true)]);
}
