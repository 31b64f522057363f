//! What a line carries, as far as it is read; everything else is skipped over unparsed.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::attachment::of_url;
use crate::agents::import::item::Part;
use crate::agents::import::loose::{Loose, Number, Text, parsed};
use crate::agents::import::odd::Count;
use crate::agents::import::{readable, told};
use crate::event::Attachment;

/// The payload of a line of any type, and an item inside one; a field is absent where the type has
/// none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Payload<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub id: Text<'a>,
    pub call_id: Text<'a>,
    pub status: Text<'a>,

    // Calls: `arguments` is JSON in a string, an object only where a tool is searched for.
    pub name: Text<'a>,
    pub namespace: Text<'a>,
    pub arguments: Option<&'a RawValue>,
    pub input: Text<'a>,
    pub action: Option<&'a RawValue>,

    // Results.
    pub output: Option<&'a RawValue>,
    pub tools: Option<&'a RawValue>,
    pub revised_prompt: Text<'a>,

    // Messages.
    pub role: Text<'a>,
    pub content: Option<&'a RawValue>,
    pub summary: Option<&'a RawValue>,
    /// Pictures that came with what was typed.
    pub images: Option<&'a RawValue>,
    pub message: Text<'a>,
    #[serde(rename = "kind")]
    pub prompt_kind: Text<'a>,

    // How something ended, as an event or as a completed item.
    pub item: Option<&'a RawValue>,
    pub command: Option<&'a RawValue>,
    pub source: Option<&'a RawValue>,
    pub stdout: Text<'a>,
    pub stderr: Text<'a>,
    pub aggregated_output: Text<'a>,
    pub exit_code: Number,
    pub duration: Loose<Span>,
    pub started_at_ms: Number,
    pub completed_at_ms: Number,
    pub success: Option<&'a RawValue>,
    pub changes: Option<&'a RawValue>,
    pub invocation: Loose<Invocation<'a>>,
    pub server: Text<'a>,
    pub tool: Text<'a>,
    pub result: Option<&'a RawValue>,
    pub error: Option<&'a RawValue>,

    /// Of a line that was rebuilt from a journal: what it is known by there.
    #[serde(rename = "annalsId")]
    pub annals_id: Text<'a>,

    // Tokens.
    pub info: Loose<Tokens>,

    // Sessions and turns.
    pub session_id: Text<'a>,
    pub timestamp: Text<'a>,
    pub cwd: Text<'a>,
    pub model: Text<'a>,
    pub cli_version: Text<'a>,
    pub git: Loose<Git<'a>>,
    pub forked_from_id: Text<'a>,
    pub parent_thread_id: Text<'a>,
    pub thread_name: Text<'a>,
}

/// What all responses of a session took, and the last one.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Tokens {
    pub total_token_usage: Loose<Took>,
    pub last_token_usage: Loose<Took>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Took {
    pub input_tokens: Count,
    /// Of the input.
    pub cached_input_tokens: Count,
    pub output_tokens: Count,
    pub total_tokens: Count,
}

impl Tokens {
    /// What of the last response's could not be read.
    pub fn odd(self) -> Option<Part> {
        let took = self.last_token_usage.0?;
        told::odd_usage(&[
            ("input_tokens", took.input_tokens),
            ("cached_input_tokens", took.cached_input_tokens),
            ("output_tokens", took.output_tokens),
        ])
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Span {
    pub secs: Number,
    pub nanos: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Invocation<'a> {
    #[serde(borrow)]
    pub server: Text<'a>,
    pub tool: Text<'a>,
    pub arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Git<'a> {
    #[serde(borrow)]
    pub branch: Text<'a>,
}

impl Span {
    pub fn to_ms(self) -> Option<u64> {
        let nanos_ms = self.nanos.to_ms(1e-6).unwrap_or_default();
        self.secs.to_ms(1000.0)?.checked_add(nanos_ms)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Block<'a> {
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    text: Text<'a>,
    image_url: Option<&'a RawValue>,
}

/// An output with what the agent says of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Wrapped<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    success: Option<&'a RawValue>,
}

/// A text, and whether the agent says that it tells of a success.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub text: String,
    pub success: Option<bool>,
}

/// The text in any of its forms; a picture reads as one line that says what was there.
pub fn said(raw: &RawValue) -> Said {
    let json = readable(raw.get());
    match json.as_bytes().first() {
        Some(b'"') => {
            let text = parsed::<Text<'_>>(json.as_bytes()).and_then(|text| text.0);
            Said { text: text.unwrap_or_default().into_owned(), success: None }
        }
        Some(b'[') => Said { text: blocks(json.as_bytes()), success: None },
        Some(b'{') => {
            let wrapped = parsed::<Wrapped<'_>>(json.as_bytes()).unwrap_or_default();
            let success = wrapped.success.and_then(|raw| parsed(raw.get().as_bytes()));
            match wrapped.content {
                Some(content) if !content.get().starts_with('{') => {
                    Said { text: said(content).text, success }
                }
                _ => Said { text: json.into_owned(), success },
            }
        }
        _ => Said::default(),
    }
}

fn blocks(json: &[u8]) -> String {
    let mut out = String::new();
    for block in parsed::<Vec<Loose<Block<'_>>>>(json).into_iter().flatten().flat_map(|b| b.0) {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        match (block.text.as_deref(), block.image_url) {
            (Some(text), _) => out.push_str(text),
            (None, Some(image)) => out.push_str(&not_kept("image", image)),
            (None, None) => out.push_str(&format!("[{}]", block.kind.as_deref().unwrap_or("?"))),
        }
    }
    out
}

pub fn not_kept(what: &str, raw: &RawValue) -> String {
    let bytes = raw.get().len().saturating_sub(2);
    format!("[{what}, {bytes} bytes not kept]")
}

/// The pictures in a message's content, or in a list of URLs.
pub fn pictures(raw: &RawValue) -> Vec<Attachment> {
    let json = readable(raw.get());
    let urls = parsed::<Vec<Text<'_>>>(json.as_bytes()).into_iter().flatten();
    let blocks = parsed::<Vec<Loose<Block<'_>>>>(json.as_bytes()).into_iter().flatten();
    let blocks = blocks.filter_map(|block| block.0?.image_url);
    let blocks = blocks.filter_map(|raw| parsed::<Text<'_>>(raw.get().as_bytes()));
    urls.chain(blocks).filter_map(|url| of_url(url.as_deref()?)).collect()
}

/// Only what people typed of a message's content: pictures say nothing a prompt needs.
pub fn typed(raw: &RawValue, between: &str) -> String {
    let json = readable(raw.get());
    if json.starts_with('"') {
        return said(raw).text;
    }
    let blocks = parsed::<Vec<Loose<Block<'_>>>>(json.as_bytes());
    let blocks = blocks.into_iter().flatten().filter_map(|block| block.0);
    let texts = blocks.filter_map(|block| block.text.to_text());
    texts.collect::<Vec<_>>().join(between)
}
