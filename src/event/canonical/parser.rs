//! One pass from JSON text to canonical text, without a tree between.

use super::members::Members;
use super::{Place, Rewrite, number, text};
use crate::event::EventError;
use crate::event::limits::JSON_DEPTH_MAX;

pub(super) struct Parser<'a, 'b> {
    field: &'static str,
    source: &'a str,
    at: usize,
    out: String,
    change: &'b mut Rewrite<'b>,
}

impl<'a, 'b> Parser<'a, 'b> {
    pub(super) fn new<'c: 'b>(
        field: &'static str,
        source: &'a str,
        change: &'b mut Rewrite<'c>,
    ) -> Parser<'a, 'b>
    where
        'b: 'c,
    {
        Parser { field, source, at: 0, out: String::with_capacity(source.len()), change }
    }

    pub(super) fn document(mut self) -> Result<String, EventError> {
        self.value(None, 0)?;
        self.space();
        match self.at == self.source.len() {
            true => Ok(self.out),
            false => Err(self.wrong("text after the value")),
        }
    }

    fn value(&mut self, name: Option<&str>, depth: usize) -> Result<(), EventError> {
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(name, depth + 1),
            Some(b'"') => {
                let mut value = self.string()?;
                (self.change)(Place::Value { name }, &mut value);
                text::write(&value, &mut self.out);
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            Some(_) => Err(self.wrong("a value was expected")),
            None => Err(self.wrong("the text ends where a value was expected")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), EventError> {
        self.deeper(depth)?;
        self.at += 1;
        self.out.push('{');
        let mut members = Members::new(self.out.len());
        self.space();
        if self.take(b'}') {
            self.out.push('}');
            return Ok(());
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a member's name was expected"));
            }
            let name = self.string()?;
            let mut shown = name.clone();
            (self.change)(Place::Name, &mut shown);
            self.space();
            if !self.take(b':') {
                return Err(self.wrong("':' was expected"));
            }
            let start = self.out.len();
            text::write(&shown, &mut self.out);
            self.out.push(':');
            self.value(Some(&name), depth)?;
            members.add(shown, start..self.out.len());
            self.out.push(',');
            self.space();
            if self.take(b'}') {
                break;
            }
            if !self.take(b',') {
                return Err(self.wrong("',' or '}' was expected"));
            }
        }
        members.close(&mut self.out);
        Ok(())
    }

    fn array(&mut self, name: Option<&str>, depth: usize) -> Result<(), EventError> {
        self.deeper(depth)?;
        self.at += 1;
        self.out.push('[');
        self.space();
        if self.take(b']') {
            self.out.push(']');
            return Ok(());
        }
        loop {
            self.value(name, depth)?;
            self.space();
            if self.take(b']') {
                self.out.push(']');
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.wrong("',' or ']' was expected"));
            }
            self.out.push(',');
        }
    }

    fn string(&mut self) -> Result<String, EventError> {
        let (value, used) = text::read(&self.source[self.at..]).map_err(|(reason, skipped)| {
            self.at += skipped;
            self.wrong(reason)
        })?;
        self.at += used;
        Ok(value)
    }

    fn number(&mut self) -> Result<(), EventError> {
        let Some(used) = number::length(&self.source.as_bytes()[self.at..]) else {
            return Err(self.wrong("a malformed number"));
        };
        let written = &self.source[self.at..self.at + used];
        number::write(written, &mut self.out);
        self.at += used;
        Ok(())
    }

    fn literal(&mut self, word: &str) -> Result<(), EventError> {
        if !self.source[self.at..].starts_with(word) {
            return Err(self.wrong("an unknown word"));
        }
        self.at += word.len();
        self.out.push_str(word);
        Ok(())
    }

    fn deeper(&self, depth: usize) -> Result<(), EventError> {
        match depth > JSON_DEPTH_MAX {
            true => Err(EventError::JsonTooDeep { field: self.field, depth_max: JSON_DEPTH_MAX }),
            false => Ok(()),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let taken = self.peek() == Some(byte);
        self.at += usize::from(taken);
        taken
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn wrong(&self, reason: &'static str) -> EventError {
        let before = &self.source.as_bytes()[..self.at.min(self.source.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        EventError::NotJson { field: self.field, reason, line, column }
    }
}
