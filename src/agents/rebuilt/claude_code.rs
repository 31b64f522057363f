//! Claude Code's lines.

use serde_json::{Map, Value, json};

use super::{Line, Rebuilt, What, arguments, tool};
use crate::agents::import::hash;
use crate::event::{Closing, Outcome, Usage};

impl Rebuilt<'_> {
    pub(super) fn claude_code(&mut self, line: Line<'_>) -> Vec<Value> {
        let Line { at, sequence, what } = line;
        let mut lines = Vec::new();
        match what {
            What::Title(title) => {
                let session = &self.session.native_id;
                lines.push(json!({
                    "type": "custom-title", "customTitle": title, "sessionId": session,
                }));
            }
            What::Prompt { text, native_id, actor } => {
                let message = json!({ "role": "user", "content": text });
                let more = [("annalsId", json!(native_id))];
                lines.push(self.record(("user", sequence), &at, actor, message, more));
            }
            What::Said { said, text, thinking } => {
                let thinking = thinking.map(|it| json!({ "type": "thinking", "thinking": it }));
                let text = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
                let content: Vec<Value> = thinking.into_iter().chain(text).collect();
                // A call that the message made stands in a line of its own.
                let message = json!({
                    "id": said.native_id, "type": "message", "role": "assistant",
                    "model": said.model.as_deref().unwrap_or("<synthetic>"),
                    "content": content, "stop_reason": said.stop_reason,
                    "usage": usage(&said.usage),
                });
                let actor = said.actor.as_deref();
                lines.push(self.record(("assistant", sequence), &at, actor, message, []));
            }
            What::Call { started, call } => {
                let call = json!({
                    "type": "tool_use", "id": call.call, "name": tool(started),
                    "input": arguments(started),
                });
                let message = json!({ "type": "message", "role": "assistant", "content": [call] });
                let actor = started.actor.as_deref();
                lines.push(self.record(("assistant", sequence), &at, actor, message, []));
            }
            What::Result { closing, call, actor, text } => {
                let text = match closing.exit_code.filter(|_| closing.outcome == Outcome::Failed) {
                    Some(code) => format!("Exit code {code}\n{text}"),
                    None => text,
                };
                let result = json!({
                    "type": "tool_result", "tool_use_id": call.call, "content": text,
                    "is_error": closing.outcome != Outcome::Ok,
                });
                let message = json!({ "role": "user", "content": [result] });
                let account = self.account(closing);
                let more = account.map(|it| ("toolUseResult", it));
                let actor = actor.as_deref();
                lines.push(self.record(("user", sequence), &at, actor, message, more));
            }
            What::Compacted { compacted, summary } => {
                let id = &compacted.native_id;
                lines.push(json!({
                    "type": "system", "subtype": "compact_boundary", "uuid": id,
                    "parentUuid": null, "logicalParentUuid": self.last, "timestamp": at,
                    "sessionId": self.session.native_id, "cwd": self.session.cwd,
                    "content": "Conversation compacted",
                    "compactMetadata": {
                        "trigger": compacted.trigger, "preTokens": compacted.tokens_before,
                    },
                }));
                self.last = Some(id.clone());
                let message = json!({ "role": "user", "content": summary });
                let more = [("isCompactSummary", json!(true))];
                lines.push(self.record(("user", sequence), &at, None, message, more));
            }
        }
        lines
    }

    /// What a result's text does not tell: what was printed where, how long it took, which file is new.
    fn account(&self, closing: &Closing) -> Option<Value> {
        let bring = self.bring;
        let mut told = Map::new();
        let is_apart = match closing.outcome {
            Outcome::Ok => closing.stderr.is_some(),
            _ => closing.stdout.is_some(),
        };
        if is_apart {
            for (name, content) in [("stdout", &closing.stdout), ("stderr", &closing.stderr)] {
                told.extend(content.as_ref().map(|it| (name.to_owned(), json!(bring(it)))));
            }
        }
        told.extend(closing.duration_ms.map(|it| ("durationMs".to_owned(), json!(it))));
        if let Some(change) = closing.changed.iter().find(|it| it.created) {
            told.insert("type".to_owned(), json!("create"));
            told.insert("filePath".to_owned(), json!(change.path));
        }
        (!told.is_empty()).then_some(Value::Object(told))
    }

    /// A line that follows on the one before it.
    fn record(
        &mut self,
        (kind, sequence): (&str, u64),
        at: &str,
        actor: Option<&str>,
        message: Value,
        more: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Value {
        // No record's id is kept: the event's place makes another, the same each time.
        let name = format!("{}/{sequence}", self.session.native_id);
        let id = hash(&[name.as_bytes()]).to_be_bytes();
        let id = uuid::Builder::from_random_bytes(id).into_uuid().to_string();
        let mut record = json!({
            "parentUuid": self.last.replace(id.clone()), "isSidechain": actor.is_some(),
            "userType": "external", "type": kind, "uuid": id, "timestamp": at,
            "sessionId": self.session.native_id, "cwd": self.session.cwd,
            "gitBranch": self.session.branch, "version": self.session.agent_version,
            "message": message,
        });
        if let Value::Object(record) = &mut record {
            record.extend(actor.map(|actor| ("agentId".to_owned(), json!(actor))));
            record.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
        record
    }
}

fn usage(usage: &Usage) -> Value {
    let told = [
        ("input_tokens", usage.input),
        ("output_tokens", usage.output),
        ("cache_read_input_tokens", usage.cache_read),
        ("cache_creation_input_tokens", usage.cache_write),
    ];
    let told = told.into_iter().filter_map(|(name, count)| Some((name.to_owned(), json!(count?))));
    Value::Object(told.collect::<Map<_, _>>())
}
