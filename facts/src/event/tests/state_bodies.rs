//! Any event of what frameworks keep in branch memory.

use proptest::prelude::*;

use super::memory_bodies::origin;
use super::round_trip::{text, texts};
use crate::event::*;

pub(super) fn state_body() -> impl Strategy<Value = Body> {
    let key = || ([text(), text()], texts(), any::<u64>(), origin());
    let message = || ([text(), text()], any::<u64>(), origin());
    prop_oneof![
        (key(), text(), any::<Option<u64>>()).prop_map(
            |(([branch, key], namespace, version, origin), value, ttl_ms)| {
                let value = Json(value);
                Body::KvPut(KvPut { branch, namespace, key, version, value, ttl_ms, origin })
            }
        ),
        key().prop_map(|([branch, key], namespace, version, origin)| {
            Body::KvDeleted(KvDeleted { branch, namespace, key, version, origin })
        }),
        (message(), text(), text()).prop_map(
            |(([branch, thread], number, origin), role, content)| {
                let content = Json(content);
                Body::MessageAppended(MessageAppended {
                    branch,
                    thread,
                    number,
                    role,
                    content,
                    origin,
                })
            }
        ),
        message().prop_map(|([branch, thread], number, origin)| {
            Body::MessagePopped(MessagePopped { branch, thread, number, origin })
        }),
        message().prop_map(|([branch, thread], messages, origin)| {
            Body::ThreadCleared(ThreadCleared { branch, thread, messages, origin })
        }),
    ]
}
