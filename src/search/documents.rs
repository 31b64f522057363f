//! What of an event can be found: its texts, each a document of its own.

use crate::event::{
    AssistantSaid, Body, Closing, Content, Event, ExecutionStarted, Outcome, Recorded, TextVisitor,
    words,
};

words! {
    /// What a text is.
    pub enum Part {
        Prompt = "prompt",
        Answer = "answer",
        Command = "command",
        Diff = "diff",
        Output = "output",
        Error = "error",
        Memory = "memory",
        Summary = "summary",
    }
}

/// Of one text, the bytes of its beginning and of its end that are looked up.
const HEAD_BYTES: usize = 8 << 10;
const TAIL_BYTES: usize = 2 << 10;
/// Of what a person, an agent or a memory says.
const SAID_BYTES_MAX: usize = 256 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    pub part: Part,
    /// In their order; where something is left out, its beginning and its end.
    pub texts: Vec<String>,
    pub left_out: u64,
    /// Of a call: its names.
    pub tool: Option<String>,
    pub path: Option<&'a str>,
    pub model: Option<&'a str>,
    pub failed: bool,
    /// What a later telling of the same stands in the place of.
    pub native_id: Option<&'a str>,
}

impl<'a> Document<'a> {
    fn of(part: Part) -> Self {
        Self {
            part,
            texts: Vec::new(),
            left_out: 0,
            tool: None,
            path: None,
            model: None,
            failed: false,
            native_id: None,
        }
    }

    fn add(&mut self, text: &str, head: usize, tail: usize) {
        if text.len() <= head + tail {
            self.texts.push(text.to_owned());
            return;
        }
        let (head, tail) =
            (text.floor_char_boundary(head), text.ceil_char_boundary(text.len() - tail));
        self.texts.extend([text[..head].to_owned(), text[tail..].to_owned()]);
        self.left_out += (tail - head) as u64;
    }

    fn content(mut self, content: &Content, head: usize, tail: usize) -> Self {
        match content {
            Content::Inline(bytes) => self.add(&String::from_utf8_lossy(bytes), head, tail),
            Content::Truncated { head: first, tail: last, len } => {
                self.add(&String::from_utf8_lossy(first), head, 0);
                self.add(&String::from_utf8_lossy(last), 0, tail.max(1));
                self.left_out += len.saturating_sub((first.len() + last.len()) as u64);
            }
            Content::Blob { len, .. } | Content::Repeated { len, .. } => self.left_out += len,
        }
        self
    }

    fn said(self, content: &Content) -> Self {
        self.content(content, SAID_BYTES_MAX, 0)
    }

    fn of_call(mut self, tool: &str, start: Option<&'a ExecutionStarted>) -> Self {
        let native = start.and_then(|it| it.native_tool.as_deref());
        self.tool = Some(native.map_or_else(|| tool.to_owned(), |it| format!("{tool} {it}")));
        self.path = start.and_then(|it| it.paths.first()).map(String::as_str);
        self
    }
}

/// The documents of an event; `start` is that of the execution which it ends.
pub fn documents<'a>(recorded: &'a Recorded, start: Option<&'a Recorded>) -> Vec<Document<'a>> {
    let start = start.and_then(|it| match &it.event.body {
        Body::ExecutionStarted(start) => Some(start),
        _ => None,
    });
    let mut all = match &recorded.event.body {
        Body::PromptSubmitted(it) => vec![Document::of(Part::Prompt).said(&it.text)],
        Body::AssistantSaid(it) => vec![answer(it)],
        Body::Compacted(it) => vec![Document::of(Part::Summary).said(&it.summary)],
        Body::ExecutionStarted(it) => vec![command(it)],
        Body::ExecutionFinished(it) => ended(&it.tool, &it.closing, start),
        Body::ExecutionCorrected(it) => ended(&it.tool, &it.closing, start),
        body => match remembered(body) {
            Some(part) => vec![all_texts(part, recorded.event.clone())],
            None => Vec::new(),
        },
    };
    all.retain(|it| it.left_out > 0 || it.texts.iter().any(|it| !it.trim().is_empty()));
    all
}

fn answer(said: &AssistantSaid) -> Document<'_> {
    let document = Document::of(Part::Answer).said(&said.text);
    let document = match &said.thinking {
        Some(thinking) => document.said(thinking),
        None => document,
    };
    let model = said.model.as_deref();
    Document { model, native_id: Some(&said.native_id), ..document }
}

/// What a call was asked. One that says what a file is to be is a change.
fn command(start: &ExecutionStarted) -> Document<'_> {
    const CHANGES: [&str; 6] =
        ["new_string", "new_source", "new_str", "file_text", "content", "edits"];
    let json: serde_json::Value = serde_json::from_str(&start.arguments.0).unwrap_or_default();
    let is_change = CHANGES.iter().any(|it| json.get(it).is_some());
    let part = if is_change { Part::Diff } else { Part::Command };
    let mut document = Document::of(part).of_call(&start.tool, Some(start));
    strings(&json, &mut |text| document.add(text, HEAD_BYTES, TAIL_BYTES));
    document
}

fn ended<'a>(
    tool: &str,
    closing: &'a Closing,
    start: Option<&'a ExecutionStarted>,
) -> Vec<Document<'a>> {
    let failed = closing.outcome != Outcome::Ok;
    let of = |part| Document { failed, ..Document::of(part).of_call(tool, start) };
    let printed = [&closing.stdout, &closing.stderr].into_iter().flatten();
    let output = printed.fold(of(Part::Output), |document, content| {
        document.content(content, HEAD_BYTES, TAIL_BYTES)
    });
    let mut error = of(Part::Error);
    if let Some(text) = &closing.error {
        error.add(text, HEAD_BYTES, TAIL_BYTES);
    }
    vec![output, error]
}

/// Events of memories: what somebody wrote down, and not what was read from it.
fn remembered(body: &Body) -> Option<Part> {
    match body {
        Body::SummaryAppended(_) => Some(Part::Summary),
        Body::CoreSet(_)
        | Body::RecallAppended(_)
        | Body::ArchivalWritten(_)
        | Body::ArchivalUpdated(_)
        | Body::KvPut(_)
        | Body::MessageAppended(_)
        | Body::ConventionUpserted(_)
        | Body::DecisionRecorded(_)
        | Body::NoteAdded(_)
        | Body::AnalysisRecorded(_)
        | Body::FixApplied(_)
        | Body::LearningExtracted(_) => Some(Part::Memory),
        _ => None,
    }
}

fn all_texts(part: Part, mut event: Event) -> Document<'static> {
    let mut texts = Texts(Document::of(part));
    event.visit_texts(&mut texts);
    texts.0
}

struct Texts(Document<'static>);

impl TextVisitor for Texts {
    fn text(&mut self, text: &mut String) {
        self.0.add(text, SAID_BYTES_MAX, 0);
    }

    fn bytes(&mut self, bytes: &mut Vec<u8>) {
        self.0.add(&String::from_utf8_lossy(bytes), SAID_BYTES_MAX, 0);
    }

    fn json(&mut self, json: &mut String) {
        let value: serde_json::Value = serde_json::from_str(json).unwrap_or_default();
        strings(&value, &mut |text| self.0.add(text, HEAD_BYTES, TAIL_BYTES));
    }
}

/// Every text of a JSON value, and no key.
fn strings(value: &serde_json::Value, give: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => give(text),
        serde_json::Value::Array(all) => all.iter().for_each(|it| strings(it, give)),
        serde_json::Value::Object(all) => all.values().for_each(|it| strings(it, give)),
        _ => {}
    }
}
