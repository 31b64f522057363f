//! Text that may be a string, a list of blocks, or an object around either.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::loose::{Loose, Text, parsed};
use crate::agents::import::readable;

/// One block of a message or of an output.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Block<'a> {
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    image_url: Option<&'a RawValue>,
}

/// An output with what the agent says of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Wrapped<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
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

/// One line for something that is not text.
pub fn not_kept(what: &str, raw: &RawValue) -> String {
    let bytes = raw.get().len().saturating_sub(2);
    format!("[{what}, {bytes} bytes not kept]")
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
