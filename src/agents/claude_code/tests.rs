//! What single records say.

use super::*;
use crate::agents::import::item::TranscriptRecord;
use crate::agents::import::{Call, CallResult, Flaw, Item, Part};
use crate::event::Outcome;

fn items(text: &str) -> Vec<Item> {
    parse(text.as_bytes()).map(Result::unwrap).collect()
}

fn record(text: &str) -> TranscriptRecord {
    match items(text).into_iter().next() {
        Some(Item::Record(record)) => *record,
        other => panic!("{other:?}: {text}"),
    }
}

fn call(name: &str, input: &str) -> Call {
    let text = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{name}","input":{input}}}]}}}}"#
    );
    match record(&text).parts.pop() {
        Some(Part::Call(call)) => call,
        other => panic!("{other:?}: {text}"),
    }
}

fn result(block: &str, account: &str) -> CallResult {
    let text = format!(
        r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t",{block}}}]}},"toolUseResult":{account}}}"#
    );
    match record(&text).parts.pop() {
        Some(Part::Result(result)) => result,
        other => panic!("{other:?}: {text}"),
    }
}

fn text(bytes: &Option<Vec<u8>>) -> &str {
    bytes.as_deref().map_or("-", |bytes| std::str::from_utf8(bytes).unwrap())
}

#[test]
fn results_end_as_the_agent_says() {
    // block, account → outcome, exit code, error, stdout, stderr
    for (block, account, expect) in [
        (r#""content":"fine""#, "null", (Outcome::Ok, None, "-", "fine", "-")),
        (r#""content":"""#, "null", (Outcome::Ok, None, "-", "-", "-")),
        (
            r#""content":"both","is_error":false"#,
            r#"{"stdout":"out","stderr":"err","interrupted":false}"#,
            (Outcome::Ok, None, "-", "out", "err"),
        ),
        // It goes on in the background: what it says comes elsewhere.
        (
            r#""content":"Command running in background with ID: b1. Output is elsewhere""#,
            r#"{"stdout":"","stderr":"","interrupted":false,"backgroundTaskId":"b1"}"#,
            (
                Outcome::Ok,
                None,
                "-",
                "Command running in background with ID: b1. Output is elsewhere",
                "-",
            ),
        ),
        (
            r#""content":"""#,
            r#"{"stdout":"ok  \tx\t0.1s\n","stderr":"","backgroundTaskId":"b1"}"#,
            (
                Outcome::Ok,
                None,
                "-",
                "ok  \tx\t0.1s\nCommand running in background with ID: b1",
                "-",
            ),
        ),
        (
            r#""content":"Exit code 101\nerror[E0425]","is_error":true"#,
            r#""Error: Exit code 101\nerror[E0425]""#,
            (Outcome::Failed, Some(101), "Exit code 101\nerror[E0425]", "-", "error[E0425]"),
        ),
        (
            r#""content":"Exit code 1","is_error":true"#,
            r#""Error: Exit code 1""#,
            (Outcome::Failed, Some(1), "Exit code 1", "-", "-"),
        ),
        (
            r#""content":"Exit code 12x","is_error":true"#,
            "null",
            (Outcome::Failed, None, "Exit code 12x", "-", "-"),
        ),
        (
            r#""content":"<tool_use_error>File has not been read yet.</tool_use_error>","is_error":true"#,
            "null",
            (Outcome::Failed, None, "File has not been read yet.", "-", "-"),
        ),
        (
            r#""content":"<tool_use_error>Sibling tool call errored</tool_use_error>","is_error":true"#,
            r#""Sibling tool call errored""#,
            (Outcome::Refused, None, "Sibling tool call errored", "-", "-"),
        ),
        (
            r#""content":"[Request interrupted by user for tool use]","is_error":true"#,
            "null",
            (Outcome::Refused, None, "[Request interrupted by user for tool use]", "-", "-"),
        ),
        (
            r#""content":"half","is_error":false"#,
            r#"{"stdout":"half","stderr":"","interrupted":true}"#,
            (Outcome::Failed, None, "stopped by the user before it ended", "half", "-"),
        ),
        (
            r#""content":null,"is_error":true"#,
            "[1]",
            (Outcome::Failed, None, "failed without a word", "-", "-"),
        ),
        (
            r#""content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#,
            r#"[{"type":"text","text":"a"}]"#,
            (Outcome::Ok, None, "-", "a\nb", "-"),
        ),
        (
            r#""content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8="}}]"#,
            "null",
            (Outcome::Ok, None, "-", "[image image/png, 8 bytes of base64 not kept]", "-"),
        ),
        (
            r#""content":"half an emoji: \ud83d.""#,
            r#"{"durationMs":3}"#,
            (Outcome::Ok, None, "-", "half an emoji: \u{fffd}.", "-"),
        ),
    ] {
        let r = result(block, account);
        let error = r.error.as_deref().unwrap_or("-");
        let got = (r.outcome, r.exit_code, error, text(&r.stdout), text(&r.stderr));
        assert_eq!(got, expect, "{block} {account}");
    }
}

#[test]
fn durations_are_taken_where_the_agent_gives_them() {
    for (account, expect) in [
        (r#"{"durationMs":443}"#, Some(443)),
        (r#"{"totalDurationMs":7900}"#, None),
        (r#"{"durationSeconds":1.25}"#, Some(1250)),
        (r#"{"durationMs":-1}"#, None),
        (r#"{"durationMs":"fast"}"#, None),
        (r#"{"durationMs":1e300}"#, None),
        (r#""Error""#, None),
    ] {
        assert_eq!(result(r#""content":"x""#, account).duration_ms, expect, "{account}");
    }
}

#[test]
fn calls_name_their_targets() {
    for (name, input, paths, changes) in [
        ("Read", r#"{"file_path":"/a"}"#, &["/a"] as &[_], false),
        ("Edit", r#"{"file_path":"/a","old_string":"\ud83d"}"#, &["/a"], true),
        ("NotebookEdit", r#"{"notebook_path":"/n"}"#, &["/n"], true),
        ("Grep", r#"{"pattern":"x","path":"src"}"#, &["src"], false),
        ("Bash", r#"{"command":"ls"}"#, &[], false),
        ("Odd", r#"{"file_path":["/a"],"path":7}"#, &[], false),
        ("Odd", r#""text""#, &[], false),
    ] {
        let call = call(name, input);
        let got: Vec<&str> = call.paths.iter().map(String::as_str).collect();
        assert_eq!((got.as_slice(), !call.changes.is_empty()), (paths, changes), "{name} {input}");
    }
    assert_eq!(call("Task", r#"{"prompt":"review"}"#).task.as_deref(), Some("review"));
}

#[test]
fn prompts_are_what_the_user_typed() {
    for (content, meta, expect) in [
        (r#""fix it""#, "", Some("fix it")),
        (r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#, "", Some("a\nb")),
        (
            r#""<command-name>/pr</command-name><command-args>12</command-args>""#,
            "",
            Some("/pr 12"),
        ),
        (
            r#""<command-message>x</command-message><command-name>/mcp</command-name>""#,
            "",
            Some("/mcp"),
        ),
        (r#""<local-command-stdout>ok</local-command-stdout>""#, "", None),
        (r#"[{"type":"text","text":"[Request interrupted by user for tool use]"}]"#, "", None),
        (r#""said by the agent""#, r#","isMeta":true"#, None),
        (r#""continued""#, r#","isCompactSummary":true"#, None),
        (r#""   ""#, "", None),
    ] {
        let text = format!(r#"{{"type":"user","message":{{"content":{content}}}{meta}}}"#);
        let got = record(&text).parts.into_iter().find_map(|part| match part {
            Part::Prompt(prompt) => Some(prompt.text),
            _ => None,
        });
        assert_eq!(got.as_deref(), expect, "{content}");
    }
}

#[test]
fn records_say_whose_they_are() {
    let head = record(
        r#"{"type":"user","sessionId":"s","cwd":"/w","gitBranch":"main","version":"2.1.9",
        "isSidechain":true,"agentId":"a1","uuid":"u","timestamp":"2026-03-01T10:00:00.250Z"}"#
            .replace('\n', "")
            .as_str(),
    )
    .head;
    assert_eq!(head.at_ms, Some(1_772_359_200_250));
    assert_eq!(head.actor.as_deref(), Some("a1"));
    assert_eq!(head.branch.as_deref(), Some("main"));
    assert_eq!(record(r#"{"type":"user","timestamp":"1812-01-01T00:00:00Z"}"#).head.at_ms, None);
    let head =
        record(r#"{"type":"assistant","message":{"model":"<synthetic>","content":[]}}"#).head;
    assert_eq!(head.model, None);
}

#[test]
fn a_line_is_split_into_its_records_and_its_losses() {
    let r = r#"{"type":"user","sessionId":"s"}"#;
    let torn = r#"{"type":"user","sessionId":"s","message":{"content":"abc"#;
    for (line, records, flaw) in [
        (r.to_owned(), 1, None),
        (format!("{r}{r}{r}"), 3, None),
        (format!("\u{feff}{r} \t{r}\r"), 2, None),
        (format!("{torn}{r}"), 1, Some(Flaw::NotJson { at: 59 })),
        (torn.to_owned(), 0, Some(Flaw::Torn)),
        (format!("{r}{torn}"), 1, Some(Flaw::Torn)),
        (format!("\0\0\0{r}"), 1, Some(Flaw::NulFilled { bytes: 3 })),
        (format!("{torn}\0\0{r}\0"), 1, Some(Flaw::NulFilled { bytes: 2 })),
        ("\0".repeat(9), 0, Some(Flaw::NulFilled { bytes: 9 })),
        ("[]".to_owned(), 0, Some(Flaw::NotARecord)),
        ("7 8".to_owned(), 0, Some(Flaw::NotARecord)),
        ("garbage".to_owned(), 0, Some(Flaw::NotJson { at: 1 })),
        // What looks like a record inside a torn one is a part of it, not a record.
        (
            format!("{{\"x\":{{\"type\":\"user\",\"uuid\":\"u\"}},\"y\":\"{}", "z"),
            0,
            Some(Flaw::Torn),
        ),
    ] {
        let items = items(&line);
        let found = items.iter().filter(|item| matches!(item, Item::Record(_))).count();
        let lost = items.iter().find_map(|item| match item {
            Item::Unreadable { flaw, .. } => Some(*flaw),
            _ => None,
        });
        assert_eq!((found, lost), (records, flaw), "{line:?}");
    }
}

#[test]
fn a_line_above_the_limit_is_skipped_and_the_next_one_read() {
    use crate::agents::import::limits::LINE_BYTES_MAX;
    let mut bytes = vec![b'x'; LINE_BYTES_MAX + 1];
    bytes.extend_from_slice(b"\n{\"type\":\"user\"}\n");
    let items: Vec<_> = parse(bytes.as_slice()).map(Result::unwrap).collect();
    let flaw = Flaw::TooLong { bytes: LINE_BYTES_MAX as u64 + 1 };
    assert_eq!(items[0], Item::Unreadable { line: 1, flaw });
    assert!(matches!(&items[1], Item::Record(record) if record.line == 2), "{:?}", items[1]);
}

#[test]
fn a_beginning_tells_the_format() {
    for (head, expect) in [
        (r#"{"type":"user","sessionId":"s"}"#.to_owned() + "\n", true),
        ("garbage\n{\"type\":\"summary\",\"leafUuid\":\"u\"}\n".to_owned(), true),
        (format!("{{\"isSidechain\":false,\"message\":\"{}", "x".repeat(70_000)), true),
        ("{\"timestamp\":\"x\",\"type\":\"session_meta\",\"payload\":{}}\n".to_owned(), false),
        ("{\"type\":\"user\"}\n".to_owned(), false),
        (String::new(), false),
    ] {
        assert_eq!(is_transcript(head.as_bytes()), expect, "{}", &head[..head.len().min(60)]);
    }
}
