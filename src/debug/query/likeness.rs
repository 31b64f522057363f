//! Why a failure is like another, and how much.

/// Why a failure is like another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Likeness {
    pub error_type: bool,
    /// The same is wrong: see [`cause_of`](super::cause_of).
    pub cause: bool,
    pub file: bool,
    pub function: bool,
    pub test: bool,
}

/// The highest [`Likeness::score`].
pub const SCORE_MAX: u32 = 12;

impl Likeness {
    /// Error type 2, cause 5, file and function 3, the file alone 1, test 2: up to [`SCORE_MAX`].
    pub fn score(self) -> u32 {
        let at = match (self.file, self.function) {
            (true, true) => 3,
            (true, false) => 1,
            _ => 0,
        };
        2 * u32::from(self.error_type) + 5 * u32::from(self.cause) + at + 2 * u32::from(self.test)
    }

    pub fn reasons(self) -> Vec<&'static str> {
        let location = if self.function { "same location" } else { "same file" };
        [
            (self.error_type, "same error type"),
            (self.cause, "same cause"),
            (self.file, location),
            (self.test, "same test"),
        ]
        .into_iter()
        .filter_map(|(holds, reason)| holds.then_some(reason))
        .collect()
    }
}
