//! OTLP's JSON: ids in hex, whole numbers of 64 bits as texts.

use serde_json::{Value as Json, json};

use super::span::{Span, Value};
use super::{Origin, SCOPE, VERSION};
use crate::event::wire::hex_text;

/// A request: `ExportTraceServiceRequest`, which is also what a collector writes as a line of a file.
pub fn request(origin: &Origin, spans: &[Span]) -> String {
    let resource: Vec<Json> = origin.attributes().iter().map(attribute).collect();
    let spans: Vec<Json> = spans.iter().map(span).collect();
    let scope = json!({ "name": SCOPE, "version": VERSION });
    let scopes = json!([{ "scope": scope, "spans": spans }]);
    json!({ "resourceSpans": [{ "resource": { "attributes": resource }, "scopeSpans": scopes }] })
        .to_string()
}

fn span(span: &Span) -> Json {
    let attributes: Vec<Json> = span.attributes.iter().map(attribute).collect();
    let nanos = |at_ms: u64| at_ms.saturating_mul(1_000_000).to_string();
    let mut told = json!({
        "traceId": hex_text(&span.trace),
        "spanId": hex_text(&span.id),
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": nanos(span.start_ms),
        "endTimeUnixNano": nanos(span.end_ms),
        "attributes": attributes,
    });
    if let Some(parent) = &span.parent {
        told["parentSpanId"] = hex_text(parent).into();
    }
    if let Some((trace, id)) = &span.link {
        told["links"] = json!([{ "traceId": hex_text(trace), "spanId": hex_text(id) }]);
    }
    if let Some(error) = &span.error {
        told["status"] = json!({ "code": 2, "message": error });
    }
    told
}

fn attribute((key, value): &(&'static str, Value)) -> Json {
    let value = match value {
        Value::Text(text) => json!({ "stringValue": text }),
        Value::Int(number) => json!({ "intValue": number.to_string() }),
        Value::Flag(flag) => json!({ "boolValue": flag }),
        Value::Texts(texts) => {
            let values: Vec<Json> = texts.iter().map(|it| json!({ "stringValue": it })).collect();
            json!({ "arrayValue": { "values": values } })
        }
    };
    json!({ "key": key, "value": value })
}
