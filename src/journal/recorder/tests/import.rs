//! Recording what has happened.

use super::*;
use crate::event::{Content, PromptSubmitted, SessionStarted};
use crate::execution::import_recorder;
use crate::journal::RecordReport;

/// 2025-01-01T00:00:00Z
const THEN: u64 = 1_735_689_600_000;

fn import(scene: &Scene, events: Vec<Event>) -> RecordReport {
    let mut recorder = import_recorder(&scene.project);
    let report = recorder.record(events).unwrap();
    recorder.finish().unwrap();
    report
}

fn session_started(scene: &Scene, title: Option<&str>) -> Event {
    let started = SessionStarted {
        agent: "test".into(),
        native_id: "one".into(),
        agent_version: None,
        model: Some("m".into()),
        parent: None,
        cwd: None,
        branch: None,
        title: title.map(Into::into),
    };
    scene.event(Source::Import, THEN, Body::SessionStarted(started))
}

fn prompt(scene: &Scene, native_id: &str) -> Event {
    let text = Content::Inline(b"do it".to_vec());
    let prompt = PromptSubmitted {
        text,
        native_id: Some(native_id.into()),
        actor: None,
        attachments: Vec::new(),
    };
    scene.event(Source::Import, THEN, Body::PromptSubmitted(prompt))
}

#[test]
fn importing_twice_adds_nothing_and_a_grown_file_adds_its_growth() {
    let scene = scene();
    let (execution, started) = scene.started(Source::Import, THEN, "a");
    let mut file = vec![
        session_started(&scene, None),
        prompt(&scene, "p1"),
        started,
        scene.finished(Source::Import, THEN + 5, execution),
    ];
    let report = import(&scene, file.clone());
    assert_eq!((report.recorded, report.duplicates), (4, 0));
    let report = import(&scene, file.clone());
    assert_eq!((report.recorded, report.duplicates), (0, 4));
    file.push(prompt(&scene, "p2"));
    file.push(session_started(&scene, Some("a title")));
    let report = import(&scene, file);
    assert_eq!((report.recorded, report.duplicates), (2, 4));
    assert_eq!(scene.recorded().len(), 6);
}

#[test]
fn a_session_that_repeats_anothers_history_doubles_nothing() {
    let mut scene = scene();
    let (execution, started) = scene.started(Source::Import, THEN, "a");
    let finished = scene.finished(Source::Import, THEN, execution);
    import(&scene, vec![prompt(&scene, "p1"), started, finished]);
    scene.session = id::session("test", "resumed");
    let (execution, started) = scene.started(Source::Import, THEN, "a");
    let finished = scene.finished(Source::Import, THEN, execution);
    let report = import(&scene, vec![prompt(&scene, "p1"), started, finished]);
    assert_eq!((report.recorded, report.duplicates), (0, 3));
}

#[test]
fn times_out_of_order_are_clamped_and_never_refused() {
    let scene = scene();
    let at = |at_ms, name: &str| scene.started(Source::Import, at_ms, name).1;
    let report = import(&scene, vec![at(THEN, "a"), at(THEN - 3_600_000, "b"), at(0, "c")]);
    assert_eq!((report.recorded, report.clamped), (3, 2));
    let events = scene.recorded();
    let times: Vec<_> = events.iter().map(|e| (e.envelope.at_ms, e.envelope.raw_at_ms)).collect();
    assert_eq!(times, [(THEN, None), (THEN, Some(THEN - 3_600_000)), (THEN, Some(0))]);
}

#[test]
fn a_tool_that_is_met_is_declared_once_under_a_name_that_can_be() {
    let scene = scene();
    let named = |tool: &str, call| {
        let (_, mut event) = scene.started(Source::Import, THEN, call);
        if let Body::ExecutionStarted(started) = &mut event.body {
            started.tool = tool.into();
        }
        event
    };
    let report =
        import(&scene, vec![named("WebFetch", "a"), named("WebFetch", "b"), named("my tool", "c")]);
    assert_eq!(report.declared, ["WebFetch", "my_tool"]);
    assert_eq!(
        scene.names(),
        [
            "ToolsDeclared",
            "ExecutionStarted",
            "ExecutionStarted",
            "ToolsDeclared",
            "ExecutionStarted",
        ]
    );
}

#[test]
fn arguments_that_are_no_object_are_kept_inside_one() {
    let scene = scene();
    for (call, arguments, kept) in [
        ("a", "[1,2]", "{\"_value\":[1,2]}"),
        ("b", "not \"json\"", "{\"_text\":\"not \\\"json\\\"\"}"),
        ("c", "{\"a\":", "{\"_text\":\"{\\\"a\\\":\"}"),
    ] {
        let (_, mut event) = scene.started(Source::Import, THEN, call);
        if let Body::ExecutionStarted(started) = &mut event.body {
            started.arguments = Json(arguments.into());
        }
        import(&scene, vec![event]);
        let Some(Event { body: Body::ExecutionStarted(started), .. }) = scene.recorded().pop()
        else {
            panic!("{arguments}");
        };
        assert_eq!(started.arguments.0, kept);
    }
}

#[test]
fn a_call_without_result_is_interrupted_and_its_late_result_corrects_it() {
    let scene = scene();
    let (execution, started) = scene.started(Source::Import, THEN, "a");
    let mut recorder = import_recorder(&scene.project);
    recorder.record(vec![started.clone()]).unwrap();
    assert_eq!(recorder.interrupt_imported(None).unwrap().recorded, 1);
    recorder.finish().unwrap();

    let late = scene.finished(Source::Import, THEN + 9, execution);
    let report = import(&scene, vec![started.clone(), late.clone()]);
    assert_eq!((report.recorded, report.duplicates, report.corrected), (1, 1, 1));
    assert_eq!(scene.names(), ["ExecutionStarted", "ExecutionInterrupted", "ExecutionCorrected"]);
    let Some(Event { body: Body::ExecutionCorrected(corrected), .. }) = scene.recorded().pop()
    else {
        panic!("no correction");
    };
    assert_eq!(corrected.corrects, execution);
    assert_ne!(corrected.execution, execution);

    let report = import(&scene, vec![started, late]);
    assert_eq!((report.recorded, report.duplicates), (0, 2));
    let mut recorder = import_recorder(&scene.project);
    assert_eq!(recorder.interrupt_imported(None).unwrap().recorded, 0);
}

#[test]
fn a_result_without_its_call_is_taken_once() {
    let scene = scene();
    let finished = scene.finished(Source::Import, THEN, id::execution(THEN));
    assert_eq!(import(&scene, vec![finished.clone()]).recorded, 1);
    assert_eq!(import(&scene, vec![finished]).duplicates, 1);
}

#[test]
fn a_name_that_is_a_secret_stands_under_another_and_is_still_found_by_it() {
    let scene = scene();
    let secret = ["ghp_", "Zk8vQ2mX7tLw4RbN9cYp3HsD6fJgA1eUo5Ti"].concat();
    let told = || {
        let started = SessionStarted {
            agent: "test".into(),
            native_id: secret.clone(),
            agent_version: None,
            model: None,
            parent: None,
            cwd: None,
            branch: None,
            title: None,
        };
        let (execution, mut call) = scene.started(Source::Import, THEN, &secret);
        if let Body::ExecutionStarted(it) = &mut call.body {
            it.tool.clone_from(&secret);
            it.native_tool = Some(secret.clone());
        }
        let mut end = scene.finished(Source::Import, THEN, execution);
        if let Body::ExecutionFinished(it) = &mut end.body {
            it.tool.clone_from(&secret);
        }
        let session = scene.event(Source::Import, THEN, Body::SessionStarted(started));
        vec![session, prompt(&scene, &secret), call, end]
    };
    import(&scene, told());
    assert_eq!(import(&scene, told()).recorded, 0, "told twice it is still one");
    let direct = crate::journal::DirectRecorder::new(&scene.project);
    direct.record(told(), THEN, None, |_| false).unwrap();
    let recorded = format!("{:?}", scene.recorded());
    assert!(!recorded.contains(&secret[4..]), "{recorded}");
    assert!(recorded.contains("rule: \"name\""), "{recorded}");
}
