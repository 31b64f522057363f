//! A failure of another debug session that looks like one that is asked about.

use super::DebugSession;
use crate::event::{Analysis, ErrorType, Fix, TestFailure, normalised_message};

/// What is known of a failure that others are to be compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimilarAsked {
    pub error_type: Option<ErrorType>,
    /// As it was printed.
    pub error_message: Option<String>,
    pub test_name: Option<String>,
    /// Where in the source it comes from.
    pub file: Option<String>,
    pub function: Option<String>,
}

impl From<&TestFailure> for SimilarAsked {
    fn from(failure: &TestFailure) -> Self {
        let at = failure.source_location.clone().unwrap_or_default();
        Self {
            error_type: Some(failure.error_type),
            error_message: Some(failure.error_message.clone()),
            test_name: Some(failure.test_name.clone()),
            file: at.file,
            function: at.function,
        }
    }
}

impl SimilarAsked {
    /// The message as it is compared; `None` where it says nothing.
    pub(super) fn message(&self) -> Option<String> {
        let message = normalised_message(self.error_message.as_deref()?);
        (!message.is_empty()).then_some(message)
    }
}

/// Why a failure is like another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Likeness {
    pub error_type: bool,
    /// Once what differs from run to run is left out.
    pub message: bool,
    /// The source's file.
    pub file: bool,
    /// And the function in it.
    pub function: bool,
    pub test: bool,
}

/// The highest [`Likeness::score`].
pub const SCORE_MAX: u32 = 12;

impl Likeness {
    /// Error type 2, message 5, file and function 3, the file alone 1, test 2: up to [`SCORE_MAX`].
    pub fn score(self) -> u32 {
        let at = match (self.file, self.function) {
            (true, true) => 3,
            (true, false) => 1,
            _ => 0,
        };
        2 * u32::from(self.error_type) + 5 * u32::from(self.message) + at + 2 * u32::from(self.test)
    }

    /// What holds, in words.
    pub fn reasons(self) -> Vec<&'static str> {
        let location = if self.function { "same location" } else { "same file" };
        [
            (self.error_type, "same error type"),
            (self.message, "same message"),
            (self.file, location),
            (self.test, "same test"),
        ]
        .into_iter()
        .filter_map(|(holds, reason)| holds.then_some(reason))
        .collect()
    }
}

/// A failure of another debug session that looks like one that is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    pub session: DebugSession,
    /// Which of those asked about it is like: a place in what was given.
    pub asked: usize,
    /// The attempt that it was last seen in.
    pub attempt: u32,
    pub failure: TestFailure,
    pub likeness: Likeness,
    /// What helped; `None` where nothing has yet.
    pub resolution: Option<DebugResolution>,
}

impl Similar {
    /// How much it is alike, to [`SCORE_MAX`].
    pub fn score(&self) -> u32 {
        self.likeness.score()
    }
}

/// What helped against a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugResolution {
    /// The fix that passed, or the last one before the session did.
    pub fix: Option<Fix>,
    /// What was thought to be wrong.
    pub analysis: Option<Analysis>,
}
