//! Spec 001's notation of a memory query: `memory_query(timeline_summary, last=10)`.

use std::fmt;

use super::MemoryQuery;
use crate::execution::query::QueryError;

const QUERY_BYTES_MAX: usize = 4 << 10;
const NAME: &str = "memory_query";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryTopic {
    /// The executions that the parameters let through.
    #[default]
    Executions,
    /// Where one stands, what happened last, and what is still broken.
    TimelineSummary,
    Position,
    Recent,
    /// What led up to `before_id`.
    Preceding,
    PendingFailures,
    FailureLoops,
}

impl MemoryTopic {
    /// Names that say so; the first is the one that is written.
    const NAMES: [(Self, &[&str]); 6] = [
        (Self::TimelineSummary, &["timeline_summary", "timeline"]),
        (Self::Position, &["get_timeline_position", "timeline_position", "position"]),
        (Self::Recent, &["get_recent_timeline", "recent_timeline", "last_n_executions"]),
        (Self::Preceding, &["get_preceding_context", "preceding_context"]),
        (Self::PendingFailures, &["get_pending_failures", "pending_failures"]),
        (Self::FailureLoops, &["failure_loops"]),
    ];

    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, names)| names.contains(&name));
        found.map(|(topic, _)| *topic)
    }

    /// The name it is asked by; `None` where only parameters ask.
    pub fn name(self) -> Option<&'static str> {
        let found = Self::NAMES.iter().find(|(topic, _)| *topic == self);
        found.and_then(|(_, names)| names.first().copied())
    }
}

impl MemoryQuery {
    /// Reads a query. `memory_query(…)` may be left out; texts stand in quotes, and need none where
    /// they are a single word.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let refused = |why: String| {
            let text = text.chars().take(200).collect();
            QueryError::NoMemoryQuery { text, why }
        };
        if text.len() > QUERY_BYTES_MAX {
            return Err(refused(format!("it is longer than {QUERY_BYTES_MAX} bytes")));
        }
        Reader { rest: text.trim() }.query().map_err(refused)
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        let number = |value: &str| {
            let text = value.trim_start_matches('#');
            text.parse::<u64>().map_err(|_| format!("{name} takes a number, not {value}"))
        };
        match name {
            "tool" | "tool_name" => self.tool = Some(value),
            "success" => self.success = Some(flag(name, &value)?),
            "after_id" => self.after_id = Some(number(&value)?),
            "before_id" => self.before_id = Some(number(&value)?),
            "last" | "n" | "limit" => {
                self.last = Some(usize::try_from(number(&value)?).unwrap_or(usize::MAX));
            }
            "path" | "file" => self.path = Some(value),
            "symbol" => self.symbol = Some(value),
            "session" => self.session = Some(value),
            "diagnostic" | "code" => self.diagnostic = Some(value),
            "project" => self.project = flag(name, &value)?,
            "query" | "query_type" | "topic" => {
                let topic = MemoryTopic::named(&value);
                self.topic = topic.ok_or_else(|| format!("there is no query {value}"))?;
            }
            _ => return Err(format!("there is no parameter {name}")),
        }
        Ok(())
    }
}

fn flag(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" | "True" | "1" => Ok(true),
        "false" | "False" | "0" => Ok(false),
        other => Err(format!("{name} takes true or false, not {other}")),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn query(mut self) -> Result<MemoryQuery, String> {
        let mut query = MemoryQuery::default();
        let called = self.rest.strip_prefix(NAME).map(str::trim_start);
        let called = called.and_then(|rest| rest.strip_prefix('('));
        match called {
            Some(rest) => {
                let inside = rest.trim_end().strip_suffix(')');
                self.rest = inside.ok_or("the closing parenthesis is missing")?.trim();
            }
            None if self.rest == NAME => self.rest = "",
            None => {}
        }
        let mut first = true;
        while !self.rest.is_empty() {
            if !first {
                self.take(',').ok_or_else(|| format!("a comma is missing before {}", self.rest))?;
                if self.rest.is_empty() {
                    break;
                }
            }
            first = false;
            let name = self.word()?.to_owned();
            if self.take('=').is_some() {
                let value = self.value()?;
                query.set(&name, value)?;
            } else if name == "project" {
                query.project = true;
            } else {
                let topic = MemoryTopic::named(&name);
                query.topic = topic.ok_or_else(|| format!("there is no query {name}"))?;
            }
        }
        Ok(query)
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(wanted)?.trim_start();
        Some(())
    }

    fn word(&mut self) -> Result<&'a str, String> {
        let plain = |c: char| c.is_alphanumeric() || "_-.:/#@*".contains(c);
        let end = self.rest.find(|c| !plain(c)).unwrap_or(self.rest.len());
        if end == 0 {
            return Err(format!("a name is missing before {:?}", self.rest));
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        Ok(word)
    }

    fn value(&mut self) -> Result<String, String> {
        let quote = self.rest.chars().next().filter(|c| *c == '"' || *c == '\'');
        let Some(quote) = quote else {
            return Ok(self.word()?.to_owned());
        };
        let mut text = String::new();
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => {
                    text.push(match c {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    });
                    escaped = false;
                }
                '\\' => escaped = true,
                c if c == quote => {
                    self.rest = self.rest[at + c.len_utf8()..].trim_start();
                    return Ok(text);
                }
                c => text.push(c),
            }
        }
        Err(format!("a quote is open: {}", self.rest))
    }
}

impl fmt::Display for MemoryQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |name: &str, text: &Option<String>| {
            text.as_ref().map(|text| {
                let text = text.replace('\\', "\\\\").replace('"', "\\\"");
                let text = text.replace('\n', "\\n").replace('\t', "\\t");
                format!("{name}=\"{text}\"")
            })
        };
        let plain = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value}"));
        let last = self.last.map(|last| last as u64);
        let parts = [
            self.topic.name().map(str::to_owned),
            quoted("tool", &self.tool),
            self.success.map(|success| format!("success={success}")),
            plain("after_id", self.after_id),
            plain("before_id", self.before_id),
            quoted("path", &self.path),
            quoted("symbol", &self.symbol),
            quoted("diagnostic", &self.diagnostic),
            quoted("session", &self.session),
            self.project.then(|| "project".to_owned()),
            plain("last", last),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        write!(f, "{NAME}({})", parts.join(", "))
    }
}
