//! `UserPromptSubmit`: somebody asked for something, and a step begins.

use super::{Firing, HookAgent, HookAnswer, HookError, Known, words};
use crate::agents::import::claude_code;
use crate::cli::with_causes;
use crate::event::{Body, Content, GateMode, PromptSubmitted, StepBegun};
use crate::grounding::gate;
use crate::journal::id;

/// Characters of a step's title.
const TITLE_CHARS_MAX: usize = 100;

pub fn answer(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<HookAnswer, HookError> {
    let said = firing.input.prompt.as_deref().unwrap_or_default();
    let text = match firing.agent {
        // As its transcript has it: a slash command the way it was typed.
        HookAgent::ClaudeCode => claude_code::prompt(said),
        HookAgent::Codex => Some(said.trim().to_owned()).filter(|text| !text.is_empty()),
    };
    let Some(text) = text else { return firing.note("no prompt of a user's", known) };
    let grounding = known.grounding();
    let mut events = firing.introduction(known);
    let mut answer = HookAnswer::default();
    if !grounding.step().is_empty() {
        // Nobody said that it ended: the user interrupted it.
        let (ended, problem) = firing.step_end(grounding, None, None);
        events.extend(ended);
        answer.messages.extend(problem.map(|it| format!("annals: {}", with_causes(&it))));
    }
    events.push(firing.event(Body::PromptSubmitted(PromptSubmitted {
        native_id: Some(id::hooked_prompt(firing.session, text.as_bytes(), firing.at_ms)),
        actor: firing.actor(),
        text: Content::Inline(text.clone().into_bytes()),
    })));
    events.push(firing.event(Body::StepBegun(StepBegun { title: title(&text) })));
    // Of a session in which nothing happened yet there is nothing to tell.
    if firing.mode != GateMode::Observe && grounding.executions() > 0 {
        events.push(firing.event(gate::checkpoint(grounding)));
        answer.context = Some(words::header(grounding, firing.at_ms));
    }
    firing.record(events, known)?;
    Ok(answer)
}

/// A prompt's first line, cut to what a title is: whole words, since half a secret is none to
/// redaction.
fn title(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let Some((cut, _)) = line.char_indices().nth(TITLE_CHARS_MAX) else {
        return Some(line.to_owned());
    };
    let end = line[..cut].rfind(char::is_whitespace)?;
    Some(line[..end].trim_end().to_owned())
}
