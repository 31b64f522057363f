//! A span, and what it says.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::messages;
use crate::agents::import::item::{CallResult, Head, Message, Part, Prompt, TranscriptRecord};
use crate::agents::import::loose::{List, Loose, Number, Text, parsed};
use crate::agents::import::odd::{Count, Stamp};
use crate::agents::import::told;
use crate::event::Usage;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Span<'a> {
    #[serde(borrow)]
    trace_id: Text<'a>,
    span_id: Text<'a>,
    start_time_unix_nano: Option<&'a RawValue>,
    end_time_unix_nano: Option<&'a RawValue>,
    attributes: List<Loose<Attribute<'a>>>,
    status: Loose<Status<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Attribute<'a> {
    #[serde(borrow)]
    key: Text<'a>,
    value: Loose<Value<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Value<'a> {
    #[serde(borrow)]
    string_value: Text<'a>,
    int_value: Option<&'a RawValue>,
    double_value: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status<'a> {
    code: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Text<'a>,
}

/// Tokens read, written, read from a cache and written into it.
const USAGE: [&str; 4] = [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_creation.input_tokens",
];

impl Span<'_> {
    pub fn read(&self, line: u64, out: &mut Vec<TranscriptRecord>) {
        let operation = self.text("gen_ai.operation.name");
        let (Some(trace), Some(span)) = (self.trace_id.to_text(), self.span_id.to_text()) else {
            let parts = vec![Part::unread("a span without traceId or spanId")];
            out.push(TranscriptRecord { line, head: Head::default(), parts });
            return;
        };
        let session = self.owned("gen_ai.conversation.id").unwrap_or(trace);
        let (from, to) = (time(self.start_time_unix_nano), time(self.end_time_unix_nano));
        let (from_ms, to_ms) = (from.at_ms, to.at_ms.or(from.at_ms));
        let to = Head { at_ms: to_ms.filter(|_| to.odd_time.is_none()), ..to };
        let model = || self.owned("gen_ai.response.model").or(self.owned("gen_ai.request.model"));
        let head = |at: Head| Head { session: Some(session.clone()), ..at };
        match operation.as_deref() {
            Some("execute_tool") => {
                let duration_ms = told::lasted(from_ms, to.at_ms);
                let (call, result) = self.call(&session, span);
                let result = CallResult { duration_ms, ..result };
                let parts = vec![Part::Call(call)];
                out.push(TranscriptRecord { line, head: head(from), parts });
                let parts = vec![Part::Result(result)];
                out.push(TranscriptRecord { line: 0, head: head(to), parts });
            }
            Some("chat" | "generate_content" | "text_completion") => {
                let asked = self.text("gen_ai.input.messages");
                let asked = messages::asked(asked.as_deref().unwrap_or_default());
                let place = Some(session.clone());
                let prompt =
                    |text| Part::Prompt(Prompt { text, place: place.clone(), ..Prompt::default() });
                let parts = asked.into_iter().map(prompt).collect();
                out.push(TranscriptRecord { line, head: head(from), parts });
                let answered = self.text("gen_ai.output.messages");
                let (text, thinking) = messages::answered(answered.as_deref().unwrap_or_default());
                let id = self.owned("gen_ai.response.id").unwrap_or(span);
                let (id, usage) = (Some(id), self.usage());
                let said = Message { id, text, thinking, usage, ..Message::default() };
                let head = Head { model: model(), ..head(to) };
                let mut parts = vec![Part::Said(Box::new(said))];
                parts.extend(self.odd_usage());
                out.push(TranscriptRecord { line: 0, head, parts });
            }
            _ => {}
        }
    }

    fn call(&self, session: &str, span: String) -> (crate::agents::import::Call, CallResult) {
        let (id, scope) = (self.owned("gen_ai.tool.call.id").unwrap_or(span), session.to_owned());
        let tool = self.text("gen_ai.tool.name").unwrap_or(Cow::Borrowed("unnamed"));
        let arguments = self.text("gen_ai.tool.call.arguments");
        let raw = arguments.map(|text| serde_json::Value::from(text.into_owned()).to_string());
        let raw = raw.and_then(|text| RawValue::from_string(text).ok()); // a text always is JSON
        let arguments = told::arguments(raw.as_deref(), "arguments");
        let call = told::call(id.clone(), Some(scope.clone()), &tool, arguments);
        let printed = self.owned("gen_ai.tool.call.result");
        let error = self.error();
        let is_error = error.is_some();
        let mut result = told::result(id, Some(scope), None, is_error, printed);
        if let Some(error) = error.filter(|error| !error.is_empty()) {
            result.error = Some(error);
        }
        (call, result)
    }

    /// What went wrong; empty where it only says that something did.
    fn error(&self) -> Option<String> {
        let status = self.status.0.as_ref();
        let code = status.and_then(|it| it.code).map(RawValue::get);
        let kind = self.owned("error.type");
        let is_error = kind.is_some() || matches!(code, Some("2" | "\"STATUS_CODE_ERROR\""));
        let message = status.and_then(|it| it.message.to_text());
        is_error.then(|| match (kind, message) {
            (Some(kind), Some(message)) => format!("{kind}: {message}"),
            (kind, message) => kind.or(message).unwrap_or_default(),
        })
    }

    /// What of its tokens is no number.
    fn odd_usage(&self) -> Option<Part> {
        let odd = |key: &str| self.value(key).is_some_and(|it| it.to_count().is_none());
        let count = |key| (key, if odd(key) { Count::Odd } else { Count::Absent });
        told::odd_usage(&USAGE.map(count))
    }

    fn usage(&self) -> Usage {
        let count = |key: &str| self.value(key).and_then(Value::to_count);
        Usage {
            input: count(USAGE[0]),
            output: count(USAGE[1]),
            cache_read: count(USAGE[2]),
            cache_write: count(USAGE[3]),
        }
    }

    fn value(&self, key: &str) -> Option<&Value<'_>> {
        let attributes = self.attributes.0.iter().filter_map(|it| it.0.as_ref());
        let mut of_key = attributes.filter(|it| it.key.as_deref() == Some(key));
        of_key.next()?.value.0.as_ref()
    }

    fn text(&self, key: &str) -> Option<Cow<'_, str>> {
        self.value(key)?.string_value.0.clone()
    }

    fn owned(&self, key: &str) -> Option<String> {
        self.value(key)?.string_value.to_text()
    }
}

impl Value<'_> {
    /// OTLP's JSON writes whole numbers as texts.
    fn to_count(&self) -> Option<u64> {
        let whole = self.int_value.map(|raw| raw.get().trim_matches('"'));
        whole.and_then(|text| text.parse().ok()).or_else(|| self.double_value.to_count())
    }
}

/// The head of a time in nanoseconds.
fn time(raw: Option<&RawValue>) -> Head {
    let words = raw.map(|raw| raw.get().trim_matches('"')).filter(|it| !matches!(*it, "0" | "null"));
    Head::told(raw.and_then(nanos), &Stamp(words.map(Cow::Borrowed)))
}

/// Nanoseconds, as a text or a number, in milliseconds; 0 stands for none.
fn nanos(raw: &RawValue) -> Option<u64> {
    let text = parsed::<String>(raw.get().as_bytes());
    let nanos: u64 = text.as_deref().unwrap_or(raw.get()).parse().ok()?;
    Some(nanos / 1_000_000).filter(|ms| *ms > 0)
}
