//! Digests that stand for what was told: an import sees hundreds of thousands of them.

use crate::event::{CallKey, TranscriptFlawed};

pub(super) type Key = [u8; 16];

pub(super) fn call_key(call: &CallKey) -> Key {
    let scope = call.scope.as_deref().unwrap_or_default();
    key(&["call", &call.agent, scope, &call.call])
}

pub(super) fn prompt_key(native_id: &str) -> Key {
    key(&["prompt", native_id])
}

pub(super) fn flaw_key(flaw: &TranscriptFlawed) -> Key {
    let TranscriptFlawed { agent, file, line, flaw, detail } = flaw;
    key(&["flaw", agent, file, &line.to_string(), flaw.as_str(), detail])
}

pub(super) fn key(parts: &[&str]) -> Key {
    let mut key = [0; 16];
    key.copy_from_slice(&blake3::hash(parts.join("\0").as_bytes()).as_bytes()[..16]);
    key
}
