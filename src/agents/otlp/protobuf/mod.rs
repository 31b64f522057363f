//! OTLP's protobuf message `TracesData`, read as its JSON: one `ResourceSpans` after another, none of them larger
//! than a line may be.

mod values;
mod wire;

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use super::Traces;
use crate::agents::import::Flaw;
use crate::agents::import::item::Item;
use crate::agents::import::limits::{LINE_BYTES_MAX, SNIFF_BYTES_MAX};
use crate::agents::import::lines::Opened;
use crate::agents::import::source_file::SourceFile;
use crate::agents::import::whole::{Document, Member, WholeLog, items};
pub use values::resource_spans;
use wire::{Fields, varint};

/// Field 1 with a length: `resource_spans`.
const RESOURCE_SPANS: u8 = 0x0A;

/// Whether a file begins with a `ResourceSpans` that has spans, or, where that is longer than what is looked at,
/// with as much of one.
pub fn is_of(head: &[u8]) -> bool {
    let Some((RESOURCE_SPANS, rest)) = head.split_first().map(|(first, rest)| (*first, rest))
    else {
        return false;
    };
    let Some((len, rest)) = varint(rest) else { return false };
    let is_cut = rest.len() as u64 <= len && head.len() >= SNIFF_BYTES_MAX;
    match usize::try_from(len).ok().and_then(|len| rest.get(..len)) {
        Some(message) => has_spans(message),
        // Of one that is cut the resource stands first, with its attributes.
        None => is_cut && rest.first() == Some(&RESOURCE_SPANS),
    }
}

fn has_spans(message: &[u8]) -> bool {
    let scopes = Fields(message).filter_map(|field| field?.message(2)).flat_map(Fields);
    let spans = scopes.filter_map(|field| field?.message(2));
    let is_id = |span: &[u8]| {
        Fields(span)
            .any(|field| field.is_some_and(|it| it.message(1).is_some_and(|id| id.len() == 16)))
    };
    spans.into_iter().any(is_id)
}

pub fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let (reader, traces) = (file.open()?, Traces::default());
    Ok(Box::new(Messages { reader, traces, number: 0, bytes: 0, ended: false }))
}

struct Messages {
    reader: Opened,
    traces: Traces,
    number: u64,
    bytes: u64,
    ended: bool,
}

impl WholeLog for Messages {
    fn read(&mut self, out: &mut VecDeque<Item>) -> io::Result<bool> {
        if self.ended || self.reader.fill_buf()?.is_empty() {
            let mut read = Vec::new();
            self.traces.end(&mut read);
            out.extend(items(read));
            return Ok(false);
        }
        self.number += 1;
        let line = self.number;
        let mut read = Vec::new();
        let told = match self.next()? {
            Ok(message) => {
                let value = resource_spans(&message).map(|value| value.to_string());
                let bytes = value.as_deref().map(str::as_bytes);
                let member =
                    |bytes| Member { number: line, key: "resourceSpans", is_element: true, bytes };
                bytes
                    .is_some_and(|bytes| self.traces.member(&member(bytes), &mut read))
                    .then_some(())
                    .ok_or(Flaw::NotARecord)
            }
            Err(flaw) => Err(flaw),
        };
        out.extend(items(read));
        out.extend(told.err().map(|flaw| Item::Unreadable { line, flaw }));
        Ok(true)
    }

    fn place(&self) -> (u64, u64) {
        (self.number, self.reader.taken().unwrap_or(self.bytes))
    }

    fn is_broken(&self) -> bool {
        self.reader.is_broken()
    }
}

impl Messages {
    /// The next message of the list. Where that is not one, nothing tells where another begins.
    fn next(&mut self) -> io::Result<Result<Vec<u8>, Flaw>> {
        let (mut len, mut shift) = (0u64, 0);
        let mut byte = [0];
        let mut is_tag = true;
        loop {
            if self.reader.read(&mut byte)? == 0 {
                self.ended = true;
                return Ok(Err(Flaw::Torn));
            }
            self.bytes += 1;
            if std::mem::take(&mut is_tag) {
                if byte[0] != RESOURCE_SPANS {
                    self.ended = true;
                    return Ok(Err(Flaw::NotARecord));
                }
                continue;
            }
            len |= u64::from(byte[0] & 0x7F).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte[0] & 0x80 == 0 || shift > 63 {
                break;
            }
        }
        let is_held = len <= LINE_BYTES_MAX as u64;
        let mut message = Vec::new();
        let mut rest = self.reader.by_ref().take(len);
        let taken = match is_held {
            true => rest.read_to_end(&mut message)? as u64,
            false => io::copy(&mut rest, &mut io::sink())?,
        };
        self.bytes += taken;
        if taken < len {
            self.ended = true;
            return Ok(Err(Flaw::Torn));
        }
        Ok(if is_held { Ok(message) } else { Err(Flaw::TooLong { bytes: len }) })
    }
}

/// Of a collector's answer how many spans it did not take, and what it said of that.
#[cfg(feature = "otlp")]
pub fn partial_success(answer: &[u8]) -> (u64, Option<String>) {
    let (mut rejected, mut told) = (0, None);
    for field in Fields(answer).flatten().filter_map(|it| it.message(1)).flat_map(Fields).flatten()
    {
        match (field.number, field.value) {
            (1, wire::Wire::Varint(count)) => rejected = count,
            (2, wire::Wire::Bytes(text)) => told = Some(String::from_utf8_lossy(text).into_owned()),
            _ => {}
        }
    }
    (rejected, told)
}
