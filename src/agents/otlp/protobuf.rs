//! OTLP's protobuf message `TracesData`, read as its JSON: one `ResourceSpans` after another, none of them larger
//! than a line may be.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use serde_json::{Map, Value, json};

use super::Traces;
use crate::agents::import::Flaw;
use crate::agents::import::item::Item;
use crate::agents::import::limits::{LINE_BYTES_MAX, SNIFF_BYTES_MAX};
use crate::agents::import::lines::Opened;
use crate::agents::import::source_file::SourceFile;
use crate::agents::import::whole::{Document, Member, WholeLog, items};

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
    Ok(Box::new(Messages { reader: file.open()?, number: 0, bytes: 0, ended: false }))
}

struct Messages {
    reader: Opened,
    number: u64,
    bytes: u64,
    ended: bool,
}

impl WholeLog for Messages {
    fn read(&mut self, out: &mut VecDeque<Item>) -> io::Result<bool> {
        if self.ended || self.reader.fill_buf()?.is_empty() {
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
                    .is_some_and(|bytes| Traces.member(&member(bytes), &mut read))
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

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7F).checked_shl(7 * at as u32).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[at + 1..]));
        }
    }
    None
}

/// The fields of a message; `None` where it is none from there on.
struct Fields<'a>(&'a [u8]);

struct Field<'a> {
    number: u64,
    value: Wire<'a>,
}

enum Wire<'a> {
    Varint(u64),
    Fixed(u64),
    Bytes(&'a [u8]),
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<Field<'a>> {
        let (tag, rest) = varint(self.0)?;
        let (value, rest) = match tag & 7 {
            0 => varint(rest).map(|(value, rest)| (Wire::Varint(value), rest))?,
            1 => {
                let (bytes, rest) = rest.split_at_checked(8)?;
                (Wire::Fixed(u64::from_le_bytes(bytes.try_into().ok()?)), rest) // eight they are
            }
            2 => {
                let (len, rest) = varint(rest)?;
                let len = usize::try_from(len).ok()?; // no memory is so large
                let (bytes, rest) = rest.split_at_checked(len)?;
                (Wire::Bytes(bytes), rest)
            }
            5 => (Wire::Fixed(0), rest.split_at_checked(4)?.1),
            _ => return None,
        };
        self.0 = rest;
        Some(Field { number: tag >> 3, value })
    }
}

impl<'a> Field<'a> {
    /// The bytes of the field of this number.
    fn message(&self, number: u64) -> Option<&'a [u8]> {
        match self.value {
            Wire::Bytes(bytes) if self.number == number => Some(bytes),
            _ => None,
        }
    }
}

fn text(bytes: &[u8]) -> Value {
    String::from_utf8_lossy(bytes).into_owned().into()
}

fn hex(bytes: &[u8]) -> Value {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

fn resource_spans(message: &[u8]) -> Option<Value> {
    let mut scopes = Vec::new();
    for field in Fields(message) {
        let Some(scope) = field?.message(2) else { continue };
        let mut spans = Vec::new();
        for field in Fields(scope) {
            if let Some(bytes) = field?.message(2) {
                spans.push(span(bytes)?);
            }
        }
        scopes.push(json!({ "spans": spans }));
    }
    Some(json!({ "scopeSpans": scopes }))
}

fn span(message: &[u8]) -> Option<Value> {
    let (mut span, mut attributes) = (Map::new(), Vec::new());
    for field in Fields(message) {
        let Field { number, value } = field?;
        let (name, value) = match (number, value) {
            (1, Wire::Bytes(id)) => ("traceId", hex(id)),
            (2, Wire::Bytes(id)) => ("spanId", hex(id)),
            (7, Wire::Fixed(nanos)) => ("startTimeUnixNano", nanos.to_string().into()),
            (8, Wire::Fixed(nanos)) => ("endTimeUnixNano", nanos.to_string().into()),
            (9, Wire::Bytes(bytes)) => {
                attributes.push(attribute(bytes)?);
                continue;
            }
            (15, Wire::Bytes(bytes)) => ("status", status(bytes)?),
            _ => continue,
        };
        span.insert(name.to_owned(), value);
    }
    span.insert("attributes".to_owned(), attributes.into());
    Some(span.into())
}

fn attribute(message: &[u8]) -> Option<Value> {
    let (mut key, mut value) = (Value::Null, Value::Null);
    for field in Fields(message) {
        let field = field?;
        if let Some(bytes) = field.message(1) {
            key = text(bytes);
        }
        for field in field.message(2).into_iter().flat_map(Fields) {
            let Field { number, value: wire } = field?;
            value = match (number, wire) {
                (1, Wire::Bytes(bytes)) => json!({ "stringValue": text(bytes) }),
                (3, Wire::Varint(number)) => {
                    json!({ "intValue": number.cast_signed().to_string() })
                }
                (4, Wire::Fixed(bits)) => json!({ "doubleValue": f64::from_bits(bits) }),
                _ => continue,
            };
        }
    }
    Some(json!({ "key": key, "value": value }))
}

fn status(message: &[u8]) -> Option<Value> {
    let mut status = Map::new();
    for field in Fields(message) {
        match field? {
            Field { number: 2, value: Wire::Bytes(bytes) } => {
                status.insert("message".to_owned(), text(bytes));
            }
            Field { number: 3, value: Wire::Varint(code) } => {
                status.insert("code".to_owned(), code.into());
            }
            _ => {}
        }
    }
    Some(status.into())
}
