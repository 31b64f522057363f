//! What a key asks for.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Next,
    Back,
    First,
    /// By lines of the step's text.
    Scroll(isize),
    Failures,
    Type(Typed),
    /// The same search again.
    Again,
    /// The terminal has another size.
    Redraw,
    Leave,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    Step,
    Search,
}

impl Typed {
    pub fn prompt(self) -> &'static str {
        match self {
            Self::Step => "step: ",
            Self::Search => "/",
        }
    }
}

/// The keys, as the last line tells them.
pub const KEYS: &str =
    "space next  b back  g step  / search  n again  f failures  ↑↓ scroll  q quit";
