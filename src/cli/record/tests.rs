//! Lines that are taken, and lines that are refused with the field at fault.

use super::Call;
use crate::event::{Body, Outcome};
use crate::journal::{InitOptions, Project};

#[test]
fn a_full_line_is_read_whole() {
    let line = br#"{"tool":"bash_exec","arguments":{"n":9007199254740993},"exit_code":1,"duration_ms":5,
        "stdout":"o","diagnostics":[{"level":"error","message":"m"}],"paths":["a"],"symbols":["s"],
        "changed":[{"path":"a","created":true},{"path":"b"}],"at":"2026-01-01T00:00:00Z","session":"s1",
        "agent":"x","call":"c1","execution":"550e8400-e29b-41d4-a716-446655440000","cwd":"/","error":null}"#;
    let call = Call::parse(line).expect("a good line");
    assert_eq!(call.arguments.0, r#"{"n":9007199254740993}"#, "integers survive");
    assert_eq!(call.outcome, Outcome::Failed, "implied by the exit code");
    assert_eq!(call.at_ms, Some(1_767_225_600_000));
    assert!(call.changed[0].created && !call.changed[1].created);
    assert_eq!(call.diagnostics.expect("kept").0, r#"[{"level":"error","message":"m"}]"#);
}

#[test]
fn the_contracts_own_names_are_taken() {
    for (line, outcome) in [
        (r#"{"tool_name":"t","success":true,"exit_code":3}"#, Outcome::Ok),
        (r#"{"tool_name":"t","success":false}"#, Outcome::Failed),
        (r#"{"tool":"t","success":false,"outcome":"refused"}"#, Outcome::Refused),
    ] {
        assert_eq!(Call::parse(line.as_bytes()).expect(line).outcome, outcome, "{line}");
    }
    let line =
        br#"{"tool_name":"t","timestamp":1735036800000,"error_message":"e","target_paths":["a"],
        "target_symbols":["s"],"execution_id":"550e8400-e29b-41d4-a716-446655440000"}"#;
    let call = Call::parse(line).expect("a good line");
    assert_eq!(call.at_ms, Some(1_735_036_800_000));
    assert_eq!((call.error.as_deref(), call.outcome), (Some("e"), Outcome::Failed));
    assert_eq!((call.paths, call.symbols), (vec!["a".to_owned()], vec!["s".to_owned()]));
    assert!(call.execution.is_some());
}

#[test]
fn a_bad_line_names_its_field() {
    for (line, field, says) in [
        ("{}", Some("tool"), "is missing"),
        (r#"{"tool":5}"#, Some("tool"), "string"),
        (r#"{"tool":"t","arguments":[1]}"#, Some("arguments"), "object"),
        (r#"{"tool":"t","outcome":"good"}"#, Some("outcome"), "refused"),
        (r#"{"tool":"t","outcome":"ok","success":false}"#, Some("success"), "true"),
        (r#"{"tool":"t","success":"yes"}"#, Some("success"), "boolean"),
        (r#"{"tool":"t","tool_name":"u"}"#, Some("tool_name"), "no such field"),
        (r#"{"tool":"t","exit_code":"1"}"#, Some("exit_code"), "i32"),
        (r#"{"tool":"t","exit_code":99999999999}"#, Some("exit_code"), "i32"),
        (r#"{"tool":"t","duration_ms":-1}"#, Some("duration_ms"), "u64"),
        (r#"{"tool":"t","diagnostics":[{"level":"error"}]}"#, Some("diagnostics[0]"), "message"),
        (
            r#"{"tool":"t","diagnostics":[{"level":"e","message":"m"},{"level":7,"message":"m"}]}"#,
            Some("diagnostics[1].level"),
            "string",
        ),
        (r#"{"tool":"t","at":"yesterday"}"#, Some("at"), "RFC 3339"),
        (r#"{"tool":"t","at":"1960-01-01T00:00:00Z"}"#, Some("at"), "1970"),
        (r#"{"tool":"t","at":-5}"#, Some("at"), "string"),
        (r#"{"tool":"t","execution":"142"}"#, Some("execution"), "UUID"),
        (r#"{"tool":"t","colour":"red"}"#, Some("colour"), "no such field"),
        ("[1]", None, "not a JSON object"),
        ("{\"tool\":", None, "not a JSON object"),
        ("\u{0}", None, "not a JSON object"),
    ] {
        let error = Call::parse(line.as_bytes()).expect_err(line);
        assert_eq!(error.field(), field, "{line}");
        assert!(error.to_string().contains(says), "{line}: {error}");
    }
}

#[test]
fn lines_are_read_within_a_bound_and_the_next_one_is_still_read() {
    let mut input = Vec::new();
    input.extend_from_slice(b"one\n\n");
    input.resize(input.len() + super::stream::LINE_BYTES_MAX + 1, b'x');
    input.extend_from_slice(b"\nlast");
    let mut input = std::io::BufReader::with_capacity(4_096, input.as_slice());
    let mut line = Vec::new();
    let mut seen = Vec::new();
    while let Some(fits) = super::stream::next(&mut input, &mut line).expect("memory reads") {
        seen.push((fits, String::from_utf8(line.clone()).expect("text")));
    }
    let expect = [(true, "one"), (true, ""), (false, ""), (true, "last")];
    assert_eq!(seen, expect.map(|(fits, text)| (fits, text.to_owned())));
}

#[test]
fn what_a_line_does_not_say_is_read_from_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).expect("a project");
    let stderr = "error[E0425]: cannot find value `net` in this scope\\n --> src/lib.rs:11:21\\n";
    for (line, paths, symbols, diagnosed) in [
        (
            r#"{"tool":"splice_patch","arguments":{"file":"src/lib.rs","symbol":"foo"}}"#.to_owned(),
            vec!["src/lib.rs"],
            vec!["foo"],
            vec![],
        ),
        (r#"{"tool":"t","arguments":{"path":"a"},"paths":["b"]}"#.to_owned(), vec!["b"], vec![], vec![]),
        (r#"{"tool":"t","arguments":{"path":"a"},"symbols":["s"]}"#.to_owned(), vec![], vec!["s"], vec![]),
        (format!(r#"{{"tool":"lsp_check","stderr":"{stderr}"}}"#), vec![], vec![], vec!["src/lib.rs"]),
        (format!(r#"{{"tool":"bash_exec","stderr":"{stderr}"}}"#), vec![], vec![], vec![]),
        (
            r#"{"tool":"t","diagnostics":[{"level":"error","message":"m","file_name":"b.rs"},{"level":"error","message":"m"}]}"#.to_owned(),
            vec![],
            vec![],
            vec!["b.rs"],
        ),
    ] {
        let call = Call::parse(line.as_bytes()).expect("a good line");
        let made = super::made(call, None, &project);
        let [Body::ExecutionStarted(started), Body::ExecutionFinished(finished)] =
            [&made.events[0].body, &made.events[1].body]
        else {
            panic!("{:?}", made.events);
        };
        assert_eq!((&started.paths, &started.symbols), (&owned(&paths), &owned(&symbols)), "{line}");
        assert_eq!(finished.closing.paths, owned(&diagnosed), "{line}");
        assert_eq!(finished.closing.diagnostics.is_some(), !diagnosed.is_empty(), "{line}");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
