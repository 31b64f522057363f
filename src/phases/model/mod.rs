//! The model: whatever answers a prompt.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use crate::fault::{Class, Fault, Sorted};
use crate::grounding::tools::program::{self, Ended};
use crate::parse::reply::limits::REPLY_BYTES_MAX;
use crate::phases::limits::{ERROR_CHARS_MAX, SCRIPT_REPLIES_MAX, end_of};

pub trait Model {
    fn ask(&mut self, question: &Question<'_>) -> Result<String, ModelFailure>;
}

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

impl Fault for ScriptError {
    fn sorted(&self) -> Sorted {
        Class::Refused.alone()
    }
}

impl ScriptModel {
    pub fn new(replies: Vec<ScriptedReply>) -> Self {
        Self { left: replies.into(), asked: 0 }
    }

    /// Reads JSON lines: a text, or `{"reply", "label", "round", "failure"}`.
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

/// A model that is a command. It is told by its environment what is asked: `ANNALS_RUN`,
/// `ANNALS_NODE`, `ANNALS_LABEL` (`draft_attempt1`) and `ANNALS_ROUND`.
#[derive(Clone, Debug)]
pub struct CommandModel {
    line: String,
    folder: PathBuf,
    within: Duration,
}

/// Of what a failed model printed, bytes that are kept.
const PRINTED_BYTES_MAX: usize = 64 << 10;

impl CommandModel {
    /// A shell command, run in this folder, given so long for each answer.
    pub fn new(line: &str, folder: PathBuf, within: Duration) -> Self {
        Self { line: line.to_owned(), folder, within }
    }
}

impl Model for CommandModel {
    fn ask(&mut self, question: &Question<'_>) -> Result<String, ModelFailure> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&self.line).current_dir(&self.folder);
        command.env("ANNALS_RUN", question.run).env("ANNALS_NODE", question.node);
        command.env("ANNALS_LABEL", question.label);
        command.env("ANNALS_ROUND", question.round.to_string());
        let prompt = Some(question.prompt.as_bytes());
        let ran = program::run_with(command, prompt, self.within, question.stop)
            .map_err(|error| ModelFailure::silent(format!("it could not be started: {error}")))?;
        let printed = ran.stdout.head();
        let said = String::from_utf8_lossy(ran.stderr.head());
        let said = end_of(said.trim(), ERROR_CHARS_MAX);
        let said = if said.is_empty() { String::new() } else { format!("; it said: {said}") };
        let seconds = self.within.as_secs();
        let why = match ran.ended {
            Ended::TooLong => Some(format!("it took longer than {seconds} s and was ended{said}")),
            Ended::Unwanted => Some("it was ended".to_owned()),
            Ended::ByItself if !ran.status.success() => Some(format!("{}{said}", ran.status)),
            Ended::ByItself if ran.stdout.seen() > REPLY_BYTES_MAX as u64 => {
                let bytes = ran.stdout.seen();
                Some(format!("it printed {bytes} bytes; at most {REPLY_BYTES_MAX} are read"))
            }
            Ended::ByItself if printed.trim_ascii().is_empty() => {
                Some(format!("it printed nothing{said}"))
            }
            Ended::ByItself => None,
        };
        // What is no UTF-8 is still worth reading.
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match why {
            None => Ok(text(printed)),
            Some(why) => Err(ModelFailure {
                why,
                printed: text(&printed[..printed.len().min(PRINTED_BYTES_MAX)]),
                unwanted: ran.ended == Ended::Unwanted,
                of_script: false,
            }),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model gave no answer: {why}")]
pub struct ModelFailure {
    pub why: String,
    /// What it printed all the same, its beginning.
    pub printed: String,
    /// Nobody wanted the answer any more.
    pub unwanted: bool,
    /// What was given to answer from is at fault: a script.
    pub of_script: bool,
}

impl ModelFailure {
    pub fn of_script(why: impl Into<String>) -> Self {
        Self { of_script: true, ..Self::silent(why) }
    }

    pub fn silent(why: impl Into<String>) -> Self {
        Self { why: why.into(), printed: String::new(), unwanted: false, of_script: false }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The prompt, Markdown.
    pub prompt: &'q str,
    pub run: &'q str,
    pub node: &'q str,
    /// `draft_attempt1`.
    pub label: &'q str,
    pub round: u64,
    /// Set where nobody wants the answer any more.
    pub stop: &'q AtomicBool,
}
