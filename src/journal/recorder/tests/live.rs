//! Recording as it happens.

use super::*;
use crate::event::{Content, limits};
use crate::execution::live_recorder;
use crate::fault::{Class, Fault, Remedy};
use crate::journal::{Group, RecordError};

fn with_tool(mut event: Event, name: &str) -> Event {
    if let Body::ExecutionStarted(started) = &mut event.body {
        started.tool = name.into();
    }
    event
}

fn with_arguments(mut event: Event, text: &str) -> Event {
    if let Body::ExecutionStarted(started) = &mut event.body {
        started.arguments = Json(text.into());
    }
    event
}

#[test]
fn an_undeclared_tool_is_refused_with_the_way_to_declare_it() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let event = || with_tool(scene.started(Source::Live, now(), "a").1, "web_fetch");
    let error = recorder.record(vec![event()]).unwrap_err();
    assert!(matches!(error, RecordError::Undeclared { .. }));
    let says = error.to_string();
    let way = Some(Remedy::DeclareTool("web_fetch".into()));
    assert_eq!(error.sorted(), (Class::Refused, way));
    assert!(says.contains("bash_exec"), "{says}");
    assert!(scene.recorded().is_empty());

    recorder.declare(&["web_fetch".into()], "test").unwrap();
    assert_eq!(recorder.record(vec![event()]).unwrap().recorded, 1);
    assert_eq!(recorder.declare(&["web_fetch".into()], "test").unwrap().duplicates, 1);
    assert_eq!(scene.names(), ["ToolsDeclared", "ExecutionStarted"]);
}

#[test]
fn a_declaration_outlives_the_recorder_that_made_it() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    recorder.declare(&["web_fetch".into()], "test").unwrap();
    drop(recorder);
    let mut recorder = live_recorder(&scene.project);
    let event = with_tool(scene.started(Source::Live, now(), "a").1, "web_fetch");
    assert_eq!(recorder.record(vec![event]).unwrap().recorded, 1);
}

#[test]
fn a_name_that_no_trigger_could_hold_is_refused() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let bad = "x'); DROP TABLE executions; --".to_owned();
    let error = recorder.declare(std::slice::from_ref(&bad), "test").unwrap_err();
    assert!(matches!(error, RecordError::ToolName { .. }), "{error}");
    let event = with_tool(scene.started(Source::Live, now(), "a").1, &bad);
    let error = recorder.record(vec![event]).unwrap_err();
    assert!(matches!(error, RecordError::ToolName { .. }), "{error}");
}

#[test]
fn one_refused_event_refuses_its_whole_commit_and_leaves_no_trace() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let (_, good) = scene.started(Source::Live, now(), "a");
    let (_, bad) = scene.started(Source::Live, now(), "b");
    let bad = with_arguments(bad, "[1]");
    let error = recorder.record(vec![good.clone(), bad]).unwrap_err();
    assert!(matches!(error, RecordError::NotAnObject { at: 1, .. }), "{error}");
    assert!(scene.recorded().is_empty());
    // The first event was not learnt either: it is no duplicate now.
    assert_eq!(recorder.record(vec![good]).unwrap().recorded, 1);
}

#[test]
fn arguments_are_canonical_and_what_is_no_json_is_refused_with_its_place() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let (_, event) = scene.started(Source::Live, now(), "a");
    recorder
        .record(vec![with_arguments(event, "{\"b\": 1.0, \"a\": 12345678901234567890}")])
        .unwrap();
    let Body::ExecutionStarted(started) = &scene.recorded()[0].body else { panic!() };
    assert_eq!(started.arguments.0, "{\"a\":12345678901234567890,\"b\":1}");
    let (_, event) = scene.started(Source::Live, now(), "b");
    let error = recorder.record(vec![with_arguments(event, "{\n \"a\": }")]).unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("line 2, column 7"), "{source}");
}

#[test]
fn the_same_call_is_recorded_once_whichever_id_it_bears() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let (first, started) = scene.started(Source::Live, now(), "a");
    assert_eq!(recorder.record(vec![started.clone()]).unwrap().recorded, 1);
    assert_eq!(recorder.record(vec![started]).unwrap().duplicates, 1);
    drop(recorder);

    // Another door, another process: another id, the same call.
    let mut recorder = live_recorder(&scene.project);
    let (second, again) = scene.started(Source::Live, now(), "a");
    let report = recorder.record(vec![again, scene.finished(Source::Live, now(), second)]).unwrap();
    assert_eq!((report.recorded, report.duplicates), (1, 1));
    let Body::ExecutionFinished(finished) = &scene.recorded()[1].body else { panic!() };
    assert_eq!(finished.execution, first, "the result goes by the id that the call began with");
    let report = recorder.record(vec![scene.finished(Source::Live, now(), first)]).unwrap();
    assert_eq!((report.recorded, report.duplicates), (0, 1));
}

#[test]
fn a_clock_set_back_is_clamped_or_refused_across_processes() {
    let scene = scene();
    let start = now();
    let record = |at_ms, name: &str, is_timed| {
        let mut recorder = live_recorder(&scene.project);
        let events = vec![scene.started(Source::Live, at_ms, name).1];
        let reports = recorder.record_groups(vec![Group { events, is_timed }])?;
        Ok::<_, RecordError>(reports[0].clamped)
    };
    assert_eq!(record(start, "a", false).unwrap(), 0);
    assert_eq!(record(start - 60_000, "b", true).unwrap(), 1);
    let error = record(start - 60_001, "c", true).unwrap_err();
    assert!(matches!(error, RecordError::Time { .. }), "{error}");
    assert_eq!(record(start - 3_600_000, "d", false).unwrap(), 1, "what a clock reads is taken");
    let events = scene.recorded();
    let times: Vec<_> = events.iter().map(|e| (e.envelope.at_ms, e.envelope.raw_at_ms)).collect();
    let clamped = |raw| (start, Some(start - raw));
    assert_eq!(times, [(start, None), clamped(60_000), clamped(3_600_000)]);
}

#[test]
fn a_secret_never_reaches_the_journal() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    let (_, event) = scene.started(Source::Live, now(), "a");
    let event = with_arguments(event, "{\"command\":\"DB_PASSWORD=hunter2 make\"}");
    assert_eq!(recorder.record(vec![event]).unwrap().redacted, 1);
    let envelope = &scene.recorded()[0].envelope;
    assert_eq!((envelope.redactions.len(), envelope.redactor_version), (1, 5));
    for file in scene.project.journal_dir().read_dir().unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(7).any(|seen| seen == b"hunter2"));
    }
}

#[test]
fn large_output_goes_to_a_blob_and_huge_output_is_cut() {
    let scene = scene();
    let mut recorder = live_recorder(&scene.project);
    for (name, bytes, truncated) in [
        ("inline", limits::INLINE_BYTES_MAX - 1, 0),
        ("blob", limits::INLINE_BYTES_MAX, 0),
        ("cut", limits::CONTENT_BYTES_MAX + 1, 1),
    ] {
        let (execution, started) = scene.started(Source::Live, now(), name);
        let mut finished = scene.finished(Source::Live, now(), execution);
        let output = vec![b'x'; bytes];
        if let Body::ExecutionFinished(finished) = &mut finished.body {
            finished.closing.stdout = Some(Content::Inline(output.clone()));
        }
        let report = recorder.record(vec![started, finished]).unwrap();
        assert_eq!(report.truncated, truncated, "{name}");
        let Some(Event { body: Body::ExecutionFinished(kept), .. }) = scene.recorded().pop() else {
            panic!("{name}");
        };
        let kept = kept.closing.stdout.unwrap();
        let read = scene.project.reader().unwrap().bytes(&kept).unwrap();
        match (name, &kept) {
            ("inline", Content::Inline(_)) | ("blob", Content::Blob { .. }) => {
                assert_eq!(read, output, "{name}");
            }
            ("cut", Content::Truncated { len, .. }) => assert_eq!(*len, bytes as u64),
            _ => panic!("{name} was kept as {kept:?}"),
        }
    }
}

#[test]
fn a_recorder_sees_what_another_recorded_in_between() {
    let scene = scene();
    let mut one = live_recorder(&scene.project);
    let mut other = live_recorder(&scene.project);
    one.record(vec![scene.started(Source::Live, now(), "a").1]).unwrap();
    other.record(vec![scene.started(Source::Live, now(), "b").1]).unwrap();
    // The commit in between is noticed with the next append, and heeded from then on.
    one.record(vec![scene.started(Source::Live, now(), "c").1]).unwrap();
    assert_eq!(one.record(vec![scene.started(Source::Live, now(), "b").1]).unwrap().duplicates, 1);
}
