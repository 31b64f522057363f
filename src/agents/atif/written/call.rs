//! A call in its step, and what it printed.

use serde_json::{Map, json};

use super::{Written, filled};
use crate::agents::outward::{Told, text};
use crate::event::wire::utc_text;
use crate::event::{Body, Outcome, Recorded};

impl<E> Written<'_, E> {
    pub(super) fn call(&mut self, recorded: &Recorded, call: &Told) -> Result<(), E> {
        let actor = call.started.as_ref().and_then(|(it, _)| it.actor.clone());
        let goes_on = self.step.as_ref().is_some_and(|step| step.goes_on(&actor));
        if !goes_on {
            let parent = call.started.as_ref().and_then(|(it, _)| it.parent);
            let parent = parent.map(|it| it.to_string());
            let own = json!({ "actor": actor, "parent": parent });
            self.begin(recorded, "agent", String::new(), actor, own)?;
        }
        let Some(step) = &mut self.step else { return Ok(()) };
        let mut id = call.call_id();
        if step.ends.contains_key(&id) {
            id = call.execution.to_string();
        }
        let arguments = call.started.as_ref().map_or("{}", |(it, _)| it.arguments.0.as_str());
        step.calls.push(json!({
            "tool_call_id": id,
            "function_name": call.native_tool(),
            "arguments": serde_json::from_str::<Map<_, _>>(arguments).unwrap_or_default(),
        }));
        let ended = call.ended.as_ref();
        let (closing, reason) = match ended.map(|it| &it.event.body) {
            Some(Body::ExecutionFinished(b)) => (Some(&b.closing), None),
            Some(Body::ExecutionCorrected(b)) => (Some(&b.closing), None),
            Some(Body::ExecutionInterrupted(b)) => (None, Some(b.reason.as_str())),
            _ => (None, None),
        };
        let outcome = match (closing, reason) {
            (Some(closing), _) => closing.outcome.as_str(),
            (None, Some(_)) => Outcome::Interrupted.as_str(),
            (None, None) => "open",
        };
        let [stdout, stderr] = [closing.map(|it| &it.stdout), closing.map(|it| &it.stderr)]
            .map(|printed| printed.and_then(|it| it.as_ref()).map(|it| text(&self.contents, it)));
        let end = json!({
            "outcome": outcome,
            "tool": call.tool(),
            "cwd": call.started.as_ref().and_then(|(it, _)| it.cwd.as_deref()),
            "branch": call.started.as_ref().and_then(|(it, _)| it.branch.as_deref()),
            "paths": call.started.as_ref().map(|(it, _)| &it.paths),
            "execution": call.execution.to_string(),
            "began": call.started.as_ref().and_then(|(_, at_ms)| utc_text(*at_ms)),
            "ended": ended.and_then(|it| utc_text(it.event.envelope.at_ms)),
            "exit_code": closing.and_then(|it| it.exit_code),
            "duration_ms": closing.and_then(|it| it.duration_ms),
            "error": closing.and_then(|it| it.error.as_deref()).or(reason),
            // A result is one text: where the errors in it begin.
            "stderr_from": stderr.as_ref().map(|_| stdout.as_ref().map_or(0, String::len)),
            "changed": closing.map(|it| &it.changed).filter(|it| !it.is_empty()),
        });
        step.ends.extend(filled(end).map(|end| (id.clone(), end)));
        if let Some(closing) = closing.filter(|it| it.outcome != Outcome::Interrupted) {
            let printed = [stdout, stderr].into_iter().flatten().collect::<String>();
            let is_told =
                printed.is_empty() && closing.stdout.is_none() && closing.stderr.is_none();
            let content = if is_told { closing.error.clone() } else { Some(printed) };
            let content = content.unwrap_or_default();
            step.results.push(json!({ "source_call_id": id, "content": content }));
        }
        Ok(())
    }
}
