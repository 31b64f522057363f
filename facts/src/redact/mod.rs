//! Takes secrets out of events before anything is encoded (ruling 14).
//!
//! What is taken out leaves `[REDACTED:rule]`, and the envelope counts it by rule. Ids, hashes and
//! tool names are never shown to the rules; UUIDs and content hashes inside texts are left alone
//! unless they stand where only a secret does. Redacting twice changes nothing.

mod ahead;
mod disguise;
mod encoded;
mod environment;
mod generic;
mod json_strings;
mod judge;
mod keywords;
mod look;
mod names;
mod own_pattern;
mod rule;
mod rules;
mod scan;
mod shape;
mod structure;
pub mod value;
mod visitor;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use crate::event::{Event, Redaction};
use ahead::Clean;
use json_strings::{JsonStrings, unescaped};
use own_pattern::Allowance;
use scan::{Hit, Scanner};
use value::KeptValues;
use visitor::Visitor;

pub use own_pattern::{OwnPattern, PATTERNS_MAX, Pattern};
pub use visitor::{UNFINISHED, WHOLE_TEXT};

/// Takes secrets out of events before anything is encoded.
pub struct Redactor {
    scanner: Scanner,
    clean: Clean,
}

impl Redactor {
    /// The built-in rules, the values of the process's own secret variables, and these patterns.
    pub fn new(own: &[OwnPattern]) -> Self {
        let forms = environment::forms(environment::variables());
        Self { scanner: Scanner::new(own.to_vec(), forms), clean: Clean::default() }
    }

    /// Takes these values out as well, however they are written.
    pub fn knowing(mut self, kept: Option<Arc<KeptValues>>) -> Self {
        self.scanner.know(kept);
        self
    }

    /// The built-in rules and the secrets of these variables, in place of the process's own.
    #[cfg(test)]
    pub fn with_variables(variables: &[(&str, &str)]) -> Self {
        let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let scanner = Scanner::new(Vec::new(), environment::forms(variables));
        Self { scanner, clean: Clean::default() }
    }

    /// Redacts every free text of an event, notes it in the envelope, and gives the number of
    /// places.
    pub fn redact(&self, event: &mut Event) -> u64 {
        let mut visitor = Visitor::behind(&self.scanner, &self.clean);
        event.visit_texts(&mut visitor);
        let taken = visitor.redactions();
        let places = taken.iter().map(|redaction| u64::from(redaction.count)).sum();
        let envelope = &mut event.envelope;
        envelope.redactor_version = rules::VERSION;
        for Redaction { rule, count } in taken {
            match envelope.redactions.iter_mut().find(|known| known.rule == rule) {
                Some(known) => known.count = known.count.saturating_add(count),
                None => envelope.redactions.push(Redaction { rule, count }),
            }
        }
        places
    }

    /// Whether a rule, or a pattern, is called so.
    pub fn has_rule(&self, name: &str) -> bool {
        name == scan::KEPT_RULE || self.scanner.is_rule(name.as_bytes())
    }

    /// Whether a free text of an event holds what was redacted before.
    pub fn holds_known(&self, event: &Event) -> bool {
        let (mut event, mut visitor) = (event.clone(), Visitor::new(&self.scanner));
        event.visit_texts(&mut visitor);
        visitor.redactions().iter().any(|it| it.rule == scan::KEPT_RULE)
    }

    /// As [`Self::holds_known`], of a content.
    pub fn holds_known_in(&self, content: &[u8]) -> bool {
        self.find(content).iter().any(|it| it.rule == scan::KEPT_RULE)
    }

    /// The value of what is called so, without its secrets: a name can tell that it is one.
    pub fn redact_named(&self, name: &str, value: &str) -> String {
        let mut value = value.to_owned();
        crate::event::TextVisitor::named(&mut Visitor::new(&self.scanner), name, &mut value);
        value
    }

    /// A text without its secrets.
    pub fn redact_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        crate::event::TextVisitor::text(&mut Visitor::new(&self.scanner), &mut text);
        text
    }

    /// Whether a name is, or holds, what looks like a secret to the built-in rules: things are found
    /// again by their names, which no pattern of a settings file changes.
    pub fn holds_secret(&self, name: &str) -> bool {
        self.scanner.holds_secret(name.as_bytes())
    }

    /// Puts another name in the place of one that is, or holds, what looks like a secret, and says
    /// whether it did: the same one for the same name, so that what is told twice is still one.
    pub fn conceal(&self, name: &mut String) -> bool {
        let is_secret = self.holds_secret(name);
        if is_secret {
            let hash = blake3::derive_key("annals name of a secret v1", name.as_bytes());
            let digits = u64::from_be_bytes(std::array::from_fn(|at| hash[at]));
            *name = format!("redacted_{digits:016x}");
        }
        is_secret
    }

    /// The secrets of a text, in order and apart from each other: what [`Self::redact_text`] takes
    /// out of it at its first look.
    pub fn find(&self, text: &[u8]) -> Vec<RedactFinding<'_>> {
        self.find_within(text, &mut Allowance::new())
    }

    fn find_within(&self, text: &[u8], allowance: &mut Allowance) -> Vec<RedactFinding<'_>> {
        let hits = self.scanner.hits(text, allowance).into_iter();
        hits.map(|Hit { range, rule, .. }| RedactFinding { range, rule }).collect()
    }

    /// As [`Self::find`], where the text is JSON, or lines of it: the names of members tell
    /// secrets, and a string is looked at as it reads without its escapes. What is not JSON is
    /// looked at as text all the same.
    pub fn find_json(&self, text: &[u8]) -> Vec<RedactFinding<'_>> {
        let mut found = Vec::new();
        let mut allowance = Allowance::new();
        for string in JsonStrings::new(text) {
            let view = unescaped(text, &string.range);
            let name = string.name.map(|name| unescaped(text, &name).text);
            if name.is_some_and(|name| judge::is_member(&name, &view.text)) {
                let rule = visitor::JSON_MEMBER;
                found.push(RedactFinding { range: string.range, rule });
            } else if view.text.len() < string.range.len() {
                let inner = self.find_within(&view.text, &mut allowance).into_iter();
                found.extend(inner.map(|inner| RedactFinding {
                    range: view.in_source(&inner.range),
                    rule: inner.rule,
                }));
            }
        }
        found.extend(self.find_within(text, &mut allowance));
        apart(found)
    }
}

/// A secret that was found in a text: where, and what says so; nothing of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactFinding<'r> {
    /// The bytes that a marker would stand for, in the text as it was given.
    pub range: Range<usize>,
    /// The rule's name, as in its marker `[REDACTED:rule]`.
    pub rule: &'r str,
}

/// Findings in order, those that overlap as one: the one that begins first, and the longer of two
/// that begin together, names it.
fn apart(mut found: Vec<RedactFinding<'_>>) -> Vec<RedactFinding<'_>> {
    found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut apart: Vec<RedactFinding<'_>> = Vec::with_capacity(found.len());
    for one in found {
        match apart.last_mut() {
            Some(last) if one.range.start < last.range.end => {
                last.range.end = last.range.end.max(one.range.end);
            }
            _ => apart.push(one),
        }
    }
    apart
}

// Where a text may be cut before redaction has seen it: never inside of what could be a secret.

/// What goes on longer without a space is no token, and is cut where the bound is.
const RUN_MAX: usize = 16 << 10;
/// How far the beginning of a line is looked for.
const LINE_MAX: usize = 4 << 10;

/// Where the beginning of a text ends that is to be `max` bytes at most: before the word that the
/// bound is in. Half a token would pass the rules.
pub fn end_of_head(text: &[u8], max: usize) -> usize {
    let max = max.min(text.len());
    let (head, rest) = text.split_at(max);
    match head.last().zip(rest.first()) {
        Some((last, next)) if !separates(*last) && !separates(*next) => {
            let run = head.iter().rev().take(RUN_MAX).position(|byte| separates(*byte));
            run.map_or(max, |run| max - run)
        }
        _ => max,
    }
}

/// Where the end of a text begins that is to begin at `from` or behind it: with a line, so that no value
/// stands there without the name that tells what it is; where none begins soon, behind the word that
/// `from` is in.
pub fn start_of_tail(text: &[u8], from: usize) -> usize {
    let from = from.min(text.len());
    let (before, tail) = text.split_at(from);
    if before.is_empty() || before.ends_with(b"\n") {
        return from;
    }
    let line = tail.iter().take(LINE_MAX).position(|byte| *byte == b'\n');
    if let Some(line) = line {
        return from + line + 1;
    }
    match before.last().zip(tail.first()) {
        Some((last, next)) if !separates(*last) && !separates(*next) => {
            let run = tail.iter().take(RUN_MAX).position(|byte| separates(*byte));
            run.map_or(from, |run| from + run)
        }
        _ => from,
    }
}

fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`')
}
