//! OpenAI Codex's session rollouts: JSON lines `{timestamp, ordinal?, type, payload}`.
//!
//! Calls and results are `response_item` lines and belong together by `call_id`. What an `event_msg`
//! line says of the same call (its exit code, its duration, the files it changed) is added to its
//! result; where no call bears its id (what a script ran, what the user ran), it is a call of its
//! own. The oldest rollouts have bare items without time, after a bare first line. A fork begins
//! with a copy of what it was forked from. Nothing is trusted: any field may be of another type, any
//! line torn, glued or filled with NULs.

mod call;
mod dialect;
mod hooks;
mod item;
mod payload;
mod response;
mod result;
mod rollout;
mod running;
mod session;

use std::path::Path;

use serde::Deserialize;

use crate::agents::Facts;
use crate::agents::import::item::{Part, Prompt, TranscriptRecord};
use crate::agents::import::limits::{CANDIDATES_MAX, HELD_BYTES_MAX, PATCH_FILES_MAX};
use crate::agents::import::log_source::{LogSource, Reads};
use crate::agents::import::loose::{Loose, Text};
use crate::agents::import::odd::Stamp;
use crate::agents::import::transcript::{Dialect, Grammar};
use crate::event::{Attachment, Change};
use payload::Payload;
use session::Session;

pub use call::{hooked_call, hooked_print, hooked_result, printed_result};
pub use rollout::Rollout;
pub use session::{beginning, is_rollout, past_sessions};

pub const SOURCE: LogSource = LogSource {
    name: "codex",
    title: "Codex",
    also: None,
    endings: &[".jsonl", ".jsonl.zst"],
    is_of: |beginning| is_rollout(beginning.head),
    reads: Reads::Lines(dialect),
    began_ms: Some(|head| beginning(head).began_ms),
    session_of: None,
    untimed: false,
};

fn dialect() -> Box<dyn Dialect> {
    Box::<Rollout>::default()
}

pub const FACTS: Facts = Facts {
    source: &SOURCE,
    program: "codex",
    // An event that an older Codex does not know is ignored by it.
    events: &[
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "SubagentStop",
        "Stop",
        "SessionEnd",
    ],
    // It lets nobody wait longer, and warns at every start of whoever asks for more.
    end_s: 3,
    env_files: &["CODEX_ENV_FILE", "CLAUDE_ENV_FILE"],
    project_variable: None,
    folder: ("CODEX_HOME", ".codex"),
    // It has no settings of one person in one project.
    settings: (None, ".codex/hooks.json", "hooks.json"),
    names_session: false,
    dialect,
    past_sessions: |home, root| Ok((home.to_owned(), past_sessions(home, root)?)),
    prompt: |said| Some(said.trim().to_owned()).filter(|text| !text.is_empty()),
    call: |firing, id, native| {
        Some(hooked_call(firing.native_session, id, native, firing.input.tool_input))
    },
    result: hooks::result,
    notes: hooks::notes,
};

/// The prompts of one rollout. Items hold more than what was typed and events do not, but the
/// oldest rollouts have no events: so items wait for an event until the agent answers.
#[derive(Debug, Default)]
pub struct Prompts {
    /// Events tell what was typed.
    told: bool,
    waiting: Vec<(TranscriptRecord, String, Vec<Attachment>)>,
    count: u64,
}

impl Prompts {
    pub fn item(
        &mut self,
        record: TranscriptRecord,
        (text, attachments): (String, Vec<Attachment>),
        session: &Session,
        out: &mut Vec<TranscriptRecord>,
    ) {
        if self.told {
            out.push(record);
            return;
        }
        let bytes: usize = self.waiting.iter().map(|(_, text, _)| text.len()).sum();
        if self.waiting.len() >= CANDIDATES_MAX || bytes + text.len() > HELD_BYTES_MAX {
            self.answered(session, out);
        }
        self.waiting.push((record, text, attachments));
    }

    /// An event tells what was typed: the items that waited were this, or nobody's words.
    pub fn event(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.told = true;
        out.extend(self.waiting.drain(..).map(|(record, ..)| record));
    }

    /// The agent answers: no event will come, and what waited was asked.
    pub fn answered(&mut self, session: &Session, out: &mut Vec<TranscriptRecord>) {
        for (mut record, text, attachments) in std::mem::take(&mut self.waiting) {
            let prompt = self.prompt(text, record.head.at_ms, session);
            record.parts.push(Part::Prompt(Prompt { attachments, ..prompt }));
            out.push(record);
        }
    }

    pub fn prompt(&mut self, text: String, at_ms: Option<u64>, session: &Session) -> Prompt {
        self.count += 1;
        let place = session.place("", self.count, at_ms);
        Prompt { text, place, ..Prompt::default() }
    }
}

// The files a patch names: `*** Add File: …` and the like between `*** Begin Patch` and
// `*** End Patch`.

const BEGIN: &str = "*** Begin Patch";

/// The files that a patch changes, in its order; a moved file is its old name and its new one.
/// `folder` stands before names that are relative, where the script went somewhere first.
pub fn changes(text: &str, folder: Option<&str>) -> Vec<Change> {
    let Some((_, patch)) = text.split_once(BEGIN) else { return Vec::new() };
    let patch = patch.split_once("*** End Patch").map_or(patch, |(patch, _)| patch);
    let mut changes: Vec<Change> = Vec::new();
    for line in patch.lines() {
        let Some(header) = line.trim_start().strip_prefix("*** ") else { continue };
        let named = [
            ("Add File:", true),
            ("Update File:", false),
            ("Delete File:", false),
            ("Move to:", true),
        ];
        let found = named.iter().find_map(|(key, created)| {
            header.strip_prefix(key).map(|path| (path.trim(), *created))
        });
        let Some((path, created)) = found.filter(|(path, _)| !path.is_empty()) else { continue };
        let path = match folder {
            Some(folder) if !Path::new(path).is_absolute() => {
                Path::new(folder).join(path).to_string_lossy().into_owned()
            }
            _ => path.to_owned(),
        };
        if changes.iter().all(|change| change.path != path) {
            changes.push(Change { path, created });
        }
        if changes.len() >= PATCH_FILES_MAX {
            break;
        }
    }
    changes
}

/// The contract's name of applying a patch: a patch that only adds files creates them.
pub fn tool(changes: &[Change]) -> &'static str {
    match !changes.is_empty() && changes.iter().all(|change| change.created) {
        true => "file_create",
        false => "file_edit",
    }
}

/// Beginnings of user messages that the agent writes itself.
const INJECTED: &[&str] = &[
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<skill>",
];

/// Editors put what is open before what was typed, and this between.
const REQUEST: &str = "## My request for Codex:";

pub fn typed(text: &str) -> Option<String> {
    let text = text.split_once(REQUEST).map_or(text, |(_, request)| request).trim();
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// The prompt in a message of the user's role, where no event says what was typed; `None` where the
/// agent put the text there itself.
pub fn asked(text: &str) -> Option<String> {
    let text = text.trim();
    let injected = INJECTED.iter().any(|beginning| text.starts_with(beginning)) || is_element(text);
    if injected { None } else { typed(text) }
}

/// Whether the whole text is one element of markup, as everything that is injected is.
fn is_element(text: &str) -> bool {
    let Some((name, _)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
        return false;
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_- ".contains(c);
    !name.is_empty() && name.chars().all(plain) && text.ends_with(&format!("</{name}>"))
}

/// A run of letters and digits of this length, both among them, is not counted up but drawn.
const DRAWN_LEN_MIN: usize = 8;
/// Drawn from letters alone, it is longer, and its letters are of both cases.
const LETTERS_LEN_MIN: usize = 16;
const EACH_CASE_MIN: usize = 4;

/// Within what a call's id is unique: nothing where it was drawn at random, as OpenAI's own are
/// (`call_` and 24 letters and digits), else the session. Other models' servers count their calls
/// (`functions.shell:0`), anew in each session.
///
/// A fork repeats the calls of what it was forked from under their ids, so an id that needs no
/// session gets none.
pub fn scope(session: Option<&str>, call: &str) -> Option<String> {
    let drawn = call.split(|c: char| !c.is_ascii_alphanumeric()).any(is_drawn);
    session.filter(|_| !drawn).map(str::to_owned)
}

fn is_drawn(run: &str) -> bool {
    let count = |is: fn(&u8) -> bool| run.as_bytes().iter().filter(|byte| is(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    (run.len() >= DRAWN_LEN_MIN && digits > 0 && upper + lower > 0)
        || (run.len() >= LETTERS_LEN_MIN && upper.min(lower) >= EACH_CASE_MIN)
}

/// One line. The oldest rollouts have the payload's own fields in its place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Line<'a> {
    #[serde(borrow)]
    pub timestamp: Stamp<'a>,
    #[serde(rename = "type")]
    pub kind: Text<'a>,
    pub payload: Loose<Payload<'a>>,
}

pub const GRAMMAR: Grammar = Grammar { beginnings: &["{\"timestamp\":", "{\"type\":"], is_record };

/// Only a record has a time, a type and a payload.
fn is_record(bytes: &[u8]) -> bool {
    let mut lines = serde_json::Deserializer::from_slice(bytes).into_iter::<Line<'_>>();
    let Some(Ok(line)) = lines.next() else { return false };
    line.timestamp.as_deref().is_some()
        && line.kind.as_deref().is_some()
        && line.payload.0.is_some()
}

#[cfg(test)]
mod tests;
