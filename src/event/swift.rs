//! The two kinds that nearly every event is of, decoded field by field.
//!
//! Generic decoding zeroes each text before it is filled and claims each byte before it is read: half the time of
//! a replay. What is odd here is nobody's error yet: the general way decodes it, or says what is wrong.

use super::{
    Body, CallKey, Change, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Json, Kind, Outcome, Redaction, SessionId, Source,
};

const STARTED: Kind = Kind(0x0401);
const FINISHED: Kind = Kind(0x0402);

/// Lists are short here: a longer one is left to the general way, which holds it to its limit.
const LIST_LEN_MAX: usize = 256;
/// So is a payload that may come near its limit.
const BYTES_MAX: usize = super::limits::PAYLOAD_BYTES_MAX / 2;

/// The event in a payload of the schema that this build writes; `None` where the general way must tell.
pub(super) fn decode(kind: Kind, schema: u8, payload: &[u8]) -> Option<Event> {
    if schema != 1 || payload.len() > BYTES_MAX {
        return None;
    }
    let mut rest = Rest(payload);
    match kind {
        STARTED => {
            let (envelope, body) = (rest.envelope()?, Body::ExecutionStarted(rest.started()?));
            rest.0.is_empty().then_some(Event { envelope, body })
        }
        FINISHED => {
            let (envelope, body) = (rest.envelope()?, Body::ExecutionFinished(rest.finished()?));
            rest.0.is_empty().then_some(Event { envelope, body })
        }
        _ => None,
    }
}

/// What is still to be decoded. An integer is one byte, or a mark and its bytes.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn envelope(&mut self) -> Option<Envelope> {
        Some(Envelope {
            session: self.option(|it| it.array().map(SessionId))?,
            source: *Source::ALL.get(self.index()?)?,
            at_ms: self.u64()?,
            raw_at_ms: self.option(Self::u64)?,
            redactions: self.list(|it| Some(Redaction { rule: it.text()?, count: it.u32()? }))?,
            redactor_version: self.u16()?,
        })
    }

    fn started(&mut self) -> Option<ExecutionStarted> {
        Some(ExecutionStarted {
            execution: ExecutionId(self.array()?),
            tool: self.text()?,
            native_tool: self.option(Self::text)?,
            call: self.option(|it| {
                Some(CallKey { agent: it.text()?, scope: it.option(Self::text)?, call: it.text()? })
            })?,
            actor: self.option(Self::text)?,
            parent: self.option(|it| it.array().map(ExecutionId))?,
            arguments: Json(self.text()?),
            paths: self.list(Self::text)?,
            symbols: self.list(Self::text)?,
            cwd: self.option(Self::text)?,
            branch: self.option(Self::text)?,
        })
    }

    fn finished(&mut self) -> Option<ExecutionFinished> {
        Some(ExecutionFinished {
            execution: ExecutionId(self.array()?),
            tool: self.text()?,
            closing: Closing {
                outcome: *Outcome::ALL.get(self.index()?)?,
                exit_code: self.option(Self::i32)?,
                duration_ms: self.option(Self::u64)?,
                error: self.option(Self::text)?,
                stdout: self.option(Self::content)?,
                stderr: self.option(Self::content)?,
                diagnostics: self.option(|it| it.text().map(Json))?,
                paths: self.list(Self::text)?,
                symbols: self.list(Self::text)?,
                changed: self.list(|it| Some(Change { path: it.text()?, created: it.truth()? }))?,
            },
        })
    }

    fn content(&mut self) -> Option<Content> {
        Some(match self.index()? {
            0 => Content::Inline(self.bytes()?.to_vec()),
            1 => Content::Blob { hash: self.array()?, len: self.u64()? },
            2 => Content::Truncated {
                head: self.bytes()?.to_vec(),
                tail: self.bytes()?.to_vec(),
                len: self.u64()?,
            },
            3 => Content::Repeated { sequence: self.u64()?, hash: self.array()?, len: self.u64()? },
            _ => return None,
        })
    }

    #[inline]
    fn option<T>(&mut self, some: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.truth()? { some(self).map(Some) } else { Some(None) }
    }

    #[inline]
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.len()?;
        if len > LIST_LEN_MAX {
            return None;
        }
        let mut all = Vec::with_capacity(len);
        for _ in 0..len {
            all.push(one(self)?);
        }
        Some(all)
    }

    #[inline]
    fn text(&mut self) -> Option<String> {
        std::str::from_utf8(self.bytes()?).ok().map(str::to_owned) // the general way says what is wrong
    }

    #[inline]
    fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.len()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }

    #[inline]
    fn truth(&mut self) -> Option<bool> {
        match self.array()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn len(&mut self) -> Option<usize> {
        usize::try_from(self.u64()?).ok() // the general way says what is wrong
    }

    /// Which variant of an enum.
    fn index(&mut self) -> Option<usize> {
        usize::try_from(self.u32()?).ok() // as above
    }

    #[inline]
    fn u64(&mut self) -> Option<u64> {
        let [first] = self.array()?;
        Some(match first {
            0..=250 => first.into(),
            251 => u16::from_le_bytes(self.array()?).into(),
            252 => u32::from_le_bytes(self.array()?).into(),
            253 => u64::from_le_bytes(self.array()?),
            _ => return None,
        })
    }

    #[inline]
    fn u32(&mut self) -> Option<u32> {
        let [first] = self.array()?;
        Some(match first {
            0..=250 => first.into(),
            251 => u16::from_le_bytes(self.array()?).into(),
            252 => u32::from_le_bytes(self.array()?),
            _ => return None,
        })
    }

    fn u16(&mut self) -> Option<u16> {
        let [first] = self.array()?;
        Some(match first {
            0..=250 => first.into(),
            251 => u16::from_le_bytes(self.array()?),
            _ => return None,
        })
    }

    /// Zigzag: the sign is the lowest bit.
    fn i32(&mut self) -> Option<i32> {
        let word = self.u32()?;
        Some((word >> 1).cast_signed() ^ -(word & 1).cast_signed())
    }
}
