//! Recording around a call: the tool's result is its own.

use super::*;
use crate::event::Sequence;
use crate::journal::{InitOptions, ReplayItem};

fn call(tool: &str) -> ToolCall {
    ToolCall { tool: tool.into(), arguments: "{\"path\":\"a\"}".into(), ..ToolCall::default() }
}

fn bodies(project: &Project) -> Vec<Body> {
    let reader = project.reader().unwrap();
    let items = reader.replay(Sequence(3), None).map(Result::unwrap);
    let body = |item| match item {
        ReplayItem::Event(recorded) => Some(recorded.event.body),
        _ => None,
    };
    items.filter_map(body).collect()
}

#[test]
fn a_call_is_recorded_with_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let failing = || Err::<(), _>("no such file");
    let around = record_around(Some(&project), call("file_read"), failing, closing_of);
    assert_eq!(around.result, Err("no such file"));
    assert_eq!(around.log.unwrap().recorded, 2);
    let [Body::ExecutionStarted(started), Body::ExecutionFinished(finished)] =
        &bodies(&project)[..]
    else {
        panic!("{:?}", bodies(&project));
    };
    assert_eq!((started.execution, finished.execution), (around.execution, around.execution));
    assert_eq!(finished.closing.outcome, Outcome::Failed);
    assert_eq!(finished.closing.error.as_deref(), Some("no such file"));
    assert!(finished.closing.duration_ms.is_some());
    assert_eq!(project.owners_dir().read_dir().unwrap().count(), 0);
}

#[test]
fn the_tools_result_is_given_back_whatever_happens_to_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let around =
        record_around(Some(&project), call("undeclared"), || Ok::<_, String>(7), closing_of);
    assert_eq!(around.result, Ok(7));
    assert!(matches!(around.log, Err(RecordError::Undeclared { .. })));

    std::fs::remove_dir_all(folder.path().join(".annals/journal")).unwrap();
    let gone = Project::open(folder.path());
    assert!(gone.is_err());
    let around = record_around(None, call("file_read"), || Ok::<_, String>(8), closing_of);
    assert_eq!((around.result, around.log.unwrap()), (Ok(8), RecordReport::default()));
}
