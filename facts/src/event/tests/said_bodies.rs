//! What agents said: any of it, and one of each with every field filled.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::round_trip::{content, execution, maybe, text};
use super::samples::{EXECUTION, free, some};
use crate::event::*;

pub(super) fn said_body() -> impl Strategy<Value = Body> {
    let tokens = any::<[Option<u64>; 4]>();
    let usage = tokens.prop_map(|[input, output, cache_read, cache_write]| Usage {
        input,
        output,
        cache_read,
        cache_write,
    });
    let of = (text(), maybe(), option::of(execution()));
    let words = (content(), option::of(content()), maybe(), maybe());
    prop_oneof![
        (of, words, usage).prop_map(
            |((native_id, actor, parent), (text, thinking, model, stop_reason), usage)| {
                Body::AssistantSaid(AssistantSaid {
                    native_id,
                    actor,
                    parent,
                    text,
                    thinking,
                    model,
                    stop_reason,
                    usage,
                })
            }
        ),
        (text(), maybe(), text()).prop_map(|(native_id, from, to)| {
            Body::ModelChanged(ModelChanged { native_id, from, to })
        }),
        (text(), maybe(), any::<Option<u64>>(), content()).prop_map(
            |(native_id, trigger, tokens_before, summary)| {
                Body::Compacted(Compacted { native_id, trigger, tokens_before, summary })
            }
        ),
    ]
}

pub(super) fn prompt_body() -> impl Strategy<Value = Body> {
    let attachment = (maybe(), maybe(), any::<u64>(), any::<[u8; 32]>()).prop_map(
        |(name, media_type, bytes, digest)| Attachment { name, media_type, bytes, digest },
    );
    (content(), maybe(), maybe(), vec(attachment, 0..3)).prop_map(
        |(text, native_id, actor, attachments)| {
            Body::PromptSubmitted(PromptSubmitted { text, native_id, actor, attachments })
        },
    )
}

pub(super) fn attachment() -> Attachment {
    let (name, media_type) = (some("name"), some("type"));
    Attachment { name, media_type, bytes: 70_000, digest: [0x12; 32] }
}

pub(super) fn said_bodies() -> Vec<Body> {
    vec![
        Body::AssistantSaid(AssistantSaid {
            native_id: "msg_1".into(),
            actor: some("actor"),
            parent: Some(EXECUTION),
            text: Content::Inline(free("said").into_bytes()),
            thinking: Some(Content::Inline(free("thought").into_bytes())),
            model: some("model"),
            stop_reason: some("stop"),
            usage: Usage {
                input: Some(8),
                output: Some(321),
                cache_read: Some(24_490),
                cache_write: None,
            },
        }),
        Body::ModelChanged(ModelChanged {
            native_id: "msg_1".into(),
            from: some("from"),
            to: free("to"),
        }),
        Body::Compacted(Compacted {
            native_id: "msg_1".into(),
            trigger: some("trigger"),
            tokens_before: Some(155_000),
            summary: Content::Inline(free("summary").into_bytes()),
        }),
    ]
}

/// A message grows while a transcript is written: the most that was told of it counts.
#[test]
fn usage_grows() {
    let mut usage = Usage { input: Some(8), output: Some(1), ..Usage::default() };
    usage.grow(&Usage { output: Some(104), cache_read: Some(5), ..Usage::default() });
    usage.grow(&Usage { input: Some(8), output: Some(3), ..Usage::default() });
    let expected =
        Usage { input: Some(8), output: Some(104), cache_read: Some(5), cache_write: None };
    assert_eq!(usage, expected);
}
