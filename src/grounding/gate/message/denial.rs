//! What a clause says was not checked, or did not succeed.

use super::Reading;
use super::lexicon::{
    CASES, CHECKING, CHECKS, DENIALS, EFFORTS, FAILS, FINDINGS, TROUBLES, WORKS, has,
};

impl Reading<'_> {
    /// `I did not run the tests`, `nothing was verified`, `untested`, `ran no checks`.
    pub(super) fn is_unverified(&self) -> bool {
        if self.hedged {
            return false;
        }
        if self.any("untested unverified unchecked") {
            return true;
        }
        if self.word(0) == "i" && self.word(1) == "skipped"
            || self.word(0) == "verification" && self.any("skipped")
        {
            return self.any(CHECKS);
        }
        let Some(denied) = self.words.iter().position(|it| has(DENIALS, it)) else { return false };
        let behind = self.words[denied..].iter().position(|it| has(CHECKING, it));
        let checking = behind.map(|it| it + denied).or(self.first(CHECKING));
        let checks = self.any(CHECKS);
        let word = self.word(denied);
        let elided = has("have has did could was", self.word(0));
        let person =
            self.any("i we") || denied == 0 || elided || matches!(word, "nothing" | "none");
        let before = self.word(denied.saturating_sub(1));
        let Some(checking) = checking else {
            // That there are none says nothing of what was done.
            return word == "no"
                && !self.any("exist exists there")
                && has("tests checks verification testing", self.word(denied + 1))
                && !self.any(FINDINGS);
        };
        let made =
            |it: &String| has("run ran done executed performed made verified tested checked", it);
        match word {
            "no" => checks && !self.any(FINDINGS) && self.words.iter().any(made),
            "not" if checking > denied => {
                // `it will not compile` tells how it is, not what was left out.
                let past = self.word(checking).ends_with("ed")
                    || matches!(self.word(checking), "run" | "built");
                let perfect = denied == 0
                    || has("have has had was were been is are am be but", before)
                    || has(CHECKS, before);
                let could = matches!(before, "did" | "could" | "can");
                (past && perfect || could)
                    && (person
                        || checks
                        || self.any(WORKS)
                        || self.any("changes edit edits result"))
            }
            _ if checking > denied => person || checks,
            // `verified nothing`
            _ => word == "nothing" && checking + 1 == denied && !self.lacks_at(denied),
        }
    }

    /// `two tests still fail`, `I could not fix it`, `it is not fixed`.
    pub(super) fn is_failure(&self) -> bool {
        if self.hedged || self.titled {
            return false;
        }
        let denied = self.words.iter().position(|it| has(DENIALS, it));
        let failing = self.first(FAILS);
        if let Some(at) = failing
            && denied.is_none()
            && self.is_real(at)
            && !(0..at).any(|it| self.lacks_at(it))
        {
            let before = &self.words[..at];
            let still = before.iter().any(|it| it == "still") || self.word(at + 1) == "still";
            // `b fails now`
            let named = at == 1
                && has("fail fails", self.word(1))
                && self.words.len() <= 3
                && !has("it this that which", self.word(0));
            return still
                || named
                || self.is_other(at)
                    && has("fail fails failing broken red", self.word(at))
                    && self.word(at + 1) != "before";
        }
        let person = self.first("i we");
        let stuck = person == Some(0) && self.any("stuck");
        let persists = self.words.last().is_some_and(|it| it == "persists" || it == "remains")
            && self.any(TROUBLES);
        let end = self.words.len().saturating_sub(2);
        let counted = matches!(self.word(end + 1), "failed" | "failing")
            && (end == 0 || self.word(end - 1) == "with")
            && self.word(end).parse::<u64>().is_ok_and(|it| it > 0);
        if denied.is_none() && (stuck || persists || counted) {
            return true;
        }
        let failed_to =
            self.words.windows(2).any(|it| it[0] == "failed" && it[1] == "to") && person.is_some();
        let Some(denied) = denied else { return failed_to };
        // `the tests do not`
        if self.word(denied) == "not" && denied + 1 == self.words.len() && denied > 0 {
            return has("do does did are is", self.word(denied - 1)) && self.is_other(denied);
        }
        let rest = &self.words[denied + 1..];
        if self.words[..denied].iter().any(|it| has(CASES, it)) {
            return false;
        }
        let could = denied > 0
            && matches!(
                self.word(denied - 1),
                "could" | "can" | "was" | "did" | "am" | "are" | "were"
            )
            || self.word(denied) == "unable";
        let effort = rest
            .iter()
            .find(|it| !has("able to manage yet fully", it))
            .is_some_and(|it| has(EFFORTS, it));
        if person.is_some_and(|it| it < denied) && could && effort {
            return true;
        }
        // Of the work itself: `it is not fixed`, `the build does not pass`.
        let whole = self.words[..denied]
            .iter()
            .any(|it| has(CHECKS, it) || has(WORKS, it) || has(TROUBLES, it))
            || denied == 0
            || person == Some(0);
        let reached = rest.first().is_some_and(|it| {
            has("fixed resolved solved working passing done complete finished", it)
                || has("work pass compile build", it)
        });
        failed_to || whole && reached && self.is_real(denied.saturating_sub(1))
    }
}
