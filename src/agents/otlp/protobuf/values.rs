//! Messages of the protobuf as the values that OTLP's JSON has for them.

use serde_json::{Map, Value, json};

use super::wire::{Field, Fields, Wire};

/// Lists of lists that are entered.
const DEPTH_MAX: usize = 32;

fn text(bytes: &[u8]) -> Value {
    String::from_utf8_lossy(bytes).into_owned().into()
}

fn hex(bytes: &[u8]) -> Value {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

pub fn resource_spans(message: &[u8]) -> Option<Value> {
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
            (4, Wire::Bytes(id)) => ("parentSpanId", hex(id)),
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
    pair(message, DEPTH_MAX)
}

/// `KeyValue`.
fn pair(message: &[u8], depth: usize) -> Option<Value> {
    let (mut key, mut value) = (Value::Null, Value::Null);
    for field in Fields(message) {
        let field = field?;
        if let Some(bytes) = field.message(1) {
            key = text(bytes);
        }
        if let Some(bytes) = field.message(2) {
            value = any(bytes, depth)?;
        }
    }
    Some(json!({ "key": key, "value": value }))
}

/// `AnyValue`. What lies deeper than anybody reads is none.
fn any(message: &[u8], depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    let mut value = Value::Null;
    for field in Fields(message) {
        let Field { number, value: wire } = field?;
        value = match (number, wire) {
            (1, Wire::Bytes(bytes)) => json!({ "stringValue": text(bytes) }),
            (2, Wire::Varint(flag)) => json!({ "boolValue": flag != 0 }),
            (3, Wire::Varint(number)) => json!({ "intValue": number.cast_signed().to_string() }),
            (4, Wire::Fixed(bits)) => json!({ "doubleValue": f64::from_bits(bits) }),
            (5, Wire::Bytes(bytes)) => {
                let values = Fields(bytes).filter_map(|field| field?.message(1));
                let values: Option<Vec<_>> = values.map(|it| any(it, depth)).collect();
                json!({ "arrayValue": { "values": values? } })
            }
            (6, Wire::Bytes(bytes)) => {
                let pairs = Fields(bytes).filter_map(|field| field?.message(1));
                let pairs: Option<Vec<_>> = pairs.map(|it| pair(it, depth)).collect();
                json!({ "kvlistValue": { "values": pairs? } })
            }
            _ => continue,
        };
    }
    Some(value)
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
