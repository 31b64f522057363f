//! Clauses: the words between two joints of a sentence.

use super::lexicon::{ADVERSE, CHECKS, JOINTS, PASSES, PLANS, REACHED, has};

/// Words of one clause that are read.
const WORDS_MAX: usize = 64;

/// One clause.
#[derive(Debug, Default)]
pub(super) struct Clause {
    /// Lower case; contractions are apart: `have`, `not`.
    pub words: Vec<String>,
    /// It begins behind `and`, `or`, a comma: what was said to be hoped may go on in it.
    pub coordinate: bool,
    /// It says that what comes behind its colon is a plan, or how it was.
    pub announces: bool,
}

/// The clauses of a sentence.
pub(super) fn of(sentence: &str) -> Vec<Clause> {
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
            if has(ADVERSE, word) {
                begin(false, &mut found);
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
            if last.announces || !last.words.iter().any(|it| has(CHECKS, it)) {
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
