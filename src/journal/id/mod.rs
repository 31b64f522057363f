//! Ids of what is recorded: random for what happens now, derived for what is imported, so that
//! importing twice gives the same.

use uuid::Uuid;

use crate::event::{CallKey, DebugSessionId, ExecutionId, SessionId};

#[cfg(test)]
mod tests;

fn random() -> [u8; 16] {
    Uuid::new_v4().into_bytes()
}

/// Random bytes for a journal's id and its salts.
pub(crate) fn entropy() -> [u8; 48] {
    let mut hasher = blake3::Hasher::new();
    for _ in 0..4 {
        hasher.update(&random());
    }
    let mut bytes = [0; 48];
    hasher.finalize_xof().fill(&mut bytes);
    bytes
}

pub fn execution(at_ms: u64) -> ExecutionId {
    let mut tail = [0; 10];
    tail.copy_from_slice(&entropy()[..10]);
    ExecutionId::v7(at_ms, &tail)
}

pub fn debug_session(at_ms: u64) -> DebugSessionId {
    let mut tail = [0; 10];
    tail.copy_from_slice(&entropy()[..10]);
    DebugSessionId::v7(at_ms, &tail)
}

/// The id of a debug session that is called otherwise elsewhere: the same however often it is imported.
pub fn imported_debug_session(native: &str) -> DebugSessionId {
    let mut bytes = [0; 16];
    let text = ["annals debug session", native].join("\0");
    bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    DebugSessionId::derived(bytes)
}

/// The id of an agent's call: the same however often it is imported.
pub fn imported_execution(at_ms: u64, call: &CallKey) -> ExecutionId {
    let scope = call.scope.as_deref().unwrap_or_default();
    derived(at_ms, &["annals execution", &call.agent, scope, &call.call])
}

/// The id of the row that corrects an execution: the same however often its result turns up.
pub fn correction(at_ms: u64, corrected: ExecutionId) -> ExecutionId {
    derived(at_ms, &["annals correction", &corrected.to_string()])
}

/// What a prompt is known by that a hook told of: its session, its text and the minute. The hook
/// cannot know the id, nor the moment, that the transcript will give it.
pub fn hooked_prompt(session: SessionId, text: &[u8], at_ms: u64) -> String {
    let minute = at_ms / MINUTE_MS;
    let mut hash = blake3::Hasher::new();
    hash.update(b"annals prompt\0").update(&session.0).update(&minute.to_le_bytes());
    hash.update(text).finalize().to_hex()[..32].to_owned()
}

/// All that a hook may have called a prompt that a transcript tells of.
pub(crate) fn hooked_prompts(session: SessionId, text: &[u8], at_ms: u64) -> [String; 3] {
    let minutes = [at_ms, at_ms.saturating_sub(MINUTE_MS), at_ms.saturating_add(MINUTE_MS)];
    minutes.map(|at_ms| hooked_prompt(session, text, at_ms))
}

const MINUTE_MS: u64 = 60_000;

fn derived(at_ms: u64, parts: &[&str]) -> ExecutionId {
    let mut tail = [0; 10];
    tail.copy_from_slice(&blake3::hash(parts.join("\0").as_bytes()).as_bytes()[..10]);
    ExecutionId::v7(at_ms, &tail)
}

/// An agent's own UUID where its session has one, else one derived from its name.
pub fn session(agent: &str, native: &str) -> SessionId {
    SessionId::parse(native).unwrap_or_else(|| {
        let mut bytes = [0; 16];
        let text = ["annals session", agent, native].join("\0");
        bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
        SessionId::derived(bytes)
    })
}
