//! Whose a record is, whichever door it comes by: what a hook and a transcript tell alike.

use crate::event::{Body, CallKey, Content, Event, ExecutionId};
use crate::journal::id;

/// Something by which a record is known.
pub(super) struct Whose {
    pub what: &'static str,
    pub parts: Vec<Vec<u8>>,
}

const CALL: &str = "annals call";
const END: &str = "annals end of a call";
const SESSION: &str = "a whole session";
const PROMPT: &str = "annals prompt";
const MESSAGE: &str = "annals message";
const MARK: &str = "annals mark";

/// What an event that comes is known by; one is enough.
pub(super) fn told_by(event: &Event) -> Vec<Whose> {
    let session = event.envelope.session.map_or(Vec::new(), |id| id.0.to_vec());
    let whose = |what, parts| vec![Whose { what, parts }];
    match &event.body {
        Body::ExecutionStarted(b) => {
            let ids = [Some(tail(b.execution)), b.call.as_ref().map(of_call)];
            ids.into_iter().flatten().map(|id| Whose { what: CALL, parts: vec![id] }).collect()
        }
        Body::ExecutionFinished(b) => whose(END, vec![tail(b.execution)]),
        Body::ExecutionInterrupted(b) => whose(END, vec![tail(b.execution)]),
        Body::ExecutionCorrected(b) => whose(END, vec![tail(b.corrects)]),
        Body::PromptSubmitted(b) => {
            // Without an id it is not any other one without.
            let mut told =
                b.native_id.as_ref().filter(|it| !it.is_empty()).map_or(Vec::new(), |it| {
                    whose(PROMPT, vec![b"id".to_vec(), session.clone(), it.clone().into_bytes()])
                });
            // A hook and a transcript call it differently; its text is the same.
            if let Content::Inline(text) = &b.text {
                told.push(Whose {
                    what: PROMPT,
                    parts: vec![b"text".to_vec(), session, text.clone()],
                });
            }
            told
        }
        Body::AssistantSaid(b) => whose(MESSAGE, vec![session, b.native_id.clone().into_bytes()]),
        Body::SessionStarted(_) => whose(SESSION, vec![session]),
        Body::ModelChanged(b) => whose(MARK, vec![session, b.native_id.clone().into_bytes()]),
        Body::Compacted(b) => whose(MARK, vec![session, b.native_id.clone().into_bytes()]),
        _ => Vec::new(),
    }
}

/// What is kept of an event that was redacted whole. Of a call without its beginning the end must not
/// come back either.
pub(super) fn kept_of(event: &Event) -> Vec<Whose> {
    let mut kept = told_by(event);
    if let Body::ExecutionStarted(_) = &event.body {
        let ends: Vec<_> =
            kept.iter().map(|it| Whose { what: END, parts: it.parts.clone() }).collect();
        kept.extend(ends);
    }
    kept
}

/// What two ids of one call have in common: all but the time.
fn tail(execution: ExecutionId) -> Vec<u8> {
    execution.0[6..].to_vec()
}

fn of_call(call: &CallKey) -> Vec<u8> {
    tail(id::imported_execution(0, call))
}
