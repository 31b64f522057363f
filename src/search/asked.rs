//! What somebody asks for: words, phrases, beginnings, what is not to be there, and fields.

use super::documents::Part;
use crate::parse::words::{TERMS_MAX, Term, pairs, stem, telling};

pub use crate::parse::words::QUERY_CHARS_MAX;

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
    /// Fields with a value that they cannot have, or with `-` before them.
    pub unknown: Vec<String>,
    /// There was more than is read.
    pub is_cut: bool,
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
        let mut once = Vec::new();
        asked.terms.retain(|it| {
            let is_new = !once.contains(it);
            once.extend(is_new.then(|| it.clone()));
            is_new
        });
        telling(&mut asked.terms);
        asked.is_cut |= asked.terms.len() > TERMS_MAX;
        asked.terms.truncate(TERMS_MAX);
        asked
    }

    /// Whether there is anything to look for: a word, or a field.
    pub fn asks(&self) -> bool {
        let fields = [&self.tool, &self.path, &self.session, &self.model, &self.since];
        self.terms.iter().any(|it| !it.is_unwanted)
            || !self.parts.is_empty()
            || self.only_failed
            || fields.into_iter().any(Option::is_some)
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
        if let Some((field, value)) = word.split_once(':').filter(|it| is_field(*it)) {
            if is_unwanted || value.is_empty() {
                self.unknown.push(format!("{}{word}", if is_unwanted { "-" } else { "" }));
                return &text[end..];
            }
            let (value, rest) = value_of(value, &text[end..]);
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
        if let Some(term) = Term::of(text) {
            self.terms.push(Term { is_phrase, is_beginning, is_unwanted, ..term });
        }
    }

    /// The question for the full-text index; `None` where no word is asked for. Nothing but letters and digits of
    /// what a person typed is in it.
    pub(super) fn expression(&self) -> Option<String> {
        let joined = |is_unwanted: bool, by: &str| {
            let terms = self.terms.iter().filter(|it| it.is_unwanted == is_unwanted);
            let mut terms: Vec<String> = terms.map(expression).collect();
            if by == " OR " && !is_unwanted {
                terms.extend(pairs(&self.terms).map(|it| quoted(&it)));
            }
            (!terms.is_empty()).then(|| terms.join(by))
        };
        let wanted = joined(false, if self.all { " AND " } else { " OR " })?;
        Some(match joined(true, " OR ") {
            Some(unwanted) => format!("({wanted}) NOT ({unwanted})"),
            None => wanted,
        })
    }

    /// What a snippet should show.
    pub(super) fn shown(&self) -> Vec<Shown> {
        self.terms.iter().filter(|it| !it.is_unwanted).map(Shown::of).collect()
    }
}

/// A term, as it is found again in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// Stems, one after the other; any of these.
    pub forms: Vec<Vec<String>>,
    /// In the first so many the last may be the beginning of a word.
    pub beginnings: usize,
}

impl Shown {
    fn of(term: &Term) -> Self {
        let stems = |form: Vec<String>| form.iter().map(|it| stem(it)).collect();
        let forms = term.forms().into_iter().map(stems).collect();
        Self { forms, beginnings: if term.is_beginning { term.together() } else { 0 } }
    }
}

/// Any of the forms of a term; of what is unwanted only those that are all of it.
fn expression(term: &Term) -> String {
    let (all_of_it, mut forms) = (term.together(), term.forms());
    if term.is_unwanted {
        forms.truncate(all_of_it);
    }
    let star = |at: usize| if term.is_beginning && at < all_of_it { " *" } else { "" };
    let forms: Vec<String> =
        forms.iter().enumerate().map(|(at, it)| quoted(it) + star(at)).collect();
    match &forms[..] {
        [only] => only.clone(),
        forms => format!("({})", forms.join(" OR ")),
    }
}

/// Words, one after the other.
fn quoted(words: &[String]) -> String {
    format!("\"{}\"", words.join(" "))
}

/// Whether it is a field with its value, and no `path::of` or the like.
fn is_field((field, value): (&str, &str)) -> bool {
    const FIELDS: [&str; 7] = ["in", "tool", "path", "session", "model", "since", "failed"];
    FIELDS.contains(&field) && !value.starts_with(':')
}

/// A field's value, which may stand in quotes, and what is behind it.
fn value_of<'t>(value: &str, rest: &'t str) -> (String, &'t str) {
    let Some(quoted) = value.strip_prefix('"') else { return (value.to_owned(), rest) };
    if let Some(value) = quoted.strip_suffix('"') {
        return (value.to_owned(), rest);
    }
    let (more, rest) = rest.split_once('"').unwrap_or((rest, ""));
    (format!("{quoted}{more}"), rest)
}
