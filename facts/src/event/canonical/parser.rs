//! One pass from JSON text to canonical text, without a tree between.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Place, Rewrite, read_text, write_text};
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
                write_text(&value, &mut self.out);
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
            write_text(&shown, &mut self.out);
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
        let (value, used) = read_text(&self.source[self.at..]).map_err(|(reason, skipped)| {
            self.at += skipped;
            self.wrong(reason)
        })?;
        self.at += used;
        Ok(value)
    }

    fn number(&mut self) -> Result<(), EventError> {
        let Some(used) = length(&self.source.as_bytes()[self.at..]) else {
            return Err(self.wrong("a malformed number"));
        };
        let written = &self.source[self.at..self.at + used];
        write(written, &mut self.out);
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

/// Integers up to here, either side of zero, are exact in a double.
const EXACT_MAX: u64 = 1 << 53;

/// The length of the JSON number at the beginning of `bytes`.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || (whole > 1 && bytes[at] == b'0') {
        return None;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

/// Writes a well-formed number's canonical text.
pub(super) fn write(written: &str, out: &mut String) {
    let integer = !written.contains(['.', 'e', 'E']);
    if written == "-0" {
        out.push('0');
    } else if integer {
        // Within 2^53 an integer's only spelling is its canonical one; beyond, it is kept.
        out.push_str(written);
    } else {
        match double(written) {
            Some(text) => out.push_str(&text),
            None => out.push_str(written),
        }
    }
}

/// `None` where the value is beyond a double, so that nothing is lost.
fn double(written: &str) -> Option<String> {
    let value = written.parse::<f64>().ok().filter(|value| value.is_finite())?;
    if value.fract() == 0.0 && value.abs() <= EXACT_MAX as f64 {
        return Some((value as i64).to_string());
    }
    // Writing a finite double cannot fail; were it to, the number stays as it was written.
    serde_json_canonicalizer::to_string(&value).ok()
}

// The members of one object: put in RFC 8785's order where they did not come in it.

pub(super) struct Members {
    /// Where the first member begins in the output.
    first: usize,
    in_order: bool,
    list: Vec<(String, Range<usize>)>,
}

impl Members {
    pub(super) fn new(first: usize) -> Self {
        Self { first, in_order: true, list: Vec::new() }
    }

    /// `written` is `"name":value` in the output; a comma follows it.
    pub(super) fn add(&mut self, name: String, written: Range<usize>) {
        if let Some((last, _)) = self.list.last() {
            self.in_order &= by_utf16(last, &name) == Ordering::Less;
        }
        self.list.push((name, written));
    }

    /// Ends the object: sorts, drops all but the last of equal names, replaces the last comma.
    pub(super) fn close(mut self, out: &mut String) {
        if !self.in_order {
            // Stable, so that of equal names the one written last comes last.
            self.list.sort_by(|a, b| by_utf16(&a.0, &b.0));
            let mut sorted = String::with_capacity(out.len() - self.first);
            for (at, (name, written)) in self.list.iter().enumerate() {
                let repeated = self.list.get(at + 1).is_some_and(|(next, _)| next == name);
                if !repeated {
                    sorted.push_str(&out[written.clone()]);
                    sorted.push(',');
                }
            }
            out.truncate(self.first);
            out.push_str(&sorted);
        }
        out.pop();
        out.push('}');
    }
}

/// RFC 8785 orders by UTF-16 code units, which differs from UTF-8 order above U+FFFF only.
fn by_utf16(a: &str, b: &str) -> Ordering {
    match a.is_ascii() && b.is_ascii() {
        true => a.cmp(b),
        false => a.encode_utf16().cmp(b.encode_utf16()),
    }
}
