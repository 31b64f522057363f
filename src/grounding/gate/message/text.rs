//! A message's sentences and their clauses: without code and quotations, and knowing what stands under a plan.

use super::lexicon::{ADVERSE, CHECKS, JOINTS, PASSES, PLANS, QUESTIONS, REACHED, has};

#[derive(Debug, Default)]
pub(super) struct Sentence {
    pub clauses: Vec<Clause>,
    pub asks: bool,
    /// It stands under a heading or a line that announces a plan, options, or how it was before.
    pub planned: bool,
    /// It is a heading, or a table's row: what it names need not have happened.
    pub titled: bool,
}

/// A line of a message, without its marks.
struct Line<'a> {
    text: &'a str,
    heading: bool,
    item: bool,
    row: bool,
}

/// The mark of the code that is open behind a text.
pub(super) fn fence_at(text: &str) -> Option<&'static str> {
    text.lines().fold(None, |open, line| fenced(open, fence_of(line.trim())))
}

fn fence_of(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))
}

fn fenced(open: Option<&'static str>, mark: Option<&'static str>) -> Option<&'static str> {
    if open.is_some() && open == mark { None } else { open.or(mark) }
}

/// Of a text that begins in code, where `fence` is open.
pub(super) fn sentences(text: &str, fence: Option<&'static str>) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut fence = fence;
    // Under a heading until the next one; under a line until its list ends.
    let (mut section, mut list) = (false, false);
    for raw in text.lines() {
        let line = raw.trim();
        let mark = fence_of(line);
        fence = fenced(fence, mark);
        if fence.is_some() || mark.is_some() || line.is_empty() || line.starts_with('>') {
            continue;
        }
        let line = Line::of(line);
        let words = plain(line.text);
        if line.heading {
            section = announces_plan(&words);
            list = false;
        } else if !line.item && !line.row {
            list = false;
        }
        for mut sentence in split(&words) {
            sentence.planned = section || list;
            sentence.titled = line.heading || line.row;
            found.push(sentence);
        }
        if !line.heading && !line.row && words.ends_with(':') {
            let last = words.rsplit_once(['.', '!', '?']).map_or(&*words, |(_, last)| last);
            list |= announces_plan(last);
        }
    }
    found
}

/// Whether what follows is what may be or was, not what is.
fn announces_plan(words: &str) -> bool {
    let mut clauses = clauses(words).into_iter();
    clauses.any(|clause| clause.words.iter().any(|word| has(PLANS, word)))
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        // `#1 is fixed` begins with a number.
        let marked = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        let heading = marked || is_bold_title(line);
        let row = line.starts_with('|');
        let text = line.trim_start_matches('#').trim_start();
        let bare = text.trim_start_matches(['-', '*', '+', '\u{2022}']).trim_start();
        let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let dotted = numbered.strip_prefix(['.', ')']).filter(|_| numbered.len() < text.len());
        let item = dotted.is_some() || bare.len() < text.len() && !text.starts_with("**");
        Self { text: dotted.unwrap_or(bare), heading, item, row }
    }
}

/// `**Next steps**`, `**Options:**` alone on a line.
fn is_bold_title(line: &str) -> bool {
    let inner = line.strip_prefix("**").and_then(|it| it.trim_end_matches(':').strip_suffix("**"));
    inner.is_some_and(|inner| !inner.contains("**") && !inner.ends_with(['.', '!', '?']))
}

/// A line without markup: code is `{}`, of a test `{test}`, a quotation is `""`, check marks are words of their own.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        let close = match c {
            '`' => Some('`'),
            '"' => Some('"'),
            '\u{201c}' => Some('\u{201d}'),
            _ => None,
        };
        let ended = close.and_then(|close| behind.find(close).map(|at| (at, close)));
        rest = match (c, ended) {
            (_, Some((at, close))) => {
                let code = &behind[..at];
                out.push_str(match c {
                    '`' if code.contains("test") || code.contains("Test") => " {test} ",
                    '`' => " {} ",
                    _ => " \"\" ",
                });
                &behind[at + close.len_utf8()..]
            }
            ('\u{2705}' | '\u{2713}' | '\u{2714}' | '\u{2611}', _) => {
                pushed(&mut out, " \u{2713} ", behind)
            }
            ('\u{274c}' | '\u{2717}' | '\u{2718}', _) => pushed(&mut out, " \u{2717} ", behind),
            ('\u{2019}' | '\u{2018}', _) => pushed(&mut out, "'", behind),
            ('*' | '~' | '\u{fe0f}' | '[', _) => behind,
            (']', _) => behind
                .strip_prefix('(')
                .and_then(|it| it.split_once(')'))
                .map_or(behind, |(_, it)| it),
            ('|', _) => pushed(&mut out, " , ", behind),
            _ => {
                out.extend(c.to_lowercase());
                behind
            }
        };
    }
    out.trim().to_owned()
}

fn pushed<'a>(out: &mut String, text: &str, rest: &'a str) -> &'a str {
    out.push_str(text);
    rest
}

fn split(line: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut from = 0;
    let ends = |at: usize| line[at..].chars().next().is_none_or(char::is_whitespace);
    for (at, c) in line.char_indices() {
        let end = at + c.len_utf8();
        // `Plan: 1. fix it, 2. test it` is one sentence.
        let numbers = c == '.' && {
            let before = line[from..at].trim_end_matches(|it: char| it.is_ascii_digit());
            before.len() < at - from && before.trim_end().ends_with([':', ',', ';'])
        };
        if matches!(c, '.' | '!' | '?') && ends(end) && !numbers {
            found.extend(sentence(&line[from..end]));
            from = end;
        }
    }
    found.extend(sentence(&line[from..]));
    found
}

fn sentence(text: &str) -> Option<Sentence> {
    let asks = text.trim_end().ends_with('?');
    let mut clauses = clauses(text);
    if clauses.is_empty() {
        return None;
    }
    if asks {
        let question =
            |clause: &Clause| clause.words.first().is_some_and(|word| has(QUESTIONS, word));
        match clauses.iter().position(question) {
            // `All tests pass, shall I commit?` says something before it asks.
            Some(at) => clauses.truncate(at),
            None => clauses.clear(),
        }
    }
    Some(Sentence { clauses, asks, ..Sentence::default() })
}

const WORDS_MAX: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Clause {
    /// Lower case; contractions are apart: `have`, `not`.
    pub words: Vec<String>,
    /// It begins behind `and`, `or`, a comma: what was said to be hoped may go on in it.
    pub coordinate: bool,
    /// It says that what comes behind its colon is a plan, or how it was.
    pub announces: bool,
    /// The word that it begins behind, where that turns against what comes before.
    pub against: Option<&'static str>,
}

fn clauses(sentence: &str) -> Vec<Clause> {
    let mut found: Vec<Clause> = vec![Clause::default()];
    let begin = |coordinate: bool, found: &mut Vec<Clause>| {
        if found.last().is_some_and(|last| last.words.is_empty()) {
            found.pop();
        }
        found.push(Clause { coordinate, ..Clause::default() });
    };
    for raw in sentence.split_whitespace() {
        if matches!(raw, "-" | "--" | "\u{2014}" | "\u{2013}" | "\u{2192}" | "=>" | "->") {
            begin(false, &mut found);
            continue;
        }
        if raw.starts_with('(') {
            begin(false, &mut found);
        }
        let ends = raw.ends_with([',', ';', ')']) || raw.contains('\u{2014}');
        for part in raw.split('\u{2014}') {
            let word =
                part.trim_matches(|c: char| ",;().!?\u{2026}'".contains(c)).trim_end_matches(':');
            if let Some(against) = ADVERSE.split(' ').find(|it| *it == word) {
                begin(false, &mut found);
                if let Some(last) = found.last_mut() {
                    last.against = Some(against);
                }
            } else if has(JOINTS, word) {
                begin(true, &mut found);
            } else if let Some(last) = found.last_mut() {
                push(&mut last.words, word);
            }
        }
        if ends {
            begin(raw.ends_with(','), &mut found);
        }
        if raw.ends_with(':')
            && let Some(last) = found.last_mut()
        {
            last.announces = announces(&last.words);
            // `unit tests: all pass` is one clause.
            let counts = |it: &String| has(CHECKS, it) || has("failures failed failing", it);
            let is_guess = last.words.iter().any(|it| has(PLANS, it));
            if is_guess || !last.words.iter().any(counts) {
                begin(false, &mut found);
            }
        }
    }
    found.retain(|clause| !clause.words.is_empty());
    found
}

/// Whether what comes behind its colon is only planned. `it should be good now: all tests pass` guesses,
/// and says why.
fn announces(words: &[String]) -> bool {
    let mut plans = words.iter().filter(|it| has(PLANS, it)).peekable();
    let guesses = words.iter().any(|it| has(REACHED, it) || has(PASSES, it) || it == "work");
    plans.peek().is_some() && !(guesses && plans.all(|it| has("should would will", it)))
}

/// Takes a word, a contraction as what it stands for.
fn push(words: &mut Vec<String>, word: &str) {
    if word.is_empty() || words.len() >= WORDS_MAX {
        return;
    }
    let mut add = |word: &str| words.push(word.to_owned());
    match word.split_once('\'') {
        Some(("can", "t")) => ["can", "not"].into_iter().for_each(add),
        Some(("won", "t")) => ["will", "not"].into_iter().for_each(add),
        Some((stem, "t")) => [stem.trim_end_matches('n'), "not"].into_iter().for_each(add),
        Some((stem, "ve")) => [stem, "have"].into_iter().for_each(add),
        Some((stem, "re" | "m")) => [stem, "are"].into_iter().for_each(add),
        Some((stem, "ll")) => [stem, "will"].into_iter().for_each(add),
        Some(("let", "s")) => ["let", "us"].into_iter().for_each(add),
        Some((
            stem @ ("it" | "that" | "this" | "everything" | "all" | "what" | "here" | "there"),
            "s",
        )) => {
            [stem, "is"].into_iter().for_each(add);
        }
        Some((stem, "s" | "")) => add(stem),
        Some((stem, "d")) => [stem, "would"].into_iter().for_each(add),
        _ if word == "cannot" => ["can", "not"].into_iter().for_each(add),
        _ => add(word),
    }
}
