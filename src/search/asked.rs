//! What somebody asks for: words, phrases, beginnings, what is not to be there, and fields.

use super::documents::Part;
use super::words::{is_spaceless, runs, split};

/// Characters of a query that are read.
pub const QUERY_CHARS_MAX: usize = 4_096;
/// Words of a query that count: the first ones.
const TERMS_MAX: usize = 32;
/// Words that say nothing of what is sought, unless nothing else is said.
const STOP: &str = "a an and are as at be been but by can could did do does for from had has have how i if in into is \
    it its me my no not of on or our she should so than that the their them then there these they this to us was we \
    were what when where which who why will with would you your \
    aber als am an auch auf aus bei das dass dem den der des die doch ein eine einem einen einer es für hat ich im ist \
    mit nach nicht noch nur oder sich sie sind und uns von vor war warum was wenn wer wie wir wo wurde zu zum zur";

/// A question, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    terms: Vec<Term>,
    /// What is looked through; all where there is none.
    pub parts: Vec<Part>,
    pub tool: Option<String>,
    pub path: Option<String>,
    pub session: Option<String>,
    pub model: Option<String>,
    /// As a person writes it.
    pub since: Option<String>,
    pub only_failed: bool,
    /// All words must be there, and not any of them.
    pub all: bool,
    /// Fields with a value that they cannot have.
    pub unknown: Vec<String>,
    /// There was more than is read.
    pub is_cut: bool,
}

/// What must, or must not, be found together.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    /// Words, one after the other; of an identifier its parts.
    words: Vec<String>,
    is_phrase: bool,
    is_beginning: bool,
    is_unwanted: bool,
}

impl Asked {
    pub fn of(text: &str) -> Self {
        let mut asked = Self::default();
        let end = text.char_indices().nth(QUERY_CHARS_MAX).map(|it| it.0);
        asked.is_cut = end.is_some();
        let mut rest = text[..end.unwrap_or(text.len())].trim_start();
        while !rest.is_empty() {
            rest = asked.take(rest).trim_start();
        }
        let is_said = |it: &Term| it.is_phrase || it.words.len() > 1 || !is_stop(&it.words[0]);
        if asked.terms.iter().any(|it| !it.is_unwanted && is_said(it)) {
            asked.terms.retain(is_said);
        }
        asked.is_cut |= asked.terms.len() > TERMS_MAX;
        asked.terms.truncate(TERMS_MAX);
        asked
    }

    /// Reads one term or field; gives what stands behind it.
    fn take<'t>(&mut self, text: &'t str) -> &'t str {
        let (is_unwanted, text) = match text.strip_prefix('-') {
            Some(rest) if !rest.starts_with([' ', '-']) && !rest.is_empty() => (true, rest),
            _ => (false, text),
        };
        if let Some(rest) = text.strip_prefix('"') {
            let (phrase, rest) = rest.split_once('"').unwrap_or((rest, ""));
            self.add(phrase, true, false, is_unwanted);
            return rest;
        }
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let word = &text[..end];
        if let Some((field, value)) = word.split_once(':')
            && !is_unwanted
            && let Some((value, rest)) = value_of(field, value, &text[end..])
        {
            self.field(field, &value);
            return rest;
        }
        let is_beginning = word.ends_with('*');
        self.add(word, false, is_beginning, is_unwanted);
        &text[end..]
    }

    fn field(&mut self, field: &str, value: &str) {
        let given = || Some(value.to_owned());
        match field {
            "in" => match Part::parse(value) {
                Some(part) => self.parts.push(part),
                None => self.unknown.push(format!("in:{value}")),
            },
            "tool" => self.tool = given(),
            "path" => self.path = given(),
            "session" => self.session = given(),
            "model" => self.model = given(),
            "since" => self.since = given(),
            _ => match value {
                "yes" | "true" | "1" => self.only_failed = true,
                _ => self.unknown.push(format!("{field}:{value}")),
            },
        }
    }

    /// What stands between blanks is sought together: `foo/bar.rs`, `a::b`.
    fn add(&mut self, text: &str, is_phrase: bool, is_beginning: bool, is_unwanted: bool) {
        let mut words = Vec::new();
        for run in runs(text).take(TERMS_MAX) {
            split(run, |part| words.push(part.to_lowercase()));
        }
        if !words.is_empty() {
            self.terms.push(Term { words, is_phrase, is_beginning, is_unwanted });
        }
    }

    /// The question for the full-text index; `None` where no word is asked for. Nothing but letters and digits of
    /// what a person typed is in it.
    pub(super) fn expression(&self) -> Option<String> {
        let joined = |is_unwanted: bool, by: &str| {
            let terms = self.terms.iter().filter(|it| it.is_unwanted == is_unwanted);
            let mut terms: Vec<String> = terms.map(|it| it.expression(is_unwanted)).collect();
            if by == " OR " && !is_unwanted {
                terms.extend(self.pairs());
            }
            (!terms.is_empty()).then(|| terms.join(by))
        };
        let wanted = joined(false, if self.all { " AND " } else { " OR " })?;
        Some(match joined(true, " OR ") {
            Some(unwanted) => format!("({wanted}) NOT ({unwanted})"),
            None => wanted,
        })
    }

    /// Words that are asked for side by side say more where they are found so.
    fn pairs(&self) -> impl Iterator<Item = String> {
        let plain = |it: &Term| !it.is_unwanted && !it.is_phrase && !it.is_beginning;
        let both = self.terms.windows(2).filter(move |it| it.iter().all(plain));
        both.filter_map(|it| {
            let (one, other) = (it[0].words.last()?, it[1].words.first()?);
            Some(format!("\"{one} {other}\""))
        })
    }

    /// The words that a snippet should show.
    pub(super) fn shown(&self) -> Vec<&str> {
        let wanted = self.terms.iter().filter(|it| !it.is_unwanted);
        wanted.flat_map(|it| it.words.iter().map(String::as_str)).collect()
    }
}

impl Term {
    fn expression(&self, is_unwanted: bool) -> String {
        let star = if self.is_beginning { " *" } else { "" };
        let together = format!("\"{}\"{star}", self.words.join(" "));
        if self.words.len() == 1 || self.is_phrase {
            return together;
        }
        // The parts of an identifier one after the other, or in one word; else some of them.
        let whole = format!("\"{}\"{star}", self.words.concat());
        let is_pairs = self.words.iter().any(|it| it.chars().any(is_spaceless));
        let mut all = vec![together];
        if !is_pairs {
            all.push(whole);
        }
        if !is_unwanted {
            let telling = self.words.iter().filter(|it| it.chars().count() > 1);
            all.extend(telling.map(|it| format!("\"{it}\"")));
        }
        format!("({})", all.join(" OR "))
    }
}

/// A field's value, which may stand in quotes, and what is behind it; `None` of what is no field.
fn value_of<'t>(field: &str, value: &'t str, rest: &'t str) -> Option<(String, &'t str)> {
    const FIELDS: [&str; 7] = ["in", "tool", "path", "session", "model", "since", "failed"];
    if !FIELDS.contains(&field) || value.is_empty() || value.starts_with(':') {
        return None;
    }
    let Some(quoted) = value.strip_prefix('"') else { return Some((value.to_owned(), rest)) };
    if let Some(value) = quoted.strip_suffix('"') {
        return Some((value.to_owned(), rest));
    }
    let (more, rest) = rest.split_once('"').unwrap_or((rest, ""));
    Some((format!("{quoted}{more}"), rest))
}

fn is_stop(word: &str) -> bool {
    STOP.split_whitespace().any(|it| it == word)
}
