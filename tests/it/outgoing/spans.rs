//! Spans and trajectories: how many, what is in them, and who else takes them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{SESSION, calls, events, filled, of_kind};
use crate::project::Project;
use crate::skipped::skipped;

fn spans(project: &Project, words: &[&str]) -> Vec<Value> {
    let words = ["export", "otlp", "-"].iter().chain(words);
    let mut found = Vec::new();
    for line in project.annals(words).code(0).out().lines() {
        let request: Value = serde_json::from_str(line).expect(line);
        let of = &request["resourceSpans"][0];
        assert_eq!(of["resource"]["attributes"][0]["value"]["stringValue"], "annals");
        found.extend(of["scopeSpans"][0]["spans"].as_array().expect("spans").iter().cloned());
    }
    found
}

fn attribute<'s>(span: &'s Value, key: &str) -> Option<&'s Value> {
    let of = span["attributes"].as_array().expect("attributes");
    let value = &of.iter().find(|it| it["key"] == key)?["value"];
    value.as_object()?.values().next()
}

fn operation(span: &Value) -> &str {
    attribute(span, "gen_ai.operation.name").and_then(Value::as_str).unwrap_or("gate")
}

#[test]
fn spans_are_as_many_as_their_events_and_no_end_that_is_unknown_is_an_error() {
    let project = filled();
    let events = events(&project);
    let told = spans(&project, &["--content"]);
    let count = |of: &str| told.iter().filter(|it| operation(it) == of).count();
    let messages: BTreeSet<_> =
        of_kind(&events, "AssistantSaid").map(|it| it["body"]["native_id"].to_string()).collect();
    let turns = of_kind(&events, "PromptSubmitted").count();
    let sessions: BTreeSet<_> = told.iter().map(|it| it["traceId"].to_string()).collect();
    assert_eq!(count("execute_tool"), calls(&events).len());
    assert_eq!(count("chat"), messages.len());
    // What is of no session has a trace, and no span of one.
    assert_eq!(count("invoke_agent"), turns + sessions.len() - 1);
    for (name, one) in
        [("create_memory_store", 1), ("create_memory", 1), ("search_memory", 1), ("gate", 1)]
    {
        assert_eq!(count(name), one, "{name}");
    }
    let ids: BTreeSet<_> = told.iter().map(|it| it["spanId"].to_string()).collect();
    assert_eq!(ids.len(), told.len());
    let parents = told.iter().filter_map(|it| it.get("parentSpanId"));
    assert!(parents.map(Value::to_string).all(|it| ids.contains(&it)));
    for (start, end) in calls(&events) {
        let execution = &start["body"]["execution"];
        let span = told.iter().find(|it| attribute(it, "annals.execution") == Some(execution));
        let span = span.expect("a span");
        let outcome = end.map_or(Value::Null, |it| it["body"]["outcome"].clone());
        let is_failed = outcome == "failed";
        assert_eq!(span["status"]["code"] == 2, is_failed, "{span:#}");
        assert_eq!(attribute(span, "error.type").is_some(), is_failed, "{span:#}");
        let expect = if outcome.is_null() { json!("interrupted") } else { outcome };
        assert_eq!(attribute(span, "annals.outcome"), Some(&expect));
    }
    // As of when a call had begun, it is open.
    let start = of_kind(&events, "ExecutionStarted").next().expect("a call");
    let open = spans(&project, &["--to", &format!("@{}", start["sequence"])]);
    let open = open.iter().find(|it| operation(it) == "execute_tool").expect("a call");
    assert_eq!(attribute(open, "annals.outcome"), Some(&json!("open")));
    assert_eq!(open.get("status"), None);
    assert_eq!(open["startTimeUnixNano"], open["endTimeUnixNano"]);
}

#[test]
fn a_part_leaves_as_it_is_named_the_same_each_time_and_contents_only_where_they_are_asked_for() {
    let project = filled();
    let write = |name: &str, words: &[&str]| {
        project.annals(["export", "otlp", name].iter().chain(words)).code(0);
        std::fs::read(project.path(name)).expect("written")
    };
    assert_eq!(write("a", &["--content"]), write("b", &["--content"]));
    assert_eq!(write("a.pb", &["--protobuf"]), write("b.pb", &["--protobuf"]));
    let bare = String::from_utf8(write("c", &[])).expect("text");
    for key in [
        "tool.call.arguments",
        "tool.call.result",
        "input.messages",
        "output.messages",
        "memory.records",
        "query.text",
    ] {
        assert!(!bare.contains(key), "{key}");
    }
    assert!(!bare.contains("under the mat") && bare.contains("gen_ai.usage.output_tokens"));
    let of_session = spans(&project, &["--session", SESSION]);
    let of = |name: &str| of_session.iter().filter(|it| operation(it) == name).count();
    assert_eq!(
        (of("execute_tool"), of("gate"), of("invoke_agent"), of_session.len()),
        (2, 0, 1, 3)
    );
    assert!(spans(&project, &["--until", "2020-01-01"]).is_empty());
    let late = spans(&project, &["--since", "2026-01-01T00:00:00.002Z", "--session", SESSION]);
    assert_eq!(late.iter().filter(|it| operation(it) == "execute_tool").count(), 1);
    assert_eq!(
        spans(&project, &["--no-answers"]).iter().filter(|it| operation(it) == "chat").count(),
        0
    );

    let refused = project.annals(["export", "atif", "-"]).code(2);
    refused.says("a trajectory is of one session");
    let one: Value = project.annals(["export", "atif", "-", "--session", SESSION]).code(0).json();
    assert_eq!(one["steps"].as_array().map(Vec::len), Some(1), "{one:#}");
    assert_eq!(one["steps"][0]["tool_calls"].as_array().map(Vec::len), Some(2));
    project.annals(["export", "atif", "one.json", "--session", SESSION]).code(0);
    let again: Value =
        serde_json::from_slice(&std::fs::read(project.path("one.json")).unwrap()).unwrap();
    assert_eq!(one, again);
}

/// What a script of `tests/fleet` counts; nothing where it cannot run here.
fn counted(script: &str, files: &[&Path]) -> Option<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fleet").join(script);
    let ran = Command::new("python3").arg(&script).args(files).output();
    match ran {
        Ok(ran) if ran.status.code() == Some(77) => {
            skipped("no opentelemetry-proto or atif: pip install -r tests/fleet/requirements.txt");
            None
        }
        Ok(ran) => {
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            Some(serde_json::from_slice(&ran.stdout).expect("counts"))
        }
        Err(_) => {
            skipped("no python3");
            None
        }
    }
}

#[test]
fn the_published_protobuf_and_models_take_every_span_and_step() {
    let project = filled();
    let all = calls(&events(&project)).len();
    for (name, more) in [("spans.jsonl", None), ("spans.pb", Some("--protobuf"))] {
        project.annals(["export", "otlp", "--content", name].into_iter().chain(more)).code(0);
        let Some(told) = counted("otlp.py", &[&project.path(name)]) else { break };
        assert_eq!(told["operations"]["execute_tool"], all, "{told:#}");
        assert_eq!(told["spans"], spans(&project, &[]).len(), "{told:#}");
    }
    project.annals(["export", "atif", "out"]).code(0);
    let files = std::fs::read_dir(project.path("out")).expect("a folder");
    let files: Vec<_> = files.map(|it| it.expect("an entry").path()).collect();
    let files: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
    let Some(told) = counted("trajectories.py", &files) else { return };
    assert_eq!(
        (&told["calls"], &told["documents"]),
        (&json!(all), &json!(files.len())),
        "{told:#}"
    );
}

#[test]
#[cfg(not(feature = "otlp"))]
fn a_build_that_speaks_to_no_collector_says_how_to_get_one() {
    let project = Project::new();
    let ran = project.annals(["export", "otlp", "http://127.0.0.1:4318"]).code(2);
    ran.says("--features otlp");
}

/// A collector that is busy at first, then takes all but three spans of a request.
#[test]
#[cfg(feature = "otlp")]
fn a_collector_that_is_busy_is_waited_for_and_what_it_did_not_take_is_told() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let project = filled();
    let all = spans(&project, &[]).len();
    for more in [None, Some("--protobuf")] {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fleet/otlp.py");
        let mut collector = Command::new("python3");
        collector.arg(script).args(["--serve", "1", "503", "429:0", "502", "200:3"]);
        let collector = collector.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut collector) = collector else { return skipped("no python3") };
        let mut lines = BufReader::new(collector.stdout.take().expect("piped")).lines();
        let Some(Ok(port)) = lines.next() else {
            assert_eq!(collector.wait().expect("it ended").code(), Some(77));
            return skipped("no opentelemetry-proto: pip install -r tests/fleet/requirements.txt");
        };
        let to = format!("http://127.0.0.1:{port}?token=secret");
        let ran = project.annals(["export", "otlp", &to].into_iter().chain(more)).code(1);
        let ran = ran.says("3 spans not taken").says("so many are too old");
        assert!(!ran.err().contains("secret"), "{}", ran.err());
        let told: Value =
            serde_json::from_str(&lines.next().expect("counts").expect("read")).unwrap();
        assert_eq!(told["spans"], all, "{told:#}");
        collector.wait().expect("it ended");
        // Nobody is there any more.
        if more.is_none() {
            let ran = project.annals(["export", "otlp", &to]);
            assert!(ran.output.status.code() != Some(0) && !ran.err().contains("secret"));
            ran.says("does not answer");
        }
    }
    // A redaction cannot reach it, and says so.
    let mut redact = project.command();
    redact.args(["redact", "--value-stdin", "--common", "--dry-run"]).write_stdin("under the mat");
    let told = crate::project::Ran::of(&mut redact).code(1).says("it was sent there");
    assert!(told.out().contains("  http://127.0.0.1:") && !told.out().contains("token"));
    project.annals(["export", "otlp", "http://me:secret@h:1"]).code(2).says("no name or password");
    let mut wrong = project.command();
    wrong.env("OTEL_EXPORTER_OTLP_HEADERS", "secret").args([
        "export",
        "otlp",
        "http://127.0.0.1:9",
    ]);
    let ran = crate::project::Ran::of(&mut wrong).code(2).says("OTEL_EXPORTER_OTLP_HEADERS");
    assert!(!ran.err().contains("secret"));
}
