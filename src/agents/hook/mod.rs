//! Agents' hooks: one program answers them all, always with exit code 0.
//!
//! A hook that fails must not stop an agent, and one that lies must not mislead it: whatever goes
//! wrong is told to the user (`systemMessage`) and kept for `annals status`
//! (`command::HookLog`). Where there is no journal nothing is said at all.

mod error;
mod firing;
mod input;
mod known;
mod name;
mod post_tool_use;
mod pre_tool_use;
mod repeated;
mod respond;
mod session_start;
mod stop;
mod tail;
#[cfg(test)]
mod tests;
mod tool_call;
mod user_prompt;
mod words;

use std::io::{self, Read};
use std::path::PathBuf;

use serde::Serialize;

use crate::agents::import::{Format, SkippedFile, import_transcript};
use crate::event::{Body, GateMode, SessionEnded};
use crate::journal::Recorder;
use crate::journal::owner::agent as agent_process;

pub use error::HookError;
pub use firing::Firing;
pub use input::HookInput;
pub use known::Known;
pub use name::HookName;
pub use respond::respond;
pub use tool_call::ToolCall;

/// An agent whose hooks are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookAgent {
    ClaudeCode,
    Codex,
}

impl HookAgent {
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "claude-code" => Some(Self::ClaudeCode),
            "codex" => Some(Self::Codex),
            _ => None,
        }
    }

    /// Its name in sessions and call keys: the importer's.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// What its program is called.
    pub fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
        }
    }

    /// Variables of the environment that name the file in which the agent's shells read theirs.
    pub fn env_files(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["CLAUDE_ENV_FILE"],
            Self::Codex => &["CODEX_ENV_FILE", "CLAUDE_ENV_FILE"],
        }
    }

    /// The variable that names the folder in which the agent was started, wherever it went since.
    pub fn project_variable(self) -> Option<&'static str> {
        (self == Self::ClaudeCode).then_some("CLAUDE_PROJECT_DIR")
    }
}

/// What a hook answers: the fields that both agents know, absent where there is nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookOutput {
    /// `block`: the agent goes on instead of stopping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<&'static str>,
    /// Of the decision; both agents want one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Shown to the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook_specific_output: Option<SpecificOutput>,
}

/// What only some hooks may answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpecificOutput {
    pub hook_event_name: String,
    /// `deny`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_decision_reason: Option<String>,
    /// Given to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<String>,
}

impl HookOutput {
    pub fn specific(&mut self, name: &str, deny: Option<String>, context: Option<String>) {
        self.hook_specific_output = Some(SpecificOutput {
            hook_event_name: name.to_owned(),
            permission_decision: deny.is_some().then_some("deny"),
            permission_decision_reason: deny,
            additional_context: context,
        });
    }
}

/// What a hook has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookAnswer {
    /// The call shall not run, and why.
    pub deny: Option<String>,
    /// The agent shall not stop, and why.
    pub block: Option<String>,
    /// Given to the model.
    pub context: Option<String>,
    /// Shown to the user.
    pub messages: Vec<String>,
}

impl HookAnswer {
    pub fn context(text: String) -> Self {
        Self { context: Some(text), ..Self::default() }
    }

    /// The answer in the shape that both agents take from this hook. Codex refuses an answer with
    /// a field it does not know, and a decision it knows but does not carry out (`allow`, `ask`,
    /// `continue: false`, `suppressOutput`): none is ever given.
    pub fn output(self, hook: HookName, hook_event_name: &str) -> HookOutput {
        let Self { deny, block, context, messages } = self;
        let message = messages.join("\n");
        let mut output = HookOutput {
            system_message: Some(message).filter(|message| !message.is_empty()),
            ..HookOutput::default()
        };
        if let Some(reason) = block {
            output.decision = Some("block");
            output.reason = Some(reason);
        }
        let context = context.filter(|_| hook.takes_context());
        if deny.is_some() || context.is_some() {
            output.specific(hook_event_name, deny, context);
        }
        output
    }
}

/// The session's transcript, where there is one.
pub fn path(firing: &Firing<'_>) -> Option<PathBuf> {
    there(firing.input.transcript_path.to_text())
}

/// An agent names the file before it has written the first line of it, or names none.
fn there(named: Option<String>) -> Option<PathBuf> {
    named.map(PathBuf::from).filter(|path| path.is_file())
}

/// Imports what the transcripts that the hook names tell of its session and the journal does not
/// have yet. While the session is `ongoing`, calls without a result are still under way.
pub fn import(firing: &Firing<'_>, ongoing: bool) -> Result<(), HookError> {
    let input = firing.input;
    let named = match input.agent_transcript_path.to_text() {
        Some(own) => Some(own),
        None => input.transcript_path.to_text(),
    };
    let Some(path) = there(named) else {
        return Ok(());
    };
    let format = match firing.agent {
        HookAgent::ClaudeCode => Format::ClaudeCode,
        HookAgent::Codex => Format::Codex,
    };
    let report = import_transcript(firing.project, format, &path, firing.native_session, ongoing)?;
    match report.skipped.into_iter().next() {
        Some(SkippedFile { file, reason }) => Err(HookError::NoTranscript { file, reason }),
        None => Ok(()),
    }
}

/// An agent's own limits on a tool's output are far below.
pub const INPUT_BYTES_MAX: u64 = 64 << 20;

/// What can be wrong with what an agent tells.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    #[error("its standard input cannot be read")]
    Read(#[from] io::Error),
    #[error("its standard input is empty: an agent's hook is told by JSON what happened")]
    Empty,
    #[error("its standard input is longer than {} MiB", INPUT_BYTES_MAX >> 20)]
    TooLong,
    #[error("its standard input is not JSON as hooks are told: {reason}")]
    NotJson { reason: String },
}

/// Everything there is to read, at most [`INPUT_BYTES_MAX`].
pub fn read(from: impl Read) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::with_capacity(16 << 10);
    from.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(InputError::TooLong);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(InputError::Empty);
    }
    Ok(bytes)
}

/// What a hook's command line and surroundings say.
#[derive(Clone, Debug)]
pub struct HookRequest {
    pub agent: HookAgent,
    /// What it was installed with.
    pub mode: Option<GateMode>,
    /// Where the project is looked for, upward, the first that has one.
    pub starts: Vec<PathBuf>,
    /// Where the agent's shells read their variables from, where it has told.
    pub env_file: Option<PathBuf>,
    /// What was wrong with the command line.
    pub usage: Option<String>,
}

/// The session is over: calls without a result never got one.
pub fn answer(firing: &Firing<'_>) -> Result<HookAnswer, HookError> {
    let imported = import(firing, false);
    let mut known = Known::of(firing.project, firing.session);
    let grounding = known.grounding();
    let mut events = firing.introduction(&known);
    let mut problem = None;
    if !grounding.step().is_empty() {
        let (ended, why) = firing.step_end(grounding, None, None);
        events.extend(ended);
        problem = why;
    }
    let reason = firing.input.reason.to_text().unwrap_or_else(|| "ended".to_owned());
    events.push(firing.event(Body::SessionEnded(SessionEnded { reason })));
    firing.record(events, &known)?;
    known.save();
    agent_process::forget(&firing.project.owners_dir(), firing.session);
    // Those that the transcript does not close: only now are they given up (ruling 2).
    let swept = Recorder::live(firing.project).and_then(|mut it| it.sweep_session(firing.session));
    imported?;
    swept?;
    problem.map_or(Ok(HookAnswer::default()), Err)
}

/// A subagent is done; its session goes on.
pub fn subagent(firing: &Firing<'_>) -> Result<HookAnswer, HookError> {
    let imported = import(firing, true);
    let mut known = Known::of(firing.project, firing.session);
    let answer = firing.note("a subagent is done", &known)?;
    known.save();
    imported?;
    Ok(answer)
}
