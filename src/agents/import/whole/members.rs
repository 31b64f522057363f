//! The members of a JSON document, one at a time: those of its object, and the elements of lists in it. What
//! follows behind it is another document, as in JSON lines.
//!
//! Brackets and strings alone are looked at, so that neither depth nor size is anybody's trouble: a member
//! above the limit is skipped unheld. What a member is, who reads it finds out.

use std::io;
use std::io::BufRead;

use crate::agents::import::Flaw;
use crate::agents::import::limits::LINE_BYTES_MAX;

pub struct Members<R> {
    pub reader: R,
    /// The members of the object whose elements are given one by one.
    lists: &'static [&'static str],
    key: String,
    held: Vec<u8>,
    at: At,
    /// Members and flaws so far.
    pub number: u64,
    /// Bytes taken from the reader so far.
    pub offset: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    Object,
    List { in_object: bool },
    Behind,
    End,
}

/// A member of the document's object, or an element of one of its lists or of the document's own list,
/// which has no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// From 1, over the whole document.
    pub number: u64,
    pub key: &'a str,
    pub is_element: bool,
    pub bytes: &'a [u8],
}

impl<R: BufRead> Members<R> {
    pub fn new(reader: R, lists: &'static [&'static str]) -> Self {
        let (key, held) = (String::new(), Vec::new());
        Self { reader, lists, key, held, at: At::Start, number: 0, offset: 0 }
    }

    /// The next member, or what could not be read in its place.
    pub fn next(&mut self) -> io::Result<Option<Result<Member<'_>, (u64, Flaw)>>> {
        let found = loop {
            let byte = self.peek()?;
            match (self.at, byte) {
                (At::End, _) | (At::Start | At::Behind, None) => return Ok(None),
                (At::Start | At::Behind, Some(b'{')) => self.step(At::Object),
                (At::Start | At::Behind, Some(b'[')) => self.step(At::List { in_object: false }),
                (At::Object | At::List { .. }, Some(b',')) => self.take(1),
                (At::Object, Some(b'}')) => self.step(At::Behind),
                (At::List { in_object: true }, Some(b']')) => self.step(At::Object),
                (At::List { in_object: false }, Some(b']')) => self.step(At::Behind),
                (At::Object, Some(b'"')) => {
                    if let Err(flaw) = self.enter_member()? {
                        self.at = At::End;
                        break Err(flaw);
                    }
                    if let At::Object = self.at {
                        break self.value()?.map(|()| false);
                    }
                }
                (At::List { .. }, Some(byte)) if begins_value(byte) => {
                    break self.value()?.map(|()| true);
                }
                (At::List { .. }, Some(_)) => {
                    let at = self.offset + 1;
                    self.skip_to_object()?;
                    break Err(Flaw::NotJson { at });
                }
                (_, None) => {
                    self.at = At::End;
                    break Err(Flaw::Torn);
                }
                (_, Some(_)) => {
                    self.at = At::End;
                    break Err(Flaw::NotJson { at: self.offset + 1 });
                }
            }
        };
        self.number += 1;
        let number = self.number;
        Ok(Some(match found {
            Ok(is_element) => Ok(Member { number, key: &self.key, is_element, bytes: &self.held }),
            Err(flaw) => Err((number, flaw)),
        }))
    }

    fn step(&mut self, at: At) {
        self.take(1);
        self.at = at;
        if at == (At::List { in_object: false }) {
            self.key.clear();
        }
    }

    fn take(&mut self, bytes: usize) {
        self.reader.consume(bytes);
        self.offset += bytes as u64;
    }

    /// The next byte that is not blank.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let mut blank = buffer.iter().take_while(|byte| is_blank(**byte)).count();
            if self.offset == 0 && blank == 0 && buffer.starts_with(b"\xEF\xBB\xBF") {
                blank = 3;
            }
            let (found, is_end) = (buffer.get(blank).copied(), buffer.is_empty());
            self.take(blank);
            if found.is_some() || is_end {
                return Ok(found);
            }
        }
    }

    /// Reads a key and what is behind it, up to its value.
    fn enter_member(&mut self) -> io::Result<Result<(), Flaw>> {
        if let Err(flaw) = self.value()? {
            return Ok(Err(flaw));
        }
        self.key = serde_json::from_slice(&self.held)
            .unwrap_or_else(|_| String::from_utf8_lossy(&self.held).into_owned());
        if self.peek()? != Some(b':') {
            return Ok(Err(self.broken()?));
        }
        self.take(1);
        match self.peek()? {
            Some(b'[') if self.lists.contains(&self.key.as_str()) => {
                self.take(1);
                self.at = At::List { in_object: true };
            }
            Some(byte) if begins_value(byte) => {}
            _ => return Ok(Err(self.broken()?)),
        }
        Ok(Ok(()))
    }

    fn broken(&mut self) -> io::Result<Flaw> {
        let at = self.offset + 1;
        Ok(self.peek()?.map_or(Flaw::Torn, |_| Flaw::NotJson { at }))
    }

    /// Goes to the next byte that may begin an object.
    fn skip_to_object(&mut self) -> io::Result<()> {
        self.take(1);
        loop {
            let buffer = self.reader.fill_buf()?;
            let (found, len) = (memchr::memchr2(b'{', b']', buffer), buffer.len());
            self.take(found.unwrap_or(len));
            if found.is_some() || len == 0 {
                return Ok(());
            }
        }
    }

    /// Holds the value that begins here.
    fn value(&mut self) -> io::Result<Result<(), Flaw>> {
        self.held.clear();
        let (mut scan, mut bytes) = (Scan::default(), 0u64);
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                // A number may end where the file does.
                return Ok(if scan.is_plain { Ok(()) } else { self.torn() });
            }
            let end = scan.end(buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            bytes += part.len() as u64;
            if bytes <= LINE_BYTES_MAX as u64 {
                self.held.extend_from_slice(part);
            } else {
                self.held = Vec::new();
            }
            let len = part.len();
            self.take(len);
            if end.is_some() {
                let is_held = bytes <= LINE_BYTES_MAX as u64;
                return Ok(if is_held { Ok(()) } else { Err(Flaw::TooLong { bytes }) });
            }
        }
    }

    fn torn(&mut self) -> Result<(), Flaw> {
        self.at = At::End;
        let nul = memchr::memchr_iter(0, &self.held).count() as u64;
        Err(if nul > 0 { Flaw::NulFilled { bytes: nul } } else { Flaw::Torn })
    }
}

/// Where a value ends.
#[derive(Debug, Default)]
struct Scan {
    depth: u64,
    is_in_text: bool,
    is_escaped: bool,
    /// A number or a word.
    is_plain: bool,
    is_begun: bool,
}

impl Scan {
    /// Where in this buffer, the next one of it, the value ends.
    fn end(&mut self, buffer: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < buffer.len() {
            if self.is_in_text && !self.is_escaped {
                at += memchr::memchr2(b'"', b'\\', &buffer[at..])?;
            }
            let byte = buffer[at];
            if self.is_plain && (is_blank(byte) || b",]}:\"".contains(&byte)) {
                return Some(at);
            }
            at += 1;
            if self.take(byte) {
                return Some(at);
            }
        }
        None
    }

    /// Whether the value ends with this byte.
    fn take(&mut self, byte: u8) -> bool {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if self.is_in_text {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.is_in_text = false;
                    return self.depth == 0;
                }
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.is_in_text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => self.is_plain |= is_first,
        }
        false
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn begins_value(byte: u8) -> bool {
    matches!(byte, b'{' | b'[' | b'"' | b'-' | b't' | b'f' | b'n') || byte.is_ascii_digit()
}
