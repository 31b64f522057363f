//! From a record's fields to what it says.

use serde_json::value::RawValue;

use super::content::{Block, Content};
use super::{Account, Message, Record, background, content, unread};
use crate::agents::import::item::{Call, CallResult, Head, Part, Prompt, Title, TranscriptRecord};
use crate::agents::import::limits::ERROR_BYTES_MAX;
use crate::agents::import::loose::{Loose, Text, parsed};
use crate::agents::import::{head_of, readable};
use crate::event::{Change, Outcome, STOPPED_BY_USER, tool};
use crate::parse::background::LEFT;

/// The actor of records that are a subagent's but do not say which one's.
const NAMELESS_SUBAGENT: &str = "subagent";

pub fn read_record(line: u64, record: &Record<'_>) -> TranscriptRecord {
    let mut head = Head {
        uuid: record.uuid.to_text(),
        session: record.session_id.to_text(),
        cwd: record.cwd.to_text(),
        branch: record.git_branch.to_text(),
        agent_version: record.version.to_text(),
        ..Head::at(&record.timestamp)
    };
    if record.is_sidechain.0 {
        let actor = record.agent_id.to_text();
        head.actor = Some(actor.unwrap_or_else(|| NAMELESS_SUBAGENT.to_owned()));
    }
    let mut parts = Vec::new();
    match record.kind.as_deref() {
        Some("assistant") => {
            said(&record.message, None, false, &mut head, &mut parts);
            tell(&record.message, record.uuid.as_deref(), &mut parts);
        }
        Some("user") => {
            let machine_made = record.is_meta.0 || record.is_compact_summary.0;
            let account = record.tool_use_result;
            said(&record.message, account, !machine_made, &mut head, &mut parts);
        }
        Some("progress") => embedded(record, &mut head, &mut parts),
        Some("attachment") => waiting_prompt(record, &mut parts),
        Some("summary") => push_title(&record.summary, record.leaf_uuid.to_text(), &mut parts),
        Some("custom-title") => push_title(&record.custom_title, None, &mut parts),
        Some("ai-title") => push_title(&record.ai_title, None, &mut parts),
        _ => {}
    }
    unread::of_record(record, &mut parts);
    let known_by = record.annals_id.to_text();
    parts.iter_mut().for_each(|part| part.name_prompt(&known_by));
    TranscriptRecord { line, head, parts }
}

fn embedded(record: &Record<'_>, head: &mut Head, parts: &mut Vec<Part>) {
    let Some(progress) = &record.data.0 else { return };
    let ("agent_progress", Some(inner)) =
        (progress.kind.as_deref().unwrap_or_default(), &progress.message.0)
    else {
        return;
    };
    head.actor = progress.agent_id.to_text().or(Some(NAMELESS_SUBAGENT.to_owned()));
    head.task = record.parent_tool_use_id.to_text();
    head.retime(&inner.timestamp);
    let asks = inner.kind.as_deref() == Some("user");
    said(&inner.message, inner.tool_use_result, asks, head, parts);
    if inner.kind.as_deref() == Some("assistant") {
        tell(&inner.message, inner.uuid.as_deref(), parts);
    }
}

fn waiting_prompt(record: &Record<'_>, parts: &mut Vec<Part>) {
    let Some(attachment) = &record.attachment.0 else { return };
    let queued = attachment.kind.as_deref() == Some("queued_command");
    if queued && attachment.command_mode.as_deref() != Some("task-notification") {
        let text = content::prompt(&attachment.prompt.to_text());
        parts.extend(text.map(asked));
    }
}

fn asked(text: String) -> Part {
    Part::Prompt(Prompt { text, ..Prompt::default() })
}

fn push_title(text: &Text<'_>, leaf: Option<String>, parts: &mut Vec<Part>) {
    parts.extend(text.to_text().map(|text| Part::Title(Title { text, leaf })));
}

fn said(
    message: &Loose<Message<'_>>,
    account: Option<&RawValue>,
    asks: bool,
    head: &mut Head,
    parts: &mut Vec<Part>,
) {
    let Some(message) = &message.0 else { return };
    // The agent writes "<synthetic>" where no model spoke.
    head.model = message.model.to_text().filter(|model| !model.starts_with('<'));
    let Content::Blocks(blocks) = &message.content else {
        if let (true, Content::Text(text)) = (asks, &message.content) {
            parts.extend(content::prompt(text).map(asked));
        }
        return;
    };
    let results = blocks.iter().filter(|block| is_kind(block, "tool_result")).count();
    for block in blocks {
        match block.kind.as_deref() {
            Some("tool_use") => {
                let call = call(block).map(Part::Call);
                parts.push(Part::or_unread(call, "a tool_use without id or name"));
            }
            // An account beside several results does not say whose it is.
            Some("tool_result") => {
                let account = account.filter(|_| results == 1);
                let result = result(block, account).map(Part::Result);
                parts.push(Part::or_unread(result, "a tool_result without tool_use_id"));
            }
            _ => {}
        }
    }
    if asks && results == 0 {
        let texts = blocks.iter().filter_map(|block| block.text.as_deref());
        let text = texts.filter_map(content::prompt).collect::<Vec<_>>().join("\n");
        let attachments: Vec<_> = blocks.iter().filter_map(Block::attachment).collect();
        if !text.is_empty() || !attachments.is_empty() {
            parts.push(Part::Prompt(Prompt { text, attachments, ..Prompt::default() }));
        }
    }
}

/// Adds what the agent says before what it calls.
fn tell(message: &Loose<Message<'_>>, uuid: Option<&str>, parts: &mut Vec<Part>) {
    let said = message.0.as_ref().and_then(|message| super::messages::said(message, uuid));
    if let Some(said) = said {
        parts.insert(0, Part::Said(Box::new(said)));
    }
}

fn is_kind(block: &Block<'_>, kind: &str) -> bool {
    block.kind.as_deref() == Some(kind)
}

pub(super) fn call(block: &Block<'_>) -> Option<Call> {
    let arguments = readable(block.input.map_or("{}", RawValue::get));
    let native_tool = block.name.to_text()?;
    let paths = super::paths(&arguments);
    let changed = paths.first().filter(|_| super::changes_files(&native_tool)).cloned();
    Some(Call {
        id: block.id.to_text()?,
        scope: None,
        tool: tool::of_claude_code(&native_tool)
            .map_or_else(|| tool::made_valid(&native_tool), str::to_owned),
        paths,
        changes: changed.into_iter().map(|path| Change { path, created: false }).collect(),
        cwd: None,
        task: super::task(&native_tool, &arguments),
        execution: None,
        native_tool,
        arguments: arguments.into_owned(),
    })
}

fn result(block: &Block<'_>, account: Option<&RawValue>) -> Option<CallResult> {
    let id = block.tool_use_id.to_text()?;
    Some(ended(id, &text_of(block.content), block.is_error.0, account))
}

pub(super) fn text_of(content: Option<&RawValue>) -> String {
    let content = content.map(|raw| readable(raw.get()));
    let content = content.as_deref().and_then(|raw| parsed::<Content<'_>>(raw.as_bytes()));
    content.map(|content| content.to_text()).unwrap_or_default()
}

pub(super) fn ended(
    id: String,
    text: &str,
    is_error: bool,
    account: Option<&RawValue>,
) -> CallResult {
    let account = account.map(|raw| readable(raw.get()));
    let account = account.as_deref().filter(|raw| raw.starts_with('{'));
    let account = account.and_then(|raw| parsed::<Account<'_>>(raw.as_bytes()));
    let account = account.unwrap_or_default();

    let mut outcome = self::outcome(is_error, text);
    // It ran, and was stopped before it had done what was asked.
    let stopped = outcome == Outcome::Ok && account.interrupted.0
        || outcome == Outcome::Failed && said_when_stopped(text).is_some();
    if stopped {
        outcome = Outcome::Failed;
    }
    let mut result = CallResult {
        duration_ms: account.duration_ms(),
        file: account.file_path.to_text(),
        created: account.kind.as_deref() == Some("create"),
        subagent: account.agent_id.to_text(),
        ..CallResult::of(id, None, outcome)
    };
    let printed = account.stdout.0.is_some() || account.stderr.0.is_some();
    if outcome == Outcome::Ok
        && let Some(read) = background::read(text, &account)
    {
        read.tell(&mut result);
        return result;
    }
    let left = background::left(&account);
    match outcome {
        // What it prints comes later, and elsewhere: that it began is all that is known.
        Outcome::Ok if left.is_some() => {
            let words = format!("{LEFT}{}", left.unwrap_or_default());
            let words = if text.is_empty() { &words } else { text };
            let before = account.stdout.as_deref().map(str::trim_end).filter(|it| !it.is_empty());
            let stdout = [before, Some(words)].into_iter().flatten().collect::<Vec<_>>();
            result.stdout = Some(stdout.join("\n").into_bytes());
            result.stderr = account.stderr.to_text().map(String::into_bytes);
        }
        Outcome::Ok | Outcome::Failed if printed => {
            result.stdout = account.stdout.to_text().map(String::into_bytes);
            result.stderr = account.stderr.to_text().map(String::into_bytes);
        }
        Outcome::Ok => result.stdout = Some(text.as_bytes().to_vec()).filter(|t| !t.is_empty()),
        _ => {}
    }
    if outcome != Outcome::Ok {
        failed(text, stopped, &mut result);
    }
    result
}

fn failed(text: &str, stopped: bool, result: &mut CallResult) {
    let said = untagged(text);
    let printed = self::exit_code(text);
    result.exit_code = printed.map(|(code, _)| code);
    let body = said_when_stopped(text).or(printed.map(|(_, body)| body)).unwrap_or(said);
    if result.stderr.is_none() && (printed.is_some() || said.len() > ERROR_BYTES_MAX) {
        result.stderr = Some(body.as_bytes().to_vec()).filter(|body| !body.is_empty());
    }
    result.error = Some(match (stopped, said.is_empty()) {
        (true, _) => STOPPED_BY_USER.to_owned(),
        (false, true) => "failed without a word".to_owned(),
        (false, false) => head_of(said).to_owned(),
    });
}

/// What a call had printed when the user stopped it; `None` where nobody did.
fn said_when_stopped(text: &str) -> Option<&str> {
    let (_, body) = self::exit_code(text)?;
    body.trim_start().strip_prefix(STOPPED).map(str::trim_start)
}

const STOPPED: &str = "[Request interrupted by user for tool use]";

/// Beginnings of results of calls that never ran: the user, a permission or validation said no,
/// or a call beside it failed first.
const REFUSALS: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    STOPPED,
    "Sibling tool call errored",
    "Permission to use ",
    "Claude requested permissions to ",
    "InputValidationError",
];

/// The text without the tag the agent puts around what its tools refuse.
pub fn untagged(text: &str) -> &str {
    let trimmed = text.trim();
    trimmed
        .strip_prefix("<tool_use_error>")
        .map_or(trimmed, |rest| rest.strip_suffix("</tool_use_error>").unwrap_or(rest))
}

pub fn outcome(is_error: bool, text: &str) -> Outcome {
    let said = untagged(text);
    match is_error {
        false => Outcome::Ok,
        true if REFUSALS.iter().any(|beginning| said.starts_with(beginning)) => Outcome::Refused,
        true => Outcome::Failed,
    }
}

/// The exit code and the rest of a text that begins `Exit code N`.
pub fn exit_code(text: &str) -> Option<(i32, &str)> {
    let rest = untagged(text).strip_prefix("Exit code ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let code = rest[..digits].parse().ok()?;
    let body = &rest[digits..];
    (body.is_empty() || body.starts_with(['\n', '\r']))
        .then(|| (code, body.trim_start_matches(['\r', '\n'])))
}
