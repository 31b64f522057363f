//! Calls of tools: from when they were begun to their end, as the agent told it.

use serde_json::json;

use super::span::{self, Span, Value};
use super::{Telling, names};
use crate::agents::outward::{Told, text};
use crate::event::{Body, Closing, ExecutionStarted, Outcome, SessionId};

impl Telling<'_> {
    pub(super) fn call(&self, call: &Told, session: Option<SessionId>) -> Span {
        let ended = call.ended.as_ref().map(|it| (&it.event.body, it.event.envelope.at_ms));
        let began_ms = call.started.as_ref().map(|(_, at_ms)| *at_ms);
        let at_ms = began_ms.or(ended.map(|it| it.1)).unwrap_or_default();
        let (id, tool) = (span::call_span(call.execution), call.native_tool());
        let mut told = self.beneath(session, id, format!("execute_tool {tool}"), at_ms);
        told.text(names::OPERATION, "execute_tool");
        told.text(names::TOOL, tool);
        told.text(names::CALL_ID, call.call_id());
        told.text(names::CONTRACT_TOOL, call.tool());
        told.text(names::EXECUTION, call.execution.to_string());
        if let Some((started, _)) = &call.started {
            self.begin(started, &mut told);
        }
        told.end_ms = ended.map_or(at_ms, |(_, ended_ms)| ended_ms.max(at_ms));
        let (closing, reason) = match ended.map(|it| it.0) {
            Some(Body::ExecutionFinished(b)) => (Some(&b.closing), None),
            Some(Body::ExecutionCorrected(b)) => (Some(&b.closing), None),
            Some(Body::ExecutionInterrupted(b)) => (None, Some(b.reason.as_str())),
            _ => (None, None),
        };
        match (closing, reason) {
            (Some(closing), _) => self.close(closing, &mut told),
            (None, Some(reason)) => {
                told.text(names::OUTCOME, Outcome::Interrupted.as_str());
                told.text(names::REASON, reason);
            }
            // Nobody knows of an end: it is none that failed.
            (None, None) => told.text(names::OUTCOME, names::OPEN),
        }
        told
    }

    fn begin(&self, started: &ExecutionStarted, told: &mut Span) {
        told.parent = started.parent.map(span::call_span).or(told.parent);
        told.told(names::ACTOR, started.actor.as_deref());
        told.told(names::CWD, started.cwd.as_deref());
        told.told(names::BRANCH, started.branch.as_deref());
        told.attributes.push((names::PATHS, Value::Texts(started.paths.clone())));
        if self.which.content {
            told.text(names::ARGUMENTS, started.arguments.0.as_str());
        }
    }

    fn close(&self, closing: &Closing, told: &mut Span) {
        told.text(names::OUTCOME, closing.outcome.as_str());
        if let Some(code) = closing.exit_code {
            told.attributes.push((names::EXIT_CODE, Value::Int(code.into())));
        }
        told.count(names::DURATION, closing.duration_ms);
        match closing.outcome {
            Outcome::Failed => {
                let code = closing.exit_code.filter(|code| *code != 0).map(|it| it.to_string());
                told.text(names::ERROR_TYPE, code.unwrap_or_else(|| names::OTHER.to_owned()));
                told.error = Some(closing.error.clone().unwrap_or_default());
            }
            _ => told.told(names::REASON, closing.error.as_deref()),
        }
        if !closing.changed.is_empty() {
            told.text(names::CHANGED, json!(closing.changed).to_string());
        }
        if !self.which.content {
            return;
        }
        told.told(names::DIAGNOSTICS, closing.diagnostics.as_ref().map(|it| it.0.as_str()));
        let printed = [("stdout", &closing.stdout), ("stderr", &closing.stderr)];
        let printed: serde_json::Map<_, _> = printed
            .into_iter()
            .filter_map(|(name, content)| {
                let content = content.as_ref()?;
                Some((name.to_owned(), text(&self.contents, content).into()))
            })
            .collect();
        if !printed.is_empty() {
            told.text(names::RESULT, serde_json::Value::from(printed).to_string());
        }
    }
}
