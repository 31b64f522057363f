//! What becomes of each event: rows as the contract wants them, anomalies where it cannot be.

use rusqlite::Connection;

use super::history::{
    NOW_MS, closing, corrected, declared, event, execution_id, finished, interrupted, started,
};
use super::{caught_up, places};
use crate::event::{
    Body, Closing, Content, Event, ExecutionFinished, ExecutionStarted, Json, Outcome,
    TranscriptFlaw, TranscriptFlawed,
};
use crate::execution::query::{Counts, Reference, Stores};
use crate::store::StorePlaces;
use crate::store::feed::memory::MemoryFeed;

/// The stores of a history in one commit.
fn stores(events: Vec<Event>) -> (tempfile::TempDir, StorePlaces) {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let mut feed = MemoryFeed::new(1);
    feed.commit(events);
    caught_up(&places, &feed);
    (folder, places)
}

fn now(body: Body) -> Event {
    event(NOW_MS, Some(1), body)
}

fn start(number: u8, tool: &str) -> Event {
    now(Body::ExecutionStarted(started(number, tool, Some(number))))
}

fn ended(number: u8, closing: Closing) -> Event {
    let (execution, tool) = (execution_id(number), "file_read".to_owned());
    now(Body::ExecutionFinished(ExecutionFinished { execution, tool, closing }))
}

/// Rows of `executions` as `rowid tool success error_message`.
fn rows(places: &StorePlaces) -> Vec<String> {
    let conn = Connection::open(places.execution_log()).unwrap();
    let sql = "SELECT format('%d %s %d %s', rowid, tool_name, success, \
               coalesce(error_message, '-')) FROM executions ORDER BY rowid";
    let mut rows = conn.prepare(sql).unwrap();
    rows.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

fn anomalies(places: &StorePlaces) -> Vec<String> {
    let stores = Stores::open(places).unwrap();
    let text = |anomaly: crate::execution::query::StoredAnomaly| {
        format!("{} {}", anomaly.sequence, anomaly.kind)
    };
    stores.anomalies(99).unwrap().into_iter().map(text).collect()
}

#[test]
fn every_outcome_has_the_row_that_ruling_2_says() {
    let id = execution_id(4);
    let (_folder, places) = stores(vec![
        start(1, "file_read"),
        now(finished(1, "file_read", Outcome::Ok)),
        start(2, "file_read"),
        now(finished(2, "file_read", Outcome::Failed)),
        start(3, "file_read"),
        now(finished(3, "file_read", Outcome::Refused)),
        start(4, "file_read"),
        now(interrupted(4, "file_read")),
        now(corrected(5, 4, "file_read", Outcome::Ok)),
        start(6, "file_read"),
        now(interrupted(6, "file_read")),
        now(corrected(7, 6, "file_read", Outcome::Failed)),
        start(8, "file_read"),
        ended(8, Closing { error: None, exit_code: Some(101), ..closing(Outcome::Failed) }),
    ]);
    let other = execution_id(6);
    assert_eq!(
        rows(&places),
        [
            "1 file_read 1 -",
            "2 file_read 0 it went wrong",
            "3 file_read 0 refused: it went wrong",
            "4 file_read 0 interrupted: its owner is gone",
            &format!("5 file_read 1 corrects {id}: the result arrived later"),
            "6 file_read 0 interrupted: its owner is gone",
            &format!("7 file_read 0 corrects {other}: the result arrived later; it went wrong"),
            "8 file_read 0 failed with exit code 101",
        ]
    );
    assert_eq!(anomalies(&places), [""; 0]);
    let counts = Stores::open(&places).unwrap().counts().unwrap();
    let expected = Counts {
        sessions: 1,
        calls: 6,
        results: 6,
        errors: 4,
        ok: 2,
        failed: 3,
        refused: 1,
        corrected: 2,
        ..Counts::default()
    };
    assert_eq!(counts, expected, "what was corrected is counted by its correction");
}

#[test]
fn a_correction_has_the_arguments_of_what_it_corrects() {
    let (_folder, places) = stores(vec![
        start(1, "file_read"),
        now(interrupted(1, "file_read")),
        now(corrected(2, 1, "file_read", Outcome::Ok)),
        now(corrected(3, 2, "file_read", Outcome::Failed)),
    ]);
    let stores = Stores::open(&places).unwrap();
    let arguments = |ordinal| stores.show(&Reference::Ordinal(ordinal)).unwrap().arguments_json;
    assert_eq!(arguments(3).as_deref(), Some(r#"{"command":"step 1"}"#));
    assert_eq!(arguments(1), arguments(3));
    let counts = stores.counts().unwrap();
    assert_eq!((counts.calls, counts.failed, counts.corrected), (1, 1, 2));
}

#[test]
fn what_a_store_cannot_take_is_an_anomaly_and_never_an_abort() {
    let not_json =
        ExecutionStarted { arguments: Json("{".into()), ..started(9, "file_read", None) };
    let flawed = Body::TranscriptFlawed(TranscriptFlawed {
        agent: "claude-code".into(),
        file: "a.jsonl".into(),
        line: 7,
        flaw: TranscriptFlaw::Unreadable,
        detail: "cut off".into(),
    });
    let diagnostics = Some(Json("{}".into()));
    let blob = Some(Content::Blob { hash: [3; 32], len: 1 << 20 });
    let cases: [(&str, Vec<Event>, &[&str], usize); 12] = [
        (
            "undeclared tool",
            vec![start(1, "mystery"), now(finished(1, "mystery", Outcome::Ok))],
            &["@2 undeclared tool"],
            0,
        ),
        (
            "declared tool",
            vec![
                now(declared(&["mystery"])),
                start(1, "mystery"),
                now(finished(1, "mystery", Outcome::Ok)),
            ],
            &[],
            1,
        ),
        (
            "declared too late",
            vec![
                start(1, "mystery"),
                now(finished(1, "mystery", Outcome::Ok)),
                now(declared(&["mystery"])),
            ],
            &["@2 undeclared tool"],
            0,
        ),
        ("impossible name", vec![now(declared(&["it's; odd"]))], &["@1 invalid tool name"], 0),
        ("lost start", vec![now(finished(1, "file_read", Outcome::Ok))], &["@1 lost start"], 1),
        (
            "start after the end",
            vec![now(finished(1, "file_read", Outcome::Ok)), start(1, "file_read")],
            &["@1 lost start", "@2 contradiction"],
            1,
        ),
        (
            "told twice alike",
            vec![
                start(1, "file_read"),
                now(finished(1, "file_read", Outcome::Ok)),
                start(1, "file_read"),
                now(finished(1, "file_read", Outcome::Ok)),
            ],
            &[],
            1,
        ),
        (
            "told twice otherwise",
            vec![
                start(1, "file_read"),
                now(finished(1, "file_read", Outcome::Ok)),
                now(finished(1, "file_read", Outcome::Failed)),
            ],
            &["@3 contradiction"],
            1,
        ),
        (
            "corrects nobody",
            vec![now(corrected(2, 1, "file_read", Outcome::Ok))],
            &["@1 unknown corrected execution"],
            1,
        ),
        (
            "arguments no JSON",
            vec![now(Body::ExecutionStarted(not_json)), now(finished(9, "file_read", Outcome::Ok))],
            &["@1 invalid JSON"],
            1,
        ),
        (
            "diagnostics no array",
            vec![start(1, "file_read"), ended(1, Closing { diagnostics, ..closing(Outcome::Ok) })],
            &["@2 invalid JSON"],
            1,
        ),
        ("flaw told twice", vec![now(flawed.clone()), now(flawed)], &["@1 unreadable line"], 0),
    ];
    for (name, events, expected, count) in cases {
        let (_folder, places) = stores(events);
        assert_eq!(anomalies(&places), expected, "{name}");
        assert_eq!(rows(&places).len(), count, "{name}");
        let logged = std::fs::read_to_string(&places.errors).unwrap_or_default();
        assert_eq!(logged.lines().count(), expected.len(), "{name}: {logged}");
    }
    let (_folder, places) = stores(vec![
        start(1, "file_read"),
        ended(1, Closing { stdout: blob, ..closing(Outcome::Ok) }),
    ]);
    assert_eq!(rows(&places).len(), 1);
    let logged = std::fs::read_to_string(&places.errors).unwrap();
    assert!(logged.contains("lost content"), "{logged}");
}

#[test]
fn a_call_told_by_a_hook_and_an_import_is_one_execution() {
    let call = |number| Body::ExecutionStarted(started(number, "file_read", Some(77)));
    let (_folder, places) = stores(vec![
        now(call(1)),
        now(call(2)),
        now(finished(2, "file_read", Outcome::Ok)),
        now(finished(1, "file_read", Outcome::Ok)),
    ]);
    assert_eq!(rows(&places), ["1 file_read 1 -"]);
    let stores = Stores::open(&places).unwrap();
    assert_eq!(stores.resolve(&Reference::Last).unwrap().id, execution_id(1));
    assert_eq!(stores.counts().unwrap().calls, 1);
    assert_eq!(anomalies(&places), [""; 0]);
}

#[test]
fn artifacts_are_valid_json_at_most_one_of_a_type() {
    let diagnostics = r#"[{"level":"error","message":"m","file_name":"src/lib.rs","line_start":3,"code":"E0425"}]"#;
    let truncated = Content::Truncated { head: b"head".to_vec(), tail: b"tail".to_vec(), len: 100 };
    let (_folder, places) = stores(vec![
        start(1, "file_read"),
        ended(
            1,
            Closing {
                stdout: Some(Content::Inline(b"\"quoted\" \xff \0 \x1b[31m\n".to_vec())),
                stderr: Some(truncated),
                diagnostics: Some(Json(diagnostics.to_owned())),
                error: Some("with a \0".to_owned()),
                ..closing(Outcome::Failed)
            },
        ),
        start(2, "file_read"),
        ended(2, Closing { stdout: None, ..closing(Outcome::Ok) }),
    ]);
    let silent = Stores::open(&places).unwrap().show(&Reference::Ordinal(2)).unwrap();
    assert!(silent.artifacts.is_empty(), "absent, not NULL");
    let shown = Stores::open(&places).unwrap().show(&Reference::Ordinal(1)).unwrap();
    let expected = [
        ("stdout", r#"{"text":"\"quoted\" � \u0000 \u001b[31m\n"}"#),
        ("stderr", r#"{"text":"head\n[… 92 bytes left out …]\ntail"}"#),
        ("diagnostics", diagnostics),
    ];
    let expected = expected.map(|(kind, json)| (kind.to_owned(), json.to_owned()));
    assert_eq!(shown.artifacts, expected);
    assert_eq!(shown.error_message.as_deref(), Some("with a \u{fffd}"));
    let line = "error[E0425] src/lib.rs:3: m";
    assert_eq!(shown.summary.diagnostic.as_deref(), Some(line));
}
