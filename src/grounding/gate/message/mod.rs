//! What an agent's last message is: a claim of success, or one of the honest things that are none.
//!
//! Read sentence by sentence, clause by clause, as far as words in order go: who is said to have
//! come to what, and whether that is denied, hoped, asked or only planned. No model is asked. What
//! stands in code, in quotes, or under a plan's heading says nothing of what was done.

mod denial;
mod lexicon;
mod partial;
mod success;
#[cfg(test)]
mod tests;
mod text;

use std::ops::BitOrAssign;

use lexicon::{
    ADVERBS, BE, CASES, CHECKS, CONDITIONS, DENIALS, DETERMINERS, FAILS, FINDINGS, HEDGES, ORDERS,
    PASSES, REACHED, TAILS, UNSAID, VERIFIED, has, is_check,
};
use text::{Clause, Sentence, sentences};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// The work is done, something is fixed, works, passes, or was verified.
    Claim,
    Unverified,
    /// It did not succeed, or not all of it.
    Failure,
    /// It asks, and claims nothing.
    Question,
    /// It explains, plans, lists, or tells what was edited.
    Other,
}

/// Of a longer message the end is read: there it says what was reached.
const TEXT_BYTES_MAX: usize = 64 << 10;

impl Message {
    pub fn of(text: &str) -> Self {
        let from = text.ceil_char_boundary(text.len().saturating_sub(TEXT_BYTES_MAX));
        let sentences = sentences(&text[from..], text::fence_at(&text[..from]));
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sense {
    /// It is done, or mended.
    pub done: bool,
    /// A check passed, or it works.
    pub verified: bool,
    pub unverified: bool,
    /// Something fails, or could not be done.
    pub fails: bool,
}

impl BitOrAssign for Sense {
    fn bitor_assign(&mut self, other: Self) {
        self.done |= other.done;
        self.verified |= other.verified;
        self.unverified |= other.unverified;
        self.fails |= other.fails;
    }
}

impl Sentence {
    fn sense(&self) -> Sense {
        let mut sense = Sense::default();
        let condition = |clause: &Clause| clause.words.iter().position(|it| has(CONDITIONS, it));
        if self.planned {
            return sense;
        }
        if let Some((clause, at)) = self.clauses.iter().find_map(|it| Some((it, condition(it)?))) {
            // `I did not check whether it builds`
            let words = &clause.words[..at];
            let read = Reading { words, titled: self.titled, first: true, ..Reading::default() };
            return Sense { unverified: read.is_unverified(), ..sense };
        }
        let (mut hedged, mut stated) = (false, false);
        let mut first = true;
        let mut before: &[String] = &[];
        for clause in &self.clauses {
            let mut read = Reading {
                words: &clause.words,
                titled: self.titled,
                first,
                stated: stated && clause.coordinate,
                hedged: false,
            };
            // `it should build and pass`: what has no subject of its own goes on as it began.
            read.hedged = hedged && clause.coordinate && !read.has_subject();
            read.hedged |= read.is_order();
            // `ideally, all tests pass`
            read.hedged |= clause.coordinate && matches!(before, [word] if has(UNSAID, word));
            let said = read.sense();
            sense |= said;
            let taken_out = match clause.against {
                Some("except") => true,
                Some("but") => read.is_taken_out(before),
                _ => read.has_exception(),
            };
            // `the tests run and fail`
            let goes_on = clause.coordinate
                && has("fail fails failed", read.word(0))
                && read.word(1) != "as"
                && before.iter().any(|it| is_check(it));
            sense.fails |= taken_out && sense.verified || goes_on && !hedged;
            if clause.announces {
                break;
            }
            before = &clause.words;
            hedged = read.hedged || read.any(HEDGES);
            stated = read.any(BE) && !read.any(DENIALS);
            // `I found and fixed it`
            // `tracked it down and fixed it`
            let past = |word: &str| word.ends_with("ed") || has("found made wrote got ran", word);
            first = matches!(read.word(0), "i" | "we") || first && past(read.word(0));
        }
        sense
    }
}

/// A clause, while it is read.
#[derive(Default)]
struct Reading<'a> {
    words: &'a [String],
    titled: bool,
    /// Its sentence begins with it, or goes on in it with what `I` did.
    first: bool,
    /// It may go on with what the clause before it says to be.
    stated: bool,
    /// It goes on with what is only hoped, or tells somebody to do something.
    hedged: bool,
}

impl Reading<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    fn first(&self, list: &str) -> Option<usize> {
        self.words.iter().position(|word| has(list, word))
    }

    fn any(&self, list: &str) -> bool {
        self.first(list).is_some()
    }

    fn has_subject(&self) -> bool {
        let first = self.word(0);
        !(has(PASSES, first) || has(REACHED, first) || has(BE, first) || has(ADVERBS, first))
    }

    /// Whether what follows this word is denied, hoped, or only a case.
    fn unmakes(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        if word == "as" && next == "of"
            || word == "not" && next == "only"
            || self.lacks_at(at)
            || word == "after" && self.is_change(at + 1)
            // `the edit to a.py` wants nothing.
            || word == "to" && (has(DETERMINERS, next) || next.contains(['.', '/', '_']))
        {
            return false;
        }
        let earlier = word == "in" && has("old previous original former", self.word(at + 2));
        has(DENIALS, word) || has(HEDGES, word) || has(CASES, word) || earlier || self.is_goal(at)
    }

    /// Whether this word denies something that would be bad: `no failures`, `without a single error`.
    fn lacks_at(&self, at: usize) -> bool {
        if !has("no none nothing without zero 0 not", self.word(at)) {
            return false;
        }
        let bad = |it: &str| has(FINDINGS, it) || has(FAILS, it);
        // `no error handling`, `no tests for errors` lack something else.
        let near = |from: usize| {
            let found = (from..from + 4).find(|it| bad(self.word(*it)));
            found.is_some_and(|it| {
                let mut end = it + 1;
                while has(FINDINGS, self.word(end)) || has(CHECKS, self.word(end)) {
                    end += 1;
                }
                let next = self.word(end);
                let alone = next.is_empty()
                    || has(TAILS, next)
                    || has("any left remain remains remaining found reported were was this", next);
                alone && !(from..it).any(|it| has("for with about in on", self.word(it)))
            })
        };
        match (self.word(at), self.word(at + 1)) {
            ("no", "longer" | "more") => true,
            ("no" | "zero" | "0" | "without", _) | ("not", "a" | "one") | ("none", "of") => {
                near(at + 1)
            }
            ("none" | "nothing", next) => bad(next) || has(BE, next) && bad(self.word(at + 2)),
            _ => false,
        }
    }

    /// `the change`, `this fix`
    fn is_change(&self, at: usize) -> bool {
        has(DETERMINERS, self.word(at))
            && has("change changes fix patch edit edits commit rebase", self.word(at + 1))
    }

    /// `run the tests`, `check that it works`
    fn is_order(&self) -> bool {
        has(ORDERS, self.word(0)) && has(DETERMINERS, self.word(1))
    }

    /// `a test that passes`, `the tests that were red`
    fn is_relative(&self, at: usize) -> bool {
        let relative = |at: usize| at > 0 && has("that which who", self.word(at));
        at > 0 && relative(at - 1) || at > 1 && relative(at - 2) && has(BE, self.word(at - 1))
    }

    fn is_real(&self, at: usize) -> bool {
        !self.hedged && !self.is_relative(at) && !(0..at).any(|it| self.unmakes(it))
    }

    fn sense(&self) -> Sense {
        let mut sense = Sense {
            unverified: self.is_unverified(),
            fails: self.is_failure(),
            ..Sense::default()
        };
        for at in 0..self.words.len() {
            // What comes behind a denial or a hope is neither.
            if self.hedged || at > 0 && self.unmakes(at - 1) {
                break;
            }
            if self.is_relative(at) {
                continue;
            }
            if self.is_share(at) || self.is_at_times(at) || self.is_awaited(at) {
                continue;
            }
            let verified = self.passes_at(at) || self.works_at(at) || self.is_marked_at(at);
            let reached = self.reached_at(at);
            sense.verified |= verified || reached && has(VERIFIED, self.word(at));
            sense.done |= reached || self.did_at(at) || self.mends_at(at) || self.is_undone_at(at);
        }
        sense
    }
}
