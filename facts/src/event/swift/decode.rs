//! Decoding field by field.

use super::{BYTES_MAX, FINISHED, LIST_LEN_MAX, STARTED};
use crate::event::{
    Body, CallKey, Change, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Json, Kind, Outcome, Redaction, SessionId, Source,
};

/// The event in a payload of the schema that this build writes; `None` where the general way must tell.
pub fn decode(kind: Kind, schema: u8, payload: &[u8]) -> Option<Event> {
    if schema != 1 || payload.len() > BYTES_MAX || !matches!(kind, STARTED | FINISHED) {
        return None;
    }
    let mut rest = Rest { bytes: payload, is_odd: false };
    let event = Event {
        envelope: rest.envelope(),
        body: match kind {
            STARTED => Body::ExecutionStarted(rest.started()),
            _ => Body::ExecutionFinished(rest.finished()),
        },
    };
    (!rest.is_odd && rest.bytes.is_empty()).then_some(event)
}

/// What is still to be decoded. An integer is one byte, or a mark and its bytes.
///
/// What is odd is noted, and asked for once at the end: a struct that may be given up at each of its fields is
/// moved again and again. From there on nothing is left to be read, and what is read of that is empty.
struct Rest<'a> {
    bytes: &'a [u8],
    is_odd: bool,
}

impl<'a> Rest<'a> {
    fn envelope(&mut self) -> Envelope {
        Envelope {
            session: self.option(|it| SessionId(it.array())),
            source: self.word(Source::ALL, Source::Annals),
            at_ms: self.u64(),
            raw_at_ms: self.option(Self::u64),
            redactions: self.list(|it| Redaction { rule: it.text(), count: it.u32() }),
            redactor_version: self.u16(),
        }
    }

    fn started(&mut self) -> ExecutionStarted {
        ExecutionStarted {
            execution: ExecutionId(self.array()),
            tool: self.text(),
            native_tool: self.option(Self::text),
            call: self.option(|it| CallKey {
                agent: it.text(),
                scope: it.option(Self::text),
                call: it.text(),
            }),
            actor: self.option(Self::text),
            parent: self.option(|it| ExecutionId(it.array())),
            arguments: Json(self.text()),
            paths: self.list(Self::text),
            symbols: self.list(Self::text),
            cwd: self.option(Self::text),
            branch: self.option(Self::text),
        }
    }

    fn finished(&mut self) -> ExecutionFinished {
        ExecutionFinished {
            execution: ExecutionId(self.array()),
            tool: self.text(),
            closing: Closing {
                outcome: self.word(Outcome::ALL, Outcome::Interrupted),
                exit_code: self.option(Self::i32),
                duration_ms: self.option(Self::u64),
                error: self.option(Self::text),
                stdout: self.option(Self::content),
                stderr: self.option(Self::content),
                diagnostics: self.option(|it| Json(it.text())),
                paths: self.list(Self::text),
                symbols: self.list(Self::text),
                changed: self.list(|it| Change { path: it.text(), created: it.truth() }),
            },
        }
    }

    fn content(&mut self) -> Content {
        match self.u32() {
            0 => Content::Inline(self.bytes().to_vec()),
            1 => Content::Blob { hash: self.array(), len: self.u64() },
            2 => Content::Truncated {
                head: self.bytes().to_vec(),
                tail: self.bytes().to_vec(),
                len: self.u64(),
            },
            3 => Content::Repeated { sequence: self.u64(), hash: self.array(), len: self.u64() },
            _ => Content::Inline(self.odd(Vec::new())),
        }
    }

    /// What stands for what cannot be read.
    #[cold]
    fn odd<T>(&mut self, instead: T) -> T {
        *self = Self { bytes: &[], is_odd: true };
        instead
    }

    #[inline]
    fn option<T>(&mut self, some: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.truth() { Some(some(self)) } else { None }
    }

    #[inline]
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let len = self.len();
        if len == 0 {
            return Vec::new();
        }
        if len > LIST_LEN_MAX {
            return self.odd(Vec::new());
        }
        let mut all = Vec::with_capacity(len);
        for _ in 0..len {
            all.push(one(self));
        }
        all
    }

    /// Which variant of an enum.
    #[inline]
    fn word<T: Copy>(&mut self, all: &[T], instead: T) -> T {
        match all.get(self.u32() as usize) {
            Some(word) => *word,
            None => self.odd(instead),
        }
    }

    fn text(&mut self) -> String {
        match std::str::from_utf8(self.bytes()) {
            Ok(text) => text.to_owned(),
            Err(_) => self.odd(String::new()), // the general way says what is wrong
        }
    }

    #[inline]
    fn bytes(&mut self) -> &'a [u8] {
        let len = self.len();
        match self.bytes.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.bytes = rest;
                bytes
            }
            None => self.odd(&[]),
        }
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> [u8; N] {
        match self.bytes.split_first_chunk() {
            Some((bytes, rest)) => {
                self.bytes = rest;
                *bytes
            }
            None => self.odd([0; N]),
        }
    }

    #[inline]
    fn truth(&mut self) -> bool {
        match self.array() {
            [0] => false,
            [1] => true,
            _ => self.odd(false),
        }
    }

    #[inline]
    fn len(&mut self) -> usize {
        match usize::try_from(self.u64()) {
            Ok(len) => len,
            Err(_) => self.odd(0), // the general way says what is wrong
        }
    }

    #[inline]
    fn u64(&mut self) -> u64 {
        match self.array() {
            [first @ 0..=250] => first.into(),
            [251] => u16::from_le_bytes(self.array()).into(),
            [252] => u32::from_le_bytes(self.array()).into(),
            [253] => u64::from_le_bytes(self.array()),
            _ => self.odd(0),
        }
    }

    #[inline]
    fn u32(&mut self) -> u32 {
        match self.array() {
            [first @ 0..=250] => first.into(),
            [251] => u16::from_le_bytes(self.array()).into(),
            [252] => u32::from_le_bytes(self.array()),
            _ => self.odd(0),
        }
    }

    fn u16(&mut self) -> u16 {
        match self.array() {
            [first @ 0..=250] => first.into(),
            [251] => u16::from_le_bytes(self.array()),
            _ => self.odd(0),
        }
    }

    /// Zigzag: the sign is the lowest bit.
    fn i32(&mut self) -> i32 {
        let word = self.u32();
        (word >> 1).cast_signed() ^ -(word & 1).cast_signed()
    }
}
