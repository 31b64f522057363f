//! Runs the rules over the texts of one event, and counts.

use std::collections::BTreeMap;

use super::ahead::{Clean, Kind};
use super::judge::is_member;
use super::own_pattern::Allowance;
use super::scan::Scanner;
use crate::event::canonical::{self, Place};
use crate::event::{Redaction, TextVisitor};

/// The rule for values whose JSON member's name calls them a secret.
pub(super) const JSON_MEMBER: &str = "json-member";

/// Counts the texts that went whole, since the user's patterns would have cost more than they may.
pub const WHOLE_TEXT: &str = "whole-text";
/// Counts the texts that a stranger's pattern did not look at to the end, since it would have cost more
/// than it may.
pub const UNFINISHED: &str = "unfinished";

/// How often a text is gone over before what is left counts as clean.
const ROUNDS_MAX: usize = 4;

/// Runs the rules over the texts of one event, and counts.
pub(super) struct Visitor<'a> {
    scanner: &'a Scanner,
    /// What was looked through ahead of it.
    clean: Option<&'a Clean>,
    allowance: Allowance,
    counts: BTreeMap<String, u32>,
}

impl<'a> Visitor<'a> {
    pub(super) fn new(scanner: &'a Scanner) -> Self {
        Self { scanner, clean: None, allowance: Allowance::new(), counts: BTreeMap::new() }
    }

    pub(super) fn behind(scanner: &'a Scanner, clean: &'a Clean) -> Self {
        Self { clean: Some(clean), ..Self::new(scanner) }
    }

    /// What was taken out, by rule.
    pub(super) fn redactions(self) -> Vec<Redaction> {
        self.counts.into_iter().map(|(rule, count)| Redaction { rule, count }).collect()
    }

    fn count(&mut self, rule: &str) {
        let count = self.counts.entry(rule.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    /// The text without its secrets; `None` where it holds none.
    fn clean(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        if self.clean.is_some_and(|it| it.takes(Kind::Plain, text)) {
            return None;
        }
        let cleaned = self.once(text);
        if self.allowance.stopped {
            self.count(UNFINISHED);
        }
        let mut clean = cleaned?;
        // A marker ends a word, and what stood behind one may begin another.
        for _ in 1..ROUNDS_MAX {
            if self.allowance.spent_by.is_some() {
                break;
            }
            let Some(cleaner) = self.once(&clean) else { break };
            clean = cleaner;
        }
        Some(clean)
    }

    fn once(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        let hits = self.scanner.hits(text, &mut self.allowance);
        if hits.is_empty() {
            return None;
        }
        if self.allowance.spent_by.is_some() {
            self.count(WHOLE_TEXT);
        }
        let mut clean = Vec::with_capacity(text.len());
        let mut kept = 0;
        for hit in hits {
            clean.extend_from_slice(&text[kept..hit.range.start]);
            clean.extend_from_slice(b"[REDACTED:");
            clean.extend_from_slice(hit.rule.as_bytes());
            clean.push(b']');
            kept = hit.range.end;
            self.count(hit.rule);
        }
        clean.extend_from_slice(&text[kept..]);
        Some(clean)
    }

    fn value(&mut self, name: Option<&str>, text: &mut String) {
        if name.is_some_and(|name| is_member(name.as_bytes(), text.as_bytes())) {
            *text = format!("[REDACTED:{JSON_MEMBER}]");
            self.count(JSON_MEMBER);
        } else {
            self.text(text);
        }
    }
}

impl TextVisitor for Visitor<'_> {
    fn text(&mut self, text: &mut String) {
        if let Some(clean) = self.clean(text.as_bytes()) {
            // A user's pattern may cut a character in two.
            *text = String::from_utf8_lossy(&clean).into_owned();
        }
    }

    fn named(&mut self, name: &str, text: &mut String) {
        self.value(Some(name), text);
    }

    fn bytes(&mut self, bytes: &mut Vec<u8>) {
        if let Some(clean) = self.clean(bytes) {
            *bytes = clean;
        }
    }

    fn json(&mut self, json: &mut String) {
        let is_clean = self.clean.is_some_and(|it| it.takes(Kind::Json, json.as_bytes()));
        if is_clean || !self.scanner.may_match_json(json) {
            return;
        }
        let before = self.counts.clone();
        let rewritten = canonical::rewrite("json", json, &mut |place, text| match place {
            Place::Name => self.text(text),
            Place::Value { name } => self.value(name, text),
        });
        match rewritten {
            // Where nothing is taken out it stays as it was written.
            Ok(_) if self.counts == before => {}
            Ok(rewritten) => *json = rewritten,
            // Not JSON, which is for validation to say; its secrets go all the same.
            Err(_) => self.text(json),
        }
    }
}
