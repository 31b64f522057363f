//! Finds secrets in a text: one pass for keywords, and a look where one was found; then what the
//! text says once it is decoded.

use std::ops::Range;
use std::sync::Arc;

use super::encoded;
use super::environment::{self, Form};
use super::keywords::{Keywords, Occurrence};
use super::look::{look, unmarked};
use super::own_pattern::{Allowance, OwnPattern, Spent, markers, with_markers};
use super::rule::{Look, Place, Rule};
use super::rules;
use super::shape::ANY_BASE64;
use super::value::{KeptValues, dumps, escapes};

/// The rule for values that were redacted once.
pub(super) const KEPT_RULE: &str = "redacted-before";

/// How often base 64 may stand in base 64.
const DEPTH_MAX: usize = 3;

/// A place to take out, and the rule that says so.
#[derive(Debug)]
pub(super) struct Hit<'a> {
    pub range: Range<usize>,
    pub rule: &'a str,
    /// The lower of two that begin at one place names it.
    rank: usize,
}

/// All rules, ready to run.
pub(super) struct Scanner {
    keywords: Keywords,
    rules: Vec<&'static Rule>,
    forms: Vec<Form>,
    own: Vec<OwnPattern>,
    /// Values that were redacted once.
    kept: Option<Arc<KeptValues>>,
}

impl Scanner {
    /// `forms` are the process's own secrets.
    pub(super) fn new(own: Vec<OwnPattern>, forms: Vec<Form>) -> Self {
        let rules: Vec<&Rule> = rules::all().collect();
        let values = forms.iter().map(|form| form.bytes.as_slice()).zip(rules.len()..);
        let keywords = Keywords::new(&rules::BUILTIN, values);
        Self { keywords, rules, forms, own, kept: None }
    }

    pub(super) fn know(&mut self, kept: Option<Arc<KeptValues>>) {
        self.kept = kept;
    }

    /// Whether a text can hold a secret at all; no is certain.
    pub(super) fn may_match(&self, text: &[u8]) -> bool {
        let mut may = !self.own.is_empty();
        if !may {
            self.keywords.find(text, |_| {
                may = true;
                false
            });
        }
        if let (false, Some(kept)) = (may, &self.kept) {
            kept.find(text, |_| may = true);
            dumps(text, |_, _| may = true);
        }
        if !may {
            crate::redact::disguise::texts(text, |_, _| may = true);
            encoded::wide(text, |_| may = true);
        }
        may
    }

    /// The same of JSON: an escaped ASCII character could hide a keyword from a look at the text as it stands.
    pub(super) fn may_match_json(&self, json: &str) -> bool {
        json.contains("\\u00") || self.may_match(json.as_bytes())
    }

    /// Whether there are patterns of a settings file.
    pub(super) fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// The places to take out, in order and apart from each other. Where patterns would cost more than
    /// they may, that is the whole text.
    pub(super) fn hits(&self, text: &[u8], allowance: &mut Allowance) -> Vec<Hit<'_>> {
        (allowance.spent_by, allowance.stopped) = (None, false);
        let hits = self.found(text, &mut Some(&mut *allowance));
        match allowance.spent_by.and_then(|at| Some((at, self.own.get(at)?))) {
            Some((at, own)) => {
                vec![Hit { range: 0..text.len(), rule: own.name(), rank: self.rank(at) }]
            }
            None => apart(hits),
        }
    }

    /// What all rules find, and, where they have an allowance, a user's patterns.
    fn found(&self, text: &[u8], allowance: &mut Option<&mut Allowance>) -> Vec<Hit<'_>> {
        let mut hits = Vec::new();
        let mut written = Vec::new();
        self.look(text, 0, &mut hits, &mut written, allowance);
        for stretch in crate::redact::disguise::stretches(text, &written) {
            let Some(view) = crate::redact::disguise::plain(text, &stretch) else { continue };
            let mut inner = Vec::new();
            self.look(&view.text, 0, &mut inner, &mut Vec::new(), allowance);
            hits.extend(
                inner.into_iter().map(|hit| Hit { range: view.in_source(&hit.range), ..hit }),
            );
        }
        self.kept_besides(text, &mut hits);
        encoded::wide(text, |view| {
            let mut inner = Vec::new();
            self.look(&view.text, 0, &mut inner, &mut Vec::new(), allowance);
            hits.extend(
                inner.into_iter().map(|hit| Hit { range: view.in_source(&hit.range), ..hit }),
            );
        });
        hits
    }

    /// Adds what was redacted once where it is written so that no rule would look there.
    fn kept_besides<'s>(&'s self, text: &[u8], hits: &mut Vec<Hit<'s>>) {
        let Some(kept) = self.kept.as_ref().filter(|it| !it.is_empty()) else { return };
        let rank = self.rules.len();
        let mut add = |range| hits.push(Hit { range, rule: KEPT_RULE, rank });
        for stretch in crate::redact::disguise::stretches(text, &escapes(text)) {
            let Some(view) = crate::redact::disguise::plain(text, &stretch) else { continue };
            kept.find(&view.text, |range| add(view.in_source(&range)));
        }
        dumps(text, |range, says| {
            let mut holds = false;
            kept.find(says, |_| holds = true);
            if holds {
                add(range);
            }
        });
    }

    /// Whether any rule but a pattern of a settings file finds something.
    pub(super) fn holds_secret(&self, text: &[u8]) -> bool {
        !self.found(text, &mut None).is_empty()
    }

    fn rank(&self, own: usize) -> usize {
        self.rules.len() + 1 + own
    }

    /// Adds what a text holds as it stands, and where it has escapes.
    fn look<'s>(
        &'s self,
        text: &[u8],
        depth: usize,
        hits: &mut Vec<Hit<'s>>,
        written: &mut Vec<usize>,
        allowance: &mut Option<&mut Allowance>,
    ) {
        // Where each rule's last look ended: a text of nothing but keywords is gone over once.
        let mut done: Vec<usize> = Vec::new();
        self.keywords.find(text, |found| {
            let Some(rule) = self.rules.get(found.owner) else {
                self.value(text, found, hits, written);
                return true;
            };
            if done.is_empty() {
                done.resize(self.rules.len(), 0);
            }
            if found.start >= done[found.owner] {
                let place = Place { text, at: found.start, length: found.length };
                let hit = |name| move |range| Hit { range, rule: name, rank: found.owner };
                done[found.owner] = match rule.look {
                    Look::Each(each) => each(place, &mut |range| {
                        hits.extend(unmarked(text, range).map(hit(rule.name)));
                    }),
                    _ => {
                        let tried = look(rule, place);
                        hits.extend(tried.found.map(hit(tried.name.unwrap_or(rule.name))));
                        tried.seen
                    }
                };
            }
            true
        });
        if let Some(kept) = &self.kept {
            let rank = self.rules.len();
            kept.find(text, |range| hits.push(Hit { range, rule: KEPT_RULE, rank }));
        }
        if let Some(allowance) = allowance {
            self.own(text, hits, allowance);
        }
        if depth < DEPTH_MAX {
            crate::redact::disguise::texts(text, |range, says| {
                let mut inner = Vec::new();
                self.look(says, depth + 1, &mut inner, &mut Vec::new(), allowance);
                hits.extend(apart(inner).into_iter().next().map(|hit| Hit { range, ..hit }));
            });
        }
    }

    /// Adds what a user's patterns find, until they cost too much.
    fn own<'s>(&'s self, text: &[u8], hits: &mut Vec<Hit<'s>>, allowance: &mut Allowance) {
        if self.own.is_empty() || allowance.spent_by.is_some() {
            return;
        }
        allowance.grant(text.len());
        let markers = markers(text, |name| self.is_rule(name));
        for (at, own) in self.own.iter().enumerate() {
            let rank = self.rank(at);
            let mut seen = |range, allowance: &mut Allowance| {
                let Some(range) = with_markers(&markers, range) else { return Ok(()) };
                match hits.last_mut() {
                    Some(last) if last.rank == rank && range.start <= last.range.end => {
                        last.range.end = last.range.end.max(range.end);
                        Ok(())
                    }
                    _ => {
                        hits.push(Hit { range, rule: own.name(), rank });
                        allowance.matched()
                    }
                }
            };
            if own.is_foreign() {
                let mut share = allowance.share(self.own.len() - at);
                allowance.stopped |= own.each(text, &mut share, &mut seen).is_err();
                allowance.take_back(&share);
            } else if let Err(Spent) = own.each(text, allowance, &mut seen) {
                allowance.spent_by = Some(at);
                return;
            }
        }
    }

    pub(super) fn is_rule(&self, name: &[u8]) -> bool {
        let is = |known: &str| known.as_bytes() == name;
        self.own.iter().any(|own| is(own.name())) || rules::names().any(is)
    }

    /// A value of the environment, or an escape.
    fn value<'s>(
        &'s self,
        text: &[u8],
        at: Occurrence,
        hits: &mut Vec<Hit<'s>>,
        written: &mut Vec<usize>,
    ) {
        let Some(form) = self.forms.get(at.owner - self.rules.len()) else {
            written.push(at.start);
            return;
        };
        let mut range = at.start..at.start + at.length;
        let last = hits
            .last()
            .is_some_and(|hit| hit.rank == self.rules.len() && range.end <= hit.range.end);
        if last || text[range.clone()] != *form.bytes {
            return;
        }
        if form.is_base64 {
            range.start -= ANY_BASE64.run_back(&text[..range.start], 4 << 10);
            range.end += ANY_BASE64.run(&text[range.end..], 4 << 10);
        }
        hits.push(Hit { range, rule: environment::RULE, rank: self.rules.len() });
    }
}

/// In order, those that overlap as one.
fn apart(mut hits: Vec<Hit<'_>>) -> Vec<Hit<'_>> {
    hits.sort_by_key(|hit| (hit.range.start, hit.rank));
    let mut apart: Vec<Hit<'_>> = Vec::with_capacity(hits.len());
    for hit in hits {
        match apart.last_mut() {
            Some(last) if hit.range.start < last.range.end => {
                last.range.end = last.range.end.max(hit.range.end);
            }
            _ => apart.push(hit),
        }
    }
    apart
}
