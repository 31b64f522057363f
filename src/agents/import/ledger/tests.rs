//! Items in, events out: what each event says.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::*;
use crate::agents::claude_code;
use crate::event::{Change, Closing, ExecutionStarted, Outcome, SessionStarted};

fn read(ledger: &mut Ledger, name: &str, out: &mut Vec<Event>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts");
    ledger.read_on(name, 0, true);
    for item in claude_code::parse(BufReader::new(File::open(folder.join(name)).unwrap())) {
        ledger.take(item.unwrap(), out);
    }
}

fn events(names: &[&str]) -> Vec<Event> {
    let (mut ledger, mut out) = (Ledger::new("claude-code"), Vec::new());
    for name in names {
        read(&mut ledger, name, &mut out);
    }
    ledger.close(&mut out);
    out
}

fn started<'a>(events: &'a [Event], call: &str) -> &'a ExecutionStarted {
    let of = |event: &'a Event| match &event.body {
        Body::ExecutionStarted(b) => Some(b),
        _ => None,
    };
    let is = |b: &&ExecutionStarted| b.call.as_ref().is_some_and(|key| key.call == call);
    events.iter().filter_map(of).find(is).unwrap()
}

fn closing<'a>(events: &'a [Event], call: &str) -> (&'a str, &'a Closing) {
    let id = started(events, call).execution;
    let of = |event: &'a Event| match &event.body {
        Body::ExecutionFinished(b) if b.execution == id => Some((b.tool.as_str(), &b.closing)),
        _ => None,
    };
    events.iter().find_map(of).unwrap()
}

fn sessions(events: &[Event]) -> Vec<&SessionStarted> {
    let of = |event| match event {
        &Event { body: Body::SessionStarted(ref b), .. } => Some(b),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

#[test]
fn a_call_keeps_what_the_transcript_says_of_it() {
    let events = events(&["whole.jsonl"]);
    let edit = started(&events, "toolu_edit");
    assert_eq!((edit.tool.as_str(), edit.native_tool.as_deref()), ("file_edit", Some("Edit")));
    assert_eq!(
        edit.call.as_ref().map(|key| (&*key.agent, &key.scope)),
        Some(("claude-code", &None))
    );
    assert_eq!((edit.cwd.as_deref(), edit.branch.as_deref()), (Some("/w/shop"), Some("main")));
    assert_eq!(edit.paths, ["/w/shop/src/price.rs"]);
    assert!(edit.arguments.0.contains("\"old_string\":\"u64\""), "{:?}", edit.arguments);
    let shot = started(&events, "toolu_shot");
    assert_eq!((shot.tool.as_str(), &shot.native_tool), ("mcp__browser__screenshot", &None));
    assert_eq!((&edit.actor, edit.parent), (&None, None));
}

#[test]
fn a_result_keeps_its_exit_code_duration_and_changed_files() {
    let events = events(&["whole.jsonl"]);
    let change = |path: &str, created| Change { path: path.to_owned(), created };
    for (call, tool, outcome, exit_code, duration_ms, changed) in [
        ("toolu_read", "file_read", Outcome::Ok, None, None, vec![]),
        (
            "toolu_edit",
            "file_edit",
            Outcome::Ok,
            None,
            None,
            vec![change("/w/shop/src/price.rs", false)],
        ),
        (
            "toolu_write",
            "file_create",
            Outcome::Ok,
            None,
            None,
            vec![change("/w/shop/src/cent.rs", true)],
        ),
        ("toolu_test", "bash_exec", Outcome::Failed, Some(101), None, vec![]),
        ("toolu_grep", "file_search", Outcome::Ok, None, Some(37), vec![]),
    ] {
        let (named, got) = closing(&events, call);
        assert_eq!((named, got.outcome, got.exit_code), (tool, outcome, exit_code), "{call}");
        assert_eq!((got.duration_ms, &got.changed), (duration_ms, &changed), "{call}");
    }
}

#[test]
fn a_refused_edit_took_no_time_and_changed_nothing() {
    let events = events(&["refused.jsonl"]);
    let (_, got) = closing(&events, "toolu_x1");
    assert_eq!((got.outcome, got.duration_ms), (Outcome::Refused, None));
    assert!(got.changed.is_empty());
}

#[test]
fn a_session_is_announced_before_its_first_event_and_named_at_the_end() {
    let events = events(&["whole.jsonl"]);
    assert!(matches!(events[0].body, Body::SessionStarted(_)));
    assert!(matches!(events[1].body, Body::PromptSubmitted(_)));
    let said = sessions(&events);
    assert!(said.iter().any(|s| s.model.as_deref() == Some("claude-opus-4-5")), "{said:?}");
    let last = said.last().unwrap();
    assert_eq!(last.title.as_deref(), Some("Round prices to the cent"));
    assert_eq!(last.agent_version.as_deref(), Some("2.1.9"));
    assert_eq!(last.native_id, "11111111-2222-4333-8444-555555555555");
    let id = SessionId::parse(&last.native_id);
    assert!(events.iter().all(|event| event.envelope.session == id));
}

#[test]
fn a_title_finds_its_record_before_it_after_it_and_in_another_file() {
    // `glued.jsonl` names a record before the title, `whole.jsonl` one after it.
    for names in [&["glued.jsonl"] as &[_], &["whole.jsonl"]] {
        let events = events(names);
        assert!(sessions(&events).last().unwrap().title.is_some(), "{names:?}");
    }
    let (mut ledger, mut out) = (Ledger::new("claude-code"), Vec::new());
    let title = Title {
        text: "from afar".to_owned(),
        leaf: Some("00000000-0000-4000-8000-000000001001".to_owned()),
    };
    ledger.read_on("other.jsonl", 0, true);
    let record = TranscriptRecord { parts: vec![Part::Title(title)], ..Default::default() };
    ledger.take(Item::Record(Box::new(record)), &mut out);
    read(&mut ledger, "whole.jsonl", &mut out);
    ledger.close(&mut out);
    let titles: Vec<_> = sessions(&out).iter().filter_map(|s| s.title.as_deref()).collect();
    assert_eq!(titles, ["Round prices to the cent"], "the last title is kept, and said once");
}

#[test]
fn a_subagent_is_known_by_what_it_was_asked_before_its_task_ends() {
    let (mut ledger, mut out) = (Ledger::new("claude-code"), Vec::new());
    let item = |line: &str| claude_code::parse(line.as_bytes()).next().unwrap().unwrap();
    let task = |id: &str, prompt: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","message":{{"content":[{{"type":"tool_use","id":"{id}","name":"Task","input":{{"prompt":"{prompt}"}}}}]}}}}"#
        )
    };
    let asked = |agent: &str, prompt: &str| {
        format!(
            r#"{{"type":"user","isSidechain":true,"agentId":"{agent}","sessionId":"s","message":{{"content":"{prompt}"}}}}"#
        )
    };
    let reads = |agent: &str, id: &str| {
        format!(
            r#"{{"type":"assistant","isSidechain":true,"agentId":"{agent}","sessionId":"s","message":{{"content":[{{"type":"tool_use","id":"{id}","name":"Read","input":{{}}}}]}}}}"#
        )
    };
    for line in [
        task("one", "look left"),
        task("two", "look right"),
        asked("right", "look right"),
        asked("left", "look left"),
        reads("left", "l"),
        reads("right", "r"),
        reads("nobody", "n"),
    ] {
        ledger.take(item(&line), &mut out);
    }
    let parent = |call: &str| started(&out, call).parent;
    assert_eq!(parent("l"), Some(started(&out, "one").execution));
    assert_eq!(parent("r"), Some(started(&out, "two").execution));
    assert_eq!(parent("n"), None, "either task could be its own");
    assert_eq!(started(&out, "l").actor.as_deref(), Some("left"));
}

#[test]
fn reading_again_gives_the_same_events() {
    let names = ["whole.jsonl", "subagents.jsonl", "torn.jsonl", "odd-types.jsonl"];
    assert_eq!(events(&names), events(&names));
}

/// What is read of a command in the background is told by it, in its own session alone.
#[test]
fn a_read_of_what_goes_on_has_its_command() {
    let line = |session: &str, kind: &str, block: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"u","sessionId":"{session}","cwd":"/w","timestamp":"2026-01-05T12:17:01.000Z","message":{{"role":"{kind}","content":[{block}]}}}}"#
        )
    };
    let call = |id: &str, name: &str, input: &str| {
        format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#)
    };
    let result = |id: &str, text: &str| {
        format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}"#)
    };
    let begun = call("t1", "Bash", r#"{"command":"cd a && cargo test","run_in_background":true}"#);
    let left = "Command running in background with ID: b1. Output is being written to: /x";
    let ended = "<retrieval_status>success</retrieval_status>\\n<task_type>local_bash</task_type>\\n<status>failed</status>\\n<exit_code>101</exit_code>\\n<output>\\nno\\n</output>";
    let lines = [
        line("s1", "assistant", &begun),
        line("s1", "user", &result("t1", left)),
        line("s1", "assistant", &call("t2", "TaskOutput", r#"{"task_id":"b1","block":true}"#)),
        line("s1", "user", &result("t2", ended)),
        line("s1", "assistant", &call("t3", "BashOutput", r#"{"bash_id":"b1","filter":"it's"}"#)),
        line("s2", "assistant", &call("t4", "TaskOutput", r#"{"task_id":"b1"}"#)),
    ]
    .join("\n");
    let (mut ledger, mut out) = (Ledger::new("claude-code"), Vec::new());
    ledger.read_on("x", 0, true);
    for item in claude_code::parse(lines.as_bytes()) {
        ledger.take(item.unwrap(), &mut out);
    }
    let arguments = |call: &str| started(&out, call).arguments.0.clone();
    assert_eq!(arguments("t2"), r#"{"block":true,"command":"cd a && cargo test","task_id":"b1"}"#);
    assert!(
        arguments("t3").contains(r#""cd a && cargo test | grep -E 'it'\\''s'""#),
        "{}",
        arguments("t3")
    );
    assert_eq!(arguments("t4"), r#"{"task_id":"b1"}"#);
    let (_, closing) = closing(&out, "t2");
    assert_eq!((closing.outcome, closing.exit_code), (Outcome::Ok, Some(101)));
}
