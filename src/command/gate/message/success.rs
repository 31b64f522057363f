//! Success, as a clause says it.

use super::lexicon::{
    ACHIEVED, ADVERBS, AGENTS, BE, CASES, CHECKS, FAILS, FINDINGS, PASSES, REACHED, STUDIES, TAILS,
    WELL, WHOLES, has,
};
use super::sense::Reading;

impl Reading<'_> {
    /// `all tests pass`, `it passes now`, `42 passed`, `lint clean`.
    pub(super) fn passes_at(&self, at: usize) -> bool {
        let word = self.word(at);
        let next = self.word(at + 1);
        let before = &self.words[..at];
        if has(FINDINGS, word) {
            let none =
                matches!(at.checked_sub(1).map(|it| self.word(it)), Some("no" | "0" | "zero"));
            return none && (self.any(CHECKS) || self.words.len() == 2 && self.word(0) != "no");
        }
        if !has(PASSES, word) || next == "to" {
            return false;
        }
        let bare =
            next.is_empty() || has(TAILS, next) || next.starts_with(|c: char| c.is_ascii_digit());
        let count = before.last().is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        let check = before.iter().any(|it| has(CHECKS, it));
        let whole = before.iter().any(|it| has(WHOLES, it));
        match word {
            "ok" | "clean" | "green" => bare && check,
            "compiles" | "builds" | "compile" => has(TAILS, next) && !before.is_empty(),
            "passed" | "pass" if count => bare,
            _ => check && !has("a an the {} \"\"", next) || whole && bare,
        }
    }

    /// `it works`, `the flag now works`, `now properly finds`, `no longer crashes`.
    pub(super) fn works_at(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        let now = at > 0 && self.word(at - 1) == "now";
        match word {
            "works" | "work" | "worked" => {
                let tail = matches!(next, "now" | "again" | "perfectly" | "end-to-end" | "end")
                    || at == 0 && matches!(next, "" | "like" | "for")
                    || next == "as"
                        && matches!(
                            self.word(at + 2),
                            "expected" | "intended" | "designed" | "before" | "desired" | "it"
                        );
                let whole = at > 0
                    && matches!(
                        self.word(self.subject(at)),
                        "it" | "everything" | "all" | "both" | "they"
                    );
                let well = next.is_empty() || has(WELL, next) || next == "fine" || next == "great";
                tail || now || whole && well || has(WELL, next) && word == "works"
            }
            "now" => {
                has("correctly properly successfully reliably", next)
                    && !self.word(at + 2).is_empty()
            }
            "no" if next == "more" => {
                has(FAILS, self.word(at + 2)) || has(FINDINGS, self.word(at + 2))
            }
            "no" if next == "longer" => {
                let gone = "happens occurs appears leaks blocks errors panic hang";
                has(FAILS, self.word(at + 2)) || has(gone, self.word(at + 2))
            }
            _ => false,
        }
    }

    /// The word before this one that is no adverb.
    pub(super) fn subject(&self, at: usize) -> usize {
        let mut at = at.saturating_sub(1);
        while at > 0 && has(ADVERBS, self.word(at)) && !has(WHOLES, self.word(at)) {
            at -= 1;
        }
        at
    }

    /// `✓ unit tests`, `lint: ✓`.
    pub(super) fn is_marked_at(&self, at: usize) -> bool {
        self.word(at) == "\u{2713}"
            && self.words.len() <= 8
            && self.any(CHECKS)
            && !self.words.iter().any(|it| it == "\u{2717}")
    }

    /// `is fixed`, `have been resolved`, `done` alone, `implementation complete`.
    pub(super) fn reached_at(&self, at: usize) -> bool {
        let word = self.word(at);
        if !has(REACHED, word) || self.titled {
            return false;
        }
        let next = self.word(at + 1);
        // `is working code`, `a clean design`: it tells of a noun.
        if matches!(
            word,
            "working" | "clean" | "green" | "live" | "complete" | "functional" | "ready"
        ) && !(next.is_empty() || has(TAILS, next) || matches!(next, "to" | "from"))
            || word == "working" && next == "on"
            || word == "good" && !matches!(self.word(0), "all" | "everything" | "we")
        {
            return false;
        }
        let from = (0..at).rev().find(|it| !has(ADVERBS, self.word(*it)));
        // `the package is clean`: only of a check is that a result.
        if word == "clean" && !self.any(CHECKS) {
            return false;
        }
        // `the check is done by the server`
        if next == "nothing" || word == "good" {
            return word == "good";
        }
        let stated = from.is_some_and(|it| it + 1 == at && has("is are was were", self.word(it)));
        let ruled =
            has(AGENTS, next) || next == "in" && !matches!(word, "fixed" | "resolved" | "solved");
        if stated && ruled {
            return false;
        }
        match from {
            None if word == "ready" => {
                at == 0
                    && matches!(
                        self.word(at + 2),
                        "merge"
                            | "commit"
                            | "ship"
                            | "go"
                            | "deploy"
                            | "review"
                            | "push"
                            | "release"
                            | "use"
                    )
                    || next == "for"
            }
            None => {
                !matches!(
                    word,
                    "clean"
                        | "gone"
                        | "green"
                        | "complete"
                        | "working"
                        | "live"
                        | "functional"
                        | "passing"
                ) && (self.first
                    && (has(ACHIEVED, word) && !self.is_adjective(at) || next.is_empty())
                    || word == "done" && (next.is_empty() || matches!(next, "with" | "in" | "by")))
            }
            Some(from) if has(BE, self.word(from)) => {
                !self.words[..from].iter().any(|it| has(STUDIES, it))
            }
            // Without a verb: `all issues resolved`, `implementation complete`.
            Some(_) => {
                next.is_empty()
                    && self.words.len() <= 6
                    && !self.any("i we have has had a an get gets becomes become")
                    && !matches!(word, "live" | "gone" | "working" | "clean")
            }
        }
    }

    /// `completed orders are archived`
    pub(super) fn is_adjective(&self, at: usize) -> bool {
        let rest = &self.words[at + 1..];
        let end = rest.iter().position(|it| has(CASES, it) || it == "that").unwrap_or(rest.len());
        rest[..end].iter().any(|it| has(BE, it))
            && rest.first().is_some_and(|it| !has("the a all both", it))
    }

    /// `this fixes the bug`
    pub(super) fn mends_at(&self, at: usize) -> bool {
        let subject = self.words[..at].iter().rfind(|it| !has(ADVERBS, it)).map_or("", |it| it);
        has("fixes resolves solves", self.word(at))
            && has("this change patch commit which", subject)
            && matches!(self.word(at + 1), "the" | "your" | "all" | "both" | "it")
    }

    /// `I fixed`, `we have successfully implemented`, `removed successfully`.
    pub(super) fn did_at(&self, at: usize) -> bool {
        let word = self.word(at);
        if word == "successfully" {
            let past = |word: &str| {
                word.ends_with("ed")
                    || matches!(word, "built" | "ran" | "made" | "set" | "written" | "split")
            };
            return past(self.word(at + 1)) || at > 0 && past(self.word(at - 1));
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
