//! A session's transcript in its agent's own lines again, as far as it is recorded.
//!
//! What the importer reads of them is what the journal has: importing them adds nothing. What no event
//! tells (hooks' own records, progress, what was thought and not recorded) is not invented.

mod claude_code;
mod codex;

use std::collections::HashMap;

use serde_json::Value;

use super::Agent;
use crate::event::wire::utc_text;
use crate::event::{
    Body, CallKey, Closing, Compacted, Content, ExecutionId, ExecutionStarted, Outcome, Recorded,
    SessionStarted,
};

/// Takes the events of one session, in order.
pub struct Rebuilt<'c> {
    agent: Agent,
    /// Brings a content as text.
    bring: &'c dyn Fn(&Content) -> String,
    /// What is known of the session.
    session: SessionStarted,
    calls: HashMap<ExecutionId, (CallKey, Option<String>)>,
    codex: codex::State,
    /// The line before, by its id.
    last: Option<String>,
}

/// One event to be written as lines.
struct Line<'a> {
    at: String,
    sequence: u64,
    what: What<'a>,
}

enum What<'a> {
    Prompt { text: String, native_id: Option<&'a str>, actor: Option<&'a str> },
    Said { said: &'a crate::event::AssistantSaid, text: String, thinking: Option<String> },
    Call { started: &'a ExecutionStarted, call: &'a CallKey },
    Result { closing: &'a Closing, call: CallKey, actor: Option<String>, text: String },
    Compacted { compacted: &'a Compacted, summary: String },
    Title(&'a str),
}

impl<'c> Rebuilt<'c> {
    pub fn new(agent: Agent, bring: &'c dyn Fn(&Content) -> String) -> Self {
        let (session, calls) = (SessionStarted::default(), HashMap::new());
        Self { agent, bring, session, calls, codex: codex::State::default(), last: None }
    }

    /// The lines of an event; none where it was told by no transcript.
    pub fn lines(&mut self, recorded: &Recorded) -> Vec<Value> {
        let envelope = &recorded.event.envelope;
        // A prompt is known by its time, as its transcript has it.
        let at_ms = envelope.told_ms().unwrap_or(envelope.at_ms);
        let at = utc_text(at_ms).unwrap_or_default();
        let Some(what) = self.what(&recorded.event.body) else { return Vec::new() };
        let line = Line { at, sequence: recorded.sequence.0, what };
        match self.agent {
            Agent::ClaudeCode => self.claude_code(line),
            Agent::Codex => self.codex(line),
        }
    }

    fn what<'a>(&mut self, body: &'a Body) -> Option<What<'a>> {
        let text = self.bring;
        Some(match body {
            Body::SessionStarted(started) => {
                self.learn(started);
                What::Title(started.title.as_deref()?)
            }
            Body::PromptSubmitted(b) => What::Prompt {
                text: text(&b.text),
                native_id: b.native_id.as_deref(),
                actor: b.actor.as_deref(),
            },
            Body::AssistantSaid(said) => What::Said {
                said,
                text: text(&said.text),
                thinking: said.thinking.as_ref().map(text),
            },
            Body::Compacted(compacted) => {
                What::Compacted { compacted, summary: text(&compacted.summary) }
            }
            Body::ExecutionStarted(started) => {
                let call = started.call.as_ref().filter(|it| it.agent == self.agent.as_str())?;
                self.calls.insert(started.execution, (call.clone(), started.actor.clone()));
                What::Call { started, call }
            }
            Body::ExecutionFinished(b) => self.result(b.execution, &b.closing)?,
            Body::ExecutionCorrected(b) => self.result(b.corrects, &b.closing)?,
            _ => return None,
        })
    }

    fn result<'a>(&mut self, execution: ExecutionId, closing: &'a Closing) -> Option<What<'a>> {
        // An interrupted call has no result in its transcript.
        if closing.outcome == Outcome::Interrupted {
            return None;
        }
        let (call, actor) = self.calls.remove(&execution)?;
        let outputs = [&closing.stdout, &closing.stderr].into_iter().flatten();
        let mut text = String::new();
        for printed in outputs.map(self.bring) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&printed);
        }
        // An exit code is told besides.
        if text.is_empty() && closing.exit_code.is_none() {
            text = closing.error.clone().unwrap_or_default();
        }
        Some(What::Result { closing, call, actor, text })
    }

    fn learn(&mut self, started: &SessionStarted) {
        let known = std::mem::take(&mut self.session);
        let or = |known: Option<String>, told: &Option<String>| known.or_else(|| told.clone());
        self.session = SessionStarted {
            agent: started.agent.clone(),
            native_id: started.native_id.clone(),
            agent_version: or(known.agent_version, &started.agent_version),
            model: or(known.model, &started.model),
            parent: known.parent.or(started.parent),
            cwd: or(known.cwd, &started.cwd),
            branch: or(known.branch, &started.branch),
            title: started.title.clone(),
        };
    }
}

/// Arguments as the agent gave them; no JSON that this build wrote is none.
fn arguments(started: &ExecutionStarted) -> Value {
    serde_json::from_str(&started.arguments.0).unwrap_or_default()
}

fn tool(started: &ExecutionStarted) -> &str {
    started.native_tool.as_deref().unwrap_or(&started.tool)
}

#[cfg(test)]
mod tests;
