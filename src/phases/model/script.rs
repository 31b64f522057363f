//! A model that says what was written down before.

use std::collections::VecDeque;

use serde_json::Value;

use super::{Model, ModelFailure, Question};
use crate::phases::limits::SCRIPT_REPLIES_MAX;

/// One reply of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptedReply {
    pub reply: String,
    /// The query it answers; `None`: whichever comes.
    pub label: Option<String>,
    pub round: Option<u64>,
    /// The model gave none then, and why.
    pub failure: Option<String>,
}

/// A model that says what was written down before, in order.
#[derive(Clone, Debug, Default)]
pub struct ScriptModel {
    left: VecDeque<ScriptedReply>,
    asked: usize,
}

/// A line of a script that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the script {why}: write a JSON text, or an object with `reply`, and `label` and \
     `round` where it answers one query only"
)]
pub struct ScriptError {
    pub line: usize,
    pub why: String,
}

impl ScriptModel {
    /// A script of these replies.
    pub fn new(replies: Vec<ScriptedReply>) -> Self {
        Self { left: replies.into(), asked: 0 }
    }

    /// Reads JSON lines: a text, or `{"reply", "label", "round", "failure"}`.
    ///
    /// # Errors
    /// Where a line is neither.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut replies = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let fault = |why: String| ScriptError { line: at + 1, why };
            let value: Value = serde_json::from_str(line)
                .map_err(|error| fault(format!("is no JSON ({error})")))?;
            if replies.len() == SCRIPT_REPLIES_MAX {
                return Err(fault(format!(
                    "is one more than the {SCRIPT_REPLIES_MAX} that are read"
                )));
            }
            replies.push(scripted(&value).ok_or_else(|| fault("has no reply".to_owned()))?);
        }
        Ok(Self::new(replies))
    }
}

fn scripted(value: &Value) -> Option<ScriptedReply> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(reply) = value.as_str() {
        return Some(ScriptedReply { reply: reply.to_owned(), ..ScriptedReply::default() });
    }
    let reply = match value.get("reply")? {
        Value::String(reply) => reply.clone(),
        // The answer itself, unquoted: what is nicer to write by hand.
        object @ Value::Object(_) => object.to_string(),
        _ => return None,
    };
    let round = value.get("round").and_then(Value::as_u64);
    Some(ScriptedReply { reply, label: text("label"), round, failure: text("failure") })
}

impl Model for ScriptModel {
    fn ask(&mut self, question: &Question<'_>) -> Result<String, ModelFailure> {
        self.asked += 1;
        let Some(next) = self.left.pop_front() else {
            let asked = self.asked;
            return Err(ModelFailure::of_script(format!("the script has no reply {asked}")));
        };
        let label = next.label.as_deref().unwrap_or(question.label);
        let round = next.round.unwrap_or(question.round);
        if label != question.label || round != question.round {
            return Err(ModelFailure::of_script(format!(
                "the script's next reply answers {label} in round {round}, and {} is asked in round {}",
                question.label, question.round
            )));
        }
        match next.failure {
            None => Ok(next.reply),
            Some(why) => Err(ModelFailure { printed: next.reply, ..ModelFailure::of_script(why) }),
        }
    }
}
