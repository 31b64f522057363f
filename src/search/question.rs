//! What somebody asks for: words, phrases, beginnings, what is not to be there, and fields.

use super::documents::Part;
use crate::parse::words::{
    QUERY_CHARS_MAX, TERMS_MAX, Term, is_spaceless, pairs, runs, stem, telling,
};

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
    /// Words and beginnings that are not looked for, as they were typed: those past the 32nd, and beginnings of one letter.
    pub left_out: Vec<String>,
    /// Letters at the end that are not read.
    pub left_out_chars: usize,
}

/// Words that are not looked for, of which so many are told in a sentence.
const TOLD_MAX: usize = 8;

/// A term, and how it was typed.
type Typed = (Term, String);

impl Asked {
    pub fn of(text: &str) -> Self {
        let mut asked = Self::default();
        let end = text.char_indices().nth(QUERY_CHARS_MAX).map(|it| it.0);
        let (read, behind) = text.split_at(end.unwrap_or(text.len()));
        asked.left_out_chars = behind.chars().count();
        let (mut rest, mut typed) = (read.trim_start(), Vec::new());
        while !rest.is_empty() {
            rest = asked.take(rest, &mut typed).trim_start();
        }
        for (term, _) in &typed {
            if !asked.terms.contains(term) {
                asked.terms.push(term.clone());
            }
        }
        telling(&mut asked.terms);
        let behind = asked.terms.split_off(TERMS_MAX.min(asked.terms.len()));
        let as_typed = |it: &Term| Some(typed.iter().find(|(term, _)| term == it)?.1.clone());
        asked.left_out.extend(behind.iter().filter_map(as_typed));
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

    /// What is not looked for, in a sentence.
    pub fn not_looked_for(&self) -> Option<String> {
        let told: Vec<&str> = self.left_out.iter().take(TOLD_MAX).map(String::as_str).collect();
        let words = (!told.is_empty()).then(|| {
            let more = self.left_out.len().saturating_sub(TOLD_MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let why = "32 words count, and a beginning has two letters";
            format!("not looked for: {}{more} ({why})", told.join(", "))
        });
        let chars = (self.left_out_chars > 0)
            .then(|| format!("the first {QUERY_CHARS_MAX} letters of what is looked for count"));
        let all: Vec<String> = words.into_iter().chain(chars).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Reads one term or field; gives what stands behind it.
    fn take<'t>(&mut self, text: &'t str, typed: &mut Vec<Typed>) -> &'t str {
        let (is_unwanted, text) = match text.strip_prefix('-') {
            Some(rest) if !rest.starts_with([' ', '-']) && !rest.is_empty() => (true, rest),
            _ => (false, text),
        };
        if let Some(rest) = text.strip_prefix('"') {
            let (phrase, rest) = rest.split_once('"').unwrap_or((rest, ""));
            typed.extend(self.term(phrase, true, false, is_unwanted));
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
        typed.extend(self.term(word, false, is_beginning, is_unwanted));
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
    fn term(
        &mut self,
        text: &str,
        is_phrase: bool,
        is_beginning: bool,
        is_unwanted: bool,
    ) -> Option<Typed> {
        let term = Term::of(text)?;
        let mut term = Term { is_phrase, is_beginning, is_unwanted, ..term };
        let sign = if is_unwanted { "-" } else { "" };
        let typed = if is_phrase { format!("{sign}\"{text}\"") } else { format!("{sign}{text}") };
        if let Some(behind) = runs(text).nth(TERMS_MAX) {
            let at = behind.as_ptr() as usize - text.as_ptr() as usize;
            self.left_out.push(text[at..].to_owned());
        }
        // What begins with one letter is a good part of all words there are.
        if term.is_beginning && term.words.last().is_some_and(|it| is_one_letter(it)) {
            self.left_out.push(typed.clone());
            term.is_beginning = false;
            term.words.pop();
        }
        (!term.words.is_empty()).then_some((term, typed))
    }

    /// The question for the full-text index; `None` where no word is asked for. Nothing but letters and digits of
    /// what a person typed is in it.
    pub(super) fn wanted(&self) -> Option<String> {
        let mut terms: Vec<String> = self.of_kind(false);
        if !self.all {
            terms.extend(pairs(&self.terms).map(|it| quoted(&it)));
        }
        (!terms.is_empty()).then(|| terms.join(if self.all { " AND " } else { " OR " }))
    }

    /// The same for what is not to be there.
    pub(super) fn unwanted(&self) -> Option<String> {
        let terms = self.of_kind(true);
        (!terms.is_empty()).then(|| terms.join(" OR "))
    }

    fn of_kind(&self, is_unwanted: bool) -> Vec<String> {
        self.terms.iter().filter(|it| it.is_unwanted == is_unwanted).map(expression).collect()
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

/// Of scripts without spaces, one letter may be a word, and few words begin with it.
fn is_one_letter(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|it| !is_spaceless(it)) && letters.next().is_none()
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
