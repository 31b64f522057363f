//! What an agent's last message is: a claim of success, or one of the honest things that are none.
//!
//! Read sentence by sentence, clause by clause, as far as words in order go: who is said to have
//! come to what, and whether that is denied, hoped, asked or only planned. No model is asked. What
//! stands in code, in quotes, or under a plan's heading says nothing of what was done.

mod denial;
mod lexicon;
mod sense;
mod success;
#[cfg(test)]
mod tests;
mod text;

use lexicon::{
    ACHIEVED, ADVERBS, ADVERSE, AGENTS, CHECKS, EFFORTS, FAILS, JOINTS, MEETINGS, PASSES, PLANS,
    REACHED, TROUBLES, has,
};
use sense::{Reading, Sense};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The work is done, something is fixed, works, passes, or was verified.
    Claim,
    /// Nothing was verified.
    Unverified,
    /// It did not succeed, or not all of it.
    Failure,
    /// It asks, and claims nothing.
    Question,
    /// It explains, plans, lists, or tells what was edited.
    Other,
}

/// Bytes of a message that are read.
const TEXT_BYTES_MAX: usize = 64 << 10;

impl Message {
    /// Reads a message.
    pub fn of(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
        let sentences = text::sentences(text);
        let mut sense = Sense::default();
        for sentence in &sentences {
            sense |= sentence.sense();
        }
        let asks = sentences.iter().any(|it| it.asks && !it.titled);
        match sense {
            // Who says what still fails claims no success, whatever else was reached.
            Sense { fails: true, .. } => Self::Failure,
            // A check that is said to have passed is claimed, whatever else was not looked at.
            Sense { verified: true, .. } => Self::Claim,
            Sense { unverified: true, .. } => Self::Unverified,
            Sense { done: true, .. } => Self::Claim,
            _ if asks => Self::Question,
            _ => Self::Other,
        }
    }
}

/// Words of one clause that are read.
const WORDS_MAX: usize = 64;

/// One clause.
#[derive(Debug, Default)]
struct Clause {
    /// Lower case; contractions are apart: `have`, `not`.
    pub words: Vec<String>,
    /// It begins behind `and`, `or`, a comma: what was said to be hoped may go on in it.
    pub coordinate: bool,
    /// It says that what comes behind its colon is a plan, or how it was.
    pub announces: bool,
}

/// The clauses of a sentence.
fn of(sentence: &str) -> Vec<Clause> {
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

// What somebody did, or what became of a trouble.

impl Reading<'_> {
    /// `I managed to fix`, `we were able to resolve`, `I got rid of`.
    fn is_managed(&self, at: usize) -> bool {
        let person = self.words[..at].iter().any(|it| it == "i" || it == "we");
        let rid = matches!(self.word(at), "got" | "gotten") && self.word(at + 1) == "rid"
            || matches!(self.word(at), "took" | "taken") && self.word(at + 1) == "care";
        let able = matches!(self.word(at), "able" | "managed")
            && self.word(at + 1) == "to"
            && has(EFFORTS, self.word(at + 2))
            && !has("determine identify figure", self.word(at + 2));
        person && (rid || able)
    }

    /// `the leak has been plugged`: of a trouble, whatever is not only to meet it.
    fn is_undone_at(&self, at: usize) -> bool {
        let word = self.word(at);
        let trouble = || self.words[..at].iter().any(|it| has(TROUBLES, it));
        // `the error went away`, `the regression is no more`
        if matches!(word, "disappeared" | "vanished")
            || word == "went" && self.word(at + 1) == "away"
            || word == "no" && self.word(at + 1) == "more" && at + 2 == self.words.len()
        {
            return trouble();
        }
        let past = word.ends_with("ed") || matches!(word, "taken" | "gone" | "dealt" | "cut");
        past && !has(MEETINGS, word)
            && !has(AGENTS, self.word(at + 1))
            && trouble()
            && self.words[..at].iter().any(|it| it == "been")
            && at > 0
            && (has("been", self.word(at - 1)) || has(ADVERBS, self.word(at - 1)))
    }

    /// `this fixes the bug`
    fn mends_at(&self, at: usize) -> bool {
        let subject = self.words[..at].iter().rfind(|it| !has(ADVERBS, it)).map_or("", |it| it);
        let object = &self.words[at + 1..self.words.len().min(at + 6)];
        let trouble = object.iter().any(|it| has(TROUBLES, it) || has(FAILS, it));
        let mends = match self.word(at) {
            "fixes" => true,
            "resolves" | "solves" | "fixed" | "resolved" | "solved" => {
                trouble || matches!(self.word(at + 1), "it" | "both")
            }
            _ => false,
        };
        mends
            && has("this that change patch commit which", subject)
            && matches!(self.word(at + 1), "the" | "your" | "all" | "both" | "it")
    }

    /// `I fixed`, `we have successfully implemented`, `removed successfully`.
    fn did_at(&self, at: usize) -> bool {
        let word = self.word(at);
        if word == "successfully" {
            let past = |word: &str| {
                word.ends_with("ed")
                    || word.ends_with("built")
                    || matches!(word, "ran" | "made" | "set" | "written" | "split")
            };
            return past(self.word(at + 1)) || at > 0 && past(self.word(at - 1));
        }
        if at > 0 && self.is_managed(at) {
            return true;
        }
        if !has(ACHIEVED, word) || self.word(at + 1) == "nothing" {
            return false;
        }
        let person = self.words[..at].iter().rposition(|it| it == "i" || it == "we");
        let Some(person) = person else { return false };
        // `the bug we fixed` tells of another time.
        if person > 0 && !has(ADVERBS, self.word(person - 1)) {
            return false;
        }
        let object = &self.words[at..self.words.len().min(at + 5)];
        let finding = matches!(word, "verified" | "validated" | "confirmed")
            && object
                .iter()
                .any(|it| matches!(it.as_str(), "bug" | "issue" | "problem" | "cause" | "exists"));
        let mut between = person + 1;
        while matches!(self.word(between), "have" | "had") || has(ADVERBS, self.word(between)) {
            between += 1;
        }
        between == at && !finding
    }
}
