//! Names by which things are found again are never redacted: one that is a secret is refused.

use crate::command::redact::Redactor;
use crate::event::{Body, Event};

/// Which name of a live event is, or holds, what looks like a secret. Those that agents' hooks and
/// transcripts bring are the agents' own ids, and are kept as they are.
pub(super) fn secret(event: &Event, redactor: &Redactor) -> Option<&'static str> {
    let is_secret = |name: &&str| !redactor.find(name.as_bytes()).is_empty();
    let any = |what, names: &[Option<&str>]| names.iter().flatten().any(is_secret).then_some(what);
    match &event.body {
        Body::SessionStarted(it) => {
            any("agent", &[Some(&it.agent)]).or_else(|| any("session", &[Some(&it.native_id)]))
        }
        Body::ExecutionStarted(it) => {
            any("native tool", &[it.native_tool.as_deref()]).or_else(|| {
                let call = it.call.as_ref()?;
                any("call", &[Some(&call.agent), call.scope.as_deref(), Some(&call.call)])
            })
        }
        _ => None,
    }
}
