//! A JSON text as values with their places, so that it can be edited without being written anew.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::SettingsFault;

const DEPTH_MAX: usize = 100;
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A fault, and the byte it is at.
pub type At = (usize, SettingsFault);

/// A JSON text that was found valid.
#[derive(Debug)]
pub struct Document<'t> {
    pub text: &'t str,
    /// `None` where there is nothing but space.
    pub root: Option<Value>,
}

#[derive(Clone, Debug)]
pub struct Value {
    pub place: Range<usize>,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Object(Vec<Member>),
    Array(Vec<Value>),
    Text(String),
    Other,
}

#[derive(Clone, Debug)]
pub struct Member {
    pub key: String,
    pub start: usize,
    pub value: Value,
}

impl<'t> Document<'t> {
    pub fn parse(text: &'t str) -> Result<Self, At> {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let skipped = text.len() - body.len();
        if body.trim_ascii().is_empty() {
            return Ok(Self { text, root: None });
        }
        let root = serde_json::from_str::<&RawValue>(body).map_err(|error| {
            let line_at = body.split_inclusive('\n').take(error.line().saturating_sub(1));
            let line_at: usize = line_at.map(str::len).sum();
            let at = skipped + line_at + error.column().saturating_sub(1);
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
            (at, SettingsFault::NotJson { reason })
        })?;
        Ok(Self { text, root: Some(Value::of(text, root, 0)?) })
    }
}

impl Value {
    /// A part of a text that is valid.
    fn of(text: &str, part: &RawValue, depth: usize) -> Result<Self, At> {
        let place = place(text, part);
        if depth > DEPTH_MAX {
            return Err((place.start, SettingsFault::Deep { deep: DEPTH_MAX }));
        }
        let broken = |error: serde_json::Error| {
            (place.start, SettingsFault::NotJson { reason: error.to_string() })
        };
        let json = part.get();
        let shape = match json.as_bytes().first() {
            Some(b'{') => {
                let Parts(parts) = serde_json::from_str(json).map_err(broken)?;
                let member = |(key, value): (&RawValue, _)| {
                    let start = self::place(text, key).start;
                    Ok(Member { key: said(key), start, value: Self::of(text, value, depth + 1)? })
                };
                Shape::Object(parts.into_iter().map(member).collect::<Result<_, At>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(json).map_err(broken)?;
                let items = items.into_iter().map(|item| Self::of(text, item, depth + 1));
                Shape::Array(items.collect::<Result<_, At>>()?)
            }
            Some(b'"') => Shape::Text(said(part)),
            _ => Shape::Other,
        };
        Ok(Self { place, shape })
    }

    /// The member of that name; the last one where the text repeats it.
    pub fn get(&self, key: &str) -> Option<&Member> {
        self.members().iter().rev().find(|member| member.key == key)
    }

    pub fn members(&self) -> &[Member] {
        match &self.shape {
            Shape::Object(members) => members,
            _ => &[],
        }
    }

    pub fn items(&self) -> &[Value] {
        match &self.shape {
            Shape::Array(items) => items,
            _ => &[],
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn inner(&self) -> Range<usize> {
        self.place.start + 1..self.place.end.saturating_sub(1).max(self.place.start + 1)
    }

    pub fn children(&self) -> Vec<Range<usize>> {
        match &self.shape {
            Shape::Object(members) => {
                members.iter().map(|member| member.start..member.value.place.end).collect()
            }
            Shape::Array(items) => items.iter().map(|item| item.place.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Where a part of a text lies: it is a slice of it.
fn place(text: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.get().len()
}

/// Half a surrogate pair is JSON and no text: then it is no name of ours either.
fn said(string: &RawValue) -> String {
    serde_json::from_str(string.get()).unwrap_or_else(|_| string.get().to_owned())
}

/// An object's keys and values, in order, as they are written.
struct Parts<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Parts<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reading;

        impl<'de> Visitor<'de> for Reading {
            type Value = Parts<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = map.next_entry()? {
                    parts.push(part);
                }
                Ok(Parts(parts))
            }
        }

        from.deserialize_map(Reading)
    }
}
