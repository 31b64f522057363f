//! Names by which things are found again are kept as they are: one that is a secret is refused where
//! somebody can be told, and stands under another name where nobody can.

use crate::command::redact::Redactor;
use crate::event::{Body, CallKey, Event, Redaction};

/// The rule that envelopes count such names under.
const RULE: &str = "name";

/// Puts another name in the place of each that is, or holds, what looks like a secret: the same one for
/// the same name, whichever door it comes by, so that a call that is told twice is still one. For what
/// agents' hooks and transcripts bring.
pub(super) fn conceal(event: &mut Event, redactor: &Redactor) {
    let mut count: u32 = 0;
    let mut other = |name: &mut String| {
        if !redactor.find(name.as_bytes()).is_empty() {
            let hash = blake3::derive_key("annals name of a secret v1", name.as_bytes());
            *name = hash[..8].iter().fold("redacted_".to_owned(), |mut name, byte| {
                name.push_str(&format!("{byte:02x}"));
                name
            });
            count = count.saturating_add(1);
        }
    };
    let call = |key: &mut CallKey, other: &mut dyn FnMut(&mut String)| {
        other(&mut key.agent);
        key.scope.iter_mut().for_each(&mut *other);
        other(&mut key.call);
    };
    match &mut event.body {
        Body::SessionStarted(it) => {
            other(&mut it.agent);
            other(&mut it.native_id);
        }
        Body::PromptSubmitted(it) => it.native_id.iter_mut().for_each(other),
        Body::HookRan(it) => other(&mut it.agent),
        Body::TranscriptFlawed(it) => other(&mut it.agent),
        Body::ToolsDeclared(it) => it.tools.iter_mut().for_each(other),
        Body::ExecutionStarted(it) => {
            other(&mut it.tool);
            it.native_tool.iter_mut().for_each(&mut other);
            it.call.iter_mut().for_each(|key| call(key, &mut other));
        }
        Body::ExecutionFinished(it) => other(&mut it.tool),
        Body::ExecutionInterrupted(it) => other(&mut it.tool),
        Body::ExecutionCorrected(it) => other(&mut it.tool),
        Body::GateRefused(it) => {
            other(&mut it.tool);
            it.call.iter_mut().for_each(|key| call(key, &mut other));
        }
        Body::GateBypassed(it) => {
            other(&mut it.tool);
            it.call.iter_mut().for_each(|key| call(key, &mut other));
        }
        _ => (),
    }
    if count > 0 {
        event.envelope.redactions.push(Redaction { rule: RULE.to_owned(), count });
    }
}

/// Which name of a live event is, or holds, what looks like a secret.
pub(super) fn secret(event: &Event, redactor: &Redactor) -> Option<&'static str> {
    let is_secret = |name: &&str| !redactor.find(name.as_bytes()).is_empty();
    let any = |what, names: &[Option<&str>]| names.iter().flatten().any(is_secret).then_some(what);
    match &event.body {
        Body::SessionStarted(it) => {
            any("agent", &[Some(&it.agent)]).or_else(|| any("session", &[Some(&it.native_id)]))
        }
        Body::ToolsDeclared(it) => it.tools.iter().find_map(|tool| any("tool", &[Some(tool)])),
        Body::ExecutionStarted(it) => {
            any("native tool", &[it.native_tool.as_deref()]).or_else(|| {
                let call = it.call.as_ref()?;
                any("call", &[Some(&call.agent), call.scope.as_deref(), Some(&call.call)])
            })
        }
        _ => None,
    }
}
