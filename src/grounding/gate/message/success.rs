//! Success, as a clause says it: what passes and works, what somebody did, what became of a trouble.

use super::Reading;
use super::lexicon::{
    ACHIEVED, ADVERBS, AGENTS, BE, CASES, CHECKS, EFFORTS, FAILS, FINDINGS, MEETINGS, MENDED,
    PASSES, REACHED, REPORTS, RUNS, STUDIES, TAILS, TROUBLES, VERIFIED, WELL, WHOLES, has,
    is_check,
};

impl Reading<'_> {
    /// `all tests pass`, `it passes now`, `42 passed`, `lint clean`.
    pub(super) fn passes_at(&self, at: usize) -> bool {
        let word = self.word(at);
        let next = self.word(at + 1);
        let before = &self.words[..at];
        if self.is_result(at) {
            return true;
        }
        if !has(PASSES, word) || next == "to" {
            return false;
        }
        let bare =
            next.is_empty() || has(TAILS, next) || next.starts_with(|c: char| c.is_ascii_digit());
        let count = before.last().is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        let check = before.iter().any(|it| is_check(it));
        let whole = before.iter().any(|it| has(WHOLES, it));
        match word {
            "green" if before.iter().any(|it| has("all everything", it)) => bare,
            "ok" | "clean" | "green" => bare && check,
            "compiles" | "builds" | "compile" if next.is_empty() => whole,
            "compiles" | "builds" | "compile" => has(TAILS, next) && !before.is_empty(),
            "passed" | "pass" if count => bare,
            "passes" if at == 1 && self.words.len() <= 3 => bare, // `b passes now`
            _ => check && !has("a an the {} \"\"", next) || whole && bare,
        }
    }

    /// `exits 0`, `comes back clean`, `reports nothing`, `there were no failures`.
    fn is_result(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        let before = &self.words[..at];
        if has("exits exited returned", word) {
            let run = self.word(self.subject(at));
            let told = self.words[at + 1..].iter().find(|it| !has("with exit code status", it));
            return at > 0
                && (has("{} {test} it command", run) || has(CHECKS, run))
                && told.is_some_and(|it| has("0 zero", it));
        }
        if has(REPORTS, word) {
            return next == "nothing" && !before.is_empty();
        }
        if has("comes came come back", word) && next == if word == "back" { "to" } else { "back" } {
            return has("clean green empty", self.word(at + 2)); // `the suite is back to green`
        }
        if has("went goes gone", word) {
            return next == "through" && self.any(CHECKS);
        }
        // `failing tests: none`
        if at + 1 == self.words.len() && has("none 0 zero", word) {
            return at < 3 && has("failures failed failing", self.word(0));
        }
        // `we have a green suite`
        if word == "green" && before.iter().any(|it| has("have has got", it)) {
            return has(CHECKS, next);
        }
        if word == "fine" && before.last().is_some_and(|it| has(RUNS, it)) {
            return self.any(CHECKS);
        }
        if has("longer more", next) || !self.lacks_at(at) {
            return false;
        }
        let alone = word != "no" || has("failures errors regressions", next);
        let whole =
            self.words.len() == 2 && alone || self.any(CHECKS) || self.any("failure failures");
        match word {
            "nothing" | "none" => true,
            "without" => whole || before.iter().any(|it| has(RUNS, it)),
            _ => whole || before.last().is_some_and(|it| has(BE, it)) && self.word(0) == "there",
        }
    }

    /// `it works`, `the flag now works`, `now properly finds`, `no longer crashes`.
    pub(super) fn works_at(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        let now = self.any("now");
        let intended = |at: usize| {
            self.word(at) == "as"
                && has("expected intended designed before desired it", self.word(at + 1))
        };
        match word {
            "works" | "work" | "worked" => {
                let tail = has("now again perfectly end-to-end end", next)
                    || at == 0 && matches!(next, "" | "like" | "for")
                    || intended(at + 1);
                let whole = at > 0
                    && has("it everything all both they fix patch", self.word(self.subject(at)));
                let well = next.is_empty() || has(WELL, next) || next == "fine" || next == "great";
                tail || now || whole && well || has(WELL, next) && word == "works"
            }
            "now" => {
                let well = |it: &String| has("correctly properly successfully reliably right", it);
                self.words.len() > at + 2 && self.words[at + 1..].iter().any(well)
            }
            "behaves" | "behave" => intended(at + 1) || has(WELL, next),
            _ if has(WELL, word) || word == "fine" => at > 1 && has("again now", next),
            "no" if next == "more" => {
                has(FAILS, self.word(at + 2)) || has(FINDINGS, self.word(at + 2))
            }
            "no" if next == "longer" => {
                let verb = self.word(at + 2);
                let idle = "exists is was has needs applies does matters holds makes requires uses";
                has(FAILS, verb)
                    || has("panic hang", verb)
                    || verb.ends_with('s') && !has(idle, verb)
            }
            _ => false,
        }
    }

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
        if has("working clean green live complete functional ready", word)
            && !(next.is_empty() || has(TAILS, next) || matches!(next, "to" | "from"))
            || word == "working" && next == "on"
            || word == "done" && next.ends_with("ing")
            || word == "good" && !matches!(self.word(0), "all" | "everything" | "we")
        {
            return false;
        }
        let from = (0..at).rev().find(|it| !has(ADVERBS, self.word(*it)));
        // `the package is clean`: only of a check is that a result.
        if word == "clean" && !self.any(CHECKS) {
            return false;
        }
        if next == "nothing" || word == "good" {
            return word == "good";
        }
        let trouble = self.words[..at].iter().any(|it| has(TROUBLES, it));
        if has(MEETINGS, word) && (trouble || next == "to" && self.word(at + 2) == "be") {
            return false;
        }
        let stated = from.is_some_and(|it| it + 1 == at && has("is are was were", self.word(it)))
            && !(trouble && has(MENDED, word));
        let ruled =
            has(AGENTS, next) || next == "in" && !matches!(word, "fixed" | "resolved" | "solved");
        if stated && ruled {
            return false;
        }
        match from {
            None if word == "ready" => {
                at == 0
                    && has("merge commit ship go deploy review push release use", self.word(at + 2))
                    || next == "for"
            }
            None if self.stated && next.is_empty() && has(VERIFIED, word) => true,
            None => {
                !has("clean gone green complete working live functional passing", word)
                    && (self.first
                        && ((has(ACHIEVED, word) || has(MENDED, word)) && !self.is_adjective(at)
                            || next.is_empty())
                        || word == "done"
                            && (next.is_empty() || matches!(next, "with" | "in" | "by")))
            }
            Some(from) if has(BE, self.word(from)) => {
                has(MENDED, word) || !self.words[..from].iter().any(|it| has(STUDIES, it))
            }
            // Without a verb: `all issues resolved`, `implementation complete`.
            Some(from) if from + 1 == at && has(TROUBLES, self.word(from)) && has(MENDED, word) => {
                (from < 2 || self.words[..from].iter().any(|it| has(BE, it)))
                    && (next.is_empty() || has(TAILS, next))
            }
            Some(_) => {
                next.is_empty()
                    && self.words.len() <= 6
                    && !self.any("i we have has had a an get gets becomes become")
                    && !has("live gone working clean", word)
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

    /// `I managed to fix`, `we were able to resolve`, `I got rid of`.
    fn is_managed(&self, at: usize) -> bool {
        let person = self.words[..at].iter().any(|it| it == "i" || it == "we");
        let rid = matches!(self.word(at), "got" | "gotten") && self.word(at + 1) == "rid"
            || matches!(self.word(at), "took" | "taken") && self.word(at + 1) == "care";
        let able = matches!(self.word(at), "able" | "managed")
            && self.word(at + 1) == "to"
            && has(EFFORTS, self.word(at + 2))
            && !has("determine identify figure", self.word(at + 2));
        // `I got all tests to pass`
        let made = matches!(self.word(at), "got" | "gotten")
            && self.words[at..]
                .windows(2)
                .any(|it| it[0] == "to" && has("pass work build", &it[1]));
        person && (rid || able || made)
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
