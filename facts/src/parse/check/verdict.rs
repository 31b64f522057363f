//! How a check ended, and what that rests on.

use super::command::Reach;
use crate::event::words;

words! {
    #[derive(Default)]
    pub enum Verdict {
        Passed = "passed",
        Failed = "failed",
        #[default]
        Unknown = "unknown",
    }
}

words! {
    #[derive(Default)]
    pub enum Basis {
        #[default]
        Nothing = "nothing",
        ExitCode = "exit_code",
        Output = "output",
        Both = "both",
        /// The exit code says otherwise than the output: the surer of them counts.
        Contradiction = "contradiction",
    }
}

/// What an output says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    Failed,
    Passed,
    /// That it passed, and that it failed.
    Both,
    /// It was all there was to see, and nothing is the word of a check that is quiet where all is well.
    Silence,
    Nothing,
}

/// `code`: how the line ended, where that is known.
pub fn judge(code: Option<i32>, reach: Reach, said: Said) -> (Verdict, Basis) {
    use Verdict::{Failed, Passed, Unknown};
    let by_code = match code {
        Some(0) if reach.passes => Passed,
        Some(0) | None => Unknown,
        // Ended by somebody or by a time limit: by itself it did not say.
        Some(124 | 130 | 137 | 143) => Unknown,
        Some(_) if reach.fails => Failed,
        Some(_) => Unknown,
    };
    match (by_code, said) {
        // Its own exit code is surer than words, which a test may print.
        (Passed, Said::Failed) => (Passed, Basis::Contradiction),
        (Failed, Said::Passed) => (Failed, Basis::Contradiction),
        (by_code, Said::Both) => (by_code, Basis::Contradiction),
        (Passed, Said::Passed) => (Passed, Basis::Both),
        (Failed, Said::Failed) => (Failed, Basis::Both),
        (Unknown, Said::Failed) => (Failed, Basis::Output),
        (Unknown, Said::Passed | Said::Silence) if code.is_some_and(|it| it > 123) => {
            (Unknown, Basis::Nothing)
        }
        (Unknown, Said::Passed | Said::Silence) => (Passed, Basis::Output),
        (Unknown, Said::Nothing) => (Unknown, Basis::Nothing),
        (by_code, Said::Silence | Said::Nothing) => (by_code, Basis::ExitCode),
    }
}
