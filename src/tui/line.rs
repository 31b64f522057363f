//! A line of text on the screen, and its tone.

/// What a text says by its looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Title,
    Dim,
    Good,
    Bad,
    Warning,
}

/// A line of text, escaped already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub tone: Tone,
    pub text: String,
}

impl Line {
    /// A line of any origin: escaped here.
    pub fn of(tone: Tone, text: &str) -> Self {
        Self { tone, text: super::text::shown(text) }
    }
}
