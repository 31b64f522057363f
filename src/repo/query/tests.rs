//! `memory.json` and lines of `summaries.jsonl`, as people may leave them.

use super::{RepoMemory, Summary};
use crate::event::NoteSource;

const WHOLE: &str = r#"{
  "version": 1,
  "repoHash": "0101010101010101010101010101010101010101010101010101010101010101",
  "path": "/home/me/project",
  "remote": null,
  "branch": "main",
  "linked": [],
  "conventions": [
    {
      "id": "c1",
      "title": "Errors",
      "content": "One enum a layer.",
      "tags": [
        "errors"
      ],
      "createdAt": "2026-11-22T10:41:51.123Z",
      "updatedAt": "2026-11-22T10:41:52.000Z"
    }
  ],
  "decisions": [
    {
      "id": "d1",
      "summary": "No async",
      "rationale": "One lock.",
      "impactedPaths": [
        "src/**"
      ],
      "createdAt": "1970-01-01T00:00:00.000Z"
    }
  ],
  "notes": [
    {
      "id": "n1",
      "content": "Slow on NFS.",
      "source": "agent",
      "createdAt": "9999-12-30T21:59:59.999Z"
    }
  ]
}
"#;

#[test]
fn a_memory_is_read_back_to_the_byte() {
    let memory = RepoMemory::parse(WHOLE.as_bytes()).unwrap();
    assert_eq!(memory.conventions[0].created_ms, 1_795_344_111_123);
    assert_eq!(memory.notes[0].source, NoteSource::Agent);
    assert_eq!(memory.to_json(), WHOLE);
    let later = RepoMemory { branch: None, ..memory.clone() };
    assert!(later.to_json().contains("\"branch\": null"));
    // Lists that are empty may be left out, and any RFC 3339 time is one.
    let short = WHOLE.replace("\"linked\": [],", "").replace("51.123Z", "51.123+00:00");
    assert_eq!(RepoMemory::parse(short.as_bytes()).unwrap(), memory);
}

#[test]
fn what_is_wrong_is_told_by_the_fields_way() {
    for (from, to, told) in [
        ("\"version\": 1", "\"version\": 2", "version: must be 1"),
        ("\"repoHash\": \"01", "\"repoHash\": \"x1", "repoHash: must be 64 hexadecimal digits"),
        ("\"linked\": []", "\"linked\": [\"a\"]", "linked[0]: must be 64 hexadecimal digits"),
        ("\"remote\": null", "\"remote\": 1", "remote: must be a text, or null"),
        ("\"title\": \"Errors\"", "\"title\": 7", "conventions[0].title: must be a text"),
        ("\"title\": \"Errors\",", "", "conventions[0].title: is missing"),
        ("\"errors\"", "null", "conventions[0].tags[0]: must be a text"),
        ("\"id\": \"d1\"", "\"id\": \"d1\", \"why\": 1", "decisions[0].why: is not known"),
        (
            "\"source\": \"agent\"",
            "\"source\": \"me\"",
            "notes[0].source: must be manual, agent or tool",
        ),
        (
            "2026-11-22T10:41:52.000Z",
            "yesterday",
            "conventions[0].updatedAt: must be an RFC 3339 time, as 2026-01-31T09:30:00.000Z",
        ),
        (
            "\"notes\": [",
            r#""notes": [{"id": "n1", "content": "a", "source": "agent", "createdAt": "1970-01-01T00:00:00Z"},"#,
            "notes[1].id: `n1` is there twice",
        ),
        ("\"notes\": [", "\"notes\": 3, \"more\": [", "notes: must be a list"),
        ("\"branch\": \"main\",", "\"branch\" \"main\",", "line 6, column 12: this is no JSON"),
    ] {
        assert!(WHOLE.contains(from), "{from}");
        let error = RepoMemory::parse(WHOLE.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with(told), "{error}");
    }
    for text in ["", "[]", "null", "{", "{}", "\u{0}", &"[".repeat(100_000)] {
        assert!(RepoMemory::parse(text.as_bytes()).is_err(), "{text:.10}");
    }
    let deep = WHOLE.replace("\"Errors\"", &format!("{}1{}", "[".repeat(90), "]".repeat(90)));
    assert!(RepoMemory::parse(deep.as_bytes()).is_err());
    assert!(RepoMemory::parse(&[0xff, 0xfe]).is_err());
}

#[test]
fn a_line_is_exactly_the_specs() {
    let line = concat!(
        r#"{"runId":"r","stepId":"step-1","createdAt":"2026-11-22T10:41:51.123Z","#,
        r#""summary":"It went\nwell."}"#,
        "\n"
    );
    let summary = Summary::parse(line.as_bytes()).unwrap();
    assert_eq!(summary.line(), line);
    let error = Summary::parse(b"{\"runId\":\"r\"}").unwrap_err();
    assert_eq!(error.to_string(), "stepId: is missing");
    let error = Summary::parse(b"{\"runId\":\"r\n").unwrap_err().to_string();
    assert!(error.starts_with("column 11: this is no JSON: EOF while parsing a string"), "{error}");
    assert!(!error.contains("line"), "{error}");
    // A time that no form can tell is told as the last one that can be.
    let late = Summary { created_ms: u64::MAX, ..summary };
    assert!(late.line().contains("9999-12-30T21:59:59.999Z"));
}
