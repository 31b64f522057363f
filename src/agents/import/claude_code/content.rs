//! A message's content: plain text, or blocks of which those a recorder wants are read.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::agents::import::loose::{Flag, Loose, Text};

/// `message.content`, or the `content` of a tool result.
#[derive(Debug, Default)]
pub enum Content<'a> {
    #[default]
    Absent,
    Text(Cow<'a, str>),
    Blocks(Vec<Block<'a>>),
}

/// One block; a field is absent where the block's type has none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Block<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub text: Text<'a>,
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow)]
    pub input: Option<&'a RawValue>,
    #[serde(borrow)]
    pub tool_use_id: Text<'a>,
    /// A tool result's own content: read when the result is wanted.
    #[serde(borrow)]
    pub content: Option<&'a RawValue>,
    pub is_error: Flag,
    #[serde(borrow)]
    pub source: Loose<Picture<'a>>,
}

/// What is kept of an image or a document: its type, and how long its base64 is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Picture<'a> {
    #[serde(borrow)]
    pub media_type: Text<'a>,
    #[serde(borrow)]
    pub data: Option<&'a RawValue>,
}

impl Content<'_> {
    /// The text of the content; a picture reads as one line that says what was there.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        match self {
            Self::Absent => {}
            Self::Text(text) => out.push_str(text),
            Self::Blocks(blocks) => {
                for block in blocks {
                    if !out.is_empty() && !out.ends_with('\n') {
                        out.push('\n');
                    }
                    block.write_text(&mut out);
                }
            }
        }
        out
    }
}

impl Block<'_> {
    fn write_text(&self, out: &mut String) {
        match (self.kind.as_deref(), &self.source.0) {
            (Some("text"), _) => out.push_str(self.text.as_deref().unwrap_or_default()),
            (Some(kind), Some(picture)) => {
                let media = picture.media_type.as_deref().unwrap_or("unknown type");
                let bytes = picture.data.map_or(0, |data| data.get().len().saturating_sub(2));
                out.push_str(&format!("[{kind} {media}, {bytes} bytes of base64 not kept]"));
            }
            (Some(kind), None) => out.push_str(&format!("[{kind}]")),
            (None, _) => {}
        }
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Content::Absent)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Content::Absent)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Content::Absent)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Content::Absent)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Content::Absent)
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut blocks = Vec::new();
        while let Some(block) = seq.next_element::<Loose<Block<'de>>>()? {
            blocks.extend(block.0);
        }
        Ok(Content::Blocks(blocks))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Content::Absent)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ContentVisitor)
    }
}
