//! Agents' hooks: one program answers them all, always with exit code 0.
//!
//! A hook that fails must not stop an agent, and one that lies must not mislead it: whatever goes
//! wrong is told to the user (`systemMessage`) and kept for `annals status`
//! (`command::HookLog`). Where there is no journal nothing is said at all.

mod damage;
mod ended;
mod fence;
mod firing;
mod input;
mod known_fix;
mod pack;
mod respond;
mod session;
mod tool_call;
mod tool_use;
mod words;

use std::io;
use std::io::Read;
use std::path::PathBuf;

use serde::Serialize;

use super::import::{SkippedFile, import_growth};
use crate::event::{Body, GateMode, SessionEnded};
use crate::execution::live_recorder;
use crate::journal::Around;
use crate::journal::owner::agent as agent_process;
use input::Result;

pub use super::Agent;
pub use firing::{Firing, Known};
pub use input::{HookError, HookInput, HookName};
pub use respond::{panicked, respond};
pub use tool_call::ToolCall;

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
            output.hook_specific_output = Some(SpecificOutput {
                hook_event_name: hook_event_name.to_owned(),
                permission_decision: deny.is_some().then_some("deny"),
                permission_decision_reason: deny,
                additional_context: context,
            });
        }
        output
    }
}

pub fn path(firing: &Firing<'_>) -> Option<PathBuf> {
    there(firing.input.transcript_path.to_text())
}

/// An agent names the file before it has written the first line of it, or names none.
fn there(named: Option<String>) -> Option<PathBuf> {
    named.map(PathBuf::from).filter(|path| path.is_file())
}

/// Imports what the transcripts that the hook names tell of its session and the journal does not
/// have yet. While the session is `ongoing`, calls without a result are still under way.
pub fn import(firing: &Firing<'_>, ongoing: bool) -> Result<()> {
    let input = firing.input;
    let named = match input.agent_transcript_path.to_text() {
        Some(own) => Some(own),
        None => input.transcript_path.to_text(),
    };
    let Some(path) = there(named) else {
        return Ok(());
    };
    let Firing { project, agent, native_session, .. } = firing;
    let (report, left) = import_growth(project, *agent, &path, native_session, ongoing)?;
    match report.skipped.into_iter().next() {
        Some(SkippedFile { file, reason }) => Err(HookError::NoTranscript { file, reason }),
        None if left > 0 => {
            Err(HookError::TranscriptLeft { file: path.display().to_string(), bytes: left })
        }
        None => Ok(()),
    }
}

/// An agent's own limits on a tool's output are far below.
pub const INPUT_BYTES_MAX: u64 = 64 << 20;

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

#[derive(Clone, Debug)]
pub struct HookRequest {
    pub agent: Agent,
    /// What it was installed with.
    pub mode: Option<GateMode>,
    /// Where the project is looked for, upward, the first that has one.
    pub starts: Vec<PathBuf>,
    /// Where the agent's shells read their variables from, where it has told.
    pub env_file: Option<PathBuf>,
    pub usage: Option<String>,
    /// What can be asked of what lies around the project's journal.
    pub around: Around,
}

/// The session is over: calls without a result never got one.
pub fn answer(firing: &Firing<'_>) -> Result<HookAnswer> {
    let imported = import(firing, false);
    let mut known = Known::of(firing.project, firing.session);
    let grounding = known.grounding();
    let mut events = firing.introduction(&known);
    let mut problem = None;
    if !grounding.step.is_empty() {
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
    let swept = live_recorder(firing.project).sweep_session(firing.session);
    imported?;
    swept?;
    problem.map_or(Ok(HookAnswer::default()), Err)
}

pub fn subagent(firing: &Firing<'_>) -> Result<HookAnswer> {
    let imported = import(firing, true);
    let mut known = Known::of(firing.project, firing.session);
    let answer = firing.note("a subagent is done", &known)?;
    known.save();
    imported?;
    Ok(answer)
}

#[cfg(test)]
mod tests;
