//! What a session is told of at its beginning, at a prompt, and when its agent stops.

use std::fs::OpenOptions;
use std::io;
use std::io::{BufRead, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde_json::Value;

use super::input::Result;
use super::tool_call::end_of;
use super::{Firing, HookAnswer, HookError, Known, pack, words};
use crate::event::{
    Body, Content, Event, GateMode, HookRan, PromptSubmitted, SessionId, StepBegun,
};
use crate::grounding::fold::StepClaim;
use crate::grounding::gate;
use crate::grounding::gate::{Claim, Refusal, Statement};
use crate::journal::id;
use crate::output::escape::with_causes;
use crate::repo::step_summary::title;

/// `SessionStart`: a session begins, goes on after a pause, or forgot what was said. `env_file` is where the agent's shells read their variables from, where it has told.
pub fn started(
    firing: &Firing<'_>,
    env_file: Option<PathBuf>,
    known: &mut Known<'_>,
) -> Result<HookAnswer> {
    let exported = env_file.map(|path| {
        export(&path, firing.session).map_err(|source| HookError::EnvFile { path, source })
    });
    let grounding = known.grounding();
    let mut events = vec![match grounding.last_ms {
        0 => firing.event(firing.session_started()),
        _ => firing.event(Body::HookRan(HookRan {
            agent: firing.agent.as_str().to_owned(),
            hook: firing.input.name().to_owned(),
            outcome: firing.input.source.to_text().unwrap_or_default(),
            duration_ms: None,
        })),
    }];
    let mut answer = HookAnswer::default();
    if firing.mode != GateMode::Observe {
        events.push(firing.event(gate::checkpoint(grounding)));
        let is_exported = matches!(exported, Some(Ok(())));
        let mut context = words::opening(firing, grounding, is_exported);
        let (pack, mute) = pack::opening(firing, context.chars().count() + 1);
        answer.messages.extend(mute);
        if let Some(pack) = pack {
            events.push(firing.event(words::injected(words::PACK, &pack)));
            context = format!("{context}\n{}", pack.text);
        }
        answer.context = Some(context);
    }
    firing.record(events, known)?;
    exported.transpose()?;
    Ok(answer)
}

/// A longer one is not looked through.
const BYTES_MAX: u64 = 1 << 20;

/// Appends `export ANNALS_SESSION=…` to the file that the agent's shells read first; once.
pub fn export(path: &Path, session: SessionId) -> io::Result<()> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    let mut file = options.read(true).append(true).create(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut before = Vec::new();
    (&file).take(BYTES_MAX).read_to_end(&mut before)?;
    // A UUID's letters and digits mean nothing to any shell.
    let line = format!("export ANNALS_SESSION='{session}'");
    let last =
        before.split(|byte| *byte == b'\n').rfind(|it| it.starts_with(b"export ANNALS_SESSION="));
    if last == Some(line.as_bytes()) {
        return Ok(());
    }
    let newline = if before.last().is_none_or(|byte| *byte == b'\n') { "" } else { "\n" };
    file.write_all(format!("{newline}{line}\n").as_bytes())
}

/// `UserPromptSubmit`: somebody asked for something, and a step begins.
pub fn prompted(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<HookAnswer> {
    let said = firing.input.prompt.as_deref().unwrap_or_default();
    let text = (firing.agent.facts().prompt)(said);
    let Some(text) = text else { return firing.note("no prompt of a user's", known) };
    let grounding = known.grounding();
    let mut events = firing.introduction(known);
    let mut answer = HookAnswer::default();
    if !grounding.step.is_empty() {
        // Nobody said that it ended: the user interrupted it.
        let (ended, problem) = firing.step_end(grounding, None, None);
        events.extend(ended);
        answer.messages.extend(problem.map(|it| format!("annals: {}", with_causes(&it))));
    }
    events.push(firing.event(Body::PromptSubmitted(PromptSubmitted {
        native_id: Some(id::hooked_prompt(firing.session, text.as_bytes(), firing.at_ms)),
        actor: firing.actor(),
        text: Content::Inline(text.clone().into_bytes()),
        attachments: Vec::new(),
    })));
    events.push(firing.event(Body::StepBegun(StepBegun { title: title(&text) })));
    // Of a session in which nothing happened yet there is nothing to tell.
    if firing.mode != GateMode::Observe && grounding.executions > 0 {
        events.push(firing.event(gate::checkpoint(grounding)));
        answer.context = Some(words::header(grounding, firing.at_ms));
    }
    if firing.mode != GateMode::Observe
        && let Some(files) = pack::files(firing, &text)
    {
        events.push(firing.event(words::injected(words::FILES, &files)));
        let header = answer.context.take().map(|it| format!("{it}\n")).unwrap_or_default();
        answer.context = Some(format!("{header}{}", files.text));
    }
    firing.record(events, known)?;
    Ok(answer)
}

/// `Stop`: the agent says that it is done, which is held against what is on record.
pub fn stopped(firing: &Firing<'_>) -> Result<HookAnswer> {
    let imported = super::import(firing, true);
    let mut known = Known::of(firing.project, firing.session);
    let grounding = known.grounding();
    let mut events = firing.introduction(&known);
    let message = match firing.input.last_assistant_message.to_text() {
        Some(message) => Some(message),
        None => of(firing),
    };
    let words = message.as_deref().unwrap_or_default();
    let (said, mut fault) = match Statement::at_end(firing.project, grounding, words) {
        Ok(said) => (said, None),
        Err(error) => (Statement::Nothing, Some(error.into())),
    };
    let mut answer = HookAnswer::default();
    let refused = said.claim().and_then(|claim| Some((claim, claim.refusal.as_ref()?)));
    match refused {
        // Once: an agent that was told and stops all the same is let go. What it said then stands;
        // of what it takes back nothing is judged.
        Some((claim, refusal)) if is_blocked(firing) => {
            let (blocked, told) = block(firing, claim, refusal, &known);
            events.extend(blocked);
            answer = told;
        }
        Some((_, refusal)) => {
            events.extend(said.body().map(|body| firing.event(body)));
            let (refused, told) = advise(firing, refusal, &known);
            events.push(refused);
            answer = told;
        }
        None => events.extend(said.body().map(|body| firing.event(body))),
    }
    // An agent that goes on is still in its step.
    if answer.block.is_none() && !grounding.step.is_empty() {
        // What was said is told once, as the answer; it stands, whatever was claimed before.
        let claim = said.body().map(|_| StepClaim {
            text: String::new(),
            unverified: refused.map(|(_, refusal)| refusal.reason.clone()),
        });
        let (ended, problem) = firing.step_end(grounding, message.as_deref(), claim);
        events.extend(ended);
        fault = fault.or(problem);
    }
    firing.record(events, &known)?;
    known.save();
    imported?;
    match fault {
        Some(error) => Err(error),
        None => Ok(answer),
    }
}

fn is_blocked(firing: &Firing<'_>) -> bool {
    firing.mode == GateMode::Enforce && !firing.input.stop_hook_active.0
}

fn block(
    firing: &Firing<'_>,
    claim: &Claim,
    refusal: &Refusal,
    known: &Known<'_>,
) -> (Vec<Event>, HookAnswer) {
    let grounding = known.grounding();
    let refusal = Refusal { target: Some(claim.text.clone()), ..refusal.clone() };
    let bodies = gate::refused(&refusal, grounding, GateMode::Enforce, None, None);
    let block = Some(words::unverified(firing, &refusal, grounding));
    let events = bodies.into_iter().map(|body| firing.event(body)).collect();
    (events, HookAnswer { block, ..HookAnswer::default() })
}

/// What is recorded and said of a claim that nothing bears out, and that stands.
fn advise(firing: &Firing<'_>, refusal: &Refusal, known: &Known<'_>) -> (Event, HookAnswer) {
    let mode = match firing.mode {
        GateMode::Enforce => GateMode::Advise,
        mode => mode,
    };
    // The model is given nothing, so this is no read of the timeline.
    let event = firing.event(gate::refusal_alone(refusal, mode, None, None));
    let mut answer = HookAnswer::default();
    if mode == GateMode::Advise {
        let line = gate::unverified(firing.project, refusal, known.grounding());
        answer.messages.push(format!("annals: {line}"));
    }
    (event, answer)
}

/// The last message of the turn; `None` where it cannot be read or nothing was said.
pub fn of(firing: &Firing<'_>) -> Option<String> {
    let path = firing.input.transcript_path.to_text().map(PathBuf::from);
    path.filter(|path| path.is_file()).and_then(end_of).and_then(last)
}

enum Turn {
    Begins,
    Says(String),
}

fn last(reader: impl BufRead) -> Option<String> {
    let mut last = None;
    // What cannot be read has nothing to tell.
    for line in reader.split(b'\n').map_while(Result::ok) {
        match serde_json::from_slice(&line).ok().as_ref().and_then(turn) {
            Some(Turn::Begins) => last = None,
            Some(Turn::Says(text)) => last = Some(text),
            None => {}
        }
    }
    last
}

fn turn(line: &Value) -> Option<Turn> {
    if line["isSidechain"] == true {
        return None;
    }
    let says = |text: &Value| text.as_str().map(|text| Turn::Says(text.to_owned()));
    let content = &line["message"]["content"];
    let payload = &line["payload"];
    match (line["type"].as_str()?, payload["type"].as_str()) {
        ("event_msg", Some("agent_message")) => says(&payload["message"]),
        ("event_msg", Some("user_message")) => Some(Turn::Begins),
        ("assistant", _) => {
            let blocks = content.as_array()?.iter();
            let text: Vec<_> = blocks.filter_map(|block| block["text"].as_str()).collect();
            (!text.is_empty()).then(|| Turn::Says(text.join("\n")))
        }
        // Results of calls come under the same name as prompts.
        ("user", _) => {
            let result = |block: &Value| block["type"] == "tool_result";
            let results = content.as_array().is_some_and(|blocks| blocks.iter().any(result));
            (!results).then_some(Turn::Begins)
        }
        _ => None,
    }
}
