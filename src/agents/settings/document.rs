//! A JSON text as values with their places, so that it can be edited without being written anew.

use std::ops::Range;

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
        if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(body) {
            let line_at = body.split_inclusive('\n').take(error.line().saturating_sub(1));
            let line_at: usize = line_at.map(str::len).sum();
            let at = skipped + line_at + error.column().saturating_sub(1);
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
            return Err((at, SettingsFault::NotJson { reason }));
        }
        let mut walk = Walk { text, at: skipped };
        let root = walk.value(0)?;
        Ok(Self { text, root: Some(root) })
    }
}

impl Value {
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

/// Walks over a text that is valid; on one that is not it ends early, with a fault.
struct Walk<'t> {
    text: &'t str,
    at: usize,
}

impl Walk<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, At> {
        if depth > DEPTH_MAX {
            return Err((self.at, SettingsFault::Deep { deep: DEPTH_MAX }));
        }
        self.space();
        let start = self.at;
        let shape = match self.peek() {
            Some(b'{') => Shape::Object(self.members(depth)?),
            Some(b'[') => Shape::Array(self.items(depth)?),
            Some(b'"') => Shape::Text(self.string()?),
            _ => {
                while self.peek().is_some_and(|byte| !b",]} \t\r\n".contains(&byte)) {
                    self.at += 1;
                }
                Shape::Other
            }
        };
        Ok(Value { place: start..self.at, shape })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<Member>, At> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    let start = self.at;
                    let key = self.string()?;
                    self.space();
                    self.pass(b':')?;
                    members.push(Member { key, start, value: self.value(depth + 1)? });
                }
                _ => {
                    self.pass(b'}')?;
                    return Ok(members);
                }
            }
        }
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Value>, At> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') | None => {
                    self.pass(b']')?;
                    return Ok(items);
                }
                _ => items.push(self.value(depth + 1)?),
            }
        }
    }

    fn string(&mut self) -> Result<String, At> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                let text = self.text.get(start..self.at).unwrap_or_default();
                // Half a surrogate pair is JSON and no text: then it is no name of ours either.
                let text = serde_json::from_str(text).unwrap_or_else(|_| text.to_owned());
                return Ok(text);
            }
        }
        Err(self.broken())
    }

    fn pass(&mut self, byte: u8) -> Result<(), At> {
        if self.peek() != Some(byte) {
            return Err(self.broken());
        }
        self.at += 1;
        Ok(())
    }

    fn broken(&self) -> At {
        (self.at, SettingsFault::NotJson { reason: "it breaks off".to_owned() })
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| b" \t\r\n".contains(&byte)) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
