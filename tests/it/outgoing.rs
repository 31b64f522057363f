//! Sessions as they leave for other programs and come back: OTLP, ATIF and our own events as JSON lines.

mod spans;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::project::{Project, Ran};

const SESSION: &str = "s1";

fn transcript(name: &str) -> String {
    format!("{}/tests/fixtures/transcripts/{name}.jsonl", env!("CARGO_MANIFEST_DIR"))
}

/// A line as our own exports write it.
fn event(kind: &str, at: u64, session: u64, body: Value) -> String {
    let event = json!({
        "sequence": at, "kind": kind, "kind_number": 0, "at": format!("2026-02-03T10:00:00.{at:03}Z"), "recorded": null,
        "session": format!("00000000-0000-4000-8000-{session:012}"), "redactor_version": 0, "body": body,
    });
    format!("{event}\n")
}

fn execution(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// Sessions of an agent, one that a call was interrupted in and told right later; one that was cut off; a program's own,
/// memory and a gate.
fn filled() -> Project {
    let project = Project::new();
    let first = ["whole", "refused", "subagents", "no-result"].map(transcript);
    project.annals(["import", "auto"].into_iter().chain(first.iter().map(String::as_str)));
    project.annals(["import", "auto", &transcript("no-result-grown")]);
    // Cut off, and what it took.
    let usage = json!({ "input": 10, "output": 5, "cache_read": 3, "cache_write": 2 });
    let text = json!({ "encoding": "utf-8", "data": "I edit." });
    let said = json!({ "native_id": "m1", "model": "gpt-9", "stop_reason": "tool_use", "text": text, "usage": usage });
    let cut = json!({ "execution": execution(1), "tool": "file_edit", "native_tool": "edit", "arguments": { "path": "a" } });
    let lines = event("AssistantSaid", 1, 9, said) + &event("ExecutionStarted", 2, 9, cut);
    let path = project.write("cut.jsonl", &lines);
    project.annals(["import".as_ref(), path.as_os_str()]);
    let call = |at: u64, code: i32| {
        json!({
            "tool": "bash_exec", "arguments": {"command": "make", "big": 9_007_199_254_740_993_u64}, "exit_code": code,
            "stdout": "\u{1b}[31mone\n", "stderr": "two: \u{2028}\n", "session": SESSION, "agent": "x",
            "call": format!("c{at}"), "at": 1_767_225_600_000_u64 + at, "duration_ms": 7,
        })
    };
    let lines = format!("{}\n{}\n", call(1, 0), call(2, 2));
    Ran::of(project.command().arg("record").write_stdin(lines)).code(0);
    project.annals(["memory", "fork", "b"]).code(0);
    project.annals(["memory", "write", "b", "the key is under the mat"]).code(0);
    project.annals(["memory", "search", "b", "key"]).code(0);
    let edit = ["gate", "check", "--tool", "Edit", "--path", "a.rs"];
    Ran::of(project.command().env("ANNALS_SESSION", SESSION).args(edit)).code(1);
    project
}

fn events(project: &Project) -> Vec<Value> {
    let lines = project.annals(["export", "jsonl", "events"]).out();
    lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// How each call ended in the end: its start and its end.
fn calls(events: &[Value]) -> Vec<(Value, Option<Value>)> {
    let mut ends: BTreeMap<String, Value> = BTreeMap::new();
    let id = |event: &Value, key: &str| event["body"][key].as_str().expect("an id").to_owned();
    for event in events {
        match event["kind"].as_str() {
            Some("ExecutionFinished" | "ExecutionInterrupted") => {
                ends.entry(id(event, "execution")).or_insert(event.clone());
            }
            Some("ExecutionCorrected") => {
                ends.insert(id(event, "corrects"), event.clone());
            }
            _ => {}
        }
    }
    let started = events.iter().filter(|it| it["kind"] == "ExecutionStarted");
    started.map(|it| (it.clone(), ends.get(&id(it, "execution")).cloned())).collect()
}

fn of_kind<'e>(events: &'e [Value], kind: &'e str) -> impl Iterator<Item = &'e Value> {
    events.iter().filter(move |it| it["kind"] == kind)
}

/// What every form can say, in words: calls, messages, prompts.
fn said(project: &Project) -> [Vec<String>; 3] {
    let events = events(project);
    let all = calls(&events);
    let name = |execution: &Value| {
        let of = all.iter().find(|(start, _)| start["body"]["execution"] == *execution);
        let start = &of?.0["body"];
        // Of an agent's its own id; ours where there was none, or where ours is what is kept.
        Some((start["arguments"].to_string(), start["tool"].to_string()))
    };
    let call = |(start, end): &(Value, Option<Value>)| {
        let (begun, none) = (&start["body"], Value::Null);
        let ended = end.as_ref().map_or(&none, |it| &it["body"]);
        let is_cut = end
            .as_ref()
            .is_none_or(|_| ended["outcome"].is_null() || ended["outcome"] == "interrupted");
        let native =
            if begun["native_tool"].is_null() { &begun["tool"] } else { &begun["native_tool"] };
        let parent = name(&begun["parent"]);
        let outcome = if is_cut { json!("interrupted") } else { ended["outcome"].clone() };
        let told = if is_cut { &none } else { ended };
        let tool = if ended["tool"].is_null() { &begun["tool"] } else { &ended["tool"] };
        json!([
            begun["execution"],
            start["at"],
            if is_cut { None } else { end.as_ref().map(|it| &it["at"]) },
            tool,
            native,
            begun["arguments"],
            begun["actor"],
            parent,
            begun["cwd"],
            begun["branch"],
            begun["paths"],
            outcome,
            told["exit_code"],
            told["duration_ms"],
            told["error"],
            told["stdout"]["data"],
            told["stderr"]["data"],
            told["changed"],
        ])
        .to_string()
    };
    let mut messages = BTreeMap::new();
    for event in of_kind(&events, "AssistantSaid") {
        let body = &event["body"];
        let parts = [
            &event["at"],
            &body["text"]["data"],
            &body["model"],
            &body["stop_reason"],
            &body["usage"],
            &body["actor"],
        ];
        messages.insert(body["native_id"].to_string(), json!(parts).to_string());
    }
    let prompt = |event: &Value| {
        let body = &event["body"];
        json!([event["at"], body["text"]["data"], body["native_id"], body["actor"]]).to_string()
    };
    let mut told = [
        all.iter().map(call).collect::<Vec<_>>(),
        messages.into_values().collect(),
        of_kind(&events, "PromptSubmitted").map(prompt).collect(),
    ];
    told.iter_mut().for_each(|it| it.sort());
    told
}

/// What was written is read into a project of its own, twice.
fn comes_back(from: &Project, words: &[&str], written: &str) {
    from.annals(words).code(0);
    let path = from.path(written);
    let into = Project::new();
    let import = || into.annals(["--json".as_ref(), "import".as_ref(), path.as_os_str()]).json();
    let got = import();
    assert_eq!(got["unreadable_lines"], 0, "{got:#}");
    assert_eq!(said(&into), said(from), "{words:?}");
    let again = import();
    assert_eq!(again["recorded"], 0, "{words:?} {again:#}");
    // Nor does the journal that it is of take any of it for new.
    let own = from.annals(["--json".as_ref(), "import".as_ref(), path.as_os_str()]).json();
    assert_eq!(own["recorded"], 0, "{words:?} {own:#}");
}

#[test]
fn sessions_leave_in_three_forms_and_come_back_as_they_were() {
    let project = filled();
    let [calls, messages, prompts] = said(&project);
    let counts = (calls.len(), messages.len(), prompts.len());
    assert!(counts.0 > 8 && counts.1 > 0 && counts.2 > 3, "{counts:?}");
    for outcome in ["\"ok\"", "\"failed\"", "\"refused\"", "\"interrupted\""] {
        assert!(calls.iter().any(|it| it.contains(outcome)), "{outcome} in {calls:#?}");
    }
    comes_back(&project, &["export", "otlp", "--content", "spans.jsonl"], "spans.jsonl");
    comes_back(&project, &["export", "otlp", "--content", "--protobuf", "spans.pb"], "spans.pb");
    comes_back(&project, &["export", "atif", "trajectories"], "trajectories");
    comes_back(&project, &["export", "jsonl", "events", "-o", "events.jsonl"], "events.jsonl");
}

#[test]
fn a_log_of_many_sessions_is_told_whole_the_first_time() {
    let project = Project::new();
    let mut lines = String::new();
    let mut line = |kind: &str, at: u64, session: u64, body: Value| {
        lines.push_str(&event(kind, at, session, body));
    };
    let text = |text: &str| json!({ "encoding": "utf-8", "data": text });
    for session in 0..40 {
        let execution = execution(100 + session);
        let started =
            json!({ "execution": execution, "tool": "file_edit", "arguments": { "path": "a.rs" } });
        let ended = json!({ "execution": execution, "tool": "file_edit", "outcome": "ok" });
        line(
            "PromptSubmitted",
            10 * session,
            session,
            json!({ "text": text("mend"), "native_id": format!("p{session}") }),
        );
        line("ExecutionStarted", 10 * session + 1, session, started);
        line("ExecutionFinished", 10 * session + 2, session, ended);
    }
    let path = project.write("many.jsonl", &lines);
    let import = || project.annals(["--json".as_ref(), "import".as_ref(), path.as_os_str()]).json();
    let got = import();
    assert_eq!((&got["sessions"], &got["calls"]), (&json!(40), &json!(40)), "{got:#}");
    assert_eq!(of_kind(&events(&project), "StepEnded").count(), 40);
    let again = import();
    assert_eq!(again["recorded"], 0, "{again:#}");
}

#[test]
fn an_id_that_a_log_uses_again_is_another_call() {
    let project = Project::new();
    let step = |at: u32| {
        serde_json::json!({"step_id": at, "source": "agent", "timestamp": format!("2026-02-03T10:00:0{at}Z"), "message": "",
            "tool_calls": [{"tool_call_id": "call_0", "function_name": "bash", "arguments": {"command": format!("echo {at}")}}],
            "observation": {"results": [{"source_call_id": "call_0", "content": format!("printed {at}")}]}})
    };
    let trajectory = serde_json::json!({"schema_version": "ATIF-v1.4", "session_id": "s1", "agent": {"name": "a", "version": "1"},
        "steps": (1..=4).map(step).collect::<Vec<_>>()});
    let span = |at: u32| {
        let text = |key: &str, value: &str| serde_json::json!({"key": key, "value": {"stringValue": value}});
        serde_json::json!({"traceId": "t1", "spanId": format!("s{at}"), "name": "execute_tool bash",
            "startTimeUnixNano": format!("177011640{at}000000000"), "endTimeUnixNano": format!("177011640{at}500000000"),
            "attributes": [text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", "bash"),
                text("gen_ai.tool.call.id", "call_0"), text("gen_ai.tool.call.arguments", &format!("{{\"command\":\"ls {at}\"}}"))]})
    };
    let spans = serde_json::json!({"resourceSpans": [{"scopeSpans": [{"spans": (1..=3).map(span).collect::<Vec<_>>()}]}]});
    let message = |at: u32| {
        serde_json::json!({"id": format!("m{at}"), "type": "gemini", "timestamp": format!("2026-02-03T11:00:0{at}Z"), "content": "",
            "toolCalls": [{"id": "call_0", "name": "run_shell_command", "args": {"command": format!("pwd {at}")}, "status": "success"}]})
    };
    let chat = serde_json::json!({"sessionId": "g1", "projectHash": "p", "startTime": "2026-02-03T11:00:00Z",
        "lastUpdated": "2026-02-03T11:00:09Z", "messages": (1..=3).map(message).collect::<Vec<_>>()});
    for (name, log, calls) in
        [("a.json", trajectory, 4), ("b.json", spans, 7), ("c.json", chat, 10)]
    {
        project.write(name, &log.to_string());
        for _ in 0..2 {
            project.annals(["import", "auto", name]).code(0);
            let log = project.annals(["log", "--json", "-n", "50"]).code(0).json();
            assert_eq!(log.as_array().map(Vec::len), Some(calls), "{name}: {log}");
        }
    }
    let log = project.annals(["export", "jsonl", "artifacts"]).code(0).out();
    for at in 1..=4 {
        assert!(log.contains(&format!("printed {at}")), "{log}");
    }
}
