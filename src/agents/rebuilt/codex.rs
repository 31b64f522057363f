//! Codex's rollout lines.

use serde_json::{Value, json};

use super::{Line, Rebuilt, What, arguments, tool};
use crate::event::{Closing, Content, Outcome, STOPPED_BY_USER};

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
            What::Result { closing, call, text, .. } => {
                if let Some(event) = event(closing, &call.call, self.bring) {
                    put("event_msg", event);
                }
                let output = output(closing, text);
                put(
                    "response_item",
                    json!({
                        "type": "function_call_output", "call_id": call.call, "output": output,
                    }),
                );
            }
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

/// What the model was told of a result, with how it ended.
fn output(closing: &Closing, text: String) -> Value {
    let seconds = closing.duration_ms.map(|it| it as f64 / 1_000.0);
    match closing.exit_code {
        _ if closing.error.as_deref() == Some(STOPPED_BY_USER) => json!("aborted by user"),
        Some(code) => {
            let metadata = json!({ "exit_code": code, "duration_seconds": seconds });
            json!(json!({ "output": text, "metadata": metadata }).to_string())
        }
        None => json!({ "content": text, "success": closing.outcome == Outcome::Ok }),
    }
}

/// The event that tells more of a call than the model is told: which files it changed, what was printed where.
fn event(closing: &Closing, id: &str, bring: &dyn Fn(&Content) -> String) -> Option<Value> {
    if !closing.changed.is_empty() {
        let kind = |created: bool| if created { "add" } else { "update" };
        let change =
            |it: &crate::event::Change| (it.path.clone(), json!({ "type": kind(it.created) }));
        let changes: serde_json::Map<_, _> = closing.changed.iter().map(change).collect();
        let success = closing.outcome == Outcome::Ok;
        return Some(json!({
            "type": "patch_apply_end", "call_id": id, "success": success, "changes": changes,
        }));
    }
    let (stdout, stderr) = (closing.stdout.as_ref()?, closing.stderr.as_ref()?);
    Some(json!({
        "type": "exec_command_end", "call_id": id, "stdout": bring(stdout), "stderr": bring(stderr),
        "exit_code": closing.exit_code,
    }))
}
