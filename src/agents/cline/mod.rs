//! Cline's tasks (`tasks/…/ui_messages.json`, also as its kin write it): one JSON list of what was said and asked.
//!
//! A command is a call, what it printed stands behind it. A tool that was used is one; of one that a person was
//! asked for, nothing tells whether they agreed, so that it has no result.

use std::io;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::import::item::{Head, Message, Part, Prompt, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::{Flag, List, Text, object, parsed};
use super::import::odd::Stamp;
use super::import::source_file::SourceFile;
use super::import::told;
use super::import::whole::{Document, Member, WholeLog, read_document};

pub const SOURCE: LogSource = LogSource {
    name: "cline",
    title: "Cline",
    also: None,
    endings: &["ui_messages.json"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    let keys = beginning.outline();
    keys.is_list()
        && keys.has_all(&["ts", "type"])
        && matches!(keys.text("type"), Some("say" | "ask"))
        && (keys.has("say") || keys.has("ask"))
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_document(file, Box::new(Task { session: file.whole_name(), ..Task::default() }))
}

#[derive(Debug, Default)]
struct Task {
    /// When its first message was said, by which Cline names its folder too; the file's name where that is untold.
    session: String,
    is_begun: bool,
    /// The message before, and how many had its time.
    last: (u64, u64),
    /// A command whose output may follow, and when it began.
    running: Option<Running>,
}

#[derive(Debug, Default)]
struct Running {
    id: String,
    at_ms: Option<u64>,
    printed: String,
    /// Nobody was asked for it, or it printed something: it ran.
    has_run: bool,
}

/// Bytes of what a command printed that are kept.
const PRINTED_BYTES_MAX: usize = 16 << 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Said<'a> {
    #[serde(borrow)]
    ts: Stamp<'a>,
    #[serde(rename = "type")]
    kind: Text<'a>,
    say: Text<'a>,
    ask: Text<'a>,
    text: Text<'a>,
    images: List<IgnoredAny>,
    /// It is still being written.
    partial: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tool<'a> {
    #[serde(borrow)]
    tool: Text<'a>,
}

impl Document for Task {
    fn lists(&self) -> &'static [&'static str] {
        &[]
    }

    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        let said = parsed::<Said<'_>>(member.bytes).filter(|_| member.bytes[0] == b'{');
        let Some(said) = said.filter(|it| it.kind.as_deref().is_some()) else { return false };
        let at = Head::at_number(&said.ts, 1.0);
        let at_ms = at.at_ms;
        if let (false, Some(began_ms)) = (std::mem::replace(&mut self.is_begun, true), at_ms) {
            self.session = began_ms.to_string();
        }
        if said.partial.0 {
            return true;
        }
        let text = said.text.as_deref().unwrap_or_default();
        let (is_asked, what) = match (said.say.as_deref(), said.ask.as_deref()) {
            (Some(say), _) => (false, say),
            (None, ask) => (true, ask.unwrap_or_default()),
        };
        if what == "command_output" {
            let unread = || Part::unread("output of no command");
            let parts = (!self.printed(text)).then(unread).into_iter().collect();
            out.push(self.record(member.number, at, parts));
            return true;
        }
        self.end_command(at_ms, out);
        let id = self.id(at_ms, member.number);
        let scope = || Some(self.session.clone());
        let mut parts = Vec::new();
        if !said.images.0.is_empty() {
            parts.push(Part::unread("content that is no text: images"));
        }
        match what {
            "task" | "user_feedback" if !text.trim().is_empty() => {
                let place = Some(format!("{}#{id}", self.session));
                let prompt = Prompt { text: text.to_owned(), place, ..Prompt::default() };
                parts.push(Part::Prompt(prompt));
            }
            "text" | "completion_result" if !is_asked => {
                let (id, text) = (Some(format!("{}#{id}", self.session)), text.to_owned());
                parts.push(Part::Said(Box::new(Message { id, text, ..Message::default() })));
            }
            "reasoning" => {
                let (id, thinking) = (Some(format!("{}#{id}", self.session)), text.to_owned());
                parts.push(Part::Said(Box::new(Message { id, thinking, ..Message::default() })));
            }
            "command" => {
                let arguments = serde_json::json!({ "command": text }).to_string();
                parts.push(Part::Call(told::call(
                    id.clone(),
                    scope(),
                    "execute_command",
                    arguments,
                )));
                let (printed, has_run) = (String::new(), !is_asked);
                self.running = Some(Running { id, at_ms, printed, has_run });
            }
            "tool" => {
                let tool = object::<Tool<'_>>(text.as_bytes()).tool.to_text();
                if let (Some(tool), true) = (tool, parsed::<&RawValue>(text.as_bytes()).is_some()) {
                    let call = told::call(id.clone(), scope(), named(&tool), text.to_owned());
                    let native_tool = tool;
                    parts.push(Part::Call(super::import::Call { native_tool, ..call }));
                    if !is_asked {
                        parts.push(Part::Result(told::result(id, scope(), None, false, None)));
                    }
                } else {
                    parts.push(Part::unread("a tool's call that is no JSON, or names none"));
                }
            }
            _ => {}
        }
        out.push(self.record(member.number, at, parts));
        true
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        let at_ms = self.running.as_ref().and_then(|it| it.at_ms);
        self.end_command(at_ms, out);
    }
}

/// What its tools are called elsewhere.
fn named(tool: &str) -> &str {
    match tool {
        "readFile" => "read_file",
        "editedExistingFile" | "appliedDiff" => "replace_in_file",
        "newFileCreated" => "write_to_file",
        "searchFiles" => "search_files",
        other => other,
    }
}

impl Task {
    fn record(&self, line: u64, at: Head, parts: Vec<Part>) -> TranscriptRecord {
        let head = Head { session: Some(self.session.clone()), ..at };
        TranscriptRecord { line, head, parts }
    }

    /// A message is known by its time, and by its number among those of that time.
    fn id(&mut self, at_ms: Option<u64>, number: u64) -> String {
        let Some(at_ms) = at_ms else { return format!("message {number}") };
        let count = if self.last.0 == at_ms { self.last.1 + 1 } else { 1 };
        self.last = (at_ms, count);
        if count == 1 { at_ms.to_string() } else { format!("{at_ms}.{count}") }
    }

    /// `false` where no command runs.
    fn printed(&mut self, text: &str) -> bool {
        let Some(running) = &mut self.running else { return false };
        running.has_run = true;
        if running.printed.len() + text.len() < PRINTED_BYTES_MAX {
            if !running.printed.is_empty() {
                running.printed.push('\n');
            }
            running.printed.push_str(text);
        }
        true
    }

    fn end_command(&mut self, at_ms: Option<u64>, out: &mut Vec<TranscriptRecord>) {
        let Some(Running { id, printed, has_run, .. }) = self.running.take() else { return };
        if has_run {
            let result = told::result(id, Some(self.session.clone()), None, false, Some(printed));
            let at = Head { at_ms, ..Head::default() };
            out.push(self.record(0, at, vec![Part::Result(result)]));
        }
    }
}
