//! What lies around an execution, in a real history; and that it is found through indexes.

use crate::event::{
    Body, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId, ExecutionStarted,
    Json, Outcome, PromptSubmitted, SessionId, Source,
};
use crate::execution::live_recorder;
use crate::execution::query::{ExecutionSummary, PathRole, Reference, Stores};
use crate::journal::{InitOptions, Project};
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

const BEGAN: u64 = 1_735_036_800_000;

fn event(session: u8, at: u64, body: Body) -> Event {
    let session = Some(SessionId([session; 16]));
    Event { envelope: Envelope::new(session, Source::Live, BEGAN + at), body }
}

fn prompt(session: u8, at: u64, text: &str, actor: Option<&str>) -> Event {
    let text = Content::Inline(text.as_bytes().to_vec());
    let actor = actor.map(str::to_owned);
    event(
        session,
        at,
        Body::PromptSubmitted(PromptSubmitted {
            text,
            native_id: None,
            actor,
            attachments: Vec::new(),
        }),
    )
}

fn id(number: u8) -> ExecutionId {
    ExecutionId::v7(BEGAN, &[number; 10])
}

/// A call on a file: its start and its end.
fn call(
    session: u8,
    number: u8,
    path: &str,
    inside: Option<u8>,
    actor: Option<&str>,
) -> [Event; 2] {
    let at = u64::from(number) * 10;
    let started = ExecutionStarted {
        execution: id(number),
        tool: "file_read".to_owned(),
        native_tool: None,
        call: None,
        actor: actor.map(str::to_owned),
        parent: inside.map(id),
        arguments: Json("{}".to_owned()),
        paths: vec![path.to_owned()],
        symbols: Vec::new(),
        cwd: None,
        branch: None,
    };
    let closing = Closing {
        outcome: Outcome::Ok,
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    };
    let tool = "file_read".to_owned();
    let finished = ExecutionFinished { execution: id(number), tool, closing };
    [
        event(session, at, Body::ExecutionStarted(started)),
        event(session, at + 1, Body::ExecutionFinished(finished)),
    ]
}

/// Two sessions on two files; 4 and 5 ran inside 3, by a subagent with a prompt of its own.
fn history() -> (tempfile::TempDir, Stores) {
    let folder = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
    let mut events = vec![prompt(1, 5, "first", None)];
    events.extend(call(1, 1, "a.rs", None, None));
    events.extend(call(2, 2, "a.rs", None, None));
    events.push(prompt(1, 25, "second", None));
    events.extend(call(1, 3, "b.rs", None, None));
    events.push(prompt(1, 35, "for the other", Some("agent")));
    events.extend(call(1, 4, "a.rs", Some(3), Some("agent")));
    events.extend(call(1, 5, "b.rs", Some(3), Some("nobody")));
    events.extend(call(2, 6, "a.rs", None, None));
    events.extend(call(1, 7, "a.rs", None, None));
    let mut recorder = live_recorder(&project);
    recorder.record(events).unwrap();
    recorder.finish().unwrap();
    let places = crate::stores::places(project.root());
    assert!(catch_up(&places, &JournalFeed::of(&project).unwrap()).is_current());
    let stores = Stores::open(&places).unwrap();
    (folder, stores)
}

fn numbers(list: &[ExecutionSummary]) -> Vec<u64> {
    list.iter().map(|row| row.ordinal.unwrap()).collect()
}

#[test]
fn what_lies_around_an_execution_is_told_in_order() {
    let (_folder, stores) = history();
    let around = |number| stores.around(&Reference::Ordinal(number), 2).unwrap();
    for (number, prompt, before, after) in [
        (1, Some("first"), vec![], vec![3, 4]),
        (3, Some("second"), vec![1], vec![4, 5]),
        (4, Some("for the other"), vec![1, 3], vec![5, 7]),
        (5, Some("second"), vec![3, 4], vec![7]),
        (2, None, vec![], vec![6]),
    ] {
        let found = around(number);
        assert_eq!(found.prompt.map(|prompt| prompt.text).as_deref(), prompt, "{number}");
        assert_eq!(numbers(&found.before), before, "{number}");
        assert_eq!(numbers(&found.after), after, "{number}");
    }
    let third = around(3);
    assert_eq!((numbers(&third.children), third.parent), (vec![4, 5], None));
    let fourth = around(4);
    assert_eq!(fourth.parent.as_ref().and_then(|parent| parent.ordinal), Some(3));
    assert_eq!((fourth.files.len(), fourth.files_more), (1, false));
    let file = &fourth.files[0];
    assert_eq!((file.path.as_str(), file.role), ("a.rs", PathRole::Named));
    // On a file, whichever session it was.
    assert_eq!((numbers(&file.before), numbers(&file.after)), (vec![1, 2], vec![6, 7]));
    assert_eq!(fourth.links.len(), 1);
    assert!(stores.around(&Reference::Ordinal(99), 2).is_err());
}

#[test]
fn everything_around_is_found_through_indexes() {
    let (_folder, stores) = history();
    for ordinal in 1..=7 {
        stores.around(&Reference::Ordinal(ordinal), 2).unwrap();
    }
    let plans = stores.index.plans().unwrap();
    assert!(plans.len() >= 9, "{plans:?}");
    for (sql, plan) in plans {
        assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "{sql}: {plan:?}");
        // Only one execution's own files are sorted.
        let sorts = plan.iter().any(|step| step.contains("TEMP B-TREE"));
        assert_eq!(sorts, sql == super::FILES, "{sql}: {plan:?}");
    }
}
