//! A span, and what it says.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::value::{plain, streams, time};
use super::{messages, names};
use crate::agents::import::item::{
    Call, CallResult, Head, Message, Part, Prompt, Title, TranscriptRecord,
};
use crate::agents::import::limits::OPEN_CALLS_MAX;
use crate::agents::import::loose::{List, Loose, Text, parsed};
use crate::agents::import::odd::Count;
use crate::agents::import::whole::Once;
use crate::agents::import::{named, told};
use crate::event::{ExecutionId, Json, Outcome, Usage, tool};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Span<'a> {
    #[serde(borrow)]
    trace_id: Text<'a>,
    span_id: Text<'a>,
    parent_span_id: Text<'a>,
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
    value: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Status<'a> {
    code: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Text<'a>,
}

/// What spans before tell of those behind them.
#[derive(Debug, Default)]
pub struct Calls {
    /// Calls by their spans, for what subagents did in them.
    by_span: HashMap<String, String>,
    ids: Once,
}

impl Calls {
    fn remember(&mut self, span: String, call: &Call) {
        if self.by_span.len() >= OPEN_CALLS_MAX {
            self.by_span.clear();
        }
        self.by_span.insert(span, named(call.scope.as_deref(), &call.id));
    }
}

impl Span<'_> {
    pub fn read(&self, line: u64, calls: &mut Calls, out: &mut Vec<TranscriptRecord>) {
        let operation = self.text(names::OPERATION);
        let (Some(trace), Some(span)) = (self.trace_id.to_text(), self.span_id.to_text()) else {
            let parts = vec![Part::unread("a span without traceId or spanId")];
            out.push(TranscriptRecord { line, head: Head::default(), parts });
            return;
        };
        let named = self.text(names::SESSION).or_else(|| self.text(names::CONVERSATION));
        let session = named.unwrap_or_else(|| trace.clone());
        let (from, to) = (time(self.start_time_unix_nano), time(self.end_time_unix_nano));
        let (from_ms, to_ms) = (from.at_ms, to.at_ms.or(from.at_ms));
        let to = Head { at_ms: to_ms.filter(|_| to.odd_time.is_none()), ..to };
        let task = self.parent_span_id.as_deref().and_then(|it| calls.by_span.get(it).cloned());
        let head = |at: Head| Head {
            session: Some(session.clone()),
            cwd: self.text(names::CWD),
            branch: self.text(names::BRANCH),
            actor: self.text(names::ACTOR),
            task: task.clone(),
            ..at
        };
        match operation.as_deref() {
            Some("execute_tool") => {
                let span_ms = told::lasted(from_ms, to.at_ms);
                let id = self.text(names::CALL_ID).unwrap_or_else(|| span.clone());
                let id = calls.ids.id(&session, id, &format!("{trace}.{span}"));
                let (call, result) = self.call(&session, id, span_ms);
                calls.remember(span, &call);
                let mut parts = vec![Part::Call(call)];
                parts.extend(self.too_deep());
                out.push(TranscriptRecord { line, head: head(from), parts });
                if let Some(result) = result {
                    let parts = vec![Part::Result(result)];
                    out.push(TranscriptRecord { line: 0, head: head(to), parts });
                }
            }
            Some("invoke_agent") => {
                let agent = self.text(names::AGENT).unwrap_or_default();
                let version = self.text(names::AGENT_VERSION);
                let head = Head {
                    agent_version: version.map(|it| format!("{agent} {it}").trim().to_owned()),
                    model: self.text(names::REQUEST_MODEL),
                    ..head(from)
                };
                let title = self.text(names::TITLE).map(|text| Title { text, leaf: None });
                let parts: Vec<_> = self.asked(&session).chain(title.map(Part::Title)).collect();
                // One of which nobody says whose it is says nothing.
                if !parts.is_empty() || !agent.is_empty() {
                    out.push(TranscriptRecord { line, head, parts });
                }
            }
            Some("chat" | "generate_content" | "text_completion") => {
                let parts = self.asked(&session).collect();
                out.push(TranscriptRecord { line, head: head(from), parts });
                let answered = self.text(names::OUTPUT);
                let (text, thinking) = messages::answered(answered.as_deref().unwrap_or_default());
                let id = self.text(names::RESPONSE_ID).unwrap_or(span);
                let stop_reason = match self.value(names::FINISH_REASONS) {
                    Some(Value::Array(reasons)) => {
                        reasons.first().and_then(Value::as_str).map(str::to_owned)
                    }
                    _ => None,
                };
                let (id, usage) = (Some(id), self.usage());
                let said = Message { id, text, thinking, stop_reason, usage, ..Message::default() };
                let model = self.text(names::RESPONSE_MODEL);
                let model = model.or_else(|| self.text(names::REQUEST_MODEL));
                let head = Head { model, ..head(to) };
                let mut parts = vec![Part::Said(Box::new(said))];
                parts.extend(self.odd_usage());
                out.push(TranscriptRecord { line: 0, head, parts });
            }
            _ => {}
        }
    }

    /// What users wrote: a history tells it again with each span.
    fn asked(&self, session: &str) -> impl Iterator<Item = Part> {
        let asked = self.text(names::INPUT);
        let known_by = self.text(names::PROMPT_ID);
        let place = session.to_owned();
        messages::asked(asked.as_deref().unwrap_or_default()).into_iter().map(move |text| {
            let (known_by, place) = (known_by.clone(), Some(place.clone()));
            Part::Prompt(Prompt { known_by, text, place, ..Prompt::default() })
        })
    }

    /// A call, and how it ended where that is told.
    fn call(&self, session: &str, id: String, span_ms: Option<u64>) -> (Call, Option<CallResult>) {
        let scope = session.to_owned();
        let tool = self.text(names::TOOL).unwrap_or_else(|| "unnamed".to_owned());
        let arguments = self.text(names::ARGUMENTS).map(|text| Value::from(text).to_string());
        let raw = arguments.and_then(|text| RawValue::from_string(text).ok()); // a text always is JSON
        let arguments = told::arguments(raw.as_deref(), "arguments");
        let mut call = told::call(id.clone(), Some(scope.clone()), &tool, arguments);
        call.execution = self.text(names::EXECUTION).and_then(|it| ExecutionId::parse(&it));
        if let Some(tool) = self.text(names::CONTRACT_TOOL).filter(|it| tool::is_valid(it)) {
            call.tool = tool;
        }
        if let Some(Value::Array(paths)) = self.value(names::PATHS) {
            call.paths = paths.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        let told = self.text(names::OUTCOME);
        if told.as_deref() == Some(names::OPEN) {
            return (call, None);
        }
        let outcome = told.as_deref().and_then(Outcome::parse);
        let code = self.value(names::EXIT_CODE).and_then(|it| i32::try_from(it.as_i64()?).ok());
        let error = self.error(code);
        let printed = self.text(names::RESULT);
        let streams = printed.as_deref().and_then(streams);
        let is_error = outcome.map_or(error.is_some(), |it| it == Outcome::Failed);
        let printed = printed.filter(|_| streams.is_none());
        let mut result = told::result(id, Some(scope), code, is_error, printed);
        if let Some([stdout, stderr]) = streams {
            (result.stdout, result.stderr) = (stdout, stderr);
        }
        let error = error.filter(|error| !error.is_empty());
        if error.is_some() {
            result.error.clone_from(&error);
        }
        result.duration_ms = span_ms;
        if let Some(outcome) = outcome {
            // Ours: what it does not say was not told.
            result.outcome = outcome;
            result.duration_ms = self.count(names::DURATION);
            let is_failed = outcome == Outcome::Failed;
            result.error = if is_failed { error } else { self.text(names::REASON) };
            result.diagnostics = self.text(names::DIAGNOSTICS).map(Json);
            result.changes = self.changes();
        }
        (call, Some(result))
    }

    fn changes(&self) -> Vec<crate::event::Change> {
        #[derive(Deserialize)]
        struct Changed {
            path: String,
            created: bool,
        }
        let changed = self.text(names::CHANGED);
        let changed: Vec<Changed> =
            changed.and_then(|it| parsed(it.as_bytes())).unwrap_or_default();
        changed.iter().map(|it| told::changed(&it.path, it.created)).collect()
    }

    /// What went wrong; empty where it only says that something did.
    fn error(&self, exit_code: Option<i32>) -> Option<String> {
        let status = self.status.0.as_ref();
        let code = status.and_then(|it| it.code).map(RawValue::get);
        let kind = self.text(names::ERROR_TYPE);
        let is_error = kind.is_some() || matches!(code, Some("2" | "\"STATUS_CODE_ERROR\""));
        let message = status.and_then(|it| it.message.to_text());
        // A type that is none, or the exit code, says nothing beside a message.
        let is_plain = |kind: &str| {
            kind == names::OTHER || exit_code.is_some_and(|code| code.to_string() == kind)
        };
        is_error.then(|| match (kind, message) {
            (Some(kind), message) if is_plain(&kind) => message.unwrap_or_default(),
            (Some(kind), Some(message)) => format!("{kind}: {message}"),
            (kind, message) => kind.or(message).unwrap_or_default(),
        })
    }

    /// What of its tokens is no number.
    fn odd_usage(&self) -> Option<Part> {
        // What is there and none of OTLP's values is no number either.
        let told = || self.attributes.0.iter().filter_map(|it| it.0.as_ref()?.key.as_deref());
        let odd = |key: &str| told().any(|it| it == key) && self.count(key).is_none();
        let count = |key| (key, if odd(key) { Count::Odd } else { Count::Absent });
        let keys =
            [names::INPUT_TOKENS, names::OUTPUT_TOKENS, names::CACHE_READ, names::CACHE_WRITE];
        told::odd_usage(&keys.map(count))
    }

    /// What was read from a cache or into one is among the tokens that were read.
    fn usage(&self) -> Usage {
        let [cache_read, cache_write] =
            [names::CACHE_READ, names::CACHE_WRITE].map(|key| self.count(key));
        let cached = cache_read.unwrap_or(0).saturating_add(cache_write.unwrap_or(0));
        Usage {
            input: self.count(names::INPUT_TOKENS).map(|all| all.saturating_sub(cached)),
            output: self.count(names::OUTPUT_TOKENS),
            cache_read,
            cache_write,
        }
    }

    /// What a call was given or printed, where it is nested deeper than is read.
    fn too_deep(&self) -> Option<Part> {
        let attributes = self.attributes.0.iter().filter_map(|it| it.0.as_ref());
        let is_content = |it: &&Attribute<'_>| {
            [Some(names::ARGUMENTS), Some(names::RESULT)].contains(&it.key.as_deref())
        };
        let is_unread = |it: &Attribute<'_>| {
            // A text is none that is nested.
            let nested =
                it.value.map(RawValue::get).filter(|it| !it.starts_with("{\"stringValue\""));
            nested.is_some_and(|it| parsed::<Value>(it.as_bytes()).is_none())
        };
        let mut of_contents = attributes.filter(is_content);
        let what = "arguments or a result that are nested too deep";
        of_contents.any(is_unread).then(|| Part::unread(what))
    }

    fn value(&self, key: &str) -> Option<Value> {
        let attributes = self.attributes.0.iter().filter_map(|it| it.0.as_ref());
        let mut of_key = attributes.filter(|it| it.key.as_deref() == Some(key));
        plain(parsed(of_key.next()?.value?.get().as_bytes())?)
    }

    /// A text that is not empty; what is structured, as JSON.
    fn text(&self, key: &str) -> Option<String> {
        match self.value(key)? {
            Value::String(text) => Some(text).filter(|text| !text.is_empty()),
            value @ (Value::Object(_) | Value::Array(_)) => Some(value.to_string()),
            _ => None,
        }
    }

    fn count(&self, key: &str) -> Option<u64> {
        let value = self.value(key)?;
        let whole = value.as_f64().filter(|it| it.fract() == 0.0 && (0.0..1e15).contains(it));
        value.as_u64().or(whole.map(|it| it as u64))
    }
}
