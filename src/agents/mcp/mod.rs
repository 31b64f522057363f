//! Logs of MCP servers and clients that show their JSON-RPC messages, one a line, behind a time and some words
//! (`TIME [server] [info] Message from client: {…}`), or bare.
//!
//! `tools/call` is a call, the response of its id how it ended. A connection begins with `initialize`, and
//! ids with it.

use std::collections::HashSet;
use std::io;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::import::Flaw;
use super::import::item::{Head, Part, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::{Flag, Loose, Text};
use super::import::odd::Stamp;
use super::import::source_file::SourceFile;
use super::import::told;
use super::import::whole::{TextLines, WholeLog, read_text};

pub const SOURCE: LogSource = LogSource {
    name: "mcp",
    title: "MCP logs",
    also: None,
    endings: &[".log"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

/// Calls that wait for their response.
const OPEN_MAX: usize = 4_096;

fn is_of(beginning: &Beginning<'_>) -> bool {
    let text = String::from_utf8_lossy(beginning.head);
    let mut messages = text.lines().filter_map(|line| message(line)?.ok());
    messages.any(|it| it.method.as_deref() == Some("initialize") || it.is_call())
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_text(file, Box::new(Connections { file: file.whole_name(), ..Connections::default() }))
}

#[derive(Debug, Default)]
struct Connections {
    file: String,
    count: u64,
    open: HashSet<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Text<'a>,
    params: Loose<Params<'a>>,
    result: Loose<Answer<'a>>,
    error: Loose<Fault<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Params<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    is_error: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Fault<'a> {
    #[serde(borrow)]
    message: Text<'a>,
}

impl Message<'_> {
    fn is_call(&self) -> bool {
        self.method.as_deref() == Some("tools/call")
    }
}

/// The message in a line; `None` where it shows none.
fn message(line: &str) -> Option<Result<Message<'_>, Flaw>> {
    let at = line.find('{').filter(|at| line[*at..].contains("\"jsonrpc\""))?;
    let mut values = serde_json::Deserializer::from_str(&line[at..]).into_iter::<Message<'_>>();
    Some(match values.next()? {
        Ok(message) => Ok(message),
        Err(error) if error.is_eof() => Err(Flaw::Torn),
        Err(error) => Err(Flaw::NotJson { at: (at + error.column()) as u64 }),
    })
}

impl TextLines for Connections {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let Some(message) = message(line) else { return Ok(()) };
        let message = message?;
        if message.method.as_deref() == Some("initialize") {
            self.count += 1;
            self.open.clear();
        }
        let session = format!("{}#{}", self.file, self.count);
        let time = line.split([' ', '\t']).next().unwrap_or_default();
        // Whatever else stands before a message is no time.
        let is_time = time.starts_with(|c: char| c.is_ascii_digit());
        let at = Head::at(&Stamp(is_time.then(|| time.into())));
        let mut parts = Vec::new();
        let id = message.id.map(|raw| raw.get().trim_matches('"').to_owned());
        match (id, &message.params.0) {
            (Some(id), Some(params)) if message.is_call() => {
                let tool = params.name.to_text().ok_or(Flaw::NotARecord)?;
                let arguments = told::arguments(params.arguments, "arguments");
                if self.open.len() < OPEN_MAX {
                    self.open.insert(id.clone());
                }
                let call = told::call(id, Some(session.clone()), &tool, arguments);
                parts.push(Part::Call(call));
            }
            _ if message.is_call() => parts.push(Part::unread("a tools/call without id or params")),
            (Some(id), _) if message.method.0.is_none() && self.open.remove(&id) => {
                let answer = message.result.0.as_ref();
                let fault = message.error.0.as_ref().map(|it| it.message.to_text());
                let is_error = fault.is_some() || answer.is_some_and(|it| it.is_error.0);
                let printed = fault.flatten().or_else(|| told::text_of(answer?.content));
                let result = told::result(id, Some(session.clone()), None, is_error, printed);
                parts.push(Part::Result(result));
                parts.extend(answer.and_then(|it| told::textless(it.content)));
            }
            _ => {}
        }
        let head = Head { session: Some(session), ..at };
        out.push(TranscriptRecord { line: number, head, parts });
        Ok(())
    }
}
