//! Questions over real stores: filters, order, paging, references, identity.

use super::history::{
    NOW_MS, closing, event, execution_id, finished, interrupted, session_id, started,
};
use super::{caught_up, places};
use crate::event::{
    Body, CallKey, Closing, Content, Event, ExecutionFinished, ExecutionStarted, Outcome,
    PromptSubmitted, Sequence, SessionEnded, SessionStarted,
};
use crate::execution::query::{Identity, LogFilter, QueryError, Reference, SessionFilter, Stores};
use crate::store::feed::memory::MemoryFeed;

/// Five executions in two sessions; the last is open.
fn events() -> Vec<Event> {
    let session = |number: u8, agent: &str| {
        let body = SessionStarted {
            agent: agent.to_owned(),
            native_id: format!("native{number}"),
            agent_version: None,
            model: None,
            parent: None,
            cwd: None,
            branch: None,
            title: None,
        };
        event(NOW_MS, Some(number), Body::SessionStarted(body))
    };
    let start = |at: u64, number: u8, session: u8, tool: &str, path: &str| {
        let started = ExecutionStarted {
            paths: vec![path.to_owned()],
            ..started(number, tool, Some(number))
        };
        event(NOW_MS + at, Some(session), Body::ExecutionStarted(started))
    };
    let end = |at: u64, session: u8, body| event(NOW_MS + at, Some(session), body);
    let printed = Closing {
        stdout: Some(Content::Inline(b"say \"100%\" _done_\nNEEDLE".to_vec())),
        ..closing(Outcome::Ok)
    };
    let prompt = PromptSubmitted {
        text: Content::Inline(b"please".to_vec()),
        native_id: Some("prompt-1".to_owned()),
        actor: None,
        attachments: Vec::new(),
    };
    vec![
        session(1, "claude-code"),
        session(2, "codex"),
        event(NOW_MS, Some(1), Body::PromptSubmitted(prompt)),
        start(0, 1, 1, "file_read", "/home/me/project/src/lib.rs"),
        start(1, 2, 1, "lsp_check", "src"),
        // Ends in the other order than they began, at one and the same time.
        end(5, 1, finished(2, "lsp_check", Outcome::Failed)),
        end(5, 1, finished(1, "file_read", Outcome::Refused)),
        start(2, 3, 2, "file_read", "src/main.rs"),
        end(
            3,
            2,
            Body::ExecutionFinished(ExecutionFinished {
                execution: execution_id(3),
                tool: "file_read".to_owned(),
                closing: printed,
            }),
        ),
        start(6, 4, 2, "file_search", "docs/lib.rs.md"),
        end(7, 2, interrupted(4, "file_search")),
        end(8, 2, Body::SessionEnded(SessionEnded { reason: "done".to_owned() })),
        start(9, 5, 1, "file_read", "src/100%_sure.rs"),
    ]
}

fn asked() -> (tempfile::TempDir, Stores, Identity) {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let mut feed = MemoryFeed::new(1);
    feed.commit(events());
    caught_up(&places, &feed);
    let stores = Stores::open(&places).unwrap();
    (folder, stores, Identity::open(places.index()).unwrap())
}

#[test]
fn a_list_is_in_order_of_time_then_sequence_and_holds_what_was_asked_for() {
    let (_folder, stores, _) = asked();
    let all = LogFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let cases: [(&str, LogFilter, &[u8]); 22] = [
        ("all", all(), &[3, 2, 1, 4, 5]),
        ("last two", LogFilter { last: 2, ..all() }, &[4, 5]),
        ("the two before", LogFilter { last: 2, skip: 2, ..all() }, &[2, 1]),
        (
            "a session by its beginning",
            LogFilter { session: Some(session_id(2).to_string()[..6].to_owned()), ..all() },
            &[3, 4],
        ),
        (
            "a session by the agent's name",
            LogFilter { session: text("native1"), ..all() },
            &[2, 1, 5],
        ),
        ("no session of that name", LogFilter { session: text("%"), ..all() }, &[]),
        ("a tool", LogFilter { tool: text("file_read"), ..all() }, &[3, 1, 5]),
        ("a native tool", LogFilter { tool: text("Native"), ..all() }, &[3, 2, 1, 4, 5]),
        ("failed, not refused", LogFilter { failed: true, ..all() }, &[2]),
        ("the end of a path", LogFilter { path: text("src/lib.rs"), ..all() }, &[1]),
        ("with a dot", LogFilter { path: text("./src/lib.rs"), ..all() }, &[1]),
        ("a folder", LogFilter { path: text("src/"), ..all() }, &[3, 2, 1, 5]),
        ("a whole name only", LogFilter { path: text("lib.rs"), ..all() }, &[1]),
        ("signs of LIKE in a path", LogFilter { path: text("100%_sure.rs"), ..all() }, &[5]),
        ("in output, any case", LogFilter { grep: text("needle"), ..all() }, &[3]),
        ("in output, quoted", LogFilter { grep: text("\"100%\" _done_\nN"), ..all() }, &[3]),
        ("in arguments", LogFilter { grep: text("step 2"), ..all() }, &[2]),
        ("in an error", LogFilter { grep: text("owner is gone"), ..all() }, &[4]),
        ("signs of LIKE", LogFilter { grep: text("%needle"), ..all() }, &[]),
        ("since", LogFilter { since_ms: Some(NOW_MS + 5), ..all() }, &[2, 1, 4, 5]),
        ("until", LogFilter { until_ms: Some(NOW_MS + 5), ..all() }, &[3, 2, 1]),
        (
            "between two events",
            LogFilter { after: Some(Sequence(6)), through: Some(Sequence(9)), ..all() },
            &[3, 1],
        ),
    ];
    for (name, filter, expected) in cases {
        let page = stores.log(&filter).unwrap();
        let ids: Vec<_> = page.executions.iter().map(|found| found.id).collect();
        let expected: Vec<_> = expected.iter().map(|number| execution_id(*number)).collect();
        assert_eq!(ids, expected, "{name}");
        let count = stores.log_count(&filter).unwrap();
        assert_eq!(page.more, count > (filter.skip + ids.len()) as u64, "{name}");
    }
}

#[test]
fn a_reference_names_one_execution_or_says_why_not() {
    let (_folder, stores, _) = asked();
    let found = |text: &str| stores.resolve(&Reference::parse(text).unwrap());
    for (text, expected) in [
        ("1", 2),
        ("2", 1),
        ("last", 5),
        ("@5", 2),
        ("@6", 2),
        (execution_id(4).to_string().as_str(), 4),
    ] {
        assert_eq!(found(text).unwrap().id, execution_id(expected), "{text}");
    }
    let shared = &execution_id(1).to_string()[..8];
    assert!(matches!(found(shared), Err(QueryError::Ambiguous { .. })));
    for text in ["99", "@1", "@999", "ffffffff"] {
        assert!(matches!(found(text), Err(QueryError::NotFound { .. })), "{text}");
    }
    let open = stores.show(&Reference::Last).unwrap();
    assert_eq!((open.summary.outcome, open.arguments_json), (None, None));
}

#[test]
fn sessions_are_counted_and_ordered_by_their_last_event() {
    let (_folder, stores, _) = asked();
    let all = stores.sessions(&SessionFilter::default()).unwrap();
    let told: Vec<_> = all
        .iter()
        .map(|s| (s.agent.as_str(), s.calls, s.failed, s.refused, s.interrupted, s.ended))
        .collect();
    assert_eq!(told, [("codex", 2, 0, 0, 1, true), ("claude-code", 3, 1, 1, 0, false)]);
    assert_eq!(all[1].title.as_deref(), Some("please"));
    let codex = SessionFilter { agent: Some("codex".to_owned()), ..SessionFilter::default() };
    assert_eq!(stores.sessions(&codex).unwrap().len(), 1);
}

#[test]
fn a_recorder_is_told_what_is_known() {
    let (_folder, _, identity) = asked();
    let call = |call: &str| CallKey {
        agent: "claude-code".to_owned(),
        scope: None,
        call: call.to_owned(),
    };
    let known = identity.execution_by_call(&call("toolu_3")).unwrap().unwrap();
    assert_eq!((known.id, known.outcome), (execution_id(3), Some(Outcome::Ok)));
    assert_eq!((known.ordinal, known.session), (Some(3), Some(session_id(2))));
    assert_eq!(identity.execution_by_call(&call("toolu_9")).unwrap(), None);
    let open = identity.open_executions(None).unwrap();
    assert_eq!(open.iter().map(|found| found.id).collect::<Vec<_>>(), [execution_id(5)]);
    assert_eq!(identity.open_executions(Some(session_id(2))).unwrap(), []);
    let session = identity.session(session_id(2)).unwrap().unwrap();
    assert_eq!((session.last_ms, session.ended), (NOW_MS + 8, true));
    assert!(identity.prompt_known("prompt-1").unwrap());
    assert!(!identity.prompt_known("prompt-2").unwrap());
    let digest = blake3::hash(b"please");
    assert!(identity.prompt_text_known(NOW_MS, digest.as_bytes()).unwrap());
    assert!(!identity.prompt_text_known(NOW_MS + 1, digest.as_bytes()).unwrap());
    assert_eq!(identity.through().unwrap(), Some(([1; 16], Sequence(13))));
}
