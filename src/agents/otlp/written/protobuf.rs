//! OTLP's protobuf. Requests behind one another are one request: a file of them is parsed whole.

use super::span::{Span, Value};
use super::{Origin, SCOPE, VERSION};

/// A request: `ExportTraceServiceRequest`.
pub fn request(origin: &Origin, spans: &[Span]) -> Vec<u8> {
    let resource = Message::default().all(1, origin.attributes().iter().map(attribute));
    let scope = Message::default().text(1, SCOPE).text(2, VERSION);
    let scoped = Message::default().bytes(1, &scope.0).all(2, spans.iter().map(span));
    let of_resource = Message::default().bytes(1, &resource.0).bytes(2, &scoped.0);
    Message::default().bytes(1, &of_resource.0).0
}

#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn fixed(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3 | 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    fn all(self, field: u64, messages: impl Iterator<Item = Self>) -> Self {
        messages.fold(self, |whole, one| whole.bytes(field, &one.0))
    }
}

fn span(span: &Span) -> Message {
    let nanos = |at_ms: u64| at_ms.saturating_mul(1_000_000);
    let mut told = Message::default().bytes(1, &span.trace).bytes(2, &span.id);
    if let Some(parent) = &span.parent {
        told = told.bytes(4, parent);
    }
    told = told
        .text(5, &span.name)
        .number(6, span.kind.into())
        .fixed(7, nanos(span.start_ms))
        .fixed(8, nanos(span.end_ms))
        .all(9, span.attributes.iter().map(attribute));
    if let Some((trace, id)) = &span.link {
        told = told.bytes(13, &Message::default().bytes(1, trace).bytes(2, id).0);
    }
    if let Some(error) = &span.error {
        told = told.bytes(15, &Message::default().text(2, error).number(3, 2).0);
    }
    told
}

fn attribute((key, value): &(&'static str, Value)) -> Message {
    let text = |text: &String| Message::default().text(1, text);
    let value = match value {
        Value::Text(value) => text(value),
        Value::Flag(flag) => Message::default().number(2, (*flag).into()),
        Value::Int(number) => Message::default().number(3, number.cast_unsigned()),
        Value::Texts(texts) => {
            let values = Message::default().all(1, texts.iter().map(text));
            Message::default().bytes(5, &values.0)
        }
    };
    Message::default().text(1, key).bytes(2, &value.0)
}
