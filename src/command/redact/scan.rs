//! Finds secrets in a text: one pass for keywords, and a rule's regex where one was found.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::Regex;

use super::OwnPattern;
use super::keywords::Keywords;
use super::rule::{Before, Found};
use super::rules::RULES;

/// How far a rule looks from its keyword: a large private key is some 13 KiB.
const REACH_BYTES: usize = 32 << 10;

/// A place to take out, and the rule that says so.
pub(super) struct Hit<'a> {
    pub range: Range<usize>,
    pub rule: &'a str,
}

/// All rules, ready to run.
pub(super) struct Scanner {
    keywords: Keywords,
    /// Compiled when first tried: most processes record a call or two and meet no keyword.
    regexes: Vec<OnceLock<Option<Regex>>>,
    own: Vec<OwnPattern>,
}

impl Scanner {
    pub(super) fn new(own: Vec<OwnPattern>) -> Self {
        let regexes = RULES.iter().map(|_| OnceLock::new()).collect();
        Self { keywords: Keywords::new(), regexes, own }
    }

    /// Whether a text can hold a secret at all; no is certain.
    pub(super) fn may_match(&self, text: &[u8]) -> bool {
        !self.own.is_empty() || self.keywords.are_in(text)
    }

    /// The places to take out, in order and apart from each other.
    pub(super) fn hits(&self, text: &[u8]) -> Vec<Hit<'_>> {
        let mut found = Vec::new();
        // Where each rule's last match ended: a text of nothing but keywords is gone over once.
        let mut done = [0; RULES.len()];
        for hit in self.keywords.find(text) {
            for &rule in hit.rules {
                if hit.start < done[rule] {
                    continue;
                }
                if let Some(range) = self.try_rule(rule, text, hit.start, &mut done[rule]) {
                    found.push((range, rule, RULES[rule].name));
                }
            }
        }
        for (at, own) in self.own.iter().enumerate() {
            let ranges = own.find(text).map(|range| (range, RULES.len() + at, own.name()));
            found.extend(ranges);
        }
        found.sort_by_key(|(range, rule, _)| (range.start, *rule));
        let mut apart: Vec<Hit<'_>> = Vec::with_capacity(found.len());
        for (range, _, rule) in found {
            match apart.last_mut() {
                Some(last) if range.start < last.range.end => {
                    last.range.end = last.range.end.max(range.end);
                }
                _ => apart.push(Hit { range, rule }),
            }
        }
        apart
    }

    fn try_rule(
        &self,
        rule: usize,
        text: &[u8],
        start: usize,
        done: &mut usize,
    ) -> Option<Range<usize>> {
        let before = &text[..start];
        let stands = match RULES[rule].before {
            Before::Anything => true,
            Before::NoWord => ends_a_word(before),
            Before::Dashes => option(before),
        };
        if !stands {
            return None;
        }
        let reach = &text[start..text.len().min(start + REACH_BYTES)];
        let captures = self.regex(rule)?.captures(reach)?;
        let whole = captures.get(0)?;
        *done = start + whole.end();
        let secret = captures.name("secret").unwrap_or(whole);
        let found = Found { whole: whole.as_bytes(), secret: secret.as_bytes() };
        let marked = secret.as_bytes().starts_with(b"[REDACTED:");
        (!marked && (RULES[rule].accept)(found))
            .then(|| start + secret.start()..start + secret.end())
    }
}

impl Scanner {
    /// A rule's regex; `None` never, as a test holds.
    pub(super) fn regex(&self, rule: usize) -> Option<&Regex> {
        let anchored = || format!(r"\A(?-u:{})", RULES[rule].regex);
        // A rule that does not compile is a fault of this build, which a test finds before it is
        // one; here the other rules are worth more than an error.
        self.regexes[rule].get_or_init(|| Regex::new(&anchored()).ok()).as_ref()
    }
}

/// Whether no word goes on behind a text: its last character is none of a word's, or stands for none
/// where JSON, or a string of a language, escapes it: `\n`, `\u000a`.
fn ends_a_word(before: &[u8]) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let escaped = |from_end: usize, marks: &[u8]| {
        let Some(at) = before.len().checked_sub(from_end) else { return false };
        let backslashes = before[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        marks.contains(&before[at]) && backslashes % 2 == 1
    };
    let unicode = || {
        let digits = before.iter().rev().take(4);
        digits.filter(|byte| byte.is_ascii_hexdigit()).count() == 4 && escaped(5, b"u")
    };
    !before.last().is_some_and(word) || escaped(1, b"nrtbf0") || unicode()
}

/// Whether a text ends in `--`, or in `--` and a word of an option's name.
fn option(before: &[u8]) -> bool {
    let name = |byte: &&u8| byte.is_ascii_lowercase() || **byte == b'-';
    let length = before.iter().rev().take(64).take_while(name).count();
    before[before.len() - length..].starts_with(b"--")
}
