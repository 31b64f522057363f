//! What somebody did, or what became of a trouble.

use super::lexicon::{ACHIEVED, ADVERBS, AGENTS, EFFORTS, FAILS, MEETINGS, TROUBLES, has};
use super::sense::Reading;

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
    pub(super) fn is_undone_at(&self, at: usize) -> bool {
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
    pub(super) fn mends_at(&self, at: usize) -> bool {
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
    pub(super) fn did_at(&self, at: usize) -> bool {
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
