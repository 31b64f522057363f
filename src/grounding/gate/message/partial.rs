//! What a success is less than it sounds: not of all, not of now, only a goal.

use super::Reading;
use super::lexicon::{BE, CASES, CONDITIONS, DETERMINERS, GOALS, PASSES, UNSAID, has, is_check};

impl Reading<'_> {
    /// `apart from b`, `with the exception of b`, and what begins behind `except`.
    pub(super) fn has_exception(&self) -> bool {
        let pair = |it: &[String]| {
            matches!(
                (&*it[0], &*it[1]),
                ("apart" | "aside", "from") | ("exception", "of") | ("other", "than")
            )
        };
        self.any("excluding") || self.words.windows(2).any(pair)
    }

    /// Whether it takes something out of what the clause before `but` says: `one`, `the lint passes` behind
    /// `everything`, `not on this branch`.
    pub(super) fn is_taken_out(&self, before: &[String]) -> bool {
        let of_all = before.last().is_some_and(|it| has("all every everything each any", it));
        let first = self.word(0);
        let thing = is_check(first) || has("one two three the {} not", first);
        let bare = !self.any(BE) && !self.any("now fixed do does did run runs ran");
        of_all || self.words.len() <= 4 && thing && bare
    }

    /// `3 of 5 tests`, `3/5 tests`, `0 tests`, `some tests` before what passes: not all do.
    pub(super) fn is_share(&self, at: usize) -> bool {
        let number = |it: &str| match it {
            "none" | "no" | "zero" => Some(0),
            it => it.parse::<u64>().ok(), // no number
        };
        (0..at).any(|from| {
            let word = self.word(from);
            let fraction = word.split_once('/').and_then(|(some, all)| {
                Some((number(some)?, number(all)?)) // a path
            });
            let of = |all: usize| Some((number(word)?, number(self.word(all))?));
            let apart = match (self.word(from + 1), self.word(from + 2)) {
                ("of", "the") => of(from + 3),
                ("of" | "/", _) | ("out", "of") => {
                    of(from + 2 + usize::from(self.word(from + 1) == "out"))
                }
                _ => None,
            };
            // `0 tests pass`
            let zero = word == "0" && (from + 1 == at || is_check(self.word(from + 1)));
            word == "some" || zero || fraction.or(apart).is_some_and(|(some, all)| some < all)
        })
    }

    /// Whether what passes there passed at another time, or passes only at times.
    pub(super) fn is_at_times(&self, at: usize) -> bool {
        let rest = &self.words[at + 1..];
        let before = self.first(UNSAID).is_some_and(|it| it < at && self.is_of_then(it));
        before
            || rest.iter().any(|it| has("intermittently sometimes occasionally", it))
            || rest.windows(2).any(|it| {
                it[0] == "only" && (has(CASES, &it[1]) || has(CONDITIONS, &it[1]))
                    || it[0] == "at" && matches!(&*it[1], "random" | "times")
            })
            || rest
                .iter()
                .position(|it| it == "before")
                .is_some_and(|it| it + 1 == rest.len() || self.is_change(at + 2 + it))
    }

    /// `previously all tests passed`, and not `the previously failing test passes`.
    fn is_of_then(&self, at: usize) -> bool {
        at == 0 && !self.any("now") && !has("failing failed broken red flaky", self.word(1))
    }

    /// Whether what follows `that` at this word is wanted, or denied: `you asked that`, `the goal is that`.
    pub(super) fn is_goal(&self, at: usize) -> bool {
        let before = &self.words[..at];
        let last = before.last().map_or("", String::as_str);
        self.word(at) == "that"
            && (has("asked requested required requires demanded insisted", last)
                || has("test tests checks asserts", last) && has(DETERMINERS, self.word(at + 1))
                || has("false untrue wrong unclear unlikely claim statement", last)
                || has(BE, last) && before.iter().any(|it| has(GOALS, it)))
            || self.word(at) == "working" && self.word(at + 1) == "on"
            || self.word(at) == "far" && self.word(at + 1) == "from"
    }

    /// `we are done when it is green`
    pub(super) fn is_awaited(&self, at: usize) -> bool {
        self.word(at + 1) == "when"
            && has("is are be", self.word(at.saturating_sub(1)))
            && self.words[at + 1..].iter().any(|it| has(PASSES, it) || has("passing working", it))
    }

    /// `the tests do not`, `those in b fail`
    pub(super) fn is_other(&self, at: usize) -> bool {
        self.words[..at].iter().any(|it| is_check(it) || has("one ones those others rest", it))
    }
}
