//! `annals export` and `annals sql`: shapes, CSV, parts, several journals, and many rows.

use std::path::{Path, PathBuf};

use annals::internal::event::{Kind, Recorded, Sequence, decode};
use annals::internal::execution::replay::{Walk, Window};
use annals::internal::journal::Reading;
use annals::internal::stores::journal_path;
use serde_json::Value;

use crate::project::{Project, Ran};

fn recorded(count: usize) -> Project {
    let project = Project::new();
    let mut lines = String::new();
    for at in 0..count {
        let line = serde_json::json!({
            "tool": if at % 3 == 0 { "lsp_check" } else { "file_read" },
            "arguments": {"path": format!("src/{at}.rs"), "big": 9_007_199_254_740_993_u64},
            "paths": [format!("src/{at}.rs")],
            "exit_code": if at % 3 == 0 { 1 } else { 0 },
            "stdout": format!("=cmd|' /C calc'!A{at}\r\n\"quoted\", and\nmore"),
            "diagnostics": [{"level": "error", "message": "m, \"n\"", "file_name": "src/a.rs", "line_start": 3, "code": "E0425"}],
            "session": format!("s{}", at % 2), "agent": "x", "call": format!("c{at}"),
        });
        lines.push_str(&format!("{line}\n"));
    }
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    project
}

/// CSV read back: RFC 4180, written here once more.
fn csv(text: &str) -> Vec<Vec<Option<String>>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut was_quoted) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.push(chars.next().unwrap()),
            '"' => (quoted, was_quoted) = (!quoted, true),
            c if quoted => cell.push(c),
            ',' | '\r' => {
                let value = std::mem::take(&mut cell);
                row.push((was_quoted || !value.is_empty()).then_some(value));
                was_quoted = false;
                if c == '\r' {
                    assert_eq!(chars.next(), Some('\n'), "CRLF");
                    rows.push(std::mem::take(&mut row));
                }
            }
            c => cell.push(c),
        }
    }
    assert!(row.is_empty() && cell.is_empty() && !quoted, "the last line ends too");
    rows
}

const KINDS: [&str; 7] =
    ["events", "executions", "failures", "sessions", "prompts", "artifacts", "diagnostics"];

#[test]
fn csv_and_json_lines_tell_the_same() {
    let project = recorded(6);
    for (what, rows) in KINDS.into_iter().zip([16, 6, 2, 2, 0, 12, 6]) {
        let lines = project.annals(["export", "jsonl", what]).code(0).out();
        let lines: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let table = csv(&project.annals(["export", "csv", what]).code(0).out());
        let names: Vec<&str> = table[0].iter().map(|name| name.as_deref().unwrap()).collect();
        let (found, expect) = (lines.len(), table.len() - 1);
        assert_eq!((found, expect), (rows, rows), "{what}");
        for (line, row) in lines.iter().zip(&table[1..]) {
            for (name, cell) in names.iter().zip(row) {
                let inside = what == "events" && ["execution", "tool", "outcome"].contains(name);
                let value = if inside { &line["body"][name] } else { &line[name] };
                match (value, cell) {
                    (Value::Null, cell) => assert_eq!(*cell, None, "{what} {name}"),
                    (Value::String(text), Some(cell)) => assert_eq!(text, cell, "{what} {name}"),
                    (value, Some(cell)) => {
                        let read: Value = serde_json::from_str(cell).expect(cell);
                        assert_eq!(*value, read, "{what} {name}");
                    }
                    (value, None) => panic!("{what} {name}: {value} and nothing"),
                }
            }
        }
    }
    let artifacts = project.annals(["export", "jsonl", "artifacts"]).out();
    assert!(
        artifacts.contains(r#"{"text":"=cmd|' /C calc'!A0\r\n\"quoted\", and\nmore"}"#),
        "{artifacts}"
    );
    let executions = project.annals(["export", "jsonl", "executions"]).out();
    assert!(executions.contains(r#""big":9007199254740993"#), "integers stay whole");
}

#[test]
fn a_part_is_exported_as_it_is_named() {
    let project = recorded(6);
    for (words, rows) in [
        (vec!["executions", "--session", "s0"], 3),
        (vec!["executions", "--from", "2", "--to", "4"], 3),
        (vec!["executions", "--since", "1h"], 6),
        (vec!["executions", "--until", "1h"], 0),
        (vec!["failures", "--to", "1"], 1),
        (vec!["events", "--from", "@3", "--to", "@9"], 7),
        (vec!["events", "--at", "@9"], 9),
        (vec!["sessions", "--session", "s1"], 1),
    ] {
        let words = ["export", "jsonl"].iter().chain(&words);
        let ran = project.annals(words).code(0);
        assert_eq!(ran.out().lines().count(), rows, "{}", ran.what);
    }
    for (words, said) in [
        (vec!["--session", "nobody"], "no session"),
        (vec!["--from", "99"], "nothing in the journal"),
        (vec!["--since", "yesteryear"], "is not a time"),
        (vec!["--sql", "SELECT"], "the SQL is not right"),
        (vec!["--sql", "DELETE FROM executions"], "only reading"),
    ] {
        project.annals(["export", "csv"].iter().chain(&words)).code(2).says(said);
    }
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let project = recorded(3);
    project.write("out.csv", "old");
    project
        .annals(["export", "csv", "executions", "-o", "out.csv"])
        .code(0)
        .says("3 rows in out.csv");
    assert_eq!(csv(&std::fs::read_to_string(project.path("out.csv")).unwrap()).len(), 4);
    project.annals(["export", "csv", "--sql", "SELECT 1 AS a, 2 AS a", "-o", "sql.csv"]).code(0);
    assert_eq!(std::fs::read_to_string(project.path("sql.csv")).unwrap(), "a,a_2\r\n1,2\r\n");
    project.write("sql.csv", "old");
    let endless = "SELECT abs(-9223372036854775808)";
    let ran = project.annals(["export", "csv", "--sql", endless, "-o", "sql.csv"]);
    assert_ne!(ran.output.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(project.path("sql.csv")).unwrap(), "old");
    project.annals(["export", "csv", "-o", "no/such/folder/x.csv"]).code(5);
    let left: Vec<_> = std::fs::read_dir(project.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn several_journals_are_exported_and_asked_with_their_names() {
    let (one, other) = (recorded(2), recorded(4));
    let dirs = |words: &[&str]| -> Vec<String> {
        let paths = [one.root(), other.root()].map(|path| path.to_str().unwrap().to_owned());
        let dirs = paths.iter().flat_map(|path| ["--dir".to_owned(), path.clone()]);
        dirs.chain(words.iter().map(|word| (*word).to_owned())).collect()
    };
    for (what, rows) in [("executions", 6), ("events", 20)] {
        let text = one.annals(dirs(&["export", "jsonl", what])).code(0).out();
        let mut journals: Vec<String> = text
            .lines()
            .map(|line| {
                serde_json::from_str::<Value>(line).unwrap()["journal"].as_str().unwrap().to_owned()
            })
            .collect();
        assert_eq!(journals.len(), rows);
        journals.dedup();
        assert_eq!(journals.len(), 2, "{journals:?}");
    }
    let sql = "SELECT journal, count(*) AS n FROM executions GROUP BY 1 ORDER BY 2";
    let found = one.annals(dirs(&["sql", "--json", sql])).code(0).json();
    let counts: Vec<u64> =
        found.as_array().unwrap().iter().map(|row| row["n"].as_u64().unwrap()).collect();
    assert_eq!(counts, [2, 4]);
    let steps = one.annals(dirs(&["replay", "--json"])).code(0).out();
    assert_eq!(steps.lines().filter(|line| line.contains(r#""what":"end""#)).count(), 2);
}

#[test]
fn sql_prints_in_every_form_and_points_at_what_is_wrong() {
    let project = recorded(3);
    let ask = |words: &[&str]| project.annals(["sql"].iter().chain(words));
    let sql = "SELECT rowid AS no, tool_name FROM executions ORDER BY 1";
    assert_eq!(
        ask(&[sql]).code(0).out(),
        "no  tool_name\n 1  lsp_check\n 2  file_read\n 3  file_read\n"
    );
    assert_eq!(
        ask(&["--csv", sql]).code(0).out(),
        "no,tool_name\r\n1,lsp_check\r\n2,file_read\r\n3,file_read\r\n"
    );
    assert_eq!(
        ask(&["--format", "jsonl", "SELECT x'00ff' AS b, 1.5, NULL AS n"]).code(0).out(),
        "{\"b\":\"00ff\",\"1.5\":1.5,\"n\":null}\n"
    );
    assert_eq!(ask(&["--json", "SELECT 1 WHERE 0"]).code(0).json(), serde_json::json!([]));
    ask(&["--limit", "1", sql]).code(0).says("There are more rows than 1");
    ask(&["SELECT count(*) FROM graph.graph_entities WHERE kind = 'execution'"]).code(0).says("3");
    ask(&["SELECT id FROM executions WHERE tool_nam = 1"]).code(2).says("line 1, column 33: ");
    ask(&[
        "--timeout",
        "1",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c",
    ])
    .code(1)
    .says("stopped after 1 s");
    let huge = "SELECT printf('%.*c', 3000000, 'x') AS cell";
    assert!(ask(&[huge]).code(0).out().len() < 400, "a table cuts");
    assert!(ask(&["--csv", huge]).code(0).out().len() > 3_000_000, "CSV has all");
    let piped = Ran::of(project.command().args(["sql", "-"]).write_stdin(sql)).code(0);
    assert!(piped.out().contains("lsp_check"));
    let cut = project.shell(&format!("{} export jsonl | head -1", env!("CARGO_BIN_EXE_annals")));
    Ran::of(&mut { cut }).code(0).says("JournalCreated");
    std::fs::write(project.path("codegraph.db"), "no database").unwrap();
    ask(&[sql]).code(0).says("left out");
}

#[test]
fn every_kind_of_event_has_the_shape_of_its_example() {
    let project = Project::new();
    let journal = journal_path(project.root());
    let walk = Walk::events(&journal, Reading::Live, Window::default()).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (bytes, examples) = (
        root.join("journal-format/tests/fixtures/v1/events"),
        root.join("tests/fixtures/json/events"),
    );
    for kind in Kind::ALL {
        let (name, schema) = (kind.name().unwrap(), kind.schema().unwrap());
        let payload = bytes.join(format!("{:04x}-{schema}-{name}.bin", kind.0));
        let event = decode(*kind, schema, &std::fs::read(payload).unwrap()).unwrap();
        let recorded = Recorded { sequence: Sequence(7), recorded_ms: 1_735_689_600_456, event };
        let document = walk.contents().with(&recorded);
        let printed = serde_json::to_string_pretty(&document).unwrap() + "\n";
        let printed = printed.replace(project.root().to_str().unwrap(), "/project");
        let example: PathBuf = examples.join(format!("{name}.json"));
        if std::env::var_os("ANNALS_BLESS").is_some() {
            std::fs::create_dir_all(&examples).unwrap();
            std::fs::write(&example, &printed).unwrap();
        }
        let kept = std::fs::read_to_string(&example).unwrap_or_default();
        assert_eq!(
            printed, kept,
            "{name}: run with ANNALS_BLESS=1 where a field was added on purpose"
        );
    }
}

#[test]
fn bytes_that_are_no_text_and_contents_that_are_gone_are_said_to_be() {
    let project = Project::new();
    project
        .annals([
            "run",
            "--",
            "sh",
            "-c",
            r"printf '\377\376ok'; head -c 400000 /dev/zero | tr '\0' x >&2",
        ])
        .code(0);
    let events = |code| {
        let text = project.annals(["export", "jsonl"]).code(code).out();
        let closing =
            text.lines().find(|line| line.contains("ExecutionFinished")).unwrap().to_owned();
        serde_json::from_str::<Value>(&closing).unwrap()["body"].clone()
    };
    let body = events(0);
    assert_eq!(
        (&body["stdout"]["encoding"], &body["stdout"]["data"]),
        (&Value::from("base64"), &Value::from("//5vaw=="))
    );
    assert_eq!(body["stderr"]["data"].as_str().unwrap().len(), 400_000, "a blob is brought");
    let blob = body["stderr"]["blob"].as_str().unwrap();
    std::fs::remove_file(project.path(".annals/journal/blobs").join(blob)).unwrap();
    let body = events(3);
    assert_eq!(
        (&body["stderr"]["data"], &body["stderr"]["encoding"]),
        (&Value::Null, &Value::Null)
    );
    assert!(body["stderr"]["problem"].as_str().unwrap().contains("could not be read"));
    project.annals(["replay"]).code(1).says("could not be read");
}

#[test]
fn csv_drives_no_terminal_behind_a_pipe_and_is_as_it_is_in_a_file() {
    let project = Project::new();
    let sql = "SELECT char(27) || '[2J' AS a, 'x' || char(13, 10) || 'y' AS b";
    for words in [&["sql", "--csv", sql][..], &["export", "csv", "--sql", sql]] {
        let piped = project.annals(words).code(0).out();
        assert!(!piped.contains('\u{1b}') && piped.contains("1b"), "{piped:?}");
        assert!(piped.starts_with("a,b\r\n") && piped.ends_with("\"x\r\ny\"\r\n"), "{piped:?}");
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let script = format!("'{}' {} > out.csv", env!("CARGO_BIN_EXE_annals"), quoted.join(" "));
        Ran::of(&mut project.shell(&script)).code(0);
        let written = std::fs::read_to_string(project.path("out.csv")).unwrap();
        assert_eq!(written, "a,b\r\n\u{1b}[2J,\"x\r\ny\"\r\n");
    }
}
