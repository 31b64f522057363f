//! Codex's rollout lines.

use serde_json::{Value, json};

use super::{Line, Rebuilt, What, arguments, tool};

/// What was written so far.
#[derive(Debug, Default)]
pub struct State {
    is_begun: bool,
    model: Option<String>,
    /// Tokens of all responses: each event's total is another.
    total: u64,
}

impl Rebuilt<'_> {
    pub(super) fn codex(&mut self, line: Line<'_>) -> Vec<Value> {
        let Line { at, what, .. } = line;
        let mut lines = Vec::new();
        let mut put = |kind: &str, payload: Value| {
            lines.push(json!({ "timestamp": at, "type": kind, "payload": payload }));
        };
        if !std::mem::replace(&mut self.codex.is_begun, true) {
            let session = &self.session;
            put(
                "session_meta",
                json!({
                    "id": session.native_id, "timestamp": at, "cwd": session.cwd,
                    "cli_version": session.agent_version, "git": { "branch": session.branch },
                }),
            );
        }
        match what {
            What::Title(title) => {
                put("event_msg", json!({ "type": "thread_name_updated", "thread_name": title }));
            }
            What::Prompt { text, native_id, .. } => put(
                "event_msg",
                json!({
                    "type": "user_message", "message": text, "annalsId": native_id,
                }),
            ),
            What::Said { said, text, thinking } => {
                if said.model.is_some() && said.model != self.codex.model {
                    self.codex.model.clone_from(&said.model);
                    put("turn_context", json!({ "cwd": self.session.cwd, "model": said.model }));
                }
                let id = &said.native_id;
                put(
                    "response_item",
                    json!({
                        "type": "message", "role": "assistant", "id": id,
                        "content": [{ "type": "output_text", "text": text }],
                    }),
                );
                if let Some(thinking) = thinking {
                    put(
                        "response_item",
                        json!({
                            "type": "reasoning", "id": id,
                            "summary": [{ "type": "summary_text", "text": thinking }],
                        }),
                    );
                }
                let usage = &said.usage;
                if !usage.is_empty() {
                    let cached = usage.cache_read;
                    let input = usage.input.map(|it| it + cached.unwrap_or_default());
                    let took = input.unwrap_or_default() + usage.output.unwrap_or_default();
                    self.codex.total += took.max(1);
                    put(
                        "event_msg",
                        json!({ "type": "token_count", "info": {
                        "total_token_usage": { "total_tokens": self.codex.total },
                        "last_token_usage": {
                            "input_tokens": input, "cached_input_tokens": cached,
                            "output_tokens": usage.output, "total_tokens": took,
                        },
                    } }),
                    );
                }
            }
            What::Call { started, call } => put(
                "response_item",
                json!({
                    "type": "function_call", "name": tool(started), "call_id": call.call,
                    "arguments": arguments(started).to_string(),
                }),
            ),
            What::Result { call, text, .. } => put(
                "response_item",
                json!({
                    "type": "function_call_output", "call_id": call.call, "output": text,
                }),
            ),
            What::Compacted { compacted, summary } => put(
                "compacted",
                json!({
                    "message": summary, "annalsId": compacted.native_id,
                }),
            ),
        }
        lines
    }
}
