//! Sessions, their turns, and what models said in them.

use serde_json::json;

use super::span::{self, Span, Value};
use super::{Telling, names};
use crate::agents::outward::text;
use crate::event::{AssistantSaid, PromptSubmitted, Recorded, SessionId};

impl Telling<'_> {
    /// The span of a session, once.
    pub(super) fn root(&mut self, session: SessionId) -> Option<Span> {
        let known = self.plan.session(session).filter(|_| self.told.insert(session))?;
        let facts = &known.facts;
        let trace = span::trace_of(session);
        let mut told =
            Span::at(trace, span::session_span(session), invoked(&facts.agent), known.first_ms);
        told.end_ms = known.last_ms;
        told.text(names::OPERATION, "invoke_agent");
        told.told(names::AGENT, Some(facts.agent.as_str()).filter(|it| !it.is_empty()));
        told.told(names::AGENT_VERSION, facts.agent_version.as_deref());
        told.text(names::CONVERSATION, self.native(session));
        told.told(names::REQUEST_MODEL, facts.model.as_deref());
        told.told(names::CWD, facts.cwd.as_deref());
        told.told(names::BRANCH, facts.branch.as_deref());
        told.text(names::SESSION, session.to_string());
        told.told(names::TITLE, facts.title.as_deref().filter(|_| self.which.content));
        told.told(names::END_REASON, known.end_reason.as_deref());
        told.link = facts.parent.map(|it| (span::trace_of(it), span::session_span(it)));
        Some(told)
    }

    /// A turn: the agent was asked, and worked until it was asked again.
    pub(super) fn prompt(&mut self, recorded: &Recorded, prompt: &PromptSubmitted) -> Span {
        let envelope = &recorded.event.envelope;
        let session = envelope.session;
        let id = match (&prompt.native_id, session) {
            (Some(native), Some(session)) => {
                span::message_span(&span::trace_of(session), &format!("prompt {native}"))
            }
            _ => span::event_span(&self.journal, recorded.sequence),
        };
        if prompt.actor.is_none()
            && let Some(session) = session
        {
            self.turns.remove(&session);
        }
        let name = invoked(self.agent(session).unwrap_or_default());
        let mut told = self.beneath(session, id, name, envelope.at_ms);
        let ended = self.plan.turn_ended_ms(recorded.sequence);
        told.end_ms = ended.unwrap_or(envelope.at_ms).max(envelope.at_ms);
        told.text(names::OPERATION, "invoke_agent");
        told.told(names::AGENT, self.agent(session));
        told.told(names::ACTOR, prompt.actor.as_deref());
        told.told(names::PROMPT_ID, prompt.native_id.as_deref());
        if self.which.content {
            let part = json!({ "type": "text", "content": text(&self.contents, &prompt.text) });
            told.text(names::INPUT, json!([{ "role": "user", "parts": [part] }]).to_string());
        }
        if prompt.actor.is_none()
            && let Some(session) = session
        {
            self.turns.insert(session, id);
        }
        told
    }

    pub(super) fn said(&self, recorded: &Recorded, said: &AssistantSaid) -> Span {
        let envelope = &recorded.event.envelope;
        let trace = envelope.session.map_or(span::trace_beside(&self.journal), span::trace_of);
        let id = span::message_span(&trace, &said.native_id);
        let model = said.model.as_deref();
        let name = ["chat", model.unwrap_or_default()].join(" ").trim_end().to_owned();
        let mut told = self.beneath(envelope.session, id, name, envelope.at_ms);
        told.kind = span::CLIENT;
        told.parent = said.parent.map(span::call_span).or(told.parent);
        told.text(names::OPERATION, "chat");
        let provider = model.and_then(provider).or(self.agent(envelope.session));
        told.text(names::PROVIDER, provider.unwrap_or(names::OTHER));
        told.told(names::RESPONSE_MODEL, model);
        told.text(names::RESPONSE_ID, said.native_id.as_str());
        if let Some(reason) = &said.stop_reason {
            let reasons = Value::Texts(vec![reason.clone()]);
            told.attributes.push((names::FINISH_REASONS, reasons));
        }
        let usage = &said.usage;
        let cached = usage.cache_read.unwrap_or(0).saturating_add(usage.cache_write.unwrap_or(0));
        told.count(names::INPUT_TOKENS, usage.input.map(|it| it.saturating_add(cached)));
        told.count(names::OUTPUT_TOKENS, usage.output);
        told.count(names::CACHE_READ, usage.cache_read);
        told.count(names::CACHE_WRITE, usage.cache_write);
        told.told(names::ACTOR, said.actor.as_deref());
        let thought = said.thinking.as_ref().map(|it| ("reasoning", it));
        let parts: Vec<_> = thought
            .into_iter()
            .chain([("text", &said.text)])
            .filter(|(_, content)| self.which.content && !content.is_empty())
            .map(
                |(kind, content)| json!({ "type": kind, "content": text(&self.contents, content) }),
            )
            .collect();
        if !parts.is_empty() {
            let reason = said.stop_reason.as_deref().unwrap_or("unknown");
            let message = json!({ "role": "assistant", "parts": parts, "finish_reason": reason });
            told.text(names::OUTPUT, json!([message]).to_string());
        }
        told
    }
}

fn invoked(agent: &str) -> String {
    format!("invoke_agent {agent}").trim_end().to_owned()
}

/// Whose model it is, as far as its name tells, by the conventions' word.
fn provider(model: &str) -> Option<&'static str> {
    const BEGIN: [(&str, &str); 11] = [
        ("claude", "anthropic"),
        ("gpt", "openai"),
        ("codex", "openai"),
        ("o1", "openai"),
        ("o3", "openai"),
        ("o4", "openai"),
        ("gemini", "gcp.gen_ai"),
        ("mistral", "mistral_ai"),
        ("devstral", "mistral_ai"),
        ("deepseek", "deepseek"),
        ("grok", "x_ai"),
    ];
    BEGIN.iter().find(|(begin, _)| model.starts_with(begin)).map(|(_, provider)| *provider)
}
