//! A message of a session, and what its parts say.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::item::{self, Head, Part as Told, Prompt, Title, TranscriptRecord};
use crate::agents::import::loose::{Flag, List, Loose, Number, Text, object, parsed};
use crate::agents::import::odd::{Count, Given, Stamp};
use crate::agents::import::told;
use crate::event::Usage;

/// A session, as far as it is told.
#[derive(Clone, Debug, Default)]
pub struct Session {
    pub id: String,
    pub title: Option<String>,
    pub folder: Option<String>,
    pub parent: Option<String>,
    pub version: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SessionInfo<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    title: Text<'a>,
    directory: Text<'a>,
    #[serde(rename = "parentID")]
    parent_id: Text<'a>,
    version: Text<'a>,
}

impl Session {
    pub fn of(bytes: &[u8]) -> Self {
        let info: SessionInfo<'_> = object(bytes);
        Self {
            id: info.id.to_text().unwrap_or_default(),
            title: info.title.to_text(),
            folder: info.directory.to_text(),
            parent: info.parent_id.to_text(),
            version: info.version.to_text(),
        }
    }
}

/// A message with its parts, as they are exported.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Exported<'a> {
    #[serde(borrow)]
    info: Option<&'a RawValue>,
    parts: List<&'a RawValue>,
}

impl Exported<'_> {
    pub fn read(&self, line: u64, session: &Session, out: &mut Vec<TranscriptRecord>) -> bool {
        let Some(info) = self.info.map(|raw| raw.get().as_bytes()) else { return false };
        let parts: Vec<_> = self.parts.0.iter().map(|raw| (None, raw.get())).collect();
        read(line, session, (None, info), &parts, out)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Info<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    role: Text<'a>,
    time: Loose<Time<'a>>,
    #[serde(rename = "modelID")]
    model_id: Text<'a>,
    tokens: Given<Tokens>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Time<'a> {
    #[serde(borrow)]
    created: Stamp<'a>,
    start: Stamp<'a>,
    end: Stamp<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input: Count,
    output: Count,
    cache: Loose<Cached>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Cached {
    read: Count,
    write: Count,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(rename = "type")]
    kind: Text<'a>,
    text: Text<'a>,
    synthetic: Flag,
    tool: Text<'a>,
    #[serde(rename = "callID")]
    call_id: Text<'a>,
    state: Loose<State<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct State<'a> {
    #[serde(borrow)]
    status: Text<'a>,
    input: Option<&'a RawValue>,
    output: Text<'a>,
    error: Text<'a>,
    metadata: Loose<Metadata>,
    time: Loose<Time<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit: Number,
}

/// Reads a message and its parts, each by its own id or, where it stands in a row, that one's. `false` where it
/// is none.
pub fn read(
    line: u64,
    session: &Session,
    (id, info): (Option<&str>, &[u8]),
    parts: &[(Option<&str>, &str)],
    out: &mut Vec<TranscriptRecord>,
) -> bool {
    let Some(info) = parsed::<Loose<Info<'_>>>(info).and_then(|it| it.0) else { return false };
    let Some(id) = id.map(str::to_owned).or_else(|| info.id.to_text()) else { return false };
    let head = Head {
        session: Some(session.id.clone()),
        cwd: session.folder.clone(),
        agent_version: session.version.clone(),
        model: info.model_id.to_text(),
        parent_session: session.parent.clone(),
        ..info.time.0.as_ref().map(|it| Head::at_number(&it.created, 1.0)).unwrap_or_default()
    };
    let (mut said, mut thought) = (Vec::new(), Vec::new());
    let mut calls = Vec::new();
    let mut unread = Vec::new();
    for (own, bytes) in parts {
        let Some(part) = parsed::<Loose<Part<'_>>>(bytes.as_bytes()).and_then(|it| it.0) else {
            unread.push(Told::unread("a part of the message that is no object"));
            continue;
        };
        match part.kind.as_deref() {
            Some("text") if !part.synthetic.0 => said.extend(part.text.to_text()),
            Some("reasoning") => thought.extend(part.text.to_text()),
            Some("tool") => unread.extend(part.tool(*own, &head, &mut calls)),
            Some("file") if info.role.as_deref() == Some("user") => {
                unread.push(Told::unread("content that is no text: file"));
            }
            None => unread.push(Told::unread("a part of the message without a type")),
            _ => {}
        }
    }
    let text = said.join("\n");
    let mut told: Vec<_> = session.title.clone().map(title).into_iter().collect();
    match info.role.as_deref() {
        Some("user") if !text.trim().is_empty() => {
            let place = Some(format!("{}#{id}", session.id));
            told.push(Told::Prompt(Prompt { text, place, ..Prompt::default() }));
        }
        Some("assistant") => {
            let (id, thinking) = (Some(id), thought.join("\n"));
            let usage = info.tokens.get().map(Tokens::usage).unwrap_or_default();
            unread.extend(told::odd_tokens(&info.tokens, Tokens::odd));
            let message = item::Message { id, text, thinking, usage, ..Default::default() };
            told.push(Told::Said(Box::new(message)));
        }
        _ => {}
    }
    told.append(&mut unread);
    out.push(TranscriptRecord { line, head, parts: told });
    out.append(&mut calls);
    true
}

fn title(text: String) -> Told {
    Told::Title(Title { text, leaf: None })
}

impl Tokens {
    fn odd(&self) -> Option<Told> {
        let cache = self.cache.0.as_ref();
        let (read, write) = cache.map(|it| (it.read, it.write)).unwrap_or_default();
        told::odd_usage(&[
            ("input", self.input),
            ("output", self.output),
            ("cache.read", read),
            ("cache.write", write),
        ])
    }

    fn usage(&self) -> Usage {
        let cache = self.cache.0.as_ref();
        Usage {
            input: self.input.to_count(),
            output: self.output.to_count(),
            cache_read: cache.and_then(|it| it.read.to_count()),
            cache_write: cache.and_then(|it| it.write.to_count()),
        }
    }
}

impl Part<'_> {
    /// Gives what of it could not be read.
    fn tool(
        &self,
        own: Option<&str>,
        head: &Head,
        out: &mut Vec<TranscriptRecord>,
    ) -> Option<Told> {
        let id = self.call_id.to_text().or_else(|| own.map(str::to_owned));
        let id = id.or_else(|| self.id.to_text());
        let (Some(id), Some(tool), Some(state)) = (id, self.tool.to_text(), &self.state.0) else {
            return Some(Told::unread("a tool's call without id, name or state"));
        };
        let scope = head.session.clone();
        let time = state.time.0.as_ref();
        let from = time.map(|it| Head::at_number(&it.start, 1.0)).unwrap_or_default();
        let to = time.map(|it| Head::at_number(&it.end, 1.0)).unwrap_or_default();
        let (from_ms, to_ms) = (from.at_ms, to.at_ms);
        let at = |Head { at_ms, odd_time, .. }: Head, part: Told| {
            // The message's own is told with that.
            let at_ms = at_ms.or(head.at_ms.filter(|_| odd_time.is_none()));
            let head = Head { at_ms, odd_time, ..head.clone() };
            TranscriptRecord { line: 0, head, parts: vec![part] }
        };
        let arguments = told::arguments(state.input, "input");
        let call = told::call(id.clone(), scope.clone(), &tool, arguments);
        out.push(at(from, Told::Call(call)));
        let is_error = match state.status.as_deref() {
            Some("completed") => false,
            Some("error") => true,
            // It waits, or runs.
            _ => return None,
        };
        let exit_code = state.metadata.0.as_ref().and_then(|it| it.exit.to_count());
        let exit_code = exit_code.and_then(|code| i32::try_from(code).ok());
        let printed = if is_error { state.error.to_text() } else { state.output.to_text() };
        let mut result = told::result(id, scope, exit_code, is_error, printed);
        result.duration_ms = told::lasted(from_ms, to_ms);
        out.push(at(to, Told::Result(result)));
        None
    }
}
