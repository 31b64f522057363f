//! Any event of any kind comes out as it went in.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::debug_bodies::debug_body;
use super::grounding_bodies::grounding_body;
use super::journal_bodies::journal_body;
use super::memory_bodies::{care_body, memory_body};
use super::phase_bodies::phase_body;
use super::repo_bodies::repo_body;
use super::said_bodies::{prompt_body, said_body};
use super::state_bodies::state_body;
use crate::event::*;

pub(super) fn text() -> impl Strategy<Value = String> {
    ".{0,20}"
}

pub(super) fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..4)
}

pub(super) fn maybe() -> impl Strategy<Value = Option<String>> {
    option::of(text())
}

pub(super) fn execution() -> impl Strategy<Value = ExecutionId> {
    any::<[u8; 16]>().prop_map(ExecutionId)
}

fn session() -> impl Strategy<Value = SessionId> {
    any::<[u8; 16]>().prop_map(SessionId)
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..300)
}

pub(super) fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        bytes().prop_map(Content::Inline),
        (any::<[u8; 32]>(), any::<u64>()).prop_map(|(hash, len)| Content::Blob { hash, len }),
        (any::<u64>(), any::<[u8; 32]>(), any::<u64>())
            .prop_map(|(sequence, hash, len)| Content::Repeated { sequence, hash, len }),
        (bytes(), bytes(), any::<u64>()).prop_map(|(head, tail, len)| Content::Truncated {
            head,
            tail,
            len
        }),
    ]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Ok),
        Just(Outcome::Failed),
        Just(Outcome::Refused),
        Just(Outcome::Interrupted)
    ]
}

fn closing() -> impl Strategy<Value = Closing> {
    let change = (text(), any::<bool>()).prop_map(|(path, created)| Change { path, created });
    let ended = (outcome(), any::<Option<i32>>(), any::<Option<u64>>(), maybe());
    let output = (option::of(content()), option::of(content()), maybe());
    (ended, output, texts(), texts(), vec(change, 0..4)).prop_map(
        |(
            (outcome, exit_code, duration_ms, error),
            (stdout, stderr, json),
            paths,
            symbols,
            changed,
        )| {
            let diagnostics = json.map(Json);
            Closing {
                outcome,
                exit_code,
                duration_ms,
                error,
                stdout,
                stderr,
                diagnostics,
                paths,
                symbols,
                changed,
            }
        },
    )
}

pub(super) fn call() -> impl Strategy<Value = CallKey> {
    (text(), maybe(), text()).prop_map(|(agent, scope, call)| CallKey { agent, scope, call })
}

fn started() -> impl Strategy<Value = ExecutionStarted> {
    let who = (execution(), text(), maybe(), option::of(call()), maybe(), option::of(execution()));
    (who, (text(), texts(), texts(), maybe(), maybe())).prop_map(
        |(
            (execution, tool, native_tool, call, actor, parent),
            (json, paths, symbols, cwd, branch),
        )| {
            let arguments = Json(json);
            ExecutionStarted {
                execution,
                tool,
                native_tool,
                call,
                actor,
                parent,
                arguments,
                paths,
                symbols,
                cwd,
                branch,
            }
        },
    )
}

fn session_body() -> impl Strategy<Value = Body> {
    let begun =
        (text(), text(), maybe(), maybe(), option::of(session()), maybe(), maybe(), maybe());
    let flaw =
        prop_oneof![Just(TranscriptFlaw::Unreadable), Just(TranscriptFlaw::ResultWithoutCall)];
    prop_oneof![
        begun.prop_map(|(agent, native_id, agent_version, model, parent, cwd, branch, title)| {
            Body::SessionStarted(SessionStarted {
                agent,
                native_id,
                agent_version,
                model,
                parent,
                cwd,
                branch,
                title,
            })
        }),
        prompt_body(),
        said_body(),
        text().prop_map(|reason| Body::SessionEnded(SessionEnded { reason })),
        any::<[u64; 3]>().prop_map(|[through_sequence, total_executions, current_step]| {
            Body::TimelineCheckpoint(TimelineCheckpoint {
                through_sequence,
                total_executions,
                current_step,
            })
        }),
        (text(), any::<u64>(), any::<[u8; 32]>(), text(), text()).prop_map(
            |(what, chars, digest, text, file)| {
                let (text, files) = (Content::Inline(text.into_bytes()), vec![file]);
                Body::ContextInjected(ContextInjected { what, chars, digest, text, files })
            },
        ),
        (text(), text(), text(), any::<Option<u64>>()).prop_map(
            |(agent, hook, outcome, duration_ms)| {
                Body::HookRan(HookRan { agent, hook, outcome, duration_ms })
            }
        ),
        (text(), text(), any::<u64>(), flaw, text()).prop_map(
            |(agent, file, line, flaw, detail)| {
                Body::TranscriptFlawed(TranscriptFlawed { agent, file, line, flaw, detail })
            }
        ),
    ]
}

pub(super) fn execution_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        started().prop_map(Body::ExecutionStarted),
        (execution(), text(), closing()).prop_map(|(execution, tool, closing)| {
            Body::ExecutionFinished(ExecutionFinished { execution, tool, closing })
        }),
        (execution(), text(), text()).prop_map(|(execution, tool, reason)| {
            Body::ExecutionInterrupted(ExecutionInterrupted { execution, tool, reason })
        }),
        (execution(), execution(), text(), text(), closing()).prop_map(
            |(execution, corrects, tool, reason, closing)| {
                Body::ExecutionCorrected(ExecutionCorrected {
                    execution,
                    corrects,
                    tool,
                    reason,
                    closing,
                })
            }
        ),
    ]
}

pub(super) fn event() -> impl Strategy<Value = Event> {
    let source = prop_oneof![
        Just(Source::Live),
        Just(Source::Hook),
        Just(Source::Import),
        Just(Source::Annals)
    ];
    let redaction = (text(), any::<u32>()).prop_map(|(rule, count)| Redaction { rule, count });
    let envelope = (
        option::of(session()),
        source,
        any::<u64>(),
        any::<Option<u64>>(),
        vec(redaction, 0..3),
        any::<u16>(),
    )
        .prop_map(|(session, source, at_ms, raw_at_ms, redactions, redactor_version)| Envelope {
            session,
            source,
            at_ms,
            raw_at_ms,
            redactions,
            redactor_version,
        });
    // Boxed: laid into one another, the families' strategies pass a test thread's stack.
    let body = prop_oneof![
        journal_body().boxed(),
        session_body().boxed(),
        execution_body().boxed(),
        grounding_body().boxed(),
        debug_body().boxed(),
        memory_body().boxed(),
        care_body().boxed(),
        state_body().boxed(),
        phase_body().boxed(),
        repo_body().boxed()
    ];
    (envelope, body).prop_map(|(envelope, body)| Event { envelope, body })
}

proptest! {
    #[test]
    fn what_is_encoded_is_decoded(event in event()) {
        let mut bytes = b"before".to_vec();
        encode(&event, &mut bytes).unwrap();
        let payload = &bytes[b"before".len()..];
        let (kind, schema) = (event.body.kind(), event.body.schema());
        prop_assert_eq!(decode(kind, schema, payload).unwrap(), event);
        // Not a byte more, not a byte less.
        let longer = [payload, &[0]].concat();
        let refused = matches!(
            decode(kind, schema, &longer),
            Err(EventError::TrailingBytes { bytes: 1, .. })
        );
        prop_assert!(refused);
        prop_assert!(decode(kind, schema, &payload[..payload.len() - 1]).is_err());
    }
}

#[test]
fn the_generator_reaches_every_kind() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..2_000 {
        seen.insert(event().new_tree(&mut runner).unwrap().current().body.kind());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), Kind::ALL);
}
