//! OpenTelemetry traces of agents, as OTLP's JSON (one document, or one a line as a collector writes them), or
//! as its protobuf message.
//!
//! Of the conventions for GenAI, spans of `execute_tool` are calls, those of a model what it said, with its
//! tokens and, where it was opted into, the messages; those of `invoke_agent` a session, or what was asked in it.
//! [`written`] writes a journal's sessions as such spans.

mod messages;
mod names;
mod protobuf;
#[cfg(feature = "otlp")]
pub mod sender;
mod span;
#[cfg(test)]
mod tests;
mod value;
pub mod written;

use std::io;

use super::import::item::{Head, Part, TranscriptRecord};
use super::import::log_source::{LogSource, Reads};
use super::import::loose::{List, Loose, parsed};
use super::import::source_file::SourceFile;
use super::import::whole::{Document, Held, Member, WholeLog, read_document};
use crate::event::Ordered;
use span::{Calls, Span};

pub const SOURCE: LogSource = LogSource {
    name: "otlp",
    title: "OTLP traces",
    also: None,
    endings: &[".json", ".jsonl", ".pb", ".otlp"],
    is_of: |beginning| {
        beginning.outline().has("resourceSpans.scopeSpans") || protobuf::is_of(beginning.head)
    },
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    if protobuf::is_of(&file.head()?) {
        return protobuf::open(file);
    }
    read_document(file, Box::new(Traces::default()))
}

#[derive(Default)]
struct Traces {
    /// A span is written once, with its end, which may lie behind what is written next.
    held: Held,
    calls: Calls,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ResourceSpans<'a> {
    #[serde(borrow)]
    scope_spans: List<Loose<ScopeSpans<'a>>>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct ScopeSpans<'a> {
    #[serde(borrow)]
    spans: List<Loose<Span<'a>>>,
}

impl Document for Traces {
    fn lists(&self) -> &'static [&'static str] {
        &["resourceSpans"]
    }

    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        if !member.is_element {
            return true;
        }
        let Some(of_resource) = parsed::<ResourceSpans<'_>>(member.bytes) else { return false };
        let mut read = Vec::new();
        let unread = |read: &mut Vec<TranscriptRecord>| {
            let parts = vec![Part::unread("a span, or a list of them, that is no object")];
            read.push(TranscriptRecord { line: member.number, head: Head::default(), parts });
        };
        for scope in &of_resource.scope_spans.0 {
            let Some(scope) = &scope.0 else {
                unread(&mut read);
                continue;
            };
            for span in &scope.spans.0 {
                match &span.0 {
                    Some(span) => span.read(member.number, &mut self.calls, &mut read),
                    None => unread(&mut read),
                }
            }
        }
        // A span is written when it ends: what it holds stands before it.
        let mut last_ms = None;
        let timed = read.into_iter().map(|record| {
            last_ms = record.head.at_ms.or(last_ms);
            (last_ms, record)
        });
        let mut timed: Vec<_> = timed.collect();
        timed.order_by_key(|(at_ms, _)| *at_ms);
        for (_, record) in timed {
            match record.parts.as_slice() {
                [Part::Result(_)] => self.held.hold(record, out),
                _ => self.held.tell(record, out),
            }
        }
        true
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.held.end(out);
    }
}
