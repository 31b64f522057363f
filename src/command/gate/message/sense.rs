//! What a sentence says of the work.

use std::ops::BitOrAssign;

use super::clause::Clause;
use super::lexicon::{
    ADVERBS, BE, CASES, CONDITIONS, DENIALS, FINDINGS, HEDGES, PASSES, REACHED, VERIFIED, has,
};
use super::text::Sentence;

/// What is said of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sense {
    /// It is done, or mended.
    pub done: bool,
    /// A check passed, or it works.
    pub verified: bool,
    /// Nothing was checked.
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
    /// What it says of the work.
    pub(super) fn sense(&self) -> Sense {
        let mut sense = Sense::default();
        let condition = |clause: &Clause| clause.words.iter().position(|it| has(CONDITIONS, it));
        if self.planned {
            return sense;
        }
        if let Some((clause, at)) = self.clauses.iter().find_map(|it| Some((it, condition(it)?))) {
            // `I did not check whether it builds`
            let words = &clause.words[..at];
            let read = Reading { words, titled: self.titled, first: true, hedged: false };
            return Sense { unverified: read.is_unverified(), ..sense };
        }
        let mut hedged = false;
        let mut first = true;
        for clause in &self.clauses {
            let mut read =
                Reading { words: &clause.words, titled: self.titled, first, hedged: false };
            // `it should build and pass`: what has no subject of its own goes on as it began.
            read.hedged = hedged && clause.coordinate && !read.has_subject();
            sense |= read.sense();
            hedged = read.hedged || read.any(HEDGES);
            // `I found and fixed it`
            first = matches!(read.word(0), "i" | "we");
        }
        sense
    }
}

/// A clause, while it is read.
pub(super) struct Reading<'a> {
    pub(super) words: &'a [String],
    pub(super) titled: bool,
    /// Its sentence begins with it, or goes on in it with what `I` did.
    pub(super) first: bool,
    /// It goes on with what is only hoped.
    pub(super) hedged: bool,
}

impl Reading<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    pub(super) fn first(&self, list: &str) -> Option<usize> {
        self.words.iter().position(|word| has(list, word))
    }

    pub(super) fn any(&self, list: &str) -> bool {
        self.first(list).is_some()
    }

    fn has_subject(&self) -> bool {
        let first = self.word(0);
        !(has(PASSES, first) || has(REACHED, first) || has(BE, first) || has(ADVERBS, first))
    }

    /// Whether what follows this word is denied, hoped, or only a case.
    fn unmakes(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        let none_left = word == "no" && (has("longer more", next) || has(FINDINGS, next));
        has(DENIALS, word) && !none_left || has(HEDGES, word) || has(CASES, word)
    }

    /// `a test that passes`
    fn is_relative(&self, at: usize) -> bool {
        at > 1 && has("that which who", self.word(at - 1))
    }

    /// Whether what stands here is said to be so.
    pub(super) fn is_real(&self, at: usize) -> bool {
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
            let verified = self.passes_at(at) || self.works_at(at) || self.is_marked_at(at);
            let reached = self.reached_at(at);
            sense.verified |= verified || reached && has(VERIFIED, self.word(at));
            sense.done |= reached || self.did_at(at) || self.mends_at(at);
        }
        sense
    }
}
